import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql, t } from '../../src/db/sql.ts'
import { lookAtRequest } from '../../src/modules/console/carry-out.ts'
import { CONSOLE_ORIGIN, testConsole, type TestConsole } from '../console.ts'
import { startNode, type TestNode } from './node.ts'
import { payoutsOn } from './payouts-on-node.ts'

const LOOKS = 8

let node: TestNode
let bench: TestConsole | undefined
const { coreCluster, owePrize, pass, expectPaid, minedTo } = payoutsOn(() => node)

const listBatches = sql({
  name: 'two-people-test.list-batches',
  text: `select id, state from payout_batches order by id`,
  row: { id: t.bigint, state: t.text },
})

beforeAll(async () => {
  node = await startNode()
})
afterAll(async () => {
  await bench?.end()
  await node?.stop()
})

it('a batch that two people approve in the console leaves a real node once, and no other does', async () => {
  const { cluster } = await coreCluster({ limits: { approvalSats: 50_000n, floatSats: null } })
  bench = await testConsole(cluster)
  const { ctx } = bench
  await bench.begin()
  const approver = await bench.person('approver', ['approver'])
  const treasurer = await bench.person('treasurer', ['treasurer'])
  await bench.stopWorking()
  const worker = cluster.worker()
  const look = (id: string): Promise<void> => lookAtRequest(ctx, id, { attempts: 0 })
  const states = async (): Promise<string[]> => (await cluster.db.run(listBatches, [])).map(({ state }) => state)
  /** Lets hours pass, after which both have to sign in again. */
  const wait = async (looks: number): Promise<void> => {
    await pass(cluster, worker, looks)
    for (const one of [approver, treasurer]) await one.signIn()
  }
  const asked = async (sats: bigint) => {
    const prize = await owePrize(cluster, sats)
    await wait(1)
    const batch = (await cluster.db.run(listBatches, [])).at(-1)
    const { id } = await approver.propose('payouts.approve', { batch: String(batch?.id) })
    await look(id)
    return { id, prize }
  }

  const { id, prize } = await asked(60_000n)
  const other = await asked(70_000n)
  // Alone, with either of the own keys, and with a signature for the other batch.
  for (const key of approver.keys)
    expect((await approver.approve(id, key)).body).toMatchObject({ error: { code: 'SECOND_PERSON_NEEDED' } })
  const { body } = await treasurer.call('POST', `/requests/${other.id}/options`)
  const response = treasurer.keys[0]?.sign(body.options, CONSOLE_ORIGIN)
  expect((await treasurer.call('POST', `/requests/${id}/approve`, { response })).body).toMatchObject({
    error: { code: 'SIGNATURE_REFUSED' },
  })
  await wait(LOOKS)
  expect(await states()).toEqual(['WAITING_APPROVAL', 'WAITING_APPROVAL'])
  expect(await minedTo(prize.address)).toEqual([])

  expect((await treasurer.approve(id)).body).toMatchObject({ state: 'approved' })
  await Promise.all([look(id), look(id)])
  await wait(LOOKS)
  expect((await treasurer.approve(id)).body).toMatchObject({ error: { code: 'REQUEST_CLOSED' } })
  await wait(LOOKS)
  expect(await states()).toEqual(['FINAL', 'WAITING_APPROVAL'])
  expect([await minedTo(prize.address), await minedTo(other.prize.address)]).toEqual([[prize.sats], []])

  expect((await treasurer.approve(other.id)).body).toMatchObject({ state: 'approved' })
  await look(other.id)
  await wait(LOOKS)
  await expectPaid(cluster, [prize, other.prize])
  expect((await approver.call('GET', '/audit/verify')).body).toMatchObject({ ok: true })
})
