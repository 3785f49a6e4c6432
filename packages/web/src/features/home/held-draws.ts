import type { Fiat } from '@fairball/contract/schemas/money'
import type { Ticket } from '@fairball/contract/schemas/ticket'
import { drawName } from '../../shared/seen-draws.ts'

/** The most rows of the list. */
export const MOST_ROWS = 3
/** Time for which a result is shown unless it was seen, in seconds. */
const NEWS_SECONDS = 7 * 86_400

/** The player's tickets of one draw. */
export interface HeldDraw {
  readonly gameKey: string
  readonly draw: Ticket['draw']
  readonly lines: number
  /** The money that the lines won; null before the draw, and if they won none. */
  readonly won: Fiat | null
  readonly freeTickets: number
}

/** What the list shows. */
interface HeldDraws {
  /** Draws to come that the player is in. */
  readonly toCome: number
  readonly rows: readonly HeldDraw[]
}

/**
 * @param seen the names of the draws whose results the player has seen
 * @returns at most three draws of a player: those that won and were not seen, then those to come, the soonest first, then
 *   other results
 */
export function heldDraws(tickets: readonly Ticket[], seen: ReadonlySet<string>, nowAt: number): HeldDraws {
  const held = byDraw(tickets)
  const toCome = held.filter(({ draw }) => !isOver(draw))
  const news = held.filter(
    ({ gameKey, draw }) =>
      draw.status === 'DRAWN' && nowAt < draw.end_at + NEWS_SECONDS && !seen.has(drawName(gameKey, draw.number)),
  )
  const rows = [...news.filter(hasWon), ...toCome, ...news.filter((one) => !hasWon(one))]
  return { toCome: toCome.length, rows: rows.slice(0, MOST_ROWS) }
}

/** @returns whether a draw's lines won anything */
export function hasWon({ won, freeTickets }: HeldDraw): boolean {
  return won !== null || freeTickets > 0
}

function isOver({ status }: Ticket['draw']): boolean {
  return status === 'DRAWN' || status === 'VOID'
}

/**
 * Whether tickets after these may change what is shown: the results of a player with many draws to come are on later
 * pages, and so may be other tickets of the newest draw.
 *
 * @param tickets the first of a player, those to come before the others
 */
export function isCutShort(tickets: readonly Ticket[]): boolean {
  const last = tickets.at(-1)
  const newest = tickets.find(({ draw }) => isOver(draw))
  if (last === undefined || newest === undefined) return last !== undefined
  return newest.game_key === last.game_key && newest.draw.number === last.draw.number
}

/** Tickets of one draw as one, in the order of the list. */
function byDraw(tickets: readonly Ticket[]): HeldDraw[] {
  const groups = Map.groupBy(tickets, (ticket) => drawName(ticket.game_key, ticket.draw.number))
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    return {
      gameKey: first.game_key,
      draw: first.draw,
      lines: group.reduce((sum, { lines }) => sum + lines.length, 0),
      won: group.reduce<Fiat | null>((sum, { result }) => plus(sum, result?.amount_won?.fiat ?? null), null),
      freeTickets: group.reduce((sum, { result }) => sum + (result?.free_tickets ?? 0), 0),
    }
  })
}

function plus(one: Fiat | null, other: Fiat | null): Fiat | null {
  if (one === null || other === null) return one ?? other
  const sums = Object.entries(one).map(([code, amount]) => {
    return [code, { ...amount, value: amount.value + (other[code]?.value ?? 0) }] as const
  })
  return Object.fromEntries(sums)
}
