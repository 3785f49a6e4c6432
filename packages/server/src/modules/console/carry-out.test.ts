import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testConsole, type TestConsole, type TestStaff } from '../../../test/console.ts'
import { Crasher, onlyDeath } from '../../../test/crasher.ts'
import { type PayoutCluster, startPayoutCluster } from '../../../test/payout-cluster.ts'
import { deathsAmong } from '../../../test/share.ts'
import { wrappedQueries } from '../../../test/wrapped-queries.ts'
import type { Db } from '../../db/pool.ts'
import { sql, t } from '../../db/sql.ts'
import { lookAtRequest } from './carry-out.ts'

let cluster: PayoutCluster
let bench: TestConsole
let approver: TestStaff
let treasurer: TestStaff
const crasher = new Crasher()

const findBatch = sql({
  name: 'carry-out-test.find-batch',
  text: `select id, state from payout_batches order by id desc limit 1`,
  row: { id: t.bigint, state: t.text },
})
const countActions = sql({
  name: 'carry-out-test.count-actions',
  text: `select count(*)::int as rows from operator_actions where request_id = $1`,
  params: [t.uuid],
  row: { rows: t.int },
})
const forgeSignature = sql({
  name: 'carry-out-test.forge-signature',
  text: `insert into operator_signatures (request_id, part, staff_id, key_id, text, challenge, authenticator_data,
      client_data_json, signature, signed_at)
    select request_id, 'approve', $2::bigint, $3, replace(replace(text, 'part propose', 'part approve'), 'staff ' || staff_id, 'staff ' || $2::text),
      sha256(challenge), authenticator_data, client_data_json, signature, signed_at
    from operator_signatures where request_id = $1 and part = 'propose'`,
  params: [t.uuid, t.bigint, t.bigint],
})

beforeAll(async () => {
  cluster = await startPayoutCluster({ limits: { approvalSats: 50_000n, floatSats: null } })
  bench = await testConsole(cluster)
  await bench.begin()
  approver = await bench.person('approver', ['approver'])
  treasurer = await bench.person('treasurer', ['treasurer'])
  await bench.stopWorking()
})
afterAll(async () => {
  await bench.end()
  await cluster.drop()
})

/** A request to approve a batch, with the first signature and, unless told otherwise, the second. */
async function signedRequest(isSecondSigned = true): Promise<string> {
  const { id: playerId } = await cluster.money.player()
  await cluster.money.owe(playerId, 60_000n)
  await cluster.pass(cluster.worker(), 0)
  const { id: batch } = await cluster.db.one(findBatch, [])
  const { id } = await approver.propose('payouts.approve', { batch: String(batch) })
  await lookAtRequest(bench.ctx, id, { attempts: 0 })
  if (isSecondSigned) expect((await treasurer.approve(id)).body).toMatchObject({ state: 'approved' })
  return id
}

async function stateOf(id: string): Promise<unknown> {
  return (await approver.call('GET', `/requests/${id}`)).body.state
}

describe('a worker that carries out a request', () => {
  it('does it once, wherever it dies', async () => {
    const live = async (dieAt: number, when: 'before' | 'after'): Promise<number> => {
      const about = `died ${when} call ${dieAt}`
      const id = await signedRequest()
      crasher.arm(dieAt, when)
      await lookAtRequest({ ...bench.ctx, db: crasher.wrapStatements(cluster.db) }, id, { attempts: 0 }).catch(
        onlyDeath,
      )
      const { calls } = crasher
      crasher.arm(0, 'before')
      await lookAtRequest(bench.ctx, id, { attempts: 1 })
      expect(await stateOf(id), about).toBe('done')
      expect((await cluster.db.one(findBatch, [])).state, about).toBe('BATCHED')
      expect((await cluster.db.one(countActions, [id])).rows, about).toBe(1)
      return calls
    }
    const calls = await live(0, 'before')
    expect(calls).toBeGreaterThan(15)
    for (const { dieAt, when } of deathsAmong(calls)) await live(dieAt, when)
    expect((await approver.call('GET', '/audit/verify')).body).toMatchObject({ ok: true })
  })

  it('does it once beside another worker', async () => {
    const id = await signedRequest()
    await Promise.all([1, 2, 3].map(() => lookAtRequest(bench.ctx, id, { attempts: 0 })))
    expect(await stateOf(id)).toBe('done')
    expect((await cluster.db.one(countActions, [id])).rows).toBe(1)
  })

  it('does nothing by a signature that the console forged', async () => {
    const id = await signedRequest(false)
    const { id: key } = await cluster.db.one(findKeyOf, [BigInt(treasurer.id)])
    await cluster.db.execute(forgeSignature, [id, BigInt(treasurer.id), key])
    await lookAtRequest(bench.ctx, id, { attempts: 0 })
    expect(await approver.call('GET', `/requests/${id}`)).toMatchObject({
      body: { state: 'refused', result: { code: 'SIGNATURE_REFUSED' } },
    })
    expect((await cluster.db.one(findBatch, [])).state).toBe('WAITING_APPROVAL')
  })

  it('fails it for good after five errors of the program', async () => {
    const id = await signedRequest()
    const broken: Db = {
      ...cluster.db,
      transaction: (work) =>
        cluster.db.transaction((tx) =>
          work(
            wrappedQueries(tx, async (statement, act) => {
              if (statement.name === 'payouts.move-batch') throw new Error('a bug of ours')
              return await act()
            }),
          ),
        ),
    }
    const ctx = { ...bench.ctx, db: broken }
    await expect(lookAtRequest(ctx, id, { attempts: 3 })).rejects.toThrow('a bug of ours')
    expect(await stateOf(id)).toBe('approved')
    await lookAtRequest(ctx, id, { attempts: 4 })
    expect(await stateOf(id)).toBe('failed')
    expect((await cluster.db.one(countActions, [id])).rows).toBe(0)
  })
})

const findKeyOf = sql({
  name: 'carry-out-test.find-key-of',
  text: `select id from staff_keys where staff_id = $1 order by id limit 1`,
  params: [t.bigint],
  row: { id: t.bigint },
})
