import { fromHex } from '@fairball/domain/protocol/bytes'
import { readLogStatement } from '@fairball/domain/protocol/statements'
import { addressIn, isOfWitness, policyOf, testWitness, witnessFetch } from '@fairball/server/testing/fixtures'
import type pg from 'pg'
import type { Faults } from './faults.ts'
import { Down } from './outages.ts'
import { answerOf } from './responses.ts'
import type { Actor, TakeStep } from './scheduler.ts'

/** Three witnesses; two must cosign a close. */
const PLACES = [1, 2, 3]
const QUORUM = 2
/** Clock error of a witness that dates wrongly, in seconds. */
const WRONG_DATE_SECONDS = 1800

/** The policy that every simulated draw names, and that the simulation's verifier trusts. */
export const POLICY = policyOf(
  PLACES.map((place) => testWitness(place, () => 0)),
  QUORUM,
)

/** The log as its witnesses know it. */
export interface WitnessedLog {
  readonly origin: string
  readonly publicKeys: readonly Uint8Array[]
}

/** The log of a seed, read from its first statement. */
export async function witnessedLog(observer: pg.Client): Promise<WitnessedLog> {
  const { rows } = await observer.query<{ text: string }>('select text from log_leaves where index = 0')
  const first = readLogStatement(rows[0]?.text ?? '')
  if (first.type !== 'log') throw new Error('the log of a seed does not start with its key')
  return { origin: first.log, publicKeys: [fromHex(first.key)] }
}

/** The witnesses of one seed. They remember what they cosigned, and some misbehave. */
export function createWitnesses(options: {
  readonly faults: Faults
  readonly step: TakeStep
  /** epoch seconds */
  readonly now: () => number
  readonly isDown: () => boolean
  readonly log: () => WitnessedLog
  readonly onFault: (what: string) => void
}) {
  const { faults, step, now, log } = options
  const witnesses = PLACES.map((place) => testWitness(place, now))
  const network = witnessFetch(witnesses, log)

  async function asked(...[input, init]: Parameters<typeof globalThis.fetch>): Promise<Response> {
    if (options.isDown()) throw new Down('witnesses')
    const place = witnesses.findIndex((one) => isOfWitness([one], input))
    const witness = witnesses[place]
    const fault = faults.witnesses[place] ?? null
    if (witness === undefined) throw new TypeError('no such host')
    if (fault !== null) options.onFault(`witnesses: ${fault}`)
    if (fault === 'garbage') return answerOf(200, 'garbage\n')
    if (fault === 'refuses') return answerOf(503, 'not now\n')
    if (fault === 'forgets') witness.seen.length = 0
    witness.now = () => now() + (fault === 'dates late' ? 1 : fault === 'dates early' ? -1 : 0) * WRONG_DATE_SECONDS
    const response = await network(input, init)
    return answerOf(response.status, await response.text())
  }

  return {
    isOneOf: (input: Parameters<typeof globalThis.fetch>[0]) => isOfWitness(witnesses, input),
    /** The part of one process's network that reaches witnesses. */
    fetchFor:
      (actor: Actor): typeof globalThis.fetch =>
      (input, init) =>
        step(actor, `witness ${new URL(addressIn(input)).hostname}`, () => asked(input, init)),
  }
}
