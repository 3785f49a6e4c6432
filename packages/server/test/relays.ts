import { beaconPublicKey, signRound } from '@fairball/domain/protocol/beacon'
import { type BeaconChain, lastRoundDueAt, localChain } from '../src/ports/beacon/chains.ts'

const RELAY = 'https://relay.example'

/** A chain whose key the test knows, and a relay of it that the test controls. */
interface TestRelay {
  readonly chain: BeaconChain
  readonly relays: readonly string[]
  readonly fetch: typeof globalThis.fetch
  /** The time outside: rounds due by it are published. Set it once there is a clock. */
  now: () => number
  /** Due rounds that it does not publish */
  withholds: (round: number) => boolean
  /** number of requests */
  asked: number
  /** The valid signature of a round, whether it is due or not. */
  signatureOf(round: number): string
}

/** The address of a request. */
export function addressIn(input: Parameters<typeof globalThis.fetch>[0]): string {
  if (input instanceof Request) return input.url
  return typeof input === 'string' ? input : input.href
}

/** A relay of a test's own chain. @param genesis when round 1 is due, epoch seconds */
export function testRelay(genesis: number): TestRelay {
  const secretKey = new Uint8Array(32).fill(5)
  const chain = localChain({ publicKey: beaconPublicKey(secretKey), genesis })
  const relay: TestRelay = {
    chain,
    relays: [RELAY],
    now: () => genesis,
    withholds: () => false,
    asked: 0,
    signatureOf: (round) => signRound(secretKey, round),
    fetch: async (input) => {
      relay.asked += 1
      const wanted = /\/public\/(latest|\d+)$/.exec(addressIn(input))?.[1] ?? ''
      const last = lastRoundDueAt(chain, relay.now())
      const round = wanted === 'latest' ? last : Number(wanted)
      if (last === null || round === null || round > last || relay.withholds(round))
        return new Response('', { status: 404 })
      return Response.json({ round, randomness: 'not looked at', signature: relay.signatureOf(round) })
    },
  }
  return relay
}
