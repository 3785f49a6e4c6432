import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { Crasher, onlyDeath } from '../../../test/crasher.ts'
import { payoutHouse, type PayoutHouse } from '../../../test/payout-house.ts'
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
import { lotteryInvariants, type Violation } from './invariants.ts'
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

/** A house of payouts under a watch to which a test says what is broken. */
async function watchedHouse() {
  const house = await payoutHouse()
  const found: Violation[] = []
  const asked: (number | null)[] = []
  const whole = ['I1', 'I2']
  const watch = (db: Db = house.db): WatchContext => ({
    db,
    runtime: house.runtime,
    stopPayouts: stopAll,
    invariants: {
      ids: IDS,
      async check(_db, sinceAt) {
        asked.push(sinceAt)
        return { violations: [...found], whole: sinceAt === null ? IDS : whole }
      },
    },
  })
  const seal = createSeal(new Uint8Array(32), house.runtime.random)
  const run = async (name: string, ...args: string[]): Promise<string> => {
    const commands: Record<string, OperatorCommand> = monitoringCommands
    const command = commands[name]
    if (command === undefined) throw new Error(`no command ${name}`)
    return await command.run({ db: house.db, runtime: house.runtime, seal, config: readConfig({}) }, args)
  }
  const later = (seconds = 60): void => house.runtime.clock.set(house.now() + seconds)
  return { house, found, asked, watch: watch(), watchOn: watch, run, later }
}

/** A prize of which the batch is made and nothing is signed. */
async function owedPrize(house: PayoutHouse, sats: bigint) {
  const player = await house.money.player()
  await house.money.owe(player.id, sats)
  return { address: player.address, sats }
}

const errorsOf = (house: PayoutHouse) =>
  house.runtime.logged.filter(({ msg }) => String(msg).startsWith('invariants are'))

