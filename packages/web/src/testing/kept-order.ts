import type { KeptOrder } from '../proof/kept-records.ts'

/** An order with the operator's answer, as a browser keeps it: one week of a test game, at a pound a line. */
export function keptOrder(
  order: Pick<KeptOrder, 'player' | 'secret' | 'madeAt' | 'lines' | 'promise'> & Partial<KeptOrder>,
): KeptOrder {
  return {
    attempt: 'attempt-1',
    game: 'test-game',
    days: [1],
    weeks: 1,
    firstDraw: 1,
    free: 0,
    price: { GBP: 100 },
    payto: '',
    transactionId: 'order-1',
    ...order,
  }
}
