/** What lets a player check a draw. */
import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import { ADDRESSES } from '../paths.ts'
import { okSchema } from '../schemas/answers.ts'
import { fairnessRecordSchema } from '../schemas/game.ts'
import { drawParams, rowId } from '../schemas/params.ts'

/**
 * Proof that each entry of a play is inside the sealed entries of its draw; the path holds sibling hashes from the
 * leaf up.
 */
export const receiptSchema = z.object({
  receipt: z.string(),
  /** The signed close statement; null before the close. */
  close: z.nullable(z.string()),
  entries: z.array(z.object({ id: z.string(), index: z.int(), size: z.int(), path: z.array(z.string()) })),
})

/** Notes of the signed log in their order; `next` is the `seq` to go on from, null at the end. */
const fairnessLogSchema = z.object({ notes: z.array(z.string()), next: z.nullable(z.int()) })

/** A statement has at most 4096 bytes, its signature lines some hundred each. */
const NOTE_MAX_CHARACTERS = 16_384
const NOTE_MESSAGE = 'Must be a signed note.'
const FROM_MESSAGE = 'Must be a seq, a whole number from 0.'
/** The hash of a text. Any text: one that names nothing is 404 NOT_FOUND. */
const hashParams = z.object({ hash: rowId })

export const fairnessCalls = {
  getReceipt: defineCall(ADDRESSES.getReceipt, {
    tag: 'Fairness',
    summary: 'Gives the signed receipt of a play of the player, and where its entries are in the sealed list.',
    params: z.object({ play_id: rowId }),
    answer: receiptSchema,
    errors: ['NOT_FOUND'],
  }),
  getFairnessLog: defineCall(ADDRESSES.getFairnessLog, {
    tag: 'Fairness',
    summary: 'Gives up to 100 signed notes of the log, from a seq on.',
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
    summary: 'Gives the text of a statement of the log by its hash.',
    params: hashParams,
    answer: z.string(),
    errors: ['NOT_FOUND'],
  }),
  getRules: defineCall(ADDRESSES.getRules, {
    tag: 'Fairness',
    summary: 'Gives the rules of a game as the draws that name their hash were opened with.',
    params: hashParams,
    answer: z.string(),
    errors: ['NOT_FOUND'],
  }),
  getFairnessEntries: defineCall(ADDRESSES.getFairnessEntries, {
    tag: 'Fairness',
    summary:
      'Gives the sealed entries of a draw, 57 octets each, in the order of its tree, once its sales have closed.',
    params: z.object({ game: rowId, number: drawParams.shape.number }),
    // Octets are read from the call's address; the client, which reads texts, has no answer to give.
    answer: z.never(),
    errors: ['NOT_FOUND'],
  }),
  submitWitness: defineCall(ADDRESSES.submitWitness, {
    tag: 'Fairness',
    summary: 'Takes the signature of a witness over a close statement, as a signed note; also as plain text.',
    body: z.strictObject({ note: z.string(NOTE_MESSAGE).check(z.maxLength(NOTE_MAX_CHARACTERS, NOTE_MESSAGE)) }),
    answer: okSchema,
    errors: ['NOT_FOUND', 'TOO_MANY_REQUESTS'],
  }),
  getFairnessRecord: defineCall(ADDRESSES.getFairnessRecord, {
    tag: 'Fairness',
    summary: 'Gives the signed notes about a draw so far, its witness lines, and its beacon round once it is settled.',
    params: z.object({ game: rowId, number: drawParams.shape.number }),
    answer: fairnessRecordSchema,
    errors: ['NOT_FOUND'],
  }),
}
