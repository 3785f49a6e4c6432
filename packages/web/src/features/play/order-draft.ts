import {
  addLuckyDips,
  clearLine,
  closePicker,
  confirmLine,
  deleteLine,
  removeLuckyDip,
  replayLines,
  resetLines,
  toggleNumber,
} from '@fairball/domain/line-drafts'
import type { TicketLines } from '@fairball/domain/line-drafts'

/** An order while it is put together: the first two steps of the play page. */
export interface OrderDraft {
  readonly lines: TicketLines
  /** The chosen days, 1 to 7; null until the player chooses, where the first possible one counts. */
  readonly days: readonly number[] | null
  readonly weeks: number
  readonly step: 1 | 2
  /** The line whose numbers are being picked, by its place; null while the picker is closed. */
  readonly editing: number | null
  /** Names this attempt to pay, so that pressing twice or trying again makes one order. Made anew on the way to step 2. */
  readonly attemptId: string | null
}

/** What can happen to it. */
export type OrderAction =
  | { readonly type: 'pick'; readonly index: number }
  | { readonly type: 'toggle'; readonly number: number; readonly pick: number }
  | { readonly type: 'clear' }
  | { readonly type: 'confirm'; readonly pick: number }
  | { readonly type: 'close'; readonly pick: number }
  | { readonly type: 'delete'; readonly index: number }
  | { readonly type: 'add-dips'; readonly dips: readonly (readonly number[])[] }
  | { readonly type: 'remove-dip' }
  | { readonly type: 'replay'; readonly lines: readonly (readonly number[])[] }
  | { readonly type: 'days'; readonly days: readonly number[] }
  | { readonly type: 'weeks'; readonly weeks: number }
  | { readonly type: 'to-payment'; readonly attemptId: string }
  | { readonly type: 'back' }
  | { readonly type: 'next-draw' }

/** @returns an order without lines, or with lucky dips that an address asked for */
export function newOrder(dips: readonly (readonly number[])[]): OrderDraft {
  return { lines: addLuckyDips(resetLines(), dips), days: null, weeks: 1, step: 1, editing: null, attemptId: null }
}

/** The order after something happened to it. The rules of the lines are the domain's. */
export function orderAfter(order: OrderDraft, action: OrderAction): OrderDraft {
  const { lines, editing } = order
  switch (action.type) {
    case 'pick':
      return { ...order, editing: action.index }
    case 'toggle':
      if (editing === null) return order
      return { ...order, lines: toggleNumber(lines, { ...action, index: editing }).lines }
    case 'clear':
      return editing === null ? order : { ...order, lines: clearLine(lines, editing) }
    case 'confirm':
      if (editing === null) return order
      return { ...order, lines: confirmLine(lines, { index: editing, pick: action.pick }), editing: null }
    case 'close':
      if (editing === null) return order
      return { ...order, lines: closePicker(lines, { index: editing, pick: action.pick }), editing: null }
    case 'delete':
      return { ...order, lines: deleteLine(lines, action.index) }
    case 'add-dips':
      return { ...order, lines: addLuckyDips(lines, action.dips) }
    case 'remove-dip':
      return { ...order, lines: removeLuckyDip(lines) }
    case 'replay':
      return { ...order, lines: replayLines(action.lines) }
    case 'days':
      return { ...order, days: action.days }
    case 'weeks':
      return { ...order, weeks: action.weeks }
    case 'to-payment':
      return { ...order, step: 2, attemptId: action.attemptId }
    case 'back':
      return { ...order, step: 1, attemptId: null }
    case 'next-draw':
      // Days and weeks are those of another draw now. The lines are nobody's but the player's, so they stay.
      return { ...order, days: null, weeks: 1, step: 1, attemptId: null }
  }
}
