import { checkLine } from '@fairball/domain/lines'
import { addLuckyDips } from '@fairball/domain/line-drafts'
import type { TicketLine } from '@fairball/domain/line-drafts'
import { ORDER_KEY } from '../session/kept-for-player.ts'
import type { OrderDraft } from './order-draft.ts'

/** The order's player and game, and the game's rules for its lines. */
interface OrderPlace {
  gameKey: string
  /** The lucky dips that the address asked for: another count is another order. */
  dips: number
  /** The player's name: another player at this device starts afresh. */
  player: string
}

/** The rules for a game's lines. */
interface LineRules {
  pick: number
  pool: number
}

/** A tab's session storage, or a stand-in. */
type TabStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** A storage whose keys can be listed. */
type EnumeratedStorage = Pick<Storage, 'length' | 'key'> & TabStorage

/**
 * Keeps an unfinished order while the tab is open and its player logged in: a reload, or the way back from the payment,
 * finds it again.
 *
 * @param entry names the entry of the browser's history at which the order was begun
 */
export function keepOrder(storage: TabStorage, place: OrderPlace, { order, entry }: KeptOrder): void {
  try {
    storage.setItem(keyOf(place), JSON.stringify({ player: place.player, entry, order }))
  } catch {
    // A full or forbidden storage keeps nothing; the order continues without it.
  }
}

/** An order as the tab keeps it. */
interface KeptOrder {
  order: OrderDraft
  entry: string
}

/**
 * @returns the order kept here, with its confirmed lines; null without one, if it is another
 * player's, or if this page would not have written it so
 */
export function keptOrder(storage: TabStorage, place: OrderPlace, rules: LineRules): KeptOrder | null {
  try {
    const kept: unknown = JSON.parse(storage.getItem(keyOf(place)) ?? 'null')
    if (!isKept(kept) || kept.player !== place.player) return null
    // Adding no lines leaves the one empty line at the end.
    const lines = kept.order.lines.map((line) => ({ ...line, numbers: line.confirmedNumbers }))
    if (!lines.every((line) => isEmpty(line) || checkLine(line.confirmedNumbers, rules) === null)) return null
    return { entry: kept.entry, order: { ...kept.order, lines: addLuckyDips(lines, []) } }
  } catch {
    return null
  }
}

/** @returns the kept order that became this one at the server: its address, and its name; null if the tab keeps none */
export function orderedDraft(
  storage: EnumeratedStorage,
  orderId: string,
): { gameKey: string; dips: number; draftId: string } | null {
  for (const [key, kept] of keptOrders(storage)) {
    const [, gameKey = '', dips = ''] = key.split(':')
    if (kept.order.attempt?.orderId === orderId) return { gameKey, dips: Number(dips), draftId: kept.order.id }
  }
  return null
}

/** Drops the kept order that became this one at the server: its lines are played, and the next order begins empty. */
export function forgetOrdered(storage: EnumeratedStorage, orderId: string): void {
  for (const [key, kept] of keptOrders(storage)) if (kept.order.attempt?.orderId === orderId) storage.removeItem(key)
}

/** All orders that the tab keeps, with their keys. */
function keptOrders(storage: EnumeratedStorage): [key: string, kept: KeptOrder][] {
  try {
    const keys = Array.from({ length: storage.length }, (_, place) => storage.key(place) ?? '')
    return keys
      .filter((name) => name.startsWith(`${ORDER_KEY}:`))
      .flatMap((key) => {
        const kept: unknown = JSON.parse(storage.getItem(key) ?? 'null')
        return isKept(kept) ? [[key, kept] as [string, KeptOrder]] : []
      })
  } catch {
    // A forbidden storage kept nothing.
    return []
  }
}

function keyOf({ gameKey, dips }: OrderPlace): string {
  return `${ORDER_KEY}:${gameKey}:${dips}`
}

function isEmpty(line: TicketLine): boolean {
  return line.confirmedNumbers.length === 0
}

/**
 * Whether a parsed text has the shape that {@link keepOrder} writes. Another version of this page may have written it.
 */
function isKept(kept: unknown): kept is { player: string; entry: string; order: OrderDraft } {
  if (!isRecord(kept) || typeof kept['player'] !== 'string' || typeof kept['entry'] !== 'string') return false
  const { order } = kept
  return (
    isRecord(order) &&
    typeof order['id'] === 'string' &&
    typeof order['drawTimes'] === 'string' &&
    isWeeks(order['weeks']) &&
    (order['days'] === null || isNumbers(order['days'])) &&
    Array.isArray(order['lines']) &&
    order['lines'].every(isLine) &&
    (order['attempt'] === null || isAttempt(order['attempt']))
  )
}

function isWeeks(weeks: unknown): boolean {
  return typeof weeks === 'number' && Number.isSafeInteger(weeks) && weeks >= 1
}

function isLine(line: unknown): boolean {
  return isRecord(line) && typeof line['isLuckyDip'] === 'boolean' && isNumbers(line['confirmedNumbers'])
}

function isAttempt(attempt: unknown): boolean {
  if (!isRecord(attempt) || typeof attempt['id'] !== 'string' || typeof attempt['of'] !== 'string') return false
  return typeof attempt['at'] === 'number' && (attempt['orderId'] === null || typeof attempt['orderId'] === 'string')
}

function isNumbers(list: unknown): boolean {
  return Array.isArray(list) && list.every((number) => Number.isSafeInteger(number))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
