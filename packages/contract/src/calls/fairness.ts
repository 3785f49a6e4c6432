/** What lets a player check a draw. What anybody verifies by are the files of the log itself, under `/fairball/`. */
import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import { ADDRESSES } from '../paths.ts'
import { drawHintSchema, logPageSchema, logQuery, receiptSchema } from '../schemas/fairness.ts'
import { drawParams, rowId } from '../schemas/params.ts'

export const fairnessCalls = {
  getReceipt: defineCall(ADDRESSES.getReceipt, {
    tag: 'Fairness',
    summary:
      'Gives the promise of a play of the player, the order’s secret, and the receipts once the play is in its draw.',
    params: z.object({ play_id: rowId }),
    answer: receiptSchema,
    errors: ['NOT_FOUND'],
  }),
  getFairnessLog: defineCall(ADDRESSES.getFairnessLog, {
    tag: 'Fairness',
    summary: 'Gives up to 100 statements of the log, newest first.',
    query: logQuery,
    answer: logPageSchema,
    errors: [],
  }),
  getFairnessDraw: defineCall(ADDRESSES.getFairnessDraw, {
    tag: 'Fairness',
    summary:
      'Says where in the log the statements about a draw are. A hint for makers of bundles: nothing of it is trusted.',
    params: z.object({ game: rowId, number: drawParams.shape.number }),
    answer: drawHintSchema,
    errors: ['NOT_FOUND'],
  }),
}
