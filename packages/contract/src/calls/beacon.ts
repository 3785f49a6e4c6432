/** The public source of randomness: signatures that anyone may deliver, and the demo's own chain in drand's JSON. */
import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import { OPERATION_ADDRESSES } from '../operation-paths.ts'
import { okSchema } from '../schemas/answers.ts'
import { rowId } from '../schemas/params.ts'
import { wholeNumber } from '../schemas/text.ts'

const SIGNATURE_MESSAGE = 'Must be a signature of 48 bytes, as 96 digits of lowercase hex.'

/** A chain in the JSON of drand's HTTP API (`/info`). */
const beaconInfoSchema = z.object({
  public_key: z.string(),
  /** seconds between rounds */
  period: z.int(),
  /** due time of round 1, epoch seconds */
  genesis_time: z.int(),
  hash: z.string(),
  groupHash: z.string(),
  schemeID: z.string(),
  metadata: z.object({ beaconID: z.string() }),
})

/** A round in the JSON of drand's HTTP API (`/public/{round}`). */
const beaconRoundSchema = z.object({ round: z.int(), randomness: z.string(), signature: z.string() })

export const beaconCalls = {
  submitBeaconRound: defineCall(OPERATION_ADDRESSES.submitBeaconRound, {
    tag: 'Fairness',
    summary: "Accepts the signature of a beacon's round from anyone; a draw that waits for it is drawn immediately.",
    body: z.strictObject({
      round: wholeNumber({ min: 1, max: Number.MAX_SAFE_INTEGER }),
      signature: z.string(SIGNATURE_MESSAGE).check(z.regex(/^[0-9a-f]{96}$/, SIGNATURE_MESSAGE)),
    }),
    answer: okSchema,
    errors: ['TOO_MANY_REQUESTS'],
  }),
  getBeaconInfo: defineCall(OPERATION_ADDRESSES.getBeaconInfo, {
    tag: 'Fairness',
    summary: "Describes the installation's own beacon chain in the format of drand's HTTP API.",
    params: z.object({ hash: rowId }),
    answer: beaconInfoSchema,
    errors: ['NOT_FOUND'],
  }),
  getBeaconRound: defineCall(OPERATION_ADDRESSES.getBeaconRound, {
    tag: 'Fairness',
    summary:
      "Returns a due round of the installation's own beacon, or the latest one, in the format of drand's HTTP API.",
    params: z.object({ hash: rowId, round: rowId }),
    answer: beaconRoundSchema,
    errors: ['NOT_FOUND'],
  }),
}
