import type { BeaconChain } from './chains.ts'

/** One value of a beacon. */
export interface Round {
  /** 1 or more */
  readonly round: number
  /** its valid signature, 48 bytes as hex */
  readonly signature: string
}

/** A public source of randomness, as a draw uses it (docs/fairness.md, section 5). */
export interface Beacon {
  readonly chain: BeaconChain
  /** Delay between a round's due time and the request: publishing it takes a moment. */
  readonly delaySeconds: number
  /**
   * The valid signature of a round, hex, or null while it is not available. An implementation that asks others verifies
   * their answers: no source is trusted.
   *
   * @param round 1 or more
   */
  signatureOf(round: number): Promise<string | null>
  /**
   * The newest round that others know of, verified: it shows the earliest time it can be. Null if none is available,
   * and for a beacon that follows our own clock.
   */
  newestRound(): Promise<Round | null>
}

/** The beacons of this installation: draws opened before another one was configured still depend on theirs. */
export interface Beacons {
  /** the beacon that draws are opened with from now on */
  readonly current: Beacon
  /** the one with a key of our own, if this installation ever had one */
  readonly local: Beacon | null
  /** @throws Error for a chain that this installation never had */
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
