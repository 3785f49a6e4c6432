import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { Crasher, onlyDeath } from '../../../test/crasher.ts'
import { type PayoutCluster, startPayoutCluster } from '../../../test/payout-cluster.ts'
import { readConfig } from '../../config/config.ts'
import type { Db } from '../../db/pool.ts'
import { sql, t } from '../../db/sql.ts'
import { Refused } from '../../kernel/errors.ts'
import { createSeal } from '../../runtime/seal.ts'
import { bankroll, winnings } from '../ledger/accounts.ts'
import { checkpointAccount, postTransfer } from '../ledger/service.ts'
import type { OperatorCommand } from '../operator/command.ts'
import { monitoringCommands } from '../operator/invariant-commands.ts'
import { holdAllPayouts, retryAllPayouts } from '../operator/payout-actions.ts'
import { payoutsStatus, stopAll } from '../payouts/service.ts'
import { type FindingsKeeper, lotteryInvariants, type Violation } from './invariants.ts'
import { checkAllInvariants, checkInvariants, invariantStatus, type WatchContext } from './watch.ts'

const IDS = ['I1', 'I2', 'I8']
const SOME: Violation = { id: 'I2', problem: 'winnings 7 stands at -5 sats' }

const readHeld = sql({
  name: 'watch-test.read-held',
  text: `select (select count(*) from invariant_violations where gone_at is null)::int as standing,
    exists (select from system_state where key = 'payouts.stopped') as is_stopped`,
  row: { standing: t.int, isStopped: t.bool },
})
const readActions = sql({
  name: 'watch-test.read-actions',
  text: `select action, subject, detail from operator_actions order by id`,
  row: { action: t.text, subject: t.text, detail: t.text },
})
const forgetStop = sql({
  name: 'watch-test.forget-stop',
  text: `delete from system_state where key = 'payouts.stopped'`,
})
const setTook = sql({
  name: 'watch-test.set-took',
  text: `update invariant_checks set took_ms = $1`,
  params: [t.bigint],
})

/** A payout cluster under a watch whose violations the test sets. */
async function watchedCluster() {
  const cluster = await startPayoutCluster()
  const found: Violation[] = []
  const asked: (number | null)[] = []
  const whole = ['I1', 'I2']
  const watch = (db: Db = cluster.db): WatchContext => ({
    db,
    runtime: cluster.runtime,
    stopPayouts: stopAll,
    tellOfAlarm: async () => undefined,
    invariants: {
      ids: IDS,
      async check(_db, sinceAt) {
        asked.push(sinceAt)
        return { violations: [...found], whole: sinceAt === null ? IDS : whole }
      },
      checkNew: async () => null,
      continuePass: async () => false,
    },
  })
  const seal = createSeal(new Uint8Array(32), cluster.runtime.random)
  const run = async (name: string, ...args: string[]): Promise<string> => {
    const commands: Record<string, OperatorCommand> = monitoringCommands
    const command = commands[name]
    if (command === undefined) throw new Error(`no command ${name}`)
    return await command.run({ db: cluster.db, runtime: cluster.runtime, seal, config: readConfig({}) }, args, {})
  }
  const later = (seconds = 60): void => cluster.runtime.clock.set(cluster.now() + seconds)
  return { cluster, found, asked, watch: watch(), watchOn: watch, run, later }
}

/** A prize whose batch is made but not signed. */
async function owedPrize(cluster: PayoutCluster, sats: bigint) {
  const player = await cluster.money.player()
  await cluster.money.owe(player.id, sats)
  return { address: player.address, sats }
}

const errorsOf = (cluster: PayoutCluster) =>
  cluster.runtime.logged.filter(({ msg }) => String(msg).startsWith('invariants are'))

