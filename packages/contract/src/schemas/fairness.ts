/** Answers about the log and players' papers (docs/fairness.md). */
import * as z from 'zod/mini'

const FROM_MESSAGE = 'Must be an index, a whole number from 0.'
const SECRET_MESSAGE = 'Must be 32 bytes as 64 lowercase hex digits.'

/** The secret of an order, as made by the browser. */
export const secretInput = z.string(SECRET_MESSAGE).check(z.regex(/^[0-9a-f]{64}$/, SECRET_MESSAGE))

/**
 * The papers of a play: the promise of its order, and a receipt for each place it has in the tree of a draw, oldest
 * first. There are no receipts before the play is in a batch.
 */
export const receiptSchema = z.object({
  /** Signed note. */
  promise: z.string(),
  /** The secret of the order, 64 hex digits. */
  secret: z.string(),
  /** The player's name when the order was made: the plays are tied to it. */
  username: z.string(),
  receipts: z.array(
    z.object({
      /** Signed note. */
      note: z.string(),
      /** Hashes from the play's leaf up to the root of the batch or close that the receipt names; hex. */
      path: z.array(z.string()),
    }),
  ),
})
export type PlayPapers = z.output<typeof receiptSchema>

/** A statement of the log. */
export const logStatementSchema = z.object({
  index: z.int(),
  /** Epoch seconds, as the statement says. */
  at: z.int(),
  type: z.string(),
  /** SHA-256 of the text, 64 hex digits. */
  hash: z.string(),
  text: z.string(),
})
export type LogStatementAnswer = z.output<typeof logStatementSchema>

/** The first index, counting down; the newest statement if omitted. */
export const logQuery = z.object({
  from: z.optional(
    z.pipe(z.string(FROM_MESSAGE).check(z.regex(/^(0|[1-9][0-9]{0,14})$/, FROM_MESSAGE)), z.transform(Number)),
  ),
})

/** Statements of the log, newest first; `next` is the index to continue from, null at the beginning of the log. */
export const logPageSchema = z.object({
  origin: z.string(),
  /** The key in force, 64 hex digits. */
  public_key: z.string(),
  size: z.int(),
  statements: z.array(logStatementSchema),
  next: z.nullable(z.int()),
})

/** The places of the statements about a draw. */
export const drawHintSchema = z.object({
  origin: z.string(),
  /** Hash of the statement that opened the draw: its identity. */
  open: z.string(),
  /** Indexes of the statements that a bundle of the draw has, ascending. */
  statements: z.array(z.int()),
  /** Hash of the close whose seal is served; null before there is one. */
  seal: z.nullable(z.string()),
  /** Hashes of the postponements, in order. */
  postpones: z.array(z.string()),
  /** Index of the result or void; null before there is one. */
  result: z.nullable(z.int()),
  state: z.enum(['open', 'sealed', 'drawn', 'settled', 'void']),
})
export type DrawHint = z.output<typeof drawHintSchema>
