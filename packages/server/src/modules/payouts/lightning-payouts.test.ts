import type pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { testDatabase, type TestDatabase } from '../../../test/database.ts'
import { moneyFixture, type MoneyFixture } from '../../../test/money.ts'
import { type Behaviour, StandInLightning } from '../../../test/stand-in-lightning.ts'
import { testRuntime } from '../../runtime/test-runtime.ts'
import { findViolations } from '../invariants/service.ts'
import { inFlight, lightning, winnings } from '../ledger/accounts.ts'
import { balanceOf } from '../ledger/service.ts'
import { acceptSpends, retryAddress, retryAllPayouts } from '../operator/payout-actions.ts'
import { catchUp } from './lightning-watching.ts'
import { balanceOfPlayer, canBePaid, openMoney } from './service.ts'

const DAY = 86_400
const MSAT = 1_000n

let database: TestDatabase
let money: MoneyFixture
let node: StandInLightning
let client: pg.Client
let heldMsat: bigint
let bookedSats: bigint

beforeAll(async () => {
  database = await testDatabase()
  client = await database.connect()
  const runtime = testRuntime()
  node = new StandInLightning(runtime)
  money = await moneyFixture({ db: database.db, runtime, lightning: (db) => node.payouts(db) })
  await node.accept(database.db)
})
afterAll(() => database.drop())
beforeEach(async () => {
  Object.assign(node, { walletSays: null, isAway: false, sendableMsat: null, laterSeconds: 20 })
  heldMsat = node.heldMsat()
  bookedSats = await balanceOf(money.db, lightning)
})
afterEach(async () => {
  // The books fall by what the node gave, each payment rounded up.
  const gaveMsat = heldMsat - node.heldMsat()
  const booked = bookedSats - (await balanceOf(money.db, lightning))
  expect(booked * MSAT - gaveMsat).toBeGreaterThanOrEqual(0n)
  expect(booked * MSAT - gaveMsat).toBeLessThan(20n * MSAT)
  expect(await balanceOf(money.db, inFlight)).toBe(0n)
  expect(await findViolations(money.db)).toEqual([])
})

let wallets = 0
/** A player who is paid over Lightning first. */
async function player(with_: { hasAddress?: boolean } = {}) {
  wallets += 1
  const { id, address } = await money.player({ hasAddress: with_.hasAddress ?? false })
  const wallet = `player${wallets}@wallet${wallets}.example`
  await money.saveDestination(id, wallet)
  return { id, address, wallet }
}
const now = (): number => money.runtime.clock.now()
const pass = (seconds: number): Promise<void> => money.moveTo(now() + seconds)
/** What a worker does each minute. */
async function watch(): Promise<void> {
  const { lightning: desk } = money.payouts
  if (desk === null) throw new Error('this fixture pays over Lightning')
  await catchUp({ ...money.payouts, lightning: desk })
}

/** The states of a player's payouts over Lightning, oldest first. */
async function statesOf(playerId: bigint): Promise<string[]> {
  const { rows } = await client.query<{ state: string }>(
    `select l.state from ln_payouts l join payouts p on p.id = l.payout_id where p.player_id = $1 order by p.id`,
    [playerId],
  )
  return rows.map(({ state }) => state)
}
/** The outcomes of a player's attempts, oldest first. */
async function outcomesOf(playerId: bigint): Promise<(string | null)[]> {
  const { rows } = await client.query<{ outcome: string | null }>(
    `select a.outcome from ln_attempts a join payouts p on p.id = a.payout_id where p.player_id = $1 order by p.id, a.attempt`,
    [playerId],
  )
  return rows.map(({ outcome }) => outcome)
}

