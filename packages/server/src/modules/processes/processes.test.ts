import { describe, expect, it } from 'vitest'
import { CONFIG } from '../../../test/application.ts'
import { testDatabase } from '../../../test/database.ts'
import { startPayoutCluster } from '../../../test/payout-cluster.ts'
import { deskOn, settingsOn } from '../../../test/settings-desk.ts'
import type { Config } from '../../config/config.ts'
import type { Db } from '../../db/pool.ts'
import { replacements, sharedSettings } from '../../main/shared-settings.ts'
import { monotonicTime } from '../../runtime/system-runtime.ts'
import { testRuntime } from '../../runtime/test-runtime.ts'
import type { LiveSettings } from '../settings/service.ts'
import { Processes } from './service.ts'

const LIMITED = { payoutApprovalSats: 30_000n } as const
const DIFFER = 'settings differ from the newest worker: payments and payouts are left to it'

let seed = 0

/** A process that has compared once. */
async function processOf(db: Db, changed: Partial<Config> = {}, isWorker = true, live: LiveSettings | null = null) {
  const naps: { ms: number; wake: () => void }[] = []
  const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((wake) => {
      naps.push({ ms, wake })
      signal?.addEventListener('abort', () => wake())
    })
  const runtime = { ...testRuntime({ seed: `process ${(seed += 1)}` }), monotonic: { ...monotonicTime, sleep } }
  const config = { ...CONFIG, ...changed }
  const process = new Processes({
    role: 'worker',
    version: '1.0.0',
    db,
    runtime,
    settings: sharedSettings(config),
    ...(live === null ? {} : { replacements: () => replacements(config, live) }),
    secretKey: CONFIG.secretKey,
    isWorker,
  })
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

describe('processes with variables that a setting replaces', () => {
  it('processes with other variables pay, and none ever differs, from the moment at which a setting was applied', async () => {
    const { database, runtime, started } = await workersWithSettings()
    const [old, newest] = [await started(), await started(LIMITED)]
    await old.compare()
    expect(old.isHeld('payouts.sign')).toBe(true)

    await deskOn(database, runtime).apply({ 'payouts.approval_sats': 20_000 })
    // What the newest one has published is older than the setting.
    await old.compare()
    expect(old.isHeld('payouts.sign')).toBe(false)
    expect((await old.differences()).get('PAYOUT_APPROVAL_SATS')).toBe(0)
    await newest.compare()
    await deskOn(database, runtime).apply({ 'payouts.approval_sats': 10_000 })
    await newest.compare()
    await old.compare()
    expect([old.isHeld('payouts.sign'), newest.isHeld('payouts.sign')]).toEqual([false, false])
    expect([...old.runtime.logged, ...newest.runtime.logged].filter(({ level }) => level === 'error')).toHaveLength(1)
  })

  it('a setting replaces only its own variable: with another one apart, a process pays nothing', async () => {
    const { database, runtime, started } = await workersWithSettings()
    await deskOn(database, runtime).apply({ 'payouts.approval_sats': 20_000 })
    const old = await started()
    await started({ ...LIMITED, payoutFloatSats: 900_000n })
    await old.compare()
    expect(old.isHeld('payouts.sign')).toBe(true)
    expect([...(await old.differences())].filter(([, processes]) => processes > 0)).toEqual([['PAYOUT_FLOAT_SATS', 1]])
  })

  it('a setting that is still to come leaves the variables in force', async () => {
    const { database, runtime, started } = await workersWithSettings()
    const at = runtime.clock.now() + 60
    await deskOn(database, runtime).apply({ 'payouts.approval_sats': 20_000 }, { from: at })
    const [old] = [await started(), await started(LIMITED)]
    await old.compare()
    expect(old.isHeld('payouts.sign')).toBe(true)
    runtime.clock.set(at)
    await old.compare()
    expect(old.isHeld('payouts.sign')).toBe(false)
  })

  it.each([
    [20_000n, false],
    [30_000n, true],
  ])('a process of a release without settings, with a limit of %d sats, pays nothing: %s', async (limit, isHeld) => {
    const { database, runtime, started } = await workersWithSettings()
    const earlier = await processOf(database.db, { payoutApprovalSats: limit })
    await deskOn(database, runtime).apply({ 'payouts.approval_sats': 20_000 })
    const newest = await started()
    await earlier.compare()
    expect(earlier.isHeld('payouts.sign')).toBe(isHeld)
    expect((await newest.differences()).get('PAYOUT_APPROVAL_SATS')).toBe(isHeld ? 1 : 0)
  })
})

/** Workers on one database, each with the settings of a process of its own. */
async function workersWithSettings() {
  const [database, runtime] = [await testDatabase(), testRuntime()]
  return {
    database,
    runtime,
    started: async (changed: Partial<Config> = {}) =>
      await processOf(database.db, changed, true, await settingsOn(database, runtime, changed)),
  }
}
