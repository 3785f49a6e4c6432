import { verifySignature } from './beacon.ts'
import type { Bundle } from './bundle.ts'
import { fromHex, toHex } from './bytes.ts'
import { randomnessOf } from './chain.ts'
import { failed, type Finding, inputs, passed, StepChecks, timeText, unchecked } from './checks.ts'
import { dueAtOf, type DrawRecord, type KnownChain } from './draw-record.ts'
import type { Step } from './report.ts'

/** The title of step 4, for a report that could not get so far as well. */
export const BEACON_TITLE = 'The beacon'

/** What the beacon said for the round in force. */
export interface BeaconFound {
  /** hex; null where no valid signature is in hand */
  readonly signature: string | null
  readonly finding: Finding
}

/**
 * Verifies every signature of the draw's round that a bundle brings: the beacon's own, and the one in the result. There is
 * one valid signature per round, so one that is not valid is false, whatever the other is (fairness section 4).
 */
export function beaconOf(record: DrawRecord, known: KnownChain | null, beacon: Bundle['beacon']): BeaconFound {
  const inResults = record.results.map(({ statement }) => statement.signature)
  if (beacon === null && inResults.length === 0) {
    return {
      signature: null,
      finding: unchecked('The signature of the round is not here: it may not have been given yet.'),
    }
  }
  if (known === null) return { signature: null, finding: unchecked('The chain of the beacon is not known.') }
  if (beacon !== null && beacon.round !== record.round) {
    const text = `The signature in hand is said to be of round ${beacon.round}; the round in force is ${record.round}.`
    return { signature: null, finding: failed(text) }
  }
  const signatures = [...(beacon === null ? [] : [beacon.signature]), ...inResults]
  const valid = signatures.filter((signature) => verifySignature(known.chain, record.round, signature))
  if (valid.length === signatures.length) {
    return { signature: valid[0] ?? null, finding: passed('It is the one valid signature of this round.') }
  }
  return { signature: null, finding: failed('A signature in hand is not the valid one of this round.') }
}

/** Step 4: the signature of the round (fairness section 10). */
export function verifyBeaconStep(record: DrawRecord, known: KnownChain | null, found: BeaconFound): Step {
  const step = new StepChecks('beacon', BEACON_TITLE)
  const { finding, signature } = found
  const dueAt = known === null ? null : dueAtOf(record.round, known.chain)
  const values = inputs({
    chain: known === null ? record.open.statement.chain : `${known.chain.name} (${known.chain.hash})`,
    'public key': known?.chain.publicKey,
    round: record.round,
    'round due': dueAt === null ? null : timeText(dueAt),
    signature,
    'randomness (SHA-256 of the signature)': signature === null ? null : toHex(randomnessOf(fromHex(signature))),
  })
  step.add('signature', 'The signature is the one valid one of the round', finding, values)
  step.add('public', 'The beacon is public', publicFinding(known))
  return step.step()
}

/** What a private beacon says its owner knew before; a draw holds by it all the same (fairness section 4). */
function publicFinding(known: KnownChain | null): Finding {
  if (known === null) return unchecked('The chain of the beacon is not known.')
  return known.isPublic
    ? passed(`It is ${known.chain.name}, the public beacon of the League of Entropy.`)
    : unchecked('It is private: it shows the arithmetic, not the honesty.')
}
