import type { BeaconChain } from './chains.ts'

/** One value of a beacon. */
export interface Round {
  /** 1 or more */
  readonly round: number
  /** its valid signature, 48 bytes as hex */
  readonly signature: string
}

/** A public source of randomness, as a draw meets it (docs/fairness.md, section 5). */
export interface Beacon {
  readonly chain: BeaconChain
  /** How long after a round is due it is asked for: publishing it takes a moment. */
  readonly delaySeconds: number
  /**
   * The valid signature of a round, hex, or null while it cannot be had. An implementation that asks others verifies what
   * they say: no source is trusted.
   *
   * @param round 1 or more
   */
  signatureOf(round: number): Promise<string | null>
  /**
   * The newest round that others know of, verified: it tells how late it is at least. Null where
   * none can be had, and for a beacon that follows our own clock.
   */
  newestRound(): Promise<Round | null>
}

/** The beacons of this installation: draws opened before another one was configured still hang on theirs. */
export interface Beacons {
  /** what draws are opened with from now on */
  readonly current: Beacon
  /** the one with a key of our own, where this installation ever had one */
  readonly local: Beacon | null
  /** @throws Error for a chain this installation never had */
  of(chainHash: string): Beacon
}

/** Puts the beacons of an installation together. @param others chains that draws may still name */
export function beaconsOf(current: Beacon, others: { readonly local: Beacon | null; readonly drand: Beacon }): Beacons {
  const known = [current, others.drand, ...(others.local === null ? [] : [others.local])]
  return {
    current,
    local: others.local,
    of(chainHash) {
      const beacon = known.find(({ chain }) => chain.hash === chainHash)
      if (beacon === undefined) throw new Error(`no beacon of the chain ${chainHash} is known here`)
      return beacon
    },
  }
}
