import { afterAll, beforeAll, expect, it } from 'vitest'
import { testConsole, type TestConsole, type TestStaff } from '../../../test/console.ts'
import { type PayoutCluster, startPayoutCluster } from '../../../test/payout-cluster.ts'
import { nullable, sql, t } from '../../db/sql.ts'
import { lookAtRequest } from './carry-out.ts'
import { isEnrolled } from './rules.ts'
import { listPeople } from './staff-queries.ts'

// Two things at once, and what changes between the signatures of a request. No worker runs: each test looks for requests.

let cluster: PayoutCluster
let bench: TestConsole
let owners: readonly TestStaff[]
/** Each test takes two of its own. */
const pairs: { readonly approver: TestStaff; readonly treasurer: TestStaff }[] = []

beforeAll(async () => {
  cluster = await startPayoutCluster({ limits: { approvalSats: 50_000n, floatSats: null } })
  bench = await testConsole(cluster)
  await bench.begin()
  owners = [await bench.person('olga', ['owner']), await bench.person('otto', ['owner'])]
  for (let pair = 0; pair < 8; pair += 1)
    pairs.push({
      approver: await bench.person(`approver${pair}`, ['approver']),
      treasurer: await bench.person(`treasurer${pair}`, ['treasurer']),
    })
  await bench.stopWorking()
})
afterAll(async () => {
  await bench.end()
  await cluster.drop()
})

const readBatch = sql({
  name: 'races-test.read-batch',
  text: `select id, state from payout_batches order by id desc limit 1`,
  row: { id: t.bigint, state: t.text },
})
const readOutcome = sql({
  name: 'races-test.read-outcome',
  text: `select state, result ->> 'code' as code, expires_at from operator_requests where id = $1`,
  params: [t.uuid],
  row: { state: t.text, code: nullable(t.text), expiresAt: t.epochSeconds },
})
const findNewest = sql({
  name: 'races-test.find-newest',
  text: `select id from operator_requests where kind = $1 order by created_at desc, expires_at desc limit 1`,
  params: [t.text],
  row: { id: t.uuid },
})
const takeRoles = sql({
  name: 'races-test.take-roles',
  text: `update staff set roles = '{editor}' where id = $1`,
  params: [t.bigint],
})
const revokeKeys = sql({
  name: 'races-test.revoke-keys',
  text: `update staff_keys set revoked_at = 1 where staff_id = $1`,
  params: [t.bigint],
})

const look = (id: string) => lookAtRequest(bench.ctx, id, { attempts: 0 })
const outcome = async (id: string): Promise<string> => {
  const { state, code } = await cluster.db.one(readOutcome, [id])
  return [state, code].filter((one) => one !== null).join(' ')
}

/** A request to approve a batch with its first signature, which waits for the second person. */
async function proposed() {
  const pair = pairs.pop()
  if (pair === undefined) throw new Error('each test takes one pair')
  const { id: playerId } = await cluster.money.player()
  await cluster.money.owe(playerId, 60_000n)
  await cluster.pass(cluster.worker(), 0)
  const { id: batch } = await cluster.db.one(readBatch, [])
  const { id } = await pair.approver.propose('payouts.approve', { batch: String(batch) })
  await look(id)
  expect(await outcome(id)).toBe('proposed')
  return { ...pair, id, batchState: async () => (await cluster.db.one(readBatch, [])).state }
}

it.each([
  ['roles of the first', takeRoles, 'approver', 'ACCESS_DENIED'],
  ['roles of the second', takeRoles, 'treasurer', 'ACCESS_DENIED'],
  ['passkeys of the first', revokeKeys, 'approver', 'SIGNATURE_REFUSED'],
  ['passkeys of the second', revokeKeys, 'treasurer', 'SIGNATURE_REFUSED'],
] as const)('%s count as they are when it is carried out', async (_what, change, whose, code) => {
  const request = await proposed()
  expect((await request.treasurer.approve(request.id)).body.state).toBe('approved')
  await cluster.db.execute(change, [BigInt(request[whose].id)])
  await look(request.id)
  expect([await outcome(request.id), await request.batchState()]).toEqual([`refused ${code}`, 'WAITING_APPROVAL'])
})

it('a request that is approved and rejected at once ends in one of the two', async () => {
  const { id, treasurer, batchState } = await proposed()
  await treasurer.approve(id)
  await treasurer.call('POST', `/requests/${id}/reject`, { reason: 'On second thoughts.' })
  const { id: rejection } = await cluster.db.one(findNewest, ['requests.reject'])
  await Promise.all([look(id), look(rejection), look(id), look(rejection)])
  const ends = [await outcome(id), await outcome(rejection), await batchState()]
  expect([
    ['done', 'refused REQUEST_CLOSED', 'BATCHED'],
    ['rejected', 'done', 'WAITING_APPROVAL'],
  ]).toContainEqual(ends)
})

it('a person who is disabled while their signature is carried out has signed, or has not', async () => {
  const { id, treasurer, batchState } = await proposed()
  await treasurer.approve(id)
  const { id: disabling } = (await owners[0]?.propose('staff.disable', { staff: treasurer.id })) ?? { id: '' }
  await Promise.all([look(disabling), look(id)])
  expect(await outcome(disabling)).toBe('done')
  expect([
    ['done', 'BATCHED'],
    ['refused SIGNATURE_REFUSED', 'WAITING_APPROVAL'],
  ]).toContainEqual([await outcome(id), await batchState()])
})

it('a request whose time is over to the second is not carried out', async () => {
  const { id, treasurer, batchState } = await proposed()
  await treasurer.approve(id)
  const { expiresAt } = await cluster.db.one(readOutcome, [id])
  cluster.runtime.clock.set(expiresAt)
  await look(id)
  expect([await outcome(id), await batchState()]).toEqual(['proposed', 'WAITING_APPROVAL'])
})

it('two changes of roles at once leave an owner', async () => {
  const [olga, otto] = owners
  if (olga === undefined || otto === undefined) throw new Error('there are two owners')
  for (const one of owners) await one.signIn()
  const ids: string[] = []
  for (const [proposer, second] of [
    [olga, otto],
    [otto, olga],
  ] as const) {
    const { id } = await proposer.propose('staff.roles', { staff: second.id, roles: ['editor'] })
    await look(id)
    await second.approve(id)
    ids.push(id)
  }
  await Promise.all(ids.map(look))
  const outcomes = await Promise.all(ids.map(outcome))
  expect(outcomes.toSorted()).toEqual(['done', expect.stringMatching(/^refused (?:ACCESS_DENIED|REFUSED|STALE)$/u)])
  const people = await cluster.db.run(listPeople, [])
  expect(people.filter((one) => isEnrolled(one) && one.roles.includes('owner'))).toHaveLength(1)
})
