import { beaconPublicKey, signRound } from '@fairball/domain/protocol/beacon'
import { addressIn } from '@fairball/server/testing/fixtures'
import { type BeaconChain, lastRoundDueAt, localChain } from '@fairball/server/testing/ports'
import type { Faults } from './faults.ts'
import { answerOf } from './responses.ts'
import type { Actor, TakeStep } from './scheduler.ts'

const BEACON_KEY = new Uint8Array(32).fill(5)
/** The relays of the beacon; the second one may lie. */
export const RELAYS = ['https://one.example', 'https://two.example']

const signatures = new Map<number, string>()

/** The beacon's chain, which starts an hour before `startAt` (epoch seconds). */
export function simulatedChain(startAt: number): BeaconChain {
  return localChain({ publicKey: beaconPublicKey(BEACON_KEY), genesis: startAt - 3600 })
}

/** The only signature of a round. It replaces the pairing check when a simulation verifies. */
export function signatureOf(round: number): string {
  const known = signatures.get(round) ?? signRound(BEACON_KEY, round)
  signatures.set(round, known)
  return known
}

/** The network of one process: the beacon's relays. */
export function relayFetch(
  actor: Actor,
  { faults, step, now, chain }: { faults: Faults; step: TakeStep; now: () => number; chain: BeaconChain },
): typeof globalThis.fetch {
  return async (input) => {
    const address = addressIn(input)
    return await step(actor, 'fetch', async () => {
      const fault = faults.relays[address.startsWith(RELAYS[1] ?? '') ? 1 : 0] ?? null
      const wanted = /\/public\/(latest|\d+)$/.exec(address)?.[1] ?? ''
      const lateSeconds = faults.beaconLateSeconds + (fault === 'old rounds only' || fault === 'slow' ? 120 : 0)
      const last = lastRoundDueAt(chain, now() - lateSeconds)
      // Verifying each newest round takes time, so the newest one is only reported in seeds with a slow clock.
      const round = wanted === 'latest' ? (faults.tellsTime ? last : null) : Number(wanted)
      if (fault === 'no round') return answerOf(200, '{"round":')
      if (fault === 'garbage') return answerOf(200, JSON.stringify({ round, signature: 'ab'.repeat(48) }))
      if (last === null || round === null) return answerOf(404, '')
      if (round > last && fault !== 'old rounds only') return answerOf(404, '')
      const shown = round > last || fault === 'wrong number' ? (round > last ? last : round - 1) : round
      const signature = signatureOf(fault === 'other round' ? shown - 1 : shown)
      return answerOf(200, JSON.stringify({ round: shown, signature }))
    })
  }
}
