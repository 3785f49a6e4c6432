import type { Chain } from '@fairball/domain/fairness/chain'

/** The public source of randomness, as a draw meets it. */
export interface Beacon {
  readonly chain: Chain
  /**
   * The valid signature of a round, hex, or null while it cannot be had. An implementation that asks others verifies what
   * they say: no source is trusted.
   *
   * @param round 1 or more
   */
  signatureOf(round: bigint): Promise<string | null>
}
