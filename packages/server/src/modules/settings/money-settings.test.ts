import { describe, expect, it, vi } from 'vitest'
import { CONFIG, testApplication } from '../../../test/application.ts'
import { testDatabase } from '../../../test/database.ts'
import { testLottery } from '../../../test/lottery.ts'
import { startPayoutCluster } from '../../../test/payout-cluster.ts'
import { deskOn, planIdOf, settingsOn } from '../../../test/settings-desk.ts'
import type { Config } from '../../config/config.ts'
import type { Db } from '../../db/pool.ts'
import { testRuntime } from '../../runtime/test-runtime.ts'
import { approveBatch } from '../operator/payout-actions.ts'
import { LiveSettings } from './service.ts'

const STARTED = { payoutApprovalSats: 50_000n, payoutFloatSats: 900_000n, bitcoinConfirmations: 1 }
const SATS = 'set a whole number of satoshis from 1 to 2100000000000000, or null for no limit'

/** Payouts whose limits are those of a process's settings. */
async function clusterWithSettings() {
  const process: { live: LiveSettings | null } = { live: null }
  const money = () => process.live?.money() ?? STARTED
  const limits = () => ({ approvalSats: money().payoutApprovalSats, floatSats: money().payoutFloatSats })
  const cluster = await startPayoutCluster({ limits })
  process.live = await settingsOn(cluster, cluster.runtime, STARTED)
  const desk = deskOn(cluster, cluster.runtime, STARTED)
  return {
    cluster,
    async owe(sats: bigint) {
      const player = await cluster.money.player()
      await cluster.money.owe(player.id, sats)
      return player
    },
    /** Sets another limit of approval, and waits until the process has it. */
    async applied(sats: number) {
      await desk.apply({ 'payouts.approval_sats': sats })
      await vi.waitFor(() => expect(limits().approvalSats).toBe(BigInt(sats)))
    },
  }
}

