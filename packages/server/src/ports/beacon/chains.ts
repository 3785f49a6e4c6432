import { BEACON_SCHEME, type Chain, chainHash, QUICKNET } from '@fairball/domain/protocol/chain'

/** A chain with everything that identifies it, as in a `chain` statement. */
export interface BeaconChain extends Chain {
  /** 32 bytes as hex */
  readonly groupHash: string
  readonly beaconId: string
  readonly scheme: typeof BEACON_SCHEME
}

/** The public chain of the League of Entropy (drand, `common/chain/info_test.go` at f45e7e04). */
export const QUICKNET_CHAIN: BeaconChain = {
  ...QUICKNET,
  groupHash: 'f477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e',
  beaconId: 'quicknet',
  scheme: BEACON_SCHEME,
}

/** Seconds between two rounds of a chain with a key of our own. */
export const LOCAL_PERIOD_SECONDS = 3
const LOCAL_BEACON_ID = 'fairball-local'
const NO_GROUP = '0'.repeat(64)

/**
 * A chain with a key of our own.
 *
 * @param options.publicKey 96 bytes as hex; `genesis` when round 1 is due, epoch seconds
 */
export function localChain(options: { readonly publicKey: string; readonly genesis: number }): BeaconChain {
  const named = { ...options, period: LOCAL_PERIOD_SECONDS, groupHash: NO_GROUP, beaconId: LOCAL_BEACON_ID }
  return { ...named, name: 'local', hash: chainHash(named), scheme: BEACON_SCHEME }
}

/** The newest round due at a moment, epoch seconds; null before the first. */
export function lastRoundDueAt({ genesis, period }: Pick<Chain, 'genesis' | 'period'>, at: number): number | null {
  return at < genesis ? null : Math.floor((at - genesis) / period) + 1
}
