import type { WatchPrize, WinType } from '@fairball/contract/schemas/game'
import { lineMask, matchesOf } from '@fairball/domain/lines'

/** A played line beside the numbers drawn. */
export interface ComparedLine {
  /** Its place in the order, from 1. */
  place: number
  numbers: readonly number[]
  matches: number
  /** The prize of the matches; null for none. */
  wins: WinType | null
}

/**
 * Compares the lines of a play with the numbers drawn.
 *
 * @param drawn the numbers drawn, null before the draw: the lines then stay in the order played, without matches
 * @param prizes of the draw, from the top
 * @returns winning lines first, more matches before fewer; lines with equal matches in the order played
 */
export function compareLines(
  lines: readonly (readonly number[])[],
  drawn: readonly number[] | null,
  prizes: readonly Pick<WatchPrize, 'type' | 'matches'>[],
): ComparedLine[] {
  const played = lines.map((numbers, index) => ({ place: index + 1, numbers, matches: 0, wins: null }))
  if (drawn === null) return played
  const drawnMask = lineMask(drawn)
  return played
    .map((line) => {
      const matches = matchesOf(lineMask(line.numbers), drawnMask)
      return { ...line, matches, wins: prizes.find((prize) => prize.matches.includes(matches))?.type ?? null }
    })
    .toSorted((a, b) => Number(b.wins !== null) - Number(a.wins !== null) || b.matches - a.matches || a.place - b.place)
}