describe('settings of money', () => {
  it.each([
    ['payouts.approval_sats', 70_000, { payoutApprovalSats: 70_000n }],
    ['payouts.approval_sats', null, { payoutApprovalSats: null }],
    ['payouts.float_sats', 2_100_000_000_000_000, { payoutFloatSats: 2_100_000_000_000_000n }],
    ['bitcoin.confirmations', 3, { bitcoinConfirmations: 3 }],
  ] as const)('%s=%s wins over the variables of two processes without a restart', async (key, value, changed) => {
    const [database, runtime] = [await testDatabase(), testRuntime()]
    const others = { payoutApprovalSats: null, payoutFloatSats: null, bitcoinConfirmations: 2 }
    const processes = [await settingsOn(database, runtime, STARTED), await settingsOn(database, runtime, others)]
    expect(processes.map((one) => one.money())).toEqual([STARTED, others])
    await deskOn(database, runtime, STARTED).apply({ [key]: value })
    await vi.waitFor(() =>
      expect(processes.map((one) => one.money())).toEqual([
        { ...STARTED, ...changed },
        { ...others, ...changed },
      ]),
    )
  })

  it('a limit with a moment to come applies in each process at that moment', async () => {
    const [database, runtime] = [await testDatabase(), testRuntime()]
    const live = await settingsOn(database, runtime, STARTED)
    const desk = deskOn(database, runtime, STARTED)
    await desk.apply({ 'payouts.float_sats': 800_000 }, { from: runtime.clock.now() + 60 })
    await desk.apply({ support_email: null })
    await vi.waitFor(() => expect(live.site().supportEmail).toBe(null))
    expect([live.money(), live.replaced().size]).toEqual([STARTED, 0])
    runtime.clock.set(runtime.clock.now() + 60)
    expect(live.money()).toEqual({ ...STARTED, payoutFloatSats: 800_000n })
    expect([...live.replaced()]).toEqual(['payoutFloatSats'])
  })

  it('a process that no notification reached reads the settings again when it compares', async () => {
    const [database, runtime] = [await testDatabase(), testRuntime()]
    const live = await settingsOn(database, runtime, STARTED, true)
    await deskOn(database, runtime, STARTED).apply({ 'bitcoin.confirmations': 4 })
    expect(live.money().bitcoinConfirmations).toBe(1)
    await live.catchUp()
    expect(live.money().bitcoinConfirmations).toBe(4)
  })

  it('an answer that came late does not bring back the value before', async () => {
    const [database, runtime] = [await testDatabase(), testRuntime()]
    const [answered, late] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let isFirst = true
    const db: Pick<Db, 'run' | 'listen'> = {
      listen: (...args) => database.db.listen(...args),
      async run(...args) {
        const isLate = isFirst
        isFirst = false
        const rows = await database.db.run(...args)
        if (!isLate) return rows
        answered.resolve()
        await late.promise
        return rows
      },
    }
    const live = new LiveSettings({ db, runtime, defaults: { ...CONFIG, ...STARTED } })
    const first = live.read()
    await answered.promise // without the setting
    await deskOn(database, runtime, STARTED).apply({ 'bitcoin.confirmations': 4 })
    await live.read()
    late.resolve()
    await first
    expect(live.money().bitcoinConfirmations).toBe(4)
  })

  it('the variable’s own value can become a setting once, and only what is set is exported', async () => {
    const [database, runtime] = [await testDatabase(), testRuntime()]
    const desk = deskOn(database, runtime, STARTED)
    expect(Object.keys((await desk.exported()).settings)).not.toContain('payouts.approval_sats')
    const planned = await desk.plan({ 'payouts.approval_sats': 50_000 })
    expect(planned).toContain('payouts.approval_sats: 50000 becomes 50000, in place of its variable')
    await desk.applyPlan(planIdOf(planned))
    const { settings } = await desk.exported()
    expect(settings).toMatchObject({ 'payouts.approval_sats': 50_000 })
    expect(settings).not.toHaveProperty('payouts.float_sats')
    expect(await desk.plan(settings)).toBe('Nothing changes.')
  })

  it.each<[string, unknown, string, Partial<Config>?]>([
    ['payouts.approval_sats', 0, SATS],
    ['payouts.approval_sats', 0.5, SATS],
    ['payouts.approval_sats', '50000', SATS],
    ['payouts.float_sats', 2_100_000_000_000_001, SATS],
    ['payouts.float_sats', -1, SATS],
    ['bitcoin.confirmations', 0, 'set a whole number from 1 to 100'],
    ['bitcoin.confirmations', 101, 'set a whole number from 1 to 100'],
    ['bitcoin.confirmations', null, 'set a whole number from 1 to 100'],
    ['bitcoin.confirmations', 1, 'set a whole number from 2 to 100', { bitcoinNetwork: 'mainnet' }],
    ['bitcoin.confirmations', 7, 'set a whole number from 1 to 6', { payments: 'btcpay' }],
  ])('%s=%s in a file is refused with its place', async (key, value, message, changed = {}) => {
    const desk = deskOn(await testDatabase(), testRuntime(), changed)
    await expect(desk.plan({ [key]: value })).rejects.toThrow(new RegExp(`^${key}: ${message}$`, 'm'))
  })

  it('a batch that was made keeps its own approval, and the next one has the new limit', async () => {
    const { cluster, owe, applied } = await clusterWithSettings()
    const working = cluster.worker()
    const large = await owe(60_000n)
    await cluster.pass(working, 2)
    expect(await cluster.states()).toEqual(['WAITING_APPROVAL'])

    await applied(70_000)
    const next = await owe(60_000n)
    await cluster.pass(working, 9)
    expect(await cluster.states()).toEqual(['WAITING_APPROVAL', 'FINAL'])
    await approveBatch(cluster.desk, 1n)
    await cluster.pass(working, 9)
    await cluster.expectPaid([large, next].map(({ address }) => ({ address, sats: 60_000n })))
  })

  it('a batch that was made without approval leaves without it after the limit was lowered', async () => {
    const { cluster, owe, applied } = await clusterWithSettings()
    await owe(40_000n)
    await cluster.worker({ isHeld: (kind) => kind === 'payouts.sign' }).queue.runDue()
    expect(await cluster.states()).toEqual(['BATCHED'])

    await applied(10_000)
    await owe(40_000n)
    await cluster.pass(cluster.worker(), 9)
    expect(await cluster.states()).toEqual(['FINAL', 'WAITING_APPROVAL'])
  })

  it('a payment counts at the confirmations that its order’s promise names, and those follow the setting', async () => {
    const { db, runtime, call, signUp } = await testApplication()
    const { bearer } = await signUp()
    const tickets = [{ isLuckyDip: false, numbers: [1, 2, 3, 4, 5] }]
    const order = { type: 'lotto', key: 'bitcoin-hero', days: [6], weeks: 1, tickets }
    const ordered = async () => String((await call('POST', '/payment', { bearer, body: order })).body.transaction_id)
    const checkout = async (of: string) => (await call('GET', `/checkout/${of}`)).body
    const pay = async (of: string) =>
      (await call('POST', '/dev/pay', { body: { transaction_id: of, confirmations: 1 } })).body
    const first = await ordered()
    expect(await checkout(first)).toMatchObject({ confirmations_needed: 1 })

    await deskOn({ db }, runtime).apply({ 'bitcoin.confirmations': 2 })
    await vi.waitFor(async () => expect(await checkout(await ordered())).toMatchObject({ confirmations_needed: 2 }))
    const later = await ordered()
    expect(await pay(later)).toEqual({ status: 'PROCESSING' })
    expect(await checkout(later)).toMatchObject({ status: 'PROCESSING', confirmations: 1 })
    // The promise of the first one names the number of then, which binds.
    expect(await pay(first)).toEqual({ status: 'PAID' })
  })

  it('payouts, mails and payments of one process follow its settings', async () => {
    let money = STARTED
    const test = await testLottery()
    await test.restart({ money: () => money })
    const { payouts, messages, payments } = test.lottery
    const inForce = () => [payouts.limits(), messages.approvalSats(), payments.requiredConfirmations()]
    expect(inForce()).toEqual([{ approvalSats: 50_000n, floatSats: 900_000n }, 50_000n, 1])
    money = { payoutApprovalSats: 40_000n, payoutFloatSats: 800_000n, bitcoinConfirmations: 3 }
    expect(inForce()).toEqual([{ approvalSats: 40_000n, floatSats: 800_000n }, 40_000n, 3])
  })
})
