/** The public source of randomness: what others bring of it, and the demo's own in drand's JSON. */
import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import { ADDRESSES } from '../paths.ts'
import { okSchema } from '../schemas/answers.ts'
import { rowId } from '../schemas/params.ts'
import { wholeNumber } from '../schemas/text.ts'

const SIGNATURE_MESSAGE = 'Must be a signature of 48 bytes, as 96 digits of lowercase hex.'

/** A chain in the JSON of drand's HTTP API (`/info`). */
const beaconInfoSchema = z.object({
  public_key: z.string(),
  /** seconds from one round to the next */
  period: z.int(),
  /** when round 1 is due, epoch seconds */
  genesis_time: z.int(),
  hash: z.string(),
  groupHash: z.string(),
  schemeID: z.string(),
  metadata: z.object({ beaconID: z.string() }),
})

/** A round in the JSON of drand's HTTP API (`/public/{round}`). */
const beaconRoundSchema = z.object({ round: z.int(), randomness: z.string(), signature: z.string() })

export const beaconCalls = {
  submitBeaconRound: defineCall(ADDRESSES.submitBeaconRound, {
    tag: 'Fairness',
    summary: "Takes the signature of a beacon's round from anybody; a draw that waits for it is drawn at once.",
    body: z.strictObject({
      round: wholeNumber({ min: 1, max: Number.MAX_SAFE_INTEGER }),
      signature: z.string(SIGNATURE_MESSAGE).check(z.regex(/^[0-9a-f]{96}$/, SIGNATURE_MESSAGE)),
    }),
    answer: okSchema,
    errors: ['TOO_MANY_REQUESTS'],
  }),
  getBeaconInfo: defineCall(ADDRESSES.getBeaconInfo, {
    tag: 'Fairness',
    summary: "Describes the installation's own beacon chain as drand's HTTP API does.",
    params: z.object({ hash: rowId }),
    answer: beaconInfoSchema,
    errors: ['NOT_FOUND'],
  }),
  getBeaconRound: defineCall(ADDRESSES.getBeaconRound, {
    tag: 'Fairness',
    summary:
      "Gives a round of the installation's own beacon once it is due, or the latest one, as drand's HTTP API does.",
    params: z.object({ hash: rowId, round: rowId }),
    answer: beaconRoundSchema,
    errors: ['NOT_FOUND'],
  }),
}
