import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { addressIn } from '../../../test/relays.ts'
import { testRuntime } from '../../runtime/test-runtime.ts'
import { QUICKNET_CHAIN } from './chains.ts'
import { createDrandBeacon } from './drand-beacon.ts'

/** The file is as its `about` says; its shape is that of these two members. */
const VECTORS = JSON.parse(readFileSync(new URL('../../../../domain/vectors/drand.json', import.meta.url), 'utf8')) as {
  rounds: { round: number; time: number; signature: string; randomness: string; address: string }[]
  invalid: { round: number; signature: string; reason: string }[]
}
const genuine = (round: number) => {
  const found = VECTORS.rounds.find((one) => one.round === round)
  if (found === undefined) throw new Error(`no round ${round} among the vectors`)
  return found
}
const WANTED = genuine(1001)
const HONEST = { round: WANTED.round, randomness: WANTED.randomness, signature: WANTED.signature }

type Answers = Record<string, (address: string, signal: AbortSignal | undefined) => Promise<Response> | Response>

/** A beacon with the test's own relays and time, and separate seconds for the relays' time limits. */
function beaconWith(answers: Answers, now = WANTED.time + 1) {
  const asked: string[] = []
  let monotonicMs = 0
  const sleepers: { readonly at: number; readonly wake: () => void }[] = []
  const runtime = {
    ...testRuntime({
      startAt: now,
      fetch: async (input, init) => {
        const address = addressIn(input)
        asked.push(address)
        const answer = answers[new URL(address).host]
        if (answer === undefined) throw new TypeError('no such host')
        return await answer(address, init?.signal ?? undefined)
      },
    }),
    monotonic: {
      nowMs: () => monotonicMs,
      sleep: (ms: number) => new Promise<void>((wake) => sleepers.push({ at: monotonicMs + ms, wake })),
    },
  }
  const relays = Object.keys(answers).map((host) => `https://${host}`)
  return {
    beacon: createDrandBeacon(runtime, { chain: QUICKNET_CHAIN, relays }),
    asked,
    /** Lets real time pass, as far as the beacon can tell. */
    pass(ms: number) {
      monotonicMs += ms
      for (const { at, wake } of sleepers) if (at <= monotonicMs) wake()
    },
    complaints: () => runtime.logged.filter((line) => line['level'] === 'warn' || line['level'] === 40),
  }
}

/** Answers when it is too late, as `fetch` does: it gives up when aborted. */
const never = (_address: string, signal: AbortSignal | undefined) =>
  new Promise<Response>((_resolve, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted'))))

describe('a round requested from relays', () => {
  it.each(VECTORS.rounds)(
    'a round is accepted if its signature is genuine: round $round',
    async ({ round, time, signature, address }) => {
      const { beacon, asked } = beaconWith({ 'api.drand.sh': () => Response.json({ round, signature }) }, time + 1)
      expect(await beacon.signatureOf(round)).toBe(signature)
      expect(asked).toEqual([address])
    },
  )

  it('a round is not requested before it is due', async () => {
    const { beacon, asked } = beaconWith({ 'one.example': () => Response.json(HONEST) }, WANTED.time - 1)
    expect(await beacon.signatureOf(WANTED.round)).toBeNull()
    expect(asked).toEqual([])
  })

  const bad = (round: number, signature: string) => () => Response.json({ round, signature })
  it.each<[string, Answers[string]]>([
    ['one that answers another round', () => Response.json({ ...genuine(1000) })],
    ['one that signs another round’s name under it', bad(WANTED.round, genuine(1000).signature)],
    ['one that is broken', () => new Response('', { status: 500 })],
    ['one that does not have it yet', () => new Response('', { status: 404 })],
    ['one that speaks no JSON', () => new Response('<html>')],
    ['one that answers nothing', () => new Response(null)],
    ['one that answers null', () => Response.json(null)],
    ['one that says the round as a text', () => Response.json({ ...HONEST, round: '1001' })],
    ['one that says no whole round', () => Response.json({ ...HONEST, round: 1001.5 })],
    ['one that signs in capitals', () => Response.json({ ...HONEST, signature: HONEST.signature.toUpperCase() })],
    ['one that says too much', () => Response.json({ ...HONEST, metadata: 'x'.repeat(5000) })],
    [
      'one that never stops',
      () => new Response(new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1024)) })),
    ],
    ['one that is not there', () => Promise.reject(new TypeError('fetch failed'))],
    ['one that does not answer', never],
  ])('the beacon ignores %s, and accepts an honest answer', async (_name, answer) => {
    const { beacon } = beaconWith({ 'bad.example': answer, 'good.example': () => Response.json(HONEST) })
    expect(await beacon.signatureOf(1001)).toBe(WANTED.signature)
  })

  it.each(VECTORS.invalid)('a round with an invalid signature is refused: $reason', async ({ round, signature }) => {
    const { beacon } = beaconWith({ 'bad.example': bad(round, signature) }, WANTED.time + 10)
    expect(await beacon.signatureOf(round)).toBeNull()
  })

  it('a round is not available from relays that are all slow, and is given up after some seconds', async () => {
    const { beacon, pass } = beaconWith({ 'one.example': never, 'two.example': never })
    const asking = beacon.signatureOf(1001)
    pass(4_000)
    expect(await asking).toBeNull()
  })

  it('a relay that keeps failing is named in the log once a minute', async () => {
    const { beacon, complaints, pass } = beaconWith({ 'bad.example': () => new Response('', { status: 500 }) })
    for (let second = 0; second < 60; second += 1) {
      await beacon.signatureOf(1001)
      pass(1_000)
    }
    expect(complaints()).toHaveLength(1)
    await beacon.signatureOf(1001)
    expect(complaints()).toHaveLength(2)
    expect(complaints()[0]).toMatchObject({ relay: 'https://bad.example', reason: 'PassedOver: it answered 500' })
  })
})

describe('the newest round', () => {
  const old = () => Response.json(genuine(1000))
  const newest = () => Response.json(HONEST)

  it('the newest round is the newest that verifies, whatever relays keep old ones', async () => {
    const { beacon, asked } = beaconWith({ 'old.example': old, 'new.example': newest, 'older.example': old })
    expect(await beacon.newestRound()).toEqual({ round: 1001, signature: WANTED.signature })
    expect(asked[0]).toBe(`https://old.example/${QUICKNET_CHAIN.hash}/public/latest`)
  })

  it('the newest round cannot be made up', async () => {
    const madeUp = () => Response.json({ round: 99_999_999, signature: WANTED.signature })
    const { beacon } = beaconWith({ 'old.example': old, 'liar.example': madeUp })
    expect(await beacon.newestRound()).toEqual({ round: 1000, signature: genuine(1000).signature })
  })

  it('the newest round is unknown while no relay answers', async () => {
    const { beacon } = beaconWith({ 'away.example': () => Promise.reject(new TypeError('fetch failed')) })
    expect(await beacon.newestRound()).toBeNull()
  })

  it('the newest round may be due later than our clock says: that is its purpose', async () => {
    const { beacon } = beaconWith({ 'new.example': newest }, WANTED.time - 900)
    expect(await beacon.newestRound()).toEqual({ round: 1001, signature: WANTED.signature })
  })
})
