import { toHex } from '@fairball/domain/protocol/bytes'
import type { AnswerOf } from '@fairball/contract/calls'
import type { Runtime } from '../shared/runtime.ts'
import { promiseFault, type PromiseParts } from './check-promise.ts'
import type { KeptOrder } from './kept-records.ts'

const SECRET_BYTES = 32

/** The operator's promise does not fit the order. The message is a sentence for players. */
export class PromiseError extends Error {
  override readonly name = 'PromiseError'
}

/** An order as sent, and the data to check its promise. */
export interface NewOrder extends Pick<
  KeptOrder,
  'attempt' | 'player' | 'game' | 'days' | 'weeks' | 'firstDraw' | 'free' | 'price' | 'drawPrices' | 'payto'
> {
  readonly tickets: readonly { readonly isLuckyDip: boolean; readonly numbers: readonly number[] }[]
  /** Whether an address is on this site, where the payment is shown and checked again. */
  readonly isOwnPage: (checkoutUrl: string) => boolean
}

/**
 * Makes an order with a secret of this browser's own, which is kept before the request is sent, and checks the promise
 * in the answer.
 *
 * @throws PromiseError if the promise does not fit this order; ApiError if the server refuses
 */
export async function placeOrder(
  parts: PromiseParts & { readonly runtime: Pick<Runtime, 'randomBytes'> },
  { tickets, isOwnPage, ...made }: NewOrder,
): Promise<AnswerOf<'createPayment'>> {
  const { api, store, runtime, sightAt } = parts
  const { attempt, game, days, weeks } = made
  const order: KeptOrder = (await store.get('orders', attempt)) ?? {
    ...made,
    secret: toHex(runtime.randomBytes(SECRET_BYTES)),
    madeAt: sightAt,
    lines: tickets.map(({ numbers }) => numbers.toSorted((one, other) => one - other)),
    transactionId: null,
    promise: null,
  }
  await store.put('orders', order)
  const answer = await api.call('createPayment', {
    headers: { 'idempotency-key': attempt },
    body: {
      type: 'lotto',
      key: game,
      days: [...days],
      weeks,
      tickets: tickets.map(({ isLuckyDip, numbers }) => ({ isLuckyDip, numbers: [...numbers] })),
      secret: order.secret,
    },
  })
  if (order.promise !== null && order.promise !== answer.promise) {
    throw new PromiseError('The operator’s promise for this order has changed.')
  }
  const promised = { ...order, transactionId: answer.transaction_id, promise: answer.promise }
  await store.put('orders', promised)
  try {
    const fault = await promiseFault(parts, promised, null)
    if (fault !== null) throw new PromiseError(fault)
  } catch (error) {
    // The page that shows the payment repeats a check that could not be fetched.
    if (error instanceof PromiseError || !isOwnPage(answer.checkout_url)) throw error
  }
  return answer
}