describe('a payout over Lightning', () => {
  it('a prize arrives in full within seconds, and its player sees the preimage', async () => {
    const { id, wallet } = await player()
    await money.owe(id, 1n)
    await money.owe(id, 12_345n)
    await money.queue.runDue()
    expect(node.arrivedAt(wallet)).toEqual([12_346_000n])
    expect(await balanceOf(money.db, winnings(id))).toBe(0n)
    expect(money.payoutNews.at(-1)).toMatchObject({
      playerId: id,
      sats: 12_346n,
      address: wallet,
      way: { kind: 'lightning' },
    })
    const { paid, waiting, on_its_way: onItsWay } = await balanceOfPlayer(money.payouts, id)
    expect([paid.total.crypto.value, waiting.items, onItsWay.items]).toEqual(['0.00012346', [], []])
  })

  it.each<[string, { next: Behaviour[]; laterSeconds?: number; after: number; outcomes: string[] }]>([
    ['the answer is lost after it was paid', { next: ['pays, answer lost'], after: 5, outcomes: ['complete'] }],
    [
      'the wallet holds it for an hour',
      { next: ['holds, then pays'], laterSeconds: 3600, after: 3700, outcomes: ['complete'] },
    ],
    [
      'a part is on its way after an error',
      { next: ['answers an error, then pays'], after: 60, outcomes: ['complete'] },
    ],
    [
      'the node was frozen and reads the call later',
      { next: ['frozen, then pays'], after: 120, outcomes: ['complete'] },
    ],
    ['the call never arrives', { next: ['never hears'], after: 300, outcomes: ['complete'] }],
    ['the wallet refuses it once', { next: ['refuses'], after: 120, outcomes: ['failed', 'complete'] }],
    [
      'there is no way at first',
      { next: ['no way', 'too expensive'], after: 600, outcomes: ['none', 'none', 'complete'] },
    ],
    ['it is held, and fails', { next: ['holds, then fails'], after: 400, outcomes: ['complete'] }],
    [
      'the node dies with it, before it leaves',
      { next: ['dies before it leaves'], after: 1800, outcomes: ['never-left', 'complete'] },
    ],
  ])('a payout arrives once if %s', async (_what, { next, laterSeconds = 20, after, outcomes }) => {
    const { id, wallet } = await player()
    node.next.push(...next)
    node.laterSeconds = laterSeconds
    await money.owe(id, 20_000n)
    await pass(after)
    expect(await outcomesOf(id)).toEqual(outcomes)
    expect(node.arrivedAt(wallet)).toEqual([20_000_000n])
    expect(await statesOf(id)).toEqual(['PAID'])
  })

  it('a node that forgets what it accepted is asked again with the same invoice, a second later', async () => {
    const { id, wallet } = await player()
    node.next.push('accepts and forgets', 'accepts and forgets')
    const before = node.calls.length
    await money.owe(id, 20_000n)
    await money.queue.runDue()
    expect(node.calls.length - before).toBe(1)
    await pass(2)
    const calls = node.calls.slice(before)
    expect([calls.length, new Set(calls).size, node.arrivedAt(wallet)]).toEqual([3, 1, [20_000_000n]])
  })

  it('no other invoice is used while the node says that a payment is on its way', async () => {
    const { id, wallet } = await player()
    node.next.push('holds, then fails')
    node.laterSeconds = 2 * 3600
    await money.owe(id, 20_000n)
    await pass(7000)
    expect([await outcomesOf(id), await statesOf(id)]).toEqual([[null], ['SENDING']])
    await pass(3 * 3600)
    expect([await outcomesOf(id), node.arrivedAt(wallet)]).toEqual([['failed', 'complete'], [20_000_000n]])
  })

  it('a wallet that gives no invoice for a day is told of once, and the money goes over the chain', async () => {
    const { id, address, wallet } = await player({ hasAddress: true })
    node.walletSays = 'Out of order'
    await money.owe(id, 20_000n)
    await pass(3600)
    const { on_its_way: onItsWay } = await balanceOfPlayer(money.payouts, id)
    expect(onItsWay.items[0]?.payout).toMatchObject({ status: 'WAITING', reason: 'NO_ANSWER', network: 'LIGHTNING' })
    await pass(DAY)
    expect([await statesOf(id), await money.paidTo(address), node.arrivedAt(wallet)]).toEqual([
      ['RETURNED'],
      [20_000n],
      [],
    ])
    expect(money.returnedNews.filter(({ playerId }) => playerId === id)).toHaveLength(1)
  })

  it('without a bitcoin address a wallet that does not answer is asked again once a day', async () => {
    const { id, wallet } = await player()
    node.walletSays = 'Out of order'
    await money.owe(id, 20_000n)
    await pass(DAY + 3600)
    expect(await statesOf(id)).toEqual(['RETURNED'])
    const { waiting } = await balanceOfPlayer(money.payouts, id)
    expect(waiting.items[0]?.payout).toMatchObject({ status: 'WAITING', reason: 'NO_ANSWER' })
    node.walletSays = null
    await pass(DAY)
    expect([await statesOf(id), node.arrivedAt(wallet)]).toEqual([['RETURNED', 'PAID'], [20_000_000n]])
  })

  it('a player whose email address is not verified is told that, and not to save a bitcoin address', async () => {
    const { id } = await money.player({ hasAddress: false, isVerified: false })
    await money.saveDestination(id, 'unverified@wallet.example')
    await money.owe(id, 20_000n)
    await money.queue.runDue()
    const { waiting } = await balanceOfPlayer(money.payouts, id)
    expect(waiting.items[0]?.payout).toMatchObject({ reason: 'EMAIL_UNVERIFIED', network: 'LIGHTNING' })
  })

  it('refunds and excess bear a satoshi and half a percent of their fee, whatever it costs', async () => {
    const { id, wallet } = await player()
    await money.owe(id, 10_000n, 'refund')
    await money.owe(id, 5_000n)
    await money.queue.runDue()
    expect(node.arrivedAt(wallet)).toEqual([14_949_000n])
  })

  it('a refund that is less than its share waits, and the prize beside it does not', async () => {
    const { id, wallet } = await player()
    await money.owe(id, 2n, 'excess')
    await money.owe(id, 5_000n)
    await money.queue.runDue()
    expect(node.arrivedAt(wallet)).toEqual([5_000_000n])
    expect(await balanceOf(money.db, winnings(id))).toBe(2n)
  })

  it('a closing account waits even for a satoshi that Lightning can bring', async () => {
    const { id, wallet } = await player({ hasAddress: true })
    await pass(61) // what was known of the node is old
    node.isAway = true
    await money.owe(id, 1n)
    await money.queue.runDue()
    expect(await openMoney(money.payouts, money.db, id)).toMatchObject({ waits: true, leaves: false })
    expect(await money.db.transaction((tx) => canBePaid(money.payouts, tx, id))).toBe(true)
    node.isAway = false
    await watch()
    await money.queue.runDue()
    expect(node.arrivedAt(wallet)).toEqual([1_000n])
  })

  it('what is too large for Lightning goes over the chain, or waits for an address', async () => {
    const rich = await player({ hasAddress: true })
    const without = await player()
    for (const { id } of [rich, without]) await money.owe(id, 1_000_001n)
    await money.queue.runDue()
    expect(await money.paidTo(rich.address)).toEqual([1_000_001n])
    const { waiting } = await balanceOfPlayer(money.payouts, without.id)
    expect(waiting.items[0]?.payout).toMatchObject({ status: 'WAITING', reason: 'TOO_LARGE' })
  })

  it('while the node is away prizes go over the chain, and those without an address wait for the node', async () => {
    const rich = await player({ hasAddress: true })
    const without = await player()
    await pass(61) // what was known of it is old
    node.isAway = true
    for (const { id } of [rich, without]) await money.owe(id, 30_000n)
    await money.queue.runDue()
    node.isAway = false
    expect([await money.paidTo(rich.address), await statesOf(without.id)]).toEqual([[30_000n], []])
    await watch()
    await money.queue.runDue()
    expect(node.arrivedAt(without.wallet)).toEqual([30_000_000n])
  })

  it('a node that cannot send so much now is waited for', async () => {
    const { id, wallet } = await player()
    await pass(61) // what was known of it is old
    node.sendableMsat = 1_000_000n
    await money.owe(id, 40_000n)
    await money.queue.runDue()
    expect(await statesOf(id)).toEqual(['WAITING_FUNDS'])
    node.sendableMsat = null
    await pass(120)
    expect(node.arrivedAt(wallet)).toEqual([40_000_000n])
  })

  it('a destination that was removed while its payout waited is not paid', async () => {
    const { id, address, wallet } = await player({ hasAddress: true })
    node.walletSays = 'Out of order'
    await money.owe(id, 40_000n)
    await money.queue.runDue()
    node.walletSays = null
    await client.query('update player_destinations set superseded_at = $2 where player_id = $1', [id, now()])
    await pass(120)
    expect([node.arrivedAt(wallet), await statesOf(id), await money.paidTo(address)]).toEqual([
      [],
      ['RETURNED'],
      [40_000n],
    ])
  })

  it('a payout that somebody redirects in the database is not paid, nor its player before the operator has looked', async () => {
    const { id, wallet } = await player()
    const thief = 'thief@wallet.example'
    node.walletSays = 'Out of order'
    await money.owe(id, 40_000n)
    await money.queue.runDue()
    node.walletSays = null
    await client.query('update payouts set address = $2 where player_id = $1', [id, thief])
    await pass(DAY + 3600)
    expect([node.arrivedAt(thief), node.arrivedAt(wallet), await statesOf(id)]).toEqual([[], [], ['RETURNED']])
    await retryAddress({ db: money.db, runtime: money.runtime, jobs: money.queue, actor: 'operator' }, thief)
    await pass(3600)
    expect([node.arrivedAt(thief), node.arrivedAt(wallet)]).toEqual([[], [40_000_000n]])
  })

  it('an invoice that somebody wrote to the database is not paid, and its payout arrives once that is over', async () => {
    const { id, wallet } = await player()
    const thief = 'thief@wallet.example'
    node.walletSays = 'Out of order'
    await money.owe(id, 40_000n)
    await money.queue.runDue()
    node.walletSays = null
    const { hash, invoice, expiresAt } = await node
      .payees()
      .fetchInvoice({ kind: 'ADDRESS', value: thief }, 900_000_000n)
    await client.query(
      `with moved as (update ln_payouts set state = 'RESOLVED', attempts = 1 where state = 'RETRY_AT' returning payout_id)
       insert into ln_attempts (payout_id, attempt, payment_hash, invoice, amount_msat, max_fee_msat, resolved_at, expires_at)
       select payout_id, 1, $1, $2, 40000000, 0, $3, $4 from moved`,
      [hash, invoice, now(), expiresAt],
    )
    await pass(300)
    expect([node.arrivedAt(thief), node.arrivedAt(wallet)]).toEqual([[], []])
    await pass(1000)
    expect([node.arrivedAt(thief), node.arrivedAt(wallet)]).toEqual([[], [40_000_000n]])
  })

  it('a payment of the node that no payout asked for stops all payouts until the operator accepts it', async () => {
    const { id, wallet } = await player()
    const foreign = 'ab'.repeat(32)
    node.foreign.push({ hash: foreign, label: null })
    await pass(31)
    await money.owe(id, 40_000n)
    await money.queue.runDue()
    expect([node.arrivedAt(wallet), await money.payouts.reconciling.stopReason()]).toEqual([
      [],
      expect.stringContaining(`ln:${foreign}`),
    ])
    const desk = { db: money.db, runtime: money.runtime, jobs: money.queue, actor: 'operator' }
    await acceptSpends(desk, [`ln:${foreign}`], false)
    await retryAllPayouts(desk)
    await pass(120)
    expect(node.arrivedAt(wallet)).toEqual([40_000_000n])
  })
})
