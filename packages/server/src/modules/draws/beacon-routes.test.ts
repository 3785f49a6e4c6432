import { isRoundSigned } from '@fairball/domain/protocol/beacon'
import { chainHash, randomnessOf } from '@fairball/domain/protocol/chain'
import { fromHex, toHex } from '@fairball/domain/protocol/bytes'
import { describe, expect, it } from 'vitest'
import { testApplication } from '../../../test/application.ts'
import { testRelay } from '../../../test/relays.ts'
import { sql, t } from '../../db/sql.ts'
import { lastRoundDueAt } from '../../ports/beacon/chains.ts'

const findChain = sql({
  name: 'beacon-routes-test.find-chain',
  text: `select hash from beacon_chains`,
  row: { hash: t.text },
})
const findChainsOfDraws = sql({
  name: 'beacon-routes-test.find-chains-of-draws',
  text: `select distinct chain_hash from draws`,
  row: { chainHash: t.text },
})
const FOR_GOOD = 'public, max-age=31536000, immutable'

async function localChain() {
  const application = await testApplication({ games: 'one game' })
  const { hash } = await application.db.one(findChain, [])
  return { ...application, hash, base: `/fairness/beacon/${hash}` }
}

describe('the local beacon', () => {
  it('the local beacon describes its chain in drand’s JSON, and the chain’s hash follows from that', async () => {
    const { call, base, hash } = await localChain()
    const { status, body, headers } = await call('GET', `${base}/info`)
    expect(status).toBe(200)
    expect(headers).toMatchObject({ 'access-control-allow-origin': '*', 'cache-control': FOR_GOOD })
    expect(body).toEqual({
      public_key: expect.stringMatching(/^[0-9a-f]{192}$/),
      period: 3,
      genesis_time: expect.any(Number),
      hash,
      groupHash: '00'.repeat(32),
      schemeID: 'bls-unchained-g1-rfc9380',
      metadata: { beaconID: 'fairball-local' },
    })
    const { public_key: publicKey, period, genesis_time: genesis, groupHash } = body
    expect(chainHash({ publicKey, period, genesis, groupHash, beaconId: 'fairball-local' })).toBe(hash)
  })

  it('the local beacon gives rounds that are due, and no others', async () => {
    const { call, base, runtime } = await localChain()
    const { body: info } = await call('GET', `${base}/info`)
    const chain = { genesis: info.genesis_time, period: info.period, publicKey: info.public_key }
    const last = Number(lastRoundDueAt(chain, runtime.clock.now()))
    const { body, headers } = await call('GET', `${base}/public/${last}`)
    expect(headers).toMatchObject({ 'access-control-allow-origin': '*', 'cache-control': FOR_GOOD })
    expect(isRoundSigned(chain, last, body.signature)).toBe(true)
    expect(body).toEqual({
      round: last,
      randomness: toHex(randomnessOf(fromHex(body.signature))),
      signature: body.signature,
    })
    const latest = await call('GET', `${base}/public/latest`)
    expect(latest.body).toEqual(body)
    expect(latest.headers['cache-control']).toBe('public, max-age=0, s-maxage=1')
    for (const round of [last + 1, last + 1_000_000, 0, '00', '01', '1.5', '-1', '9'.repeat(16), 'newest'])
      expect((await call('GET', `${base}/public/${round}`)).status, String(round)).toBe(404)
    runtime.clock.set(runtime.clock.now() + 3)
    expect((await call('GET', `${base}/public/${last + 1}`)).status).toBe(200)
  })

  it('the local beacon answers for its own chain only', async () => {
    const { call } = await localChain()
    for (const path of ['info', 'public/1', 'public/latest']) {
      const { status, body } = await call('GET', `/fairness/beacon/${'ab'.repeat(32)}/${path}`)
      expect([status, body.error.code]).toEqual([404, 'NOT_FOUND'])
    }
  })
})

describe('POST /fairness/beacon', () => {
  it('the call takes a round of the local beacon, and refuses anything else with the reason', async () => {
    const { call, base } = await localChain()
    const { body: round } = await call('GET', `${base}/public/latest`)
    const submit = (body: unknown) => call('POST', '/fairness/beacon', { body })
    const { round: number, signature } = round
    const taken = await submit({ round: number, signature })
    expect([taken.status, taken.body]).toEqual([200, { ok: true }])
    expect(taken.headers['access-control-allow-origin']).toBe('*')
    expect((await submit({ round: number, signature })).status).toBe(200)
    const relay = testRelay(0)
    for (const [body, field] of [
      [{ round: number, signature: relay.signatureOf(5) }, 'signature'],
      [{ round: number - 1, signature }, 'signature'],
      [{ round: 1e9, signature }, 'round'],
      [{ round: Number.MAX_SAFE_INTEGER, signature }, 'round'],
      [{ round: 0, signature }, 'round'],
      [{ round: 1.5, signature }, 'round'],
      [{ round: String(number), signature }, 'round'],
      [{ round: number, signature: signature.toUpperCase() }, 'signature'],
      [{ round: number, signature: signature.slice(2) }, 'signature'],
      [{ round: number }, 'signature'],
      [{ round: number, signature, randomness: 'aa' }, 'randomness'],
    ] as const) {
      const { status, body: answer } = await submit(body)
      expect([status, answer.error.code], JSON.stringify(body)).toEqual([400, 'INVALID_PAYLOAD'])
      expect(Object.keys(answer.error.fields), JSON.stringify(body)).toEqual([field])
    }
  })

  it('pages of other sites can use the call', async () => {
    const { call } = await localChain()
    const { status, headers } = await call('OPTIONS', '/fairness/beacon')
    expect(status).toBe(204)
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'content-type',
    })
  })

  it('the call is limited by address: each signature costs a pairing', async () => {
    const { call } = await localChain()
    const submit = () => call('POST', '/fairness/beacon', { body: { round: 1e9, signature: 'ab'.repeat(48) } })
    for (let time = 0; time < 60; time += 1) expect((await submit()).status).toBe(400)
    const { status, headers } = await submit()
    expect(status).toBe(429)
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  })
})

it('the metrics show how far the clock is behind', async () => {
  const { call, base, moveTo, runtime } = await localChain()
  const behind = async () =>
    /\nfairball_clock_behind_seconds (\d+)\n/.exec(String((await call('GET', '/metrics')).body))?.[1]
  expect(await behind()).toBe('0')
  await moveTo(runtime.clock.now() + 1200)
  const { round, signature } = (await call('GET', `${base}/public/latest`)).body
  expect((await call('POST', '/fairness/beacon', { body: { round, signature } })).status).toBe(200)
  const at = runtime.clock.now() - 600
  await expect
    .poll(async () => {
      runtime.clock.set(at) // news of the jump may still be on its way and advance the clock again
      return Number(await behind())
    })
    .toBeGreaterThan(30)
})

it('draws open on quicknet by default, without a local chain', async () => {
  const { call, db } = await testApplication({
    games: 'one game',
    config: { beacon: 'drand', drandRelays: ['https://relay.example'] },
  })
  expect(await db.run(findChainsOfDraws, [])).toEqual([
    { chainHash: '52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971' },
  ])
  const { status } = await call(
    'GET',
    '/fairness/beacon/52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971/info',
  )
  expect(status).toBe(404)
})