describe('a broken invariant', () => {
  it('stops all payouts, through restarts, until it is mended and the operator says so', async () => {
    const { house, found, watch, run, later } = await watchedHouse()
    const working = house.worker()
    house.chain.setReachable(false)
    const prizes = [await owedPrize(house, 40_000n)]
    await house.pass(working, 0)
    expect(await house.states()).toEqual(['BATCHED'])

    found.push(SOME)
    await checkInvariants(watch)
    house.chain.setReachable(true)
    prizes.push(await owedPrize(house, 50_000n))
    await house.pass(working, 3)
    await house.pass(house.worker(), 3) // as after a restart
    expect(await house.states()).toEqual(['BATCHED'])
    for (const { address } of prizes) expect(house.chain.minedTo(address)).toEqual([])
    expect((await payoutsStatus(working.payouts)).stopReason).toBe('an invariant is broken: I2')
    expect(errorsOf(house).map(({ violations }) => violations)).toEqual([['I2: winnings 7 stands at -5 sats']])
    // Taking the stop away does not take away what stopped.
    await house.db.execute(forgetStop, [])
    await house.pass(house.worker(), 3)
    expect(await house.states()).toEqual(['BATCHED'])
    expect((await payoutsStatus(working.payouts)).stopReason).toBe('an invariant is broken: I2')
    later()
    await checkInvariants(watch)
    await expect(retryAllPayouts(house.desk)).rejects.toThrow('Invariants are broken: I2. invariants-list says how')

    found.length = 0
    later()
    await checkInvariants(watch)
    expect(await run('invariants-list')).toContain('Every invariant holds.')
    await house.pass(house.worker(), 3)
    expect(await house.states()).toEqual(['BATCHED']) // mended, and nobody has said so
    await retryAllPayouts(house.desk)
    await house.pass(working, 9)
    await house.expectPaid(prizes)
  })

  it('that stays is accepted by its number, is told once, and holds up payouts no more', async () => {
    const { house, found, watch, run, later } = await watchedHouse()
    const working = house.worker()
    found.push(SOME)
    for (let time = 0; time < 3; time += 1) {
      await checkInvariants(watch)
      later()
    }
    expect(errorsOf(house)).toHaveLength(1)
    expect(await run('invariants-list')).toMatch(
      /^Checked last at .+Z\.\n1 {2}I2 {2}since .+Z {2}winnings 7 stands at -5 sats$/,
    )
    await expect(run('invariants-accept', '2')).rejects.toThrow(Refused)
    await expect(run('invariants-accept', 'x')).rejects.toThrow("'x' is no number of the list.")
    expect(await run('invariants-accept', '1')).toContain('Accepted: I2: winnings 7 stands at -5 sats.')
    expect((await invariantStatus(watch)).byId.get('I2')).toEqual({ standing: 0, accepted: 1 })
    await retryAllPayouts(house.desk)
    later()
    await checkInvariants(watch)
    const prize = await owedPrize(house, 40_000n)
    await house.pass(working, 9)
    await house.expectPaid([prize])
    const actions = await house.db.run(readActions, [])
    expect(actions.map(({ action, subject }) => [action, subject])).toEqual([
      ['invariants-accept', '1'],
      ['payouts-retry', 'all'],
    ])
  })

  it('of payout addresses halts their players alone, and keeps no stop from being ended', async () => {
    const { house, found, watch } = await watchedHouse()
    const working = house.worker()
    found.push({ id: 'I12', problem: 'address 5 of player 3 does not fit its seal' })
    await checkInvariants(watch)
    await holdAllPayouts(house.desk)
    await retryAllPayouts(house.desk)
    const prize = await owedPrize(house, 40_000n)
    await house.pass(working, 9)
    await house.expectPaid([prize])
  })

  it('that was mended and comes back was not accepted', async () => {
    const { house, found, watch, run, later } = await watchedHouse()
    found.push(SOME)
    await checkInvariants(watch)
    await run('invariants-accept', '1')
    await retryAllPayouts(house.desk)
    found.length = 0
    later()
    await checkInvariants(watch)
    found.push(SOME)
    later()
    await checkInvariants(watch)
    expect((await invariantStatus(watch)).byId.get('I2')).toEqual({ standing: 1, accepted: 0 })
    expect((await payoutsStatus(house.worker().payouts)).stopReason).toBe('an invariant is broken: I2')
  })

  it('of something that is looked at only where it changed stands until all of it was looked at', async () => {
    const { found, watch, later } = await watchedHouse()
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

  it('many times over is kept a hundred times, and still stops', async () => {
    const { house, found, watch } = await watchedHouse()
    for (let index = 0; index < 250; index += 1) found.push({ id: 'I1', problem: `${index} ${'x'.repeat(2000)}` })
    await checkInvariants(watch)
    expect(await house.db.one(readHeld, [])).toEqual({ standing: 100, isStopped: true })
    expect(JSON.stringify(errorsOf(house)).length).toBeLessThan(100_000)
  })
})

describe('the watch', () => {
  it('leaves nothing standing without a stop, wherever the process dies, and the next one finds what it missed', async () => {
    const { house, found, watch, watchOn, later } = await watchedHouse()
    found.push(SOME)
    const crasher = new Crasher()
    crasher.arm(0, 'before')
    await checkInvariants(watchOn(crasher.wrapDb(house.db)))
    const { calls } = crasher
    expect(calls).toBeGreaterThan(2)
    for (let dieAt = 1; dieAt <= calls; dieAt += 1)
      for (const when of ['before', 'after'] as const) {
        found.length = 0
        later()
        await checkAllInvariants(watch)
        await retryAllPayouts(house.desk)
        found.push(SOME)
        later()
        crasher.arm(dieAt, when)
        await checkInvariants(watchOn(crasher.wrapDb(house.db))).catch(onlyDeath)
        const held = await house.db.one(readHeld, [])
        expect(held.isStopped, `died ${when} call ${dieAt}`).toBe(held.standing > 0)
        later()
        await checkInvariants(watch)
        expect(await house.db.one(readHeld, []), `died ${when} call ${dieAt}`).toEqual({
          standing: 1,
          isStopped: true,
        })
      }
  })

  it('lets nothing begin to leave once the stop is there, however it meets payouts and the operator', async () => {
    for (let round = 0; round < 8; round += 1) {
      const { house, found, watch, later } = await watchedHouse()
      const working = house.worker()
      const prize = await owedPrize(house, 40_000n)
      found.push(SOME)
      later()
      // The operator lifts some other hold at the same moment, and the worker is at every step of the batch.
      if (round % 2 === 0) await holdAllPayouts(house.desk)
      const lifting = retryAllPayouts(house.desk).catch(() => undefined)
      await Promise.all([
        checkInvariants(watch),
        lifting,
        ...Array.from({ length: round }, () => working.queue.runOne()),
      ])
      const { stopReason } = await payoutsStatus(working.payouts)
      expect(stopReason).toContain('an invariant is broken: I2')
      // What was being sent at that moment may have left; nothing that stood still resumes.
      const states = await house.states()
      await house.pass(house.worker(), 1)
      const moved = await house.states()
      for (const [place, state] of states.entries())
        if (state === 'BATCHED' || state === 'SIGNED') expect(moved[place]).toBe(state)
      expect(moved).toHaveLength(states.length)
      expect(house.chain.minedTo(prize.address).length).toBeLessThanOrEqual(1)
    }
  })

  it('is one check a minute, however many processes watch', async () => {
    const { watch, watchOn, asked, house, later } = await watchedHouse()
    const watches = [watch, ...Array.from({ length: 5 }, () => watchOn())]
    const checked = await Promise.all(watches.map((one) => checkInvariants(one)))
    expect(checked.filter(Boolean)).toHaveLength(1)
    later(40)
    expect(await checkInvariants(watch)).toBe(false)
    later(20)
    expect(await checkInvariants(watch)).toBe(true)
    // The first looks at the last day, the others at what changed since, and a little more.
    expect(asked).toEqual([house.now() - 60 - 86_400, house.now() - 60 - 600])
  })

  it('takes a twentieth of the time at most', async () => {
    const { watch, house, later } = await watchedHouse()
    await checkInvariants(watch)
    await house.db.execute(setTook, [30_000n])
    await checkAllInvariants(watch) // by hand, and as long as it may take
    expect((await invariantStatus(watch)).tookSeconds).toBe(30)
    later(599)
    expect(await checkInvariants(watch)).toBe(false)
    later(1)
    expect(await checkInvariants(watch)).toBe(true)
  })

  it('finds an account of the ledger that stands below zero, and nothing in a house that is well', async () => {
    const { house } = await watchedHouse()
    const watch = ledgerWatch(house)
    await checkInvariants(watch)
    expect(await house.db.one(readHeld, [])).toEqual({ standing: 0, isStopped: false })
    const moves = [{ from: winnings(7n), to: bankroll, sats: 5n }]
    await house.db.transaction((tx) => postTransfer(tx, { event: 'test.theft', subject: '1', at: house.now(), moves }))
    house.runtime.clock.set(house.now() + 60)
    await checkInvariants(watch)
    expect((await invariantStatus(watch)).byId.get('I2')).toEqual({ standing: 1, accepted: 0 })
    expect(await house.db.one(readHeld, [])).toEqual({ standing: 1, isStopped: true })
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
  ])('stops payouts with the next check where %s', async (_what, tampering, id) => {
    const { house, later } = await watchedHouse()
    await house.db.transaction((tx) => checkpointAccount(tx, bankroll))
    const watch = ledgerWatch(house)
    await checkInvariants(watch)
    expect(await house.db.one(readHeld, [])).toEqual({ standing: 0, isStopped: false })
    const client = new pg.Client({ connectionString: house.url })
    await client.connect()
    await client.query(tampering)
    await client.end()
    later()
    await checkInvariants(watch)
    expect((await invariantStatus(watch)).byId.get(id)).toEqual({ standing: 1, accepted: 0 })
    expect(await house.db.one(readHeld, [])).toEqual({ standing: 1, isStopped: true })
  })
})

/** A watch of what the fixture has: its players and payables have no orders and draws behind them, only its ledger is whole. */
function ledgerWatch({ db, runtime }: PayoutHouse): WatchContext {
  return {
    db,
    runtime,
    stopPayouts: stopAll,
    invariants: {
      ...lotteryInvariants,
      async check(from, sinceAt) {
        const { violations, whole } = await lotteryInvariants.check(from, sinceAt)
        return { violations: violations.filter(({ id }) => ['I1', 'I2', 'I14'].includes(id)), whole }
      },
    },
  }
}