describe('a broken invariant', () => {
  it('a violation stops all payouts, through restarts, until it is resolved and the operator says so', async () => {
    const { cluster, found, watch, run, later } = await watchedCluster()
    const working = cluster.worker()
    cluster.chain.setReachable(false)
    const prizes = [await owedPrize(cluster, 40_000n)]
    await cluster.pass(working, 0)
    expect(await cluster.states()).toEqual(['BATCHED'])

    found.push(SOME)
    await checkInvariants(watch)
    cluster.chain.setReachable(true)
    prizes.push(await owedPrize(cluster, 50_000n))
    await cluster.pass(working, 3)
    await cluster.pass(cluster.worker(), 3) // as after a restart
    expect(await cluster.states()).toEqual(['BATCHED'])
    for (const { address } of prizes) expect(cluster.chain.minedTo(address)).toEqual([])
    expect((await payoutsStatus(working.payouts)).stopReason).toBe('an invariant is broken: I2')
    expect(errorsOf(cluster).map(({ violations }) => violations)).toEqual([['I2: winnings 7 stands at -5 sats']])
    // Removing the stop does not remove its cause.
    await cluster.db.execute(forgetStop, [])
    await cluster.pass(cluster.worker(), 3)
    expect(await cluster.states()).toEqual(['BATCHED'])
    expect((await payoutsStatus(working.payouts)).stopReason).toBe('an invariant is broken: I2')
    later()
    await checkInvariants(watch)
    await expect(retryAllPayouts(cluster.desk)).rejects.toThrow('Invariants are broken: I2. invariants-list says how')

    found.length = 0
    later()
    await checkInvariants(watch)
    expect(await run('invariants-list')).toContain('Every invariant holds.')
    await cluster.pass(cluster.worker(), 3)
    expect(await cluster.states()).toEqual(['BATCHED']) // resolved, but not yet acknowledged
    await retryAllPayouts(cluster.desk)
    await cluster.pass(working, 9)
    await cluster.expectPaid(prizes)
  })

  it('a lasting violation is accepted by its number, is reported once, and no longer holds up payouts', async () => {
    const { cluster, found, watch, run, later } = await watchedCluster()
    const working = cluster.worker()
    found.push(SOME)
    for (let time = 0; time < 3; time += 1) {
      await checkInvariants(watch)
      later()
    }
    expect(errorsOf(cluster)).toHaveLength(1)
    expect(await run('invariants-list')).toMatch(
      /^Checked last at .+Z\.\n1 {2}I2 {2}since .+Z {2}winnings 7 stands at -5 sats$/,
    )
    await expect(run('invariants-accept', '2')).rejects.toThrow(Refused)
    await expect(run('invariants-accept', 'x')).rejects.toThrow("'x' is no number of the list.")
    expect(await run('invariants-accept', '1')).toContain('Accepted: I2: winnings 7 stands at -5 sats.')
    expect((await invariantStatus(watch)).byId.get('I2')).toEqual({ standing: 0, accepted: 1 })
    await retryAllPayouts(cluster.desk)
    later()
    await checkInvariants(watch)
    const prize = await owedPrize(cluster, 40_000n)
    await cluster.pass(working, 9)
    await cluster.expectPaid([prize])
    const actions = await cluster.db.run(readActions, [])
    expect(actions.map(({ action, subject }) => [action, subject])).toEqual([
      ['invariants-accept', '1'],
      ['payouts-retry', 'all'],
    ])
  })

  it('a violation about payout addresses halts only their players, and does not keep other stops from being lifted', async () => {
    const { cluster, found, watch } = await watchedCluster()
    const working = cluster.worker()
    found.push({ id: 'I12', problem: 'address 5 of player 3 does not fit its seal' })
    await checkInvariants(watch)
    await holdAllPayouts(cluster.desk)
    await retryAllPayouts(cluster.desk)
    const prize = await owedPrize(cluster, 40_000n)
    await cluster.pass(working, 9)
    await cluster.expectPaid([prize])
  })

  it('a violation that was resolved and returns was not accepted', async () => {
    const { cluster, found, watch, run, later } = await watchedCluster()
    found.push(SOME)
    await checkInvariants(watch)
    await run('invariants-accept', '1')
    await retryAllPayouts(cluster.desk)
    found.length = 0
    later()
    await checkInvariants(watch)
    found.push(SOME)
    later()
    await checkInvariants(watch)
    expect((await invariantStatus(watch)).byId.get('I2')).toEqual({ standing: 1, accepted: 0 })
    expect((await payoutsStatus(cluster.worker().payouts)).stopReason).toBe('an invariant is broken: I2')
  })

  it('a violation of what is checked only after changes stays until all of it was checked', async () => {
    const { found, watch, later } = await watchedCluster()
    found.push({ id: 'I8', problem: 'draw 3: its root is another' }, SOME)
    await checkInvariants(watch)
    found.length = 0
    later()
    await checkInvariants(watch)
    const standing = async () =>
      [...(await invariantStatus(watch)).byId].flatMap(([id, one]) => (one.standing > 0 ? [id] : []))
    expect(await standing()).toEqual(['I8'])
    await checkAllInvariants(watch)
    expect(await standing()).toEqual([])
  })

  it('a hundred of many equal violations are stored, and they still stop payouts', async () => {
    const { cluster, found, watch } = await watchedCluster()
    for (let index = 0; index < 250; index += 1) found.push({ id: 'I1', problem: `${index} ${'x'.repeat(2000)}` })
    await checkInvariants(watch)
    expect(await cluster.db.one(readHeld, [])).toEqual({ standing: 100, isStopped: true })
    expect(JSON.stringify(errorsOf(cluster)).length).toBeLessThan(100_000)
  })
})

