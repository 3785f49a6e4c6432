import { beaconPublicKey, localChain, signRound } from '@fairball/domain/fairness/beacon'
import { type Chain, lastRoundDueAt } from '@fairball/domain/fairness/chain'
import { addressIn } from '@fairball/server/testing/fixtures'
import type { Faults } from './faults.ts'
import type { Actor, TakeStep } from './scheduler.ts'

const BEACON_KEY = new Uint8Array(32).fill(5)
/** The relays of the beacon; the second one may lie. */
export const RELAYS = ['https://one.example', 'https://two.example']

const signatures = new Map<bigint, string>()

/** The beacon's chain, begun an hour before `startAt` (epoch seconds). */
export function simulatedChain(startAt: number): Chain {
  return localChain({ publicKey: beaconPublicKey(BEACON_KEY), genesisAt: startAt - 3600 })
}

function signatureOf(round: bigint): string {
  const known = signatures.get(round) ?? signRound(BEACON_KEY, round)
  signatures.set(round, known)
  return known
}

/** The network of one process: the beacon's relays. */
export function relayFetch(
  actor: Actor,
  { faults, step, now, chain }: { faults: Faults; step: TakeStep; now: () => number; chain: Chain },
): typeof globalThis.fetch {
  return async (input) => {
    const address = addressIn(input)
    return await step(actor, 'fetch', async () => {
      const fault = faults.relays[address.startsWith(RELAYS[1] ?? '') ? 1 : 0] ?? null
      const wanted = /\/public\/(latest|\d+)$/.exec(address)?.[1] ?? ''
      const lateSeconds = faults.beaconLateSeconds + (fault === 'old rounds only' || fault === 'slow' ? 120 : 0)
      const last = lastRoundDueAt(now() - lateSeconds, chain)
      // Each newest round has to be verified, which takes its time: only where a clock is slow is it told.
      const round = wanted === 'latest' ? (faults.tellsTime ? last : null) : BigInt(wanted)
      if (fault === 'no round') return answer(200, '{"round":')
      if (fault === 'garbage') return answer(200, JSON.stringify({ round: Number(round), signature: 'ab'.repeat(48) }))
      if (last === null || round === null) return answer(404, '')
      if (round > last && fault !== 'old rounds only') return answer(404, '')
      const told = round > last || fault === 'wrong number' ? (round > last ? last : round - 1n) : round
      const signature = signatureOf(fault === 'other round' ? told - 1n : told)
      return answer(200, JSON.stringify({ round: Number(told), signature }))
    })
  }
}

/** As much of a response as is read of it. Its body comes in one piece, so that reading it takes no turn of the program. */
function answer(status: number, text: string): Response {
  const body = [new TextEncoder().encode(text)]
  // The rest of a response is never asked for.
  return { status, ok: status === 200, body } as unknown as Response
}
