import { checkLine } from '@fairball/domain/lines'
import { LOWER_TEXTS } from './lower-messages.ts'

/** Digits that any number of a game fits into. Longer numbers are kept, so that the check refuses them. */
const NUMBER = /\d{1,6}/gu

/**
 * Reads the numbers of a typed line, with any separators: spaces, commas, new lines.
 *
 * @returns the numbers in the order typed, repeats included; empty for a text without digits
 */
export function numbersIn(text: string): number[] {
  return Array.from(text.matchAll(NUMBER), ([digits]) => Number(digits))
}

/** @returns the numbers as written in the field, ascending: "3 14 15" */
export function typedText(numbers: readonly number[]): string {
  return numbers.toSorted((one, other) => one - other).join(' ')
}

/**
 * The slots while the player types: the numbers so far that could be on the line, then empty slots.
 *
 * @returns `pick` places at all times
 */
export function slotsOf(numbers: readonly number[], game: { pick: number; pool: number }): (number | null)[] {
  const possible = [...new Set(numbers)].filter((number) => number >= 1 && number <= game.pool)
  return Array.from({ length: game.pick }, (_, place) => possible[place] ?? null)
}

/** @returns the problem of a typed line, as a sentence; null when it can be checked */
export function typedLineError(text: string, game: { pick: number; pool: number }): string | null {
  const numbers = numbersIn(text)
  if (new Set(numbers).size < numbers.length) return LOWER_TEXTS.checkTwice
  return checkLine(numbers, game)
}
