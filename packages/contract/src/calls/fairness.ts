/** What lets a player check a draw. */
import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import { ADDRESSES } from '../paths.ts'
import { rowId } from '../schemas/params.ts'

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
export type Receipt = z.output<typeof receiptSchema>

export const fairnessCalls = {
  getReceipt: defineCall(ADDRESSES.getReceipt, {
    tag: 'Fairness',
    summary: 'Gives the signed receipt of a play of the player, and where its entries are in the sealed list.',
    params: z.object({ play_id: rowId }),
    answer: receiptSchema,
    errors: ['NOT_FOUND'],
  }),
}
