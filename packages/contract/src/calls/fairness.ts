/** Calls for checking a draw. */
import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import { ADDRESSES } from '../paths.ts'
import { okSchema } from '../schemas/answers.ts'
import { fairnessRecordSchema } from '../schemas/game.ts'
import { drawParams, rowId } from '../schemas/params.ts'

/**
 * Proof that each entry of a play is in the sealed list of its draw; the path consists of sibling hashes from the leaf
 * up.
 */
export const receiptSchema = z.object({
  receipt: z.string(),
  /** The signed close statement; null before the close. */
  close: z.nullable(z.string()),
  entries: z.array(z.object({ id: z.string(), index: z.int(), size: z.int(), path: z.array(z.string()) })),
})

/** Notes of the signed log in order; `next` is the `seq` to continue from, null at the end. */
const fairnessLogSchema = z.object({ notes: z.array(z.string()), next: z.nullable(z.int()) })

/** Maximum length of a note: a statement has at most 4096 bytes, each signature line a few hundred. */
const NOTE_MAX_CHARACTERS = 16_384
const NOTE_MESSAGE = 'Must be a signed note.'
const FROM_MESSAGE = 'Must be a seq, a whole number from 0.'
/** The hash of a text. Any text is accepted: an unknown hash is 404 NOT_FOUND. */
const hashParams = z.object({ hash: rowId })

export const fairnessCalls = {
  getReceipt: defineCall(ADDRESSES.getReceipt, {
    tag: 'Fairness',
    summary: 'Returns the signed receipt of a play of the player, and the position of its entries in the sealed list.',
    params: z.object({ play_id: rowId }),
    answer: receiptSchema,
    errors: ['NOT_FOUND'],
  }),
  getFairnessLog: defineCall(ADDRESSES.getFairnessLog, {
    tag: 'Fairness',
    summary: 'Returns up to 100 signed notes of the log, from a seq on.',
    query: z.object({
      from: z._default(
        z.pipe(z.string(FROM_MESSAGE).check(z.regex(/^(0|[1-9][0-9]{0,14})$/, FROM_MESSAGE)), z.transform(Number)),
        0,
      ),
    }),
    answer: fairnessLogSchema,
    errors: [],
  }),
  getStatement: defineCall(ADDRESSES.getStatement, {
    tag: 'Fairness',
    summary: 'Returns the text of a statement of the log by its hash.',
    params: hashParams,
    answer: z.string(),
    errors: ['NOT_FOUND'],
  }),
  getRules: defineCall(ADDRESSES.getRules, {
    tag: 'Fairness',
    summary: 'Returns rules of a game by the hash that its draws name.',
    params: hashParams,
    answer: z.string(),
    errors: ['NOT_FOUND'],
  }),
  getFairnessEntries: defineCall(ADDRESSES.getFairnessEntries, {
    tag: 'Fairness',
    summary:
      'Returns the sealed entries of a draw, 57 octets each, in the order of its tree, once its sales have closed.',
    params: z.object({ game: rowId, number: drawParams.shape.number }),
    // Octets are read from the call's address; the client, which reads texts, returns no answer.
    answer: z.never(),
    errors: ['NOT_FOUND'],
  }),
  submitWitness: defineCall(ADDRESSES.submitWitness, {
    tag: 'Fairness',
    summary: 'Accepts the signature of a witness over a close statement, as a signed note; also as plain text.',
    body: z.strictObject({ note: z.string(NOTE_MESSAGE).check(z.maxLength(NOTE_MAX_CHARACTERS, NOTE_MESSAGE)) }),
    answer: okSchema,
    errors: ['NOT_FOUND', 'TOO_MANY_REQUESTS'],
  }),
  getFairnessRecord: defineCall(ADDRESSES.getFairnessRecord, {
    tag: 'Fairness',
    summary:
      'Returns the signed notes about a draw so far, its witness lines, and its beacon round once it is settled.',
    params: z.object({ game: rowId, number: drawParams.shape.number }),
    answer: fairnessRecordSchema,
    errors: ['NOT_FOUND'],
  }),
}
