import { LotteryError } from '@fairball/domain/errors'
import type { OrderStatus } from '@fairball/domain/order-status'
import type { PaymentsContext } from './context.ts'
import type { KnownPayment } from './order-payments.ts'
import { withEarlier } from './payment-rows.ts'
import * as queries from './queries.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether a text has the form of an id: any other names nothing. */
export function isRowId(text: string): boolean {
  return UUID.test(text)
}

/** What is known of an order before its provider is asked. */
export interface OrderBeforeLook {
  readonly playerId: bigint
  readonly status: OrderStatus
  /** epoch seconds */
  readonly expiresAt: number
  readonly heldUntil: number
  /** null if it has no promise */
  readonly promisedConfirmations: number | null
  /** null if it has none */
  readonly invoice: { readonly provider: string; readonly ref: string } | null
  readonly payments: readonly KnownPayment[]
}

/** The play page that shows the status of an order's payment. */
export function returnUrlOf({ publicUrl }: PaymentsContext, order: { id: string; gameKey: string }): string {
  return `${publicUrl}/game/${order.gameKey}?transaction_id=${order.id}`
}

/** An order with the amount to be paid for it. @throws LotteryError NOT_FOUND */
export async function findOrder({ db }: PaymentsContext, orderId: string) {
  const order = isRowId(orderId) ? await db.maybeOne(queries.findOrder, [orderId]) : null
  if (order === null) throw new LotteryError('NOT_FOUND', 'No such order.')
  return order
}

/** What is known of an order before its provider is asked, in one statement. @throws LotteryError NOT_FOUND */
export async function findBeforeLook({ db }: PaymentsContext, orderId: string): Promise<OrderBeforeLook> {
  const rows = isRowId(orderId) ? await db.run(queries.findBeforeLook, [orderId]) : []
  const [order] = rows
  if (order === undefined) throw new LotteryError('NOT_FOUND', 'No such order.')
  const { playerId, status, expiresAt, heldUntil, promisedConfirmations, provider: holder, ref } = order
  const invoice = holder === null || ref === null ? null : { provider: holder, ref }
  const payments = rows
    .map(withEarlier)
    .flatMap(({ outpoint, sats, seenAt, ...payment }) =>
      outpoint === null || sats === null || seenAt === null ? [] : [{ ...payment, outpoint, sats, seenAt }],
    )
  return { playerId, status, expiresAt, heldUntil, promisedConfirmations, invoice, payments }
}

/**
 * The number of confirmations from which a payment of an order counts: what its promise names, which binds, or fewer
 * if fewer are asked for now.
 */
export function confirmationsFor(
  { requiredConfirmations }: Pick<PaymentsContext, 'requiredConfirmations'>,
  order: { readonly promisedConfirmations: number | null },
): number {
  const now = requiredConfirmations()
  return order.promisedConfirmations === null ? now : Math.min(order.promisedConfirmations, now)
}
