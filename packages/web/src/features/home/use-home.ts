import { useState, useSyncExternalStore } from 'react'
import { gameOfHome } from '@fairball/domain/draw-phase'
import { useClock } from '../../shared/use-clock.ts'
import type { Game } from '../../shared/data/games.ts'

/**
 * The game the home page shows large. It is chosen again when a game has its next draw, not at every tick, nor when a
 * jackpot grows or sales close: the page does not switch to another game while it is being read (specification, section
 * 1).
 *
 * @returns the game, or null if there is none
 */
export function useFeaturedGame(games: readonly Game[]): Game | null {
  const clock = useClock()
  const isServers = useSyncExternalStore(
    never,
    () => false,
    () => true,
  )
  // The choice in the server's HTML is kept; a visitor from another page gets the present choice.
  const [choice, setChoice] = useState(() => {
    return { draws: drawsOf(games), key: featuredKey(games, isServers ? clock.startedAt : clock.now()) }
  })
  const draws = drawsOf(games)
  if (choice.draws !== draws) setChoice({ draws, key: featuredKey(games, clock.now()) })
  return games.find((game) => game.key === choice.key) ?? games[0] ?? null
}

/** The current draw of each game, as one text. */
function drawsOf(games: readonly Game[]): string {
  return games.map(({ key, next_draw }) => `${key} ${next_draw.number}`).join(', ')
}

/** @returns the key of the game whose sales close soonest, or of the first if none is open; null without games */
function featuredKey(games: readonly Game[], nowAt: number): string | null {
  const closings = games.map(({ key, next_draw }) => ({ key, closesAt: next_draw.ticket_sell_closes_at }))
  return gameOfHome(closings, nowAt)?.key ?? null
}

// Once a page is in a browser it stays there.
function never(): () => void {
  return () => {}
}
