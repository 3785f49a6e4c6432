import type { Ticket } from '@fairball/contract/schemas/ticket'
import type { WatchPrize } from '@fairball/contract/schemas/game'

/** @returns how many of the player's lines won in a draw of these prizes */
export function winningLines(tickets: readonly Ticket[], prizes: readonly Pick<WatchPrize, 'matches'>[]): number {
  const prized = new Set(prizes.flatMap(({ matches }) => matches))
  return tickets.flatMap(({ lines }) => lines).filter(({ matches }) => matches !== null && prized.has(matches)).length
}