describe('the watch', () => {
  it('the watch leaves no violation without a stop, wherever the process dies, and the next check finds what it missed', async () => {
    const { cluster, found, watch, watchOn, later } = await watchedCluster()
    found.push(SOME)
    const crasher = new Crasher()
    crasher.arm(0, 'before')
    await checkInvariants(watchOn(crasher.wrapDb(cluster.db)))
    const { calls } = crasher
    expect(calls).toBeGreaterThan(2)
    for (let dieAt = 1; dieAt <= calls; dieAt += 1)
      for (const when of ['before', 'after'] as const) {
        found.length = 0
        later()
        await checkAllInvariants(watch)
        await retryAllPayouts(cluster.desk)
        found.push(SOME)
        later()
        crasher.arm(dieAt, when)
        await checkInvariants(watchOn(crasher.wrapDb(cluster.db))).catch(onlyDeath)
        const held = await cluster.db.one(readHeld, [])
        expect(held.isStopped, `died ${when} call ${dieAt}`).toBe(held.standing > 0)
        later()
        await checkInvariants(watch)
        expect(await cluster.db.one(readHeld, []), `died ${when} call ${dieAt}`).toEqual({
          standing: 1,
          isStopped: true,
        })
      }
  })

  it('the watch lets nothing begin to leave once the stop exists, however it meets payouts and the operator', async () => {
    for (let round = 0; round < 8; round += 1) {
      const { cluster, found, watch, later } = await watchedCluster()
      const working = cluster.worker()
      const prize = await owedPrize(cluster, 40_000n)
      found.push(SOME)
      later()
      // The operator lifts some other hold at the same moment, and the worker is at every step of the batch.
      if (round % 2 === 0) await holdAllPayouts(cluster.desk)
      const lifting = retryAllPayouts(cluster.desk).catch(() => undefined)
      await Promise.all([
        checkInvariants(watch),
        lifting,
        ...Array.from({ length: round }, () => working.queue.runOne()),
      ])
      const { stopReason } = await payoutsStatus(working.payouts)
      expect(stopReason).toContain('an invariant is broken: I2')
      // What was being sent at that moment may have left; nothing else resumes.
      const states = await cluster.states()
      await cluster.pass(cluster.worker(), 1)
      const moved = await cluster.states()
      for (const [place, state] of states.entries())
        if (state === 'BATCHED' || state === 'SIGNED') expect(moved[place]).toBe(state)
      expect(moved).toHaveLength(states.length)
      expect(cluster.chain.minedTo(prize.address).length).toBeLessThanOrEqual(1)
    }
  })

  it('the watch checks once a minute, however many processes watch', async () => {
    const { watch, watchOn, asked, cluster, later } = await watchedCluster()
    const watches = [watch, ...Array.from({ length: 5 }, () => watchOn())]
    const checked = await Promise.all(watches.map((one) => checkInvariants(one)))
    expect(checked.filter(Boolean)).toHaveLength(1)
    later(40)
    expect(await checkInvariants(watch)).toBe(false)
    later(20)
    expect(await checkInvariants(watch)).toBe(true)
    // The first check covers the last day, the others what changed since, and a little more.
    expect(asked).toEqual([cluster.now() - 60 - 86_400, cluster.now() - 60 - 600])
  })

  it('the watch takes a twentieth of the time at most', async () => {
    const { watch, cluster, later } = await watchedCluster()
    await checkInvariants(watch)
    await cluster.db.execute(setTook, [30_000n])
    await checkAllInvariants(watch) // by hand, and however long it takes
    expect((await invariantStatus(watch)).tookSeconds).toBe(30)
    later(599)
    expect(await checkInvariants(watch)).toBe(false)
    later(1)
    expect(await checkInvariants(watch)).toBe(true)
  })

  it('the watch finds a ledger account below zero, and nothing in a healthy cluster', async () => {
    const { cluster } = await watchedCluster()
    const watch = ledgerWatch(cluster)
    await checkInvariants(watch)
    expect(await cluster.db.one(readHeld, [])).toEqual({ standing: 0, isStopped: false })
    const moves = [{ from: winnings(7n), to: bankroll, sats: 5n }]
    await cluster.db.transaction((tx) =>
      postTransfer(tx, { event: 'test.theft', subject: '1', at: cluster.now(), moves }),
    )
    cluster.runtime.clock.set(cluster.now() + 60)
    await checkInvariants(watch)
    expect((await invariantStatus(watch)).byId.get('I2')).toEqual({ standing: 1, accepted: 0 })
    expect(await cluster.db.one(readHeld, [])).toEqual({ standing: 1, isStopped: true })
  })

  it('the watch looks at what is new in the ledger each minute, however long a check of everything takes', async () => {
    const { cluster, later } = await watchedCluster()
    const watch = ledgerWatch(cluster)
    await checkInvariants(watch)
    await cluster.db.execute(setTook, [30_000n])
    const moves = [{ from: winnings(7n), to: bankroll, sats: 5n }]
    await cluster.db.transaction((tx) =>
      postTransfer(tx, { event: 'test.theft', subject: '1', at: cluster.now(), moves }),
    )
    for (let minute = 0; minute < 3; minute += 1) {
      later()
      expect(await checkInvariants(watch)).toBe(false)
      expect((await invariantStatus(watch)).byId.get('I2')).toEqual({ standing: 1, accepted: 0 })
      expect(await cluster.db.one(readHeld, [])).toEqual({ standing: 1, isStopped: true })
    }
    // What it no longer finds stands until everything was checked.
    const back = [{ from: bankroll, to: winnings(7n), sats: 5n }]
    await cluster.db.transaction((tx) =>
      postTransfer(tx, { event: 'test.theft', subject: '2', at: cluster.now(), moves: back }),
    )
    later()
    await checkInvariants(watch)
    expect((await cluster.db.one(readHeld, [])).standing).toBe(1)
    await checkAllInvariants(watch)
    expect((await cluster.db.one(readHeld, [])).standing).toBe(0)
  })

  it.each([
    [
      'a checkpoint was changed while triggers were off',
      `set session_replication_role = replica; update ledger_checkpoints set balance_sats = balance_sats + 1000`,
      'I14',
    ],
    [
      'what refuses changes was replaced by what lets them pass',
      `create or replace function refuse_change() returns trigger language plpgsql as $$ begin return new; end $$`,
      'I1',
    ],
    [
      'a trigger works in replicas alone',
      `alter table ledger_checkpoints enable replica trigger ledger_checkpoints_append_only`,
      'I1',
    ],
  ])('the watch stops payouts with its next check if %s', async (_what, tampering, id) => {
    const { cluster, later } = await watchedCluster()
    await cluster.db.transaction((tx) => checkpointAccount(tx, bankroll))
    const watch = ledgerWatch(cluster)
    await checkInvariants(watch)
    expect(await cluster.db.one(readHeld, [])).toEqual({ standing: 0, isStopped: false })
    const client = new pg.Client({ connectionString: cluster.url })
    await client.connect()
    await client.query(tampering)
    await client.end()
    later()
    await checkInvariants(watch)
    expect((await invariantStatus(watch)).byId.get(id)).toEqual({ standing: 1, accepted: 0 })
    expect(await cluster.db.one(readHeld, [])).toEqual({ standing: 1, isStopped: true })
  })
})

const isLedgers = ({ id }: Violation): boolean => ['I1', 'I2', 'I14'].includes(id)

/**
 * Watches what the fixture has: its players and payables have no orders and draws behind them, so only its ledger is
 * complete.
 */
function ledgerWatch({ db, runtime }: PayoutCluster): WatchContext {
  return {
    db,
    runtime,
    stopPayouts: stopAll,
    tellOfAlarm: async () => undefined,
    invariants: {
      ...lotteryInvariants,
      async check(from, sinceAt) {
        const { violations, whole } = await lotteryInvariants.check(from, sinceAt)
        return { violations: violations.filter(isLedgers), whole }
      },
      async checkNew(from, nowAt) {
        const found = await lotteryInvariants.checkNew(from, nowAt)
        return found === null ? null : { ...found, violations: found.violations.filter(isLedgers) }
      },
      continuePass(from, keeper) {
        const keep: FindingsKeeper['keep'] = (tx, violations) => keeper.keep(tx, violations.filter(isLedgers))
        return lotteryInvariants.continuePass(from, { ...keeper, keep })
      },
    },
  }
}
