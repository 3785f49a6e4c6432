/** Calls with which a player checks a draw. Verifiers use the files of the log itself, under `/fairball/`. */
import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import { ADDRESSES } from '../paths.ts'
import { drawHintSchema, logPageSchema, logQuery, receiptSchema } from '../schemas/fairness.ts'
import { drawParams, rowId } from '../schemas/params.ts'

export const fairnessCalls = {
  getReceipt: defineCall(ADDRESSES.getReceipt, {
    tag: 'Fairness',
    summary:
      'Returns the promise of a play of the player, the order’s secret, and the receipts once the play is in its draw.',
    params: z.object({ play_id: rowId }),
    answer: receiptSchema,
    errors: ['NOT_FOUND'],
  }),
  getFairnessLog: defineCall(ADDRESSES.getFairnessLog, {
    tag: 'Fairness',
    summary: 'Lists up to 100 statements of the log, newest first.',
    query: logQuery,
    answer: logPageSchema,
    errors: [],
  }),
  getFairnessDraw: defineCall(ADDRESSES.getFairnessDraw, {
    tag: 'Fairness',
    summary:
      'Shows where the statements about a draw are in the log. A hint for making bundles, which is never trusted.',
    params: z.object({ game: rowId, number: drawParams.shape.number }),
    answer: drawHintSchema,
    errors: ['NOT_FOUND'],
  }),
}
