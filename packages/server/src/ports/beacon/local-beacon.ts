import { beaconPublicKey, localChain, roundDueAt, signRound } from '@fairball/domain/fairness/beacon'
import type { Runtime } from '../../runtime/runtime.ts'
import type { Beacon } from './beacon.ts'

/**
 * The demo's beacon (fairness.md section 4): drand's scheme with a key of our own, so it shows the arithmetic, not the
 * honesty. It never signs a round that is not due by the system's clock.
 *
 * @param secretKey 32 bytes, made at the first start and kept
 * @param genesisAt epoch seconds of round 1
 */
export function createLocalBeacon(
  runtime: Pick<Runtime, 'clock'>,
  options: { readonly secretKey: Uint8Array; readonly genesisAt: number },
): Beacon {
  const chain = localChain({ publicKey: beaconPublicKey(options.secretKey), genesisAt: options.genesisAt })
  return {
    chain,
    delaySeconds: 0,
    async signatureOf(round) {
      if (roundDueAt(round, chain) > runtime.clock.now()) return null
      return signRound(options.secretKey, round)
    },
    // It says what our own clock says: nothing to set that by.
    newestRound: () => Promise.resolve(null),
  }
}
