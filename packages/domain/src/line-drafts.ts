import { assert } from './assert.ts'

/** A line that is being edited (spec section 3, Ticket line). */
export interface TicketLine {
  readonly isLuckyDip: boolean
  /** the draft, in the order picked */
  readonly numbers: readonly number[]
  /** the numbers to play; empty until the draft is confirmed */
  readonly confirmedNumbers: readonly number[]
  /** the draft as it was filled while empty: confirmed with these numbers, the line is a lucky dip */
  readonly filled?: readonly number[]
}

/** The lines of an order on the play page: those made so far, and an empty one at the end for the next. */
export type TicketLines = readonly TicketLine[]

const EMPTY: TicketLine = { isLuckyDip: false, numbers: [], confirmedNumbers: [] }

/** One empty line, as on a fresh play page and after a reset (spec section 4). */
export function resetLines(): TicketLines {
  return [EMPTY]
}

/**
 * Adds a number to a line's draft, or removes it. A draft has at most `pick` numbers: one more changes nothing and
 * returns `isFull`, so that the progress bar flashes (spec section 4).
 */
export function toggleNumber(
  lines: TicketLines,
  { index, number, pick }: { index: number; number: number; pick: number },
): { lines: TicketLines; isFull: boolean } {
  const { numbers } = lineAt(lines, index)
  const isPicked = numbers.includes(number)
  if (!isPicked && numbers.length >= pick) return { lines, isFull: true }
  const changed = isPicked ? numbers.filter((picked) => picked !== number) : [...numbers, number]
  return { lines: withLine(lines, index, { numbers: changed }), isFull: false }
}

/**
 * Confirms a line's draft: its numbers will be played, and if the line was empty, a fresh empty line is added at the
 * end (spec section 4). A lucky dip with changed numbers is no longer one. An incomplete draft changes nothing.
 */
export function confirmLine(lines: TicketLines, { index, pick }: { index: number; pick: number }): TicketLines {
  const { isLuckyDip, numbers, confirmedNumbers, filled = [] } = lineAt(lines, index)
  if (numbers.length !== pick) return lines
  const isSameAs = (others: readonly number[]) =>
    others.length === pick && others.every((number) => numbers.includes(number))
  const isDip = (isLuckyDip && isSameAs(confirmedNumbers)) || isSameAs(filled)
  return withEmptyLast(lines.with(index, { isLuckyDip: isDip, numbers, confirmedNumbers: ascending(numbers) }))
}

/**
 * Completes a line's draft with random numbers.
 *
 * @param numbers the draft's own, and those that fill it up
 */
export function fillLine(
  lines: TicketLines,
  { index, numbers }: { index: number; numbers: readonly number[] },
): TicketLines {
  const isWhole = lineAt(lines, index).numbers.length === 0
  return withLine(lines, index, { numbers, ...(isWhole ? { filled: numbers } : {}) })
}

/** Deletes a line. The last line stays empty. */
export function deleteLine(lines: TicketLines, index: number): TicketLines {
  lineAt(lines, index)
  return withEmptyLast(lines.toSpliced(index, 1))
}

/** Empties a line: its draft and its confirmed numbers (spec section 4). */
export function clearLine(lines: TicketLines, index: number): TicketLines {
  lineAt(lines, index)
  return lines.with(index, EMPTY)
}

/** Resets a line's draft to its confirmed numbers (spec section 4). */
export function revertLine(lines: TicketLines, index: number): TicketLines {
  return withLine(lines, index, { numbers: lineAt(lines, index).confirmedNumbers })
}

/**
 * Closes the number picker without confirming, by Escape or a click beside it: a complete draft is reverted to the
 * confirmed numbers, an incomplete one clears the line (spec section 4).
 */
export function closePicker(lines: TicketLines, { index, pick }: { index: number; pick: number }): TicketLines {
  return lineAt(lines, index).numbers.length === pick ? revertLine(lines, index) : clearLine(lines, index)
}

/** Adds confirmed lucky dips before the empty line at the end (spec section 4). */
export function addLuckyDips(lines: TicketLines, dips: readonly (readonly number[])[]): TicketLines {
  return addLines(
    lines,
    dips.map((numbers) => ({ isLuckyDip: true, numbers })),
  )
}

/** Adds confirmed lines before the empty line at the end. */
export function addLines(
  lines: TicketLines,
  added: readonly { readonly isLuckyDip: boolean; readonly numbers: readonly number[] }[],
): TicketLines {
  const made = added.map(({ isLuckyDip, numbers }) => ({ isLuckyDip, numbers, confirmedNumbers: numbers }))
  return withEmptyLast([...withoutEmptyLast(lines), ...made])
}

/** Removes the last `count` lucky dips, or as many as there are (spec section 4). */
export function removeLuckyDips(lines: TicketLines, count: number): TicketLines {
  const dips = lines.flatMap((line, index) => (line.isLuckyDip ? [index] : []))
  const removed = new Set(dips.slice(Math.max(0, dips.length - count)))
  return removed.size === 0 ? lines : withEmptyLast(lines.filter((_, index) => !removed.has(index)))
}

/** Replaces all lines by saved or last-played ones, as chosen lines, and an empty one (spec section 4). */
export function replayLines(saved: readonly (readonly number[])[]): TicketLines {
  return [...saved.map((numbers) => ({ isLuckyDip: false, numbers, confirmedNumbers: numbers })), EMPTY]
}

/** The lines to play and pay for: those confirmed with exactly `pick` numbers (spec section 5). */
export function completeLines(lines: TicketLines, pick: number): TicketLine[] {
  return lines.filter((line) => line.confirmedNumbers.length === pick)
}

/** Number of lucky dips among the lines. */
export function luckyDipCount(lines: TicketLines): number {
  return lines.filter((line) => line.isLuckyDip).length
}

/** Whether the lines can be saved: at least one that is not a lucky dip is confirmed (spec section 4). */
export function canSaveLines(lines: TicketLines): boolean {
  return lines.some((line) => !line.isLuckyDip && line.confirmedNumbers.length > 0)
}

function lineAt(lines: TicketLines, index: number): TicketLine {
  const line = lines[index]
  assert(line !== undefined, `no line ${index} of ${lines.length}`)
  return line
}

function withLine(lines: TicketLines, index: number, change: Partial<TicketLine>): TicketLines {
  return lines.with(index, { ...lineAt(lines, index), ...change })
}

function isEmpty(line: TicketLine | undefined): boolean {
  return line !== undefined && line.numbers.length === 0 && line.confirmedNumbers.length === 0
}

function withEmptyLast(lines: TicketLines): TicketLines {
  return isEmpty(lines.at(-1)) ? lines : [...lines, EMPTY]
}

function withoutEmptyLast(lines: TicketLines): TicketLines {
  return isEmpty(lines.at(-1)) ? lines.slice(0, -1) : lines
}

function ascending(numbers: readonly number[]): number[] {
  return numbers.toSorted((one, other) => one - other)
}
