/** Lines of numbers. Their length and range depend on the game's rules, which the service checks. */
import { MAX_POOL } from '@fairball/domain/protocol/numbers'
import { MAX_LINES } from '@fairball/domain/games'
import * as z from 'zod/mini'
import { wholeNumber } from './text.ts'

/** One line in a request: distinct whole numbers. */
export const lineInput = z.array(wholeNumber({ min: 1, max: MAX_POOL })).check(
  z.minLength(1, 'Must hold at least one number.'),
  z.maxLength(MAX_POOL, `Must hold at most ${MAX_POOL} numbers.`),
  z.refine((numbers) => new Set(numbers).size === numbers.length, 'Must not repeat a number.'),
)

/** A list of lines in a request. */
export const linesInput = z
  .array(lineInput)
  .check(
    z.minLength(1, 'Must hold at least one line.'),
    z.maxLength(MAX_LINES, `Must hold at most ${MAX_LINES} lines.`),
  )

/** One line in an answer. */
export const lineSchema = z.array(z.int())
/** A list of lines in an answer. */
export const linesSchema = z.array(lineSchema)
/** The lines of an order in an answer, each with whether its player had it picked at random. */
export const orderedLinesSchema = z.array(z.object({ numbers: lineSchema, is_lucky_dip: z.boolean() }))
