import {
  addLuckyDips,
  closePicker,
  confirmLine,
  deleteLine,
  removeLuckyDips,
  replayLines,
  resetLines,
} from '@fairball/domain/line-drafts'
import type { TicketLine, TicketLines } from '@fairball/domain/line-drafts'
import { INVOICE_SECONDS } from '@fairball/domain/order-status'

/** An order while it is put together: the first two steps of the play page. The history decides which step is shown. */
export interface OrderDraft {
  /** Its name in the tab's storage. */
  readonly id: string
  readonly lines: TicketLines
  /** The chosen days, 1 to 7; null until the player chooses; until then the first possible day counts. */
  readonly days: readonly number[] | null
  readonly weeks: number
  /** The draw for which days and weeks were chosen: its times as one text. */
  readonly drawTimes: string
  /** The last try to pay; null before there was one. */
  readonly attempt: Attempt | null
}

/** A try to pay. The same order tried again within the time to pay is the same attempt, so that it makes one order. */
interface Attempt {
  /** The idempotency key of the request. */
  readonly id: string
  /** The order, as a text. */
  readonly of: string
  /** Epoch seconds. */
  readonly at: number
  /** Its result; null until the server has answered. */
  readonly orderId: string | null
}

/** Actions on an order. */
export type OrderAction =
  /** The picker was left: `line` is the line of this place as it was picked. */
  | { readonly type: 'confirm' | 'close'; readonly index: number; readonly line: TicketLine; readonly pick: number }
  | { readonly type: 'delete'; readonly index: number }
  | { readonly type: 'add-dips'; readonly dips: readonly (readonly number[])[] }
  | { readonly type: 'remove-dips'; readonly count: number }
  | { readonly type: 'replay'; readonly lines: readonly (readonly number[])[] }
  | { readonly type: 'days'; readonly days: readonly number[] }
  | { readonly type: 'weeks'; readonly weeks: number }
  | { readonly type: 'attempt'; readonly attempt: Attempt }
  | { readonly type: 'ordered'; readonly orderId: string }
  | { readonly type: 'next-draw'; readonly drawTimes: string }

/** @returns an order without lines, or with the lucky dips of an address */
export function newOrder(
  dips: readonly (readonly number[])[],
  { id, drawTimes }: { id: string; drawTimes: string },
): OrderDraft {
  const lines = addLuckyDips(resetLines(), dips)
  return { id, lines, days: null, weeks: 1, drawTimes, attempt: null }
}

/**
 * The attempt to pay this order now: the last one again if it was for the same order and its time to pay is not over.
 *
 * @param now.nowAt epoch seconds
 */
export function attemptNow(
  last: Attempt | null,
  of: string,
  { nowAt, newId }: { nowAt: number; newId: () => string },
): Attempt {
  if (last !== null && last.of === of && nowAt < last.at + INVOICE_SECONDS) return last
  return { id: newId(), of, at: nowAt, orderId: null }
}

/** The order after an action. The rules of the lines are the domain's. */
export function orderAfter(order: OrderDraft, action: OrderAction): OrderDraft {
  const { lines } = order
  switch (action.type) {
    case 'confirm':
      return { ...order, lines: confirmLine(lines.with(action.index, action.line), action) }
    case 'close':
      return { ...order, lines: closePicker(lines.with(action.index, action.line), action) }
    case 'delete':
      return { ...order, lines: deleteLine(lines, action.index) }
    case 'add-dips':
      return { ...order, lines: addLuckyDips(lines, action.dips) }
    case 'remove-dips':
      return { ...order, lines: removeLuckyDips(lines, action.count) }
    case 'replay':
      return { ...order, lines: replayLines(action.lines) }
    case 'days':
      return { ...order, days: action.days }
    case 'weeks':
      return { ...order, weeks: action.weeks }
    case 'attempt':
      return { ...order, attempt: action.attempt }
    case 'ordered':
      return order.attempt === null ? order : { ...order, attempt: { ...order.attempt, orderId: action.orderId } }
    case 'next-draw':
      // Days and weeks belonged to another draw. The lines are the player's, so they stay.
      return { ...order, days: null, weeks: 1, drawTimes: action.drawTimes }
  }
}
