import { expect, vi } from 'vitest'
import type { OrderPayment, PaidFor } from '@fairball/contract/schemas/order'
import { nobleHash } from '@fairball/domain/protocol/hash'
import { TestOperator } from '@fairball/domain/protocol/operator-fixture'
import { PAID_FOR } from './checkout.ts'
import { GAME, NOW, open } from './play-page.tsx'
import type { Setting } from './play-page.tsx'
import { pass } from './render-page.tsx'
import { PlayersOrder } from './served-operator.ts'
import { Tab } from './tab.tsx'

export const DAY = 86_400
const LINES = [[1, 2, 3]]

/** A paid order of lines in draws, a day apart. */
export function ordered(lineCount: number, drawCount: number, changes: Partial<PaidFor> = {}): PaidFor {
  const [draw] = PAID_FOR.draws
  if (draw === undefined) throw new Error('the order has no draw')
  return {
    ...PAID_FOR,
    paid_at: NOW,
    lines: Array.from({ length: lineCount }, (_, place) => ({ numbers: [1, 2, 3, 4, 5], is_lucky_dip: place === 2 })),
    draws: Array.from({ length: drawCount }, (_, place) => ({
      number: draw.number + place,
      start_at: draw.start_at + place * DAY,
      ticket_sell_closes_at: draw.ticket_sell_closes_at + place * DAY,
      play_id: `play-${place + 1}`,
    })),
    ...changes,
  }
}

/** The player's papers for a play in an operator's list. */
export function papers() {
  const operator = new TestOperator()
  const draw = operator.openDraw()
  const secret = nobleHash(new Uint8Array([1]))
  const order = new PlayersOrder(draw, { secret, username: 'player-abc123', lines: LINES })
  const before = order.papers()
  operator.sell(draw, [{ secret, username: 'player-abc123', lines: LINES, free: 0, rate: 3000 }])
  return { order, before, after: order.papers() }
}

/** Opens the page of a paid order, a second later. */
export async function openPaid(
  order: PaidFor,
  setting: Setting = {},
  payment: () => Partial<OrderPayment> = () => ({}),
) {
  await open({
    tab: new Tab(`${GAME}?transaction_id=order-1`),
    ...setting,
    props: { transactionId: 'order-1' },
    answers: {
      getPayment: () => ({ status: 'PAID', game_key: 'bitcoin-hero', order, ...payment() }),
      getReceipt: () => papers().before,
      getTickets: () => ({ results: [], total_pages: 0 }),
      ...setting.answers,
    },
  })
  await pass(1_000)
}

/** Waits for parts that load on demand, and for what they ask. */
export async function shown(isShown: () => boolean): Promise<void> {
  await vi.waitFor(async () => {
    await pass(10)
    expect(isShown()).toBe(true)
  })
}

/** The card with a heading. */
export function card(title: string): Element | undefined {
  return [...document.querySelectorAll('section')].find((one) => one.querySelector('h2')?.textContent === title)
}
