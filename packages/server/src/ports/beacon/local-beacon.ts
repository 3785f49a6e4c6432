import { beaconPublicKey, signRound } from '@fairball/domain/protocol/beacon'
import { roundDueAt } from '@fairball/domain/protocol/chain'
import type { Runtime } from '../../runtime/runtime.ts'
import type { Beacon } from './beacon.ts'
import { localChain } from './chains.ts'

/**
 * The demo's beacon (docs/fairness.md, section 5): drand's scheme with a key of our own, so it proves the arithmetic,
 * not the honesty. It never signs a round that is not due by the system's clock.
 *
 * @param secretKey 32 bytes, made at the first start and stored
 * @param genesis epoch seconds of round 1
 */
export function createLocalBeacon(
  runtime: Pick<Runtime, 'clock'>,
  options: { readonly secretKey: Uint8Array; readonly genesis: number },
): Beacon {
  const chain = localChain({ publicKey: beaconPublicKey(options.secretKey), genesis: options.genesis })
  return {
    chain,
    delaySeconds: 0,
    async signatureOf(round) {
      if (roundDueAt(chain, round) > runtime.clock.now()) return null
      return signRound(options.secretKey, round)
    },
    // It follows our own clock, so it cannot correct it.
    newestRound: () => Promise.resolve(null),
  }
}
