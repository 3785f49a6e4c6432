import type { SampledByte } from './sampler.ts'

/** How a check ended. `unchecked`: it cannot be told here, or not yet; the detail says why. */
export type Outcome = 'passed' | 'failed' | 'unchecked'

/** The seven steps of fairness section 10, in order. */
export type StepName = 'log' | 'open' | 'close' | 'beacon' | 'numbers' | 'prizes' | 'receipts'

/** One thing that was looked at. */
export interface Check {
  /** unique within a report, the same in every report: `close.root` */
  readonly id: string
  /** what should be so, as a sentence */
  readonly title: string
  readonly outcome: Outcome
  /** what was found, or why it cannot be told, in plain words */
  readonly detail: string
  /** what went into it, ready to be shown: hashes in hex, times with their meaning */
  readonly inputs: readonly { readonly name: string; readonly value: string }[]
}

/** One step with its checks. It failed if one of them did, and passed if all that it stands on did; otherwise unchecked. */
export interface Step {
  readonly name: StepName
  readonly title: string
  readonly outcome: Outcome
  readonly checks: readonly Check[]
}

/** How one ball came out of the stream: the bytes that were thrown away, and the one that chose it. */
export interface DerivedBall {
  readonly number: number
  /** the last of them was used; limits and remainders are in each */
  readonly bytes: readonly SampledByte[]
  /** its place among the balls left, from 0: the used byte modulo how many were left */
  readonly place: number
}

/** The way from seed and beacon to the balls (fairness section 8), every value in hex. */
export interface Derivation {
  readonly seed: string
  readonly openHash: string
  readonly closeHash: string
  readonly round: bigint
  readonly signature: string
  readonly randomness: string
  readonly key: string
  readonly pool: number
  readonly balls: readonly DerivedBall[]
}

/** What a verifier found out about one draw. */
export interface Report {
  readonly game: string
  readonly draw: number
  /** empty where not even the first statement of the log holds */
  readonly operator: string
  /** SHA-256 of the operator's first public key, hex: what people compare */
  readonly fingerprint: string
  /** how far the draw has come by its log */
  readonly state: 'open' | 'closed' | 'settled' | 'void'
  /** failed if one step failed; passed if all others but that of the receipts passed: a settled draw holds; else unchecked */
  readonly outcome: Outcome
  /** whether somebody trusted, or a witness of the draw, saw its seal before the round was due */
  readonly isSeen: boolean
  /** whether the draw's beacon is a public one; null where it is not known */
  readonly isPublicBeacon: boolean | null
  readonly steps: readonly Step[]
  /** null before the beacon has spoken */
  readonly derivation: Derivation | null
  /** entries per tier and what each gets by this verifier's own sums, satoshis; null before there are numbers */
  readonly tiers:
    | readonly {
        readonly matches: number
        readonly kind: string
        readonly winners: number
        readonly satsEach: bigint
      }[]
    | null
}
