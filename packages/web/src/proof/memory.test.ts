import { toHex } from '@fairball/domain/protocol/bytes'
import { publicKeyOf } from '@fairball/domain/protocol/ed25519'
import { TEST_LOG_SEED, TEST_ORIGIN, TestOperator } from '@fairball/domain/protocol/operator-fixture'
import { expect, it } from 'vitest'
import { BrowserDatabase } from '../testing/browser-database.ts'
import type { KeptSeal } from './kept-records.ts'
import { KeptStore } from './kept-store.ts'
import { rememberHead, rememberKeys, rememberSeal } from './memory.ts'
import { ownTrust, trustOf, writeTrust } from './trust.ts'

const KEY = toHex(publicKeyOf(TEST_LOG_SEED))
const store = () => new KeptStore(new BrowserDatabase().factory, null)

const SEAL: KeptSeal = {
  id: 'aa player-1',
  close: 'aa'.repeat(32),
  open: 'bb'.repeat(32),
  game: 'test-game',
  draw: 1,
  seal: '{}',
  seenAt: 100,
  closedAt: 90,
  startAt: 400,
  player: 'player-1',
  lines: 2,
  outcome: 'waiting',
  problem: null,
  evidence: null,
}

it('a head is kept once, as first seen', async () => {
  const kept = store()
  const operator = new TestOperator()
  await rememberHead(kept, operator.checkpoint(operator.now), 1)
  await rememberHead(kept, operator.checkpoint(operator.now + 9), 2)
  expect(await kept.all('heads')).toMatchObject([{ note: operator.checkpoint(operator.now), seenAt: 1 }])
})

it('the keys of a log are kept as first seen, with those that continue them', async () => {
  const kept = store()
  await rememberKeys(kept, { origin: TEST_ORIGIN, keys: [KEY], seenAt: 5 })
  await rememberKeys(kept, { origin: TEST_ORIGIN, keys: ['ab'.repeat(32), KEY], seenAt: 6 })
  expect(await kept.get('logs', TEST_ORIGIN)).toMatchObject({ keys: [KEY], seenAt: 5 })
  await rememberKeys(kept, { origin: TEST_ORIGIN, keys: [KEY, 'cd'.repeat(32)], seenAt: 7 })
  expect(await kept.get('logs', TEST_ORIGIN)).toMatchObject({ keys: [KEY, 'cd'.repeat(32)], seenAt: 5 })
})

it('a seal is kept as first seen, with the outcome of its check', async () => {
  const kept = store()
  await rememberSeal(kept, SEAL)
  await rememberSeal(kept, { ...SEAL, seal: '{"other":1}', seenAt: 999, outcome: 'sealed' })
  expect(await kept.all('seals')).toEqual([{ ...SEAL, outcome: 'sealed' }])
})

it('the newest 200 seals are kept', async () => {
  const kept = store()
  for (let place = 0; place < 205; place += 1) await rememberSeal(kept, { ...SEAL, id: `${place}`, seenAt: place })
  const seals = await kept.all('seals')
  expect(seals).toHaveLength(200)
  expect(Math.min(...seals.map(({ seenAt }) => seenAt))).toBe(5)
})

it('trust consists of the records of a log, and of no other log', async () => {
  const kept = store()
  const operator = new TestOperator()
  await rememberKeys(kept, { origin: TEST_ORIGIN, keys: [KEY], seenAt: 5 })
  await rememberHead(kept, operator.checkpoint(operator.now), 5)
  await rememberSeal(kept, SEAL)
  const trust = await ownTrust(kept, TEST_ORIGIN)
  const sights = [{ open: SEAL.open, hash: SEAL.close, at: 100 }]
  expect(trust).toEqual({ policy: null, key: KEY, sights, heads: [operator.checkpoint(operator.now)] })
  expect(JSON.parse(writeTrust(trust))).toEqual(trust)
  expect(await ownTrust(kept, 'other.example/fairball')).toMatchObject({ key: null, heads: [] })
  expect(trustOf({ ...trust, policy: 'no policy' }).policy).toBeNull()
})
