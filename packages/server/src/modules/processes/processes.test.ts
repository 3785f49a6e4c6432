import { expect, it } from 'vitest'
import { CONFIG } from '../../../test/application.ts'
import { testDatabase } from '../../../test/database.ts'
import { startPayoutCluster } from '../../../test/payout-cluster.ts'
import type { Config } from '../../config/config.ts'
import type { Db } from '../../db/pool.ts'
import { sharedSettings } from '../../main/shared-settings.ts'
import { monotonicTime } from '../../runtime/system-runtime.ts'
import { testRuntime } from '../../runtime/test-runtime.ts'
import { Processes } from './service.ts'

const LIMITED = { payoutApprovalSats: 30_000n } as const
const DIFFER = 'settings differ from the newest worker: payments and payouts are left to it'

let seed = 0

/** A process that has compared once. */
async function processOf(db: Db, changed: Partial<Config> = {}, isWorker = true) {
  const naps: { ms: number; wake: () => void }[] = []
  const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((wake) => {
      naps.push({ ms, wake })
      signal?.addEventListener('abort', () => wake())
    })
  const runtime = { ...testRuntime({ seed: `process ${(seed += 1)}` }), monotonic: { ...monotonicTime, sleep } }
  const settings = sharedSettings({ ...CONFIG, ...changed })
  const process = new Processes({ db, runtime, settings, secretKey: CONFIG.secretKey, isWorker })
  const heldAtFirst = process.isHeld('payouts.sign')
  await process.compare()
  return Object.assign(process, { runtime, heldAtFirst, naps })
}

it('a worker with other settings than the newest one pays nothing, and pays again once both are the same', async () => {
  const cluster = await startPayoutCluster()
  const old = await processOf(cluster.db)
  const working = cluster.worker({ isHeld: (kind) => old.isHeld(kind) })
  const newest = await processOf(cluster.db, LIMITED)
  await old.compare()
  const player = await cluster.money.player()
  await cluster.money.owe(player.id, 40_000n)
  await cluster.pass(working, 3)
  expect(await cluster.states()).toEqual([])
  expect(old.runtime.logged).toMatchObject([{ level: 'error', msg: DIFFER, variables: ['PAYOUT_APPROVAL_SATS'] }])
  expect([...(await newest.differences())].filter(([, processes]) => processes > 0)).toEqual([
    ['PAYOUT_APPROVAL_SATS', 1],
  ])

  await newest.stop()
  await processOf(cluster.db) // it is restarted with the other's limit
  await old.compare()
  await cluster.pass(working, 9)
  await cluster.expectPaid([{ address: player.address, sats: 40_000n }])
})

it('a process holds up only what moves money, and only until it has compared', async () => {
  const { db } = await testDatabase()
  const first = await processOf(db)
  expect([first.heldAtFirst, first.isHeld('payouts.sign')]).toEqual([true, false])
  await processOf(db, { payments: 'btcpay' })
  await first.compare()
  const kinds = ['payouts.make', 'payments.refresh', 'draws.close', 'messages.send', 'rates.read', 'ledger.checkpoint']
  expect(kinds.filter((kind) => first.isHeld(kind))).toEqual(['payouts.make', 'payments.refresh'])
})

it.each<[string, Partial<Config>]>([
  ['NODE_ENV', { mode: 'production' }], // in the demo returns have no daily limits
  ['OPENNODE_API_KEY', { opennode: { url: 'https://opennode.test', apiKey: 'of-another-account' } }],
])('a process that differs from the newest worker in %s moves no money', async (variable, changed) => {
  const { db } = await testDatabase()
  const own = { opennode: { url: 'https://opennode.test', apiKey: 'of-our-account' } }
  const old = await processOf(db, own)
  await processOf(db, { ...own, ...changed })
  await old.compare()
  expect(old.isHeld('payouts.sign')).toBe(true)
  expect((await old.differences()).get(variable)).toBe(1)
})

it('a process that only serves players says in what it differs, and decides for no others', async () => {
  const { db } = await testDatabase()
  const worker = await processOf(db)
  const web = await processOf(db, LIMITED, false)
  await worker.compare()
  expect([worker.isHeld('payouts.sign'), web.isHeld('payouts.sign')]).toEqual([false, true])
  expect((await worker.differences()).get('PAYOUT_APPROVAL_SATS')).toBe(1)
  expect((await worker.differences()).get('PUBLIC_URL')).toBe(0)
})

it('a process compares every five seconds, so that it resumes within fifteen', async () => {
  const { db } = await testDatabase()
  const old = await processOf(db)
  const newest = await processOf(db, LIMITED)
  const pass = async (ms: number): Promise<void> => {
    await expect.poll(() => old.naps).toHaveLength(1)
    const [nap] = old.naps.splice(0)
    expect(nap?.ms).toBeLessThanOrEqual(ms)
    nap?.wake()
  }
  old.start()
  await pass(5_000)
  await expect.poll(() => old.isHeld('payouts.sign')).toBe(true)
  await newest.stop()
  await pass(5_000)
  await expect.poll(() => old.isHeld('payouts.sign')).toBe(false)
  await pass(5_000)
  await old.stop()
})

it('a setting is stored as a digest under the installation’s key', async () => {
  const { db, connect } = await testDatabase()
  await processOf(db, LIMITED)
  const { rows } = await (await connect()).query<{ text: string }>('select digests::text as text from process_settings')
  expect(rows[0]?.text).toMatch(/"PAYOUT_APPROVAL_SATS": "[0-9a-f]{64}"/u)
  expect(rows[0]?.text).not.toContain('30000')
})
