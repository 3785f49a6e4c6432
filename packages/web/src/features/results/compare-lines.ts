import type { WatchPrize } from '@fairball/contract/schemas/game'
import { lineMask, matchesOf } from '@fairball/domain/lines'

/** A played line beside the numbers drawn. */
export interface ComparedLine<Prize = WatchPrize> {
  /** Its place in the order, from 1. */
  place: number
  numbers: readonly number[]
  matches: number
  /** What the line won; null for nothing. */
  prize: Prize | null
}

/**
 * Compares the lines of a play with the numbers drawn.
 *
 * @param drawn the numbers drawn, null before the draw: the lines then stay in the order played, without matches
 * @param prizes of the draw, from the top
 * @returns winning lines first, more matches before fewer; lines with equal matches in the order played
 */
export function compareLines<Prize extends Pick<WatchPrize, 'matches'>>(
  lines: readonly (readonly number[])[],
  drawn: readonly number[] | null,
  prizes: readonly Prize[],
): ComparedLine<Prize>[] {
  const played = lines.map((numbers, index) => ({ place: index + 1, numbers, matches: 0, prize: null }))
  if (drawn === null) return played
  const drawnMask = lineMask(drawn)
  return played
    .map((line) => {
      const matches = matchesOf(lineMask(line.numbers), drawnMask)
      return { ...line, matches, prize: prizes.find((prize) => prize.matches.includes(matches)) ?? null }
    })
    .toSorted(
      (a, b) => Number(b.prize !== null) - Number(a.prize !== null) || b.matches - a.matches || a.place - b.place,
    )
}
