import fc from 'fast-check'
import { expect, it } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { testRows } from '../../../test/draw-rows.ts'
import type { Db } from '../../db/pool.ts'
import { SharedTransactions } from '../../db/shared-transactions.ts'
import { sql, t } from '../../db/sql.ts'
import type { Job } from '../../jobs/job.ts'
import { testRuntime } from '../../runtime/test-runtime.ts'
import {
  bankroll,
  donationPool,
  feeReserve,
  inFlight,
  type LedgerAccount,
  losses,
  networkFees,
  operatorFee,
  partner,
  pot,
  prizePool,
  received,
  reserve,
  stakesHeld,
  suspense,
  wallet,
  winnings,
} from './accounts.ts'
import { ledgerJobs } from './jobs.ts'
import {
  balanceOf,
  balancesByKind,
  checkpointAccount,
  freeTicketsOwed,
  ledgerViolations,
  lockAccount,
  type Move,
  movedBy,
  postPrizes,
  postTransfer,
} from './service.ts'

const AT = 1_735_732_800

const checkpoints = sql({
  name: 'test-ledger.checkpoints',
  text: `select a.kind, c.balance_sats from ledger_checkpoints c join ledger_accounts a on a.id = c.account_id
    order by c.upto_posting_id`,
  row: { kind: t.text, balanceSats: t.bigint },
})
const postingsOf = sql({
  name: 'test-ledger.postings-of',
  text: `select a.kind, a.subject, p.amount_sats from postings p
    join ledger_accounts a on a.id = p.account_id join transfers t on t.id = p.transfer_id
    where t.key = $1 order by p.id`,
  params: [t.text],
  row: { kind: t.text, subject: t.text, amountSats: t.bigint },
})
const transfers = sql({
  name: 'test-ledger.transfers',
  text: 'select event, key, at from transfers order by id',
  row: { event: t.text, key: t.text, at: t.epochSeconds },
})

/** One transfer in a transaction of its own. */
function post(db: Db, event: string, moves: readonly Move[], subject = 'a'): Promise<boolean> {
  return db.transaction((tx) => postTransfer(tx, { event, subject, at: AT, moves }))
}

it('a transfer moves money between accounts, and the debit accounts show what they hold', async () => {
  const { db } = await testDatabase()
  await db.transaction((tx) =>
    postTransfer(tx, { event: 'deposit', subject: 'a', at: AT, moves: [{ from: wallet, to: suspense, sats: 500n }] }),
  )
  await db.transaction((tx) =>
    postTransfer(tx, { event: 'fee', subject: 'a', at: AT, moves: [{ from: networkFees, to: wallet, sats: 20n }] }),
  )
  expect(await balanceOf(db, wallet)).toBe(480n)
  expect(await balanceOf(db, suspense)).toBe(500n)
  expect(await balanceOf(db, networkFees)).toBe(20n)
  expect(await ledgerViolations(db)).toEqual([])
})

it('an event is posted once for each subject', async () => {
  const { db } = await testDatabase()
  const transfer = { event: 'deposit', subject: 'a', at: AT, moves: [{ from: wallet, to: suspense, sats: 7n }] }
  const posted = await Promise.all(Array.from({ length: 5 }, () => db.transaction((tx) => postTransfer(tx, transfer))))
  expect(posted.filter(Boolean)).toHaveLength(1)
  expect(await balanceOf(db, suspense)).toBe(7n)
})

it('an amount below zero is refused, and a move of nothing is left out', async () => {
  const { db } = await testDatabase()
  const post = (sats: bigint) =>
    db.transaction((tx) =>
      postTransfer(tx, { event: 'x', subject: String(sats), at: AT, moves: [{ from: wallet, to: suspense, sats }] }),
    )
  await expect(post(-1n)).rejects.toThrow(RangeError)
  await expect(post(-1n)).rejects.toThrow('-1 sats in x -1')
  expect(await post(0n)).toBe(true)
  expect(await balancesByKind(db)).toEqual(new Map())
})

it('no writer can unbalance, change or extend a transfer', async () => {
  const { db, connect } = await testDatabase()
  await db.transaction((tx) =>
    postTransfer(tx, { event: 'deposit', subject: 'a', at: AT, moves: [{ from: wallet, to: suspense, sats: 5n }] }),
  )
  const client = await connect()
  const [account] = (await client.query<{ id: string }>('select id from ledger_accounts limit 1')).rows
  const [transfer] = (await client.query<{ id: string }>('select id from transfers limit 1')).rows
  await expect(client.query('update postings set amount_sats = 1')).rejects.toThrow('append-only')
  await expect(client.query('delete from postings')).rejects.toThrow('append-only')
  await expect(client.query('truncate transfers cascade')).rejects.toThrow('append-only')
  await expect(
    client.query('insert into postings (transfer_id, account_id, amount_sats) values ($1, $2, 3)', [
      transfer?.id,
      account?.id,
    ]),
  ).rejects.toThrow('in the transaction of their transfer')
  await expect(
    client.query(
      `with made as (insert into transfers (at, event, key) values (1, 'forged', 'forged') returning id)
       insert into postings (transfer_id, account_id, amount_sats) select made.id, $1, 10 from made`,
      [account?.id],
    ),
  ).rejects.toThrow(/foreign key|postings that sum to/)
  await client.query('begin')
  await client.query(`insert into transfers (at, event, key) values (1, 'forged', 'forged')`)
  await client.query(
    `insert into postings (transfer_id, account_id, amount_sats) select max(id), $1, 10 from transfers`,
    [account?.id],
  )
  await expect(client.query('commit')).rejects.toThrow('postings that sum to 10')
})

it('the checkpoints cannot be changed, deleted or emptied', async () => {
  const { db, connect } = await testDatabase()
  await post(db, 'order.paid', [{ from: received, to: suspense, sats: 90n }])
  await db.transaction((tx) => checkpointAccount(tx, suspense))
  const client = await connect()
  for (const change of [
    'update ledger_checkpoints set balance_sats = balance_sats + 1000',
    'delete from ledger_checkpoints',
    'truncate ledger_checkpoints',
  ])
    await expect(client.query(change), change).rejects.toThrow('append-only')
  expect(await balanceOf(db, suspense)).toBe(90n)
})

it('the balance is the same before and after a checkpoint, whatever was posted', async () => {
  const { db } = await testDatabase()
  let count = 0
  await fc.assert(
    fc.asyncProperty(fc.array(fc.bigInt({ min: 1n, max: 10n ** 12n }), { maxLength: 8 }), async (amounts) => {
      for (const sats of amounts) {
        count += 1
        await db.transaction((tx) =>
          postTransfer(tx, {
            event: 'play',
            subject: String(count),
            at: AT,
            moves: [
              { from: wallet, to: stakesHeld('treasure'), sats },
              { from: stakesHeld('treasure'), to: prizePool('treasure'), sats: (sats * 4n) / 5n },
              { from: stakesHeld('treasure'), to: bankroll, sats: sats - (sats * 4n) / 5n },
            ],
          }),
        )
      }
      const before = await balanceOf(db, prizePool('treasure'))
      await db.transaction((tx) => checkpointAccount(tx, prizePool('treasure')))
      expect(await balanceOf(db, prizePool('treasure'))).toBe(before)
      expect(await balanceOf(db, stakesHeld('treasure'))).toBe(0n)
    }),
    { numRuns: 20 },
  )
  expect(await ledgerViolations(db)).toEqual([])
})

it('a checkpoint misses no posting of a transaction in progress', async () => {
  const { db } = await testDatabase()
  const post = (subject: number) =>
    db.transaction((tx) =>
      postTransfer(tx, {
        event: 'play',
        subject: String(subject),
        at: AT,
        moves: [{ from: wallet, to: bankroll, sats: 1n }],
      }),
    )
  await post(0)
  const work = Array.from({ length: 60 }, (_, index) => post(index + 1))
  for (let time = 0; time < 10; time += 1) await db.transaction((tx) => checkpointAccount(tx, bankroll))
  await Promise.all(work)
  await db.transaction((tx) => checkpointAccount(tx, bankroll))
  expect(await balanceOf(db, bankroll)).toBe(61n)
})

it('a transfer keeps what happened, to whom and when, and two postings for each move in its order', async () => {
  const { db } = await testDatabase()
  await post(db, 'order.paid', [
    { from: received, to: stakesHeld('treasure'), sats: 90n },
    { from: received, to: suspense, sats: 10n },
  ])
  expect(await db.run(transfers, [])).toEqual([{ event: 'order.paid', key: 'order.paid:a', at: AT }])
  expect(await db.run(postingsOf, ['order.paid:a'])).toEqual([
    { kind: 'received', subject: '', amountSats: -90n },
    { kind: 'stakes_held', subject: 'treasure', amountSats: 90n },
    { kind: 'received', subject: '', amountSats: -10n },
    { kind: 'suspense', subject: '', amountSats: 10n },
  ])
})

it('the ledger has every account of decisions section 5, each with a balance of its own', async () => {
  const { db } = await testDatabase()
  const accounts: [LedgerAccount, string, string][] = [
    [received, 'received', ''],
    [suspense, 'suspense', ''],
    [bankroll, 'bankroll', ''],
    [operatorFee, 'operator_fee', ''],
    [inFlight, 'in_flight', ''],
    [stakesHeld('treasure'), 'stakes_held', 'treasure'],
    [prizePool('treasure'), 'prize_pool', 'treasure'],
    [donationPool('treasure'), 'donation_pool', 'treasure'],
    [feeReserve('treasure'), 'fee_reserve', 'treasure'],
    [pot(7n), 'pot', '7'],
    [reserve(7n), 'reserve', '7'],
    [winnings(7n), 'winnings', '7'],
    [partner('7'), 'partner', '7'],
  ]
  // Each gets another amount, so that none can be taken for another.
  const moves = accounts.map(([to], place) => ({ from: wallet, to, sats: 1n << BigInt(place) }))
  await post(db, 'deposit', moves)
  for (const [place, [account, kind, subject]] of accounts.entries()) {
    expect(account).toEqual({ kind, subject })
    expect(await balanceOf(db, account), kind).toBe(1n << BigInt(place))
  }
  expect(await balanceOf(db, wallet)).toBe((1n << BigInt(accounts.length)) - 1n)
  expect(await ledgerViolations(db)).toEqual([])
})

it('the accounts of a kind are added up, and losses and fees are shown as such', async () => {
  const { db } = await testDatabase()
  await post(db, 'deposit', [
    { from: wallet, to: prizePool('treasure'), sats: 500n },
    { from: wallet, to: prizePool('bitcoin-hero'), sats: 70n },
  ])
  await post(db, 'fee', [{ from: networkFees, to: wallet, sats: 20n }])
  await post(db, 'theft', [{ from: losses, to: wallet, sats: 3n }])
  expect(await balanceOf(db, losses)).toBe(3n)
  expect(await balancesByKind(db)).toEqual(
    new Map([
      ['losses', 3n],
      ['network_fees', 20n],
      ['prize_pool', 570n],
      ['wallet', 547n],
    ]),
  )
  await db.transaction((tx) => checkpointAccount(tx, prizePool('treasure')))
  expect((await balancesByKind(db)).get('prize_pool')).toBe(570n)
})

it('an account without postings is zero', async () => {
  const { db } = await testDatabase()
  expect(await balanceOf(db, partner('nobody'))).toBe(0n)
  await db.transaction((tx) => checkpointAccount(tx, partner('nobody')))
  expect(await db.run(checkpoints, [])).toEqual([])
})

it('the ledger says what the events of one subject moved, by event and kind of account', async () => {
  const { db } = await testDatabase()
  await post(db, 'draw.closed', [
    { from: stakesHeld('treasure'), to: pot(5n), sats: 80n },
    { from: stakesHeld('treasure'), to: donationPool('treasure'), sats: 5n },
    { from: pot(5n), to: prizePool('treasure'), sats: 30n },
  ])
  await post(db, 'draw.settled', [{ from: pot(5n), to: winnings(1n), sats: 50n }])
  await post(db, 'draw.closed', [{ from: stakesHeld('treasure'), to: pot(6n), sats: 1000n }], 'another')
  const moved = await movedBy(db, ['draw.closed', 'draw.settled', 'draw.void'], 'a')
  const byName = moved.toSorted((one, other) => (one.event + one.kind < other.event + other.kind ? -1 : 1))
  expect(byName).toEqual([
    { event: 'draw.closed', kind: 'donation_pool', gainedSats: 5n, givenSats: 0n },
    { event: 'draw.closed', kind: 'pot', gainedSats: 80n, givenSats: 30n },
    { event: 'draw.closed', kind: 'prize_pool', gainedSats: 30n, givenSats: 0n },
    { event: 'draw.closed', kind: 'stakes_held', gainedSats: 0n, givenSats: 85n },
    { event: 'draw.settled', kind: 'pot', gainedSats: 0n, givenSats: 50n },
    { event: 'draw.settled', kind: 'winnings', gainedSats: 50n, givenSats: 0n },
  ])
  expect(await movedBy(db, ['draw.void'], 'a')).toEqual([])
})

it('a checkpoint of one account is taken as a job, as often as requested', async () => {
  const { db } = await testDatabase()
  const [job, ...others] = ledgerJobs()
  expect(others).toEqual([])
  if (job?.kind !== 'ledger.checkpoint' || job.mode !== 'transaction') throw new Error('the job has another kind')
  const { run } = job
  const payload = { kind: 'prize_pool', subject: 'treasure' }
  const claimed: Job = { id: 1n, kind: job.kind, key: 'x', payload, runAt: AT, attempts: 0 }
  const checkpoint = () => db.transaction((tx) => run(tx, payload, claimed))
  for (const sats of [100n, 23n]) {
    await post(db, 'deposit', [{ from: wallet, to: prizePool('treasure'), sats }], String(sats))
    await checkpoint()
    await checkpoint() // nothing was posted in between: nothing new is stored
  }
  expect(await db.run(checkpoints, [])).toEqual([
    { kind: 'prize_pool', balanceSats: 100n },
    { kind: 'prize_pool', balanceSats: 123n },
  ])
  expect(await balanceOf(db, prizePool('treasure'))).toBe(123n)
})

it('no other transaction posts to a locked account until the transaction ends', async () => {
  const { db } = await testDatabase()
  const deposit = (subject: string) => post(db, 'deposit', [{ from: wallet, to: bankroll, sats: 7n }], subject)
  let isPosted = false
  let posting: Promise<unknown> = Promise.resolve()
  const waiting = sql({
    name: 'test-ledger.waiting',
    text: `select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`,
    row: { waiting: t.int },
  })
  await db.transaction(async (tx) => {
    await lockAccount(tx, bankroll) // an account that nothing was posted to yet
    posting = deposit('a').then(() => (isPosted = true))
    // The database says when the other transaction waits.
    while (!isPosted && (await db.one(waiting, [])).waiting === 0);
    expect(isPosted).toBe(false)
    expect(await balanceOf(tx, bankroll)).toBe(0n)
  })
  await posting
  expect(await balanceOf(db, bankroll)).toBe(7n)
})

it('the free tickets that are owed are counted, even those in open orders', async () => {
  const { db } = await testDatabase()
  const rows = testRows(db, testRuntime())
  await rows.ground()
  expect(await freeTicketsOwed(db)).toBe(0n)
  const [one, other] = [await rows.player(), await rows.player()]
  await rows.freeTickets(one, 'treasure', { won: 9, used: 4, held: 2 })
  await rows.freeTickets(other, 'bitcoin-hero', { won: 3, used: 0, held: 0 })
  expect(await freeTicketsOwed(db)).toBe(8n)
})

it('violations name accounts below zero, and transfers that do not sum to zero', async () => {
  const { db, connect } = await testDatabase()
  await post(db, 'overdrawn', [
    { from: winnings(7n), to: prizePool('treasure'), sats: 5n },
    { from: bankroll, to: networkFees, sats: 8n },
  ])
  const violations = await ledgerViolations(db)
  expect(violations.toSorted()).toEqual([
    'bankroll  stands at -8 sats',
    'network_fees  stands at 8 sats',
    'winnings 7 stands at -5 sats',
  ])
  // The database refuses such a transfer, so its guard has to be removed first.
  const client = await connect()
  await client.query(`set session_replication_role = replica`)
  await client.query(
    `with made as (insert into transfers (at, event, key) values (1, 'forged', 'forged') returning id)
     insert into postings (transfer_id, account_id, amount_sats)
     select made.id, a.id, 100 from made, ledger_accounts a where a.kind = 'prize_pool'`,
  )
  expect(await ledgerViolations(db)).toEqual(['1 transfers do not sum to zero', ...violations])
})

it('each winning line of a draw is paid separately, each kind of win once, and the winners get it', async () => {
  const { db } = await testDatabase()
  const rows = testRows(db, testRuntime())
  await rows.ground()
  const drawId = await rows.draw({ gameKey: 'bitcoin-hero', number: 1, startAt: AT })
  const otherId = await rows.draw({ gameKey: 'bitcoin-hero', number: 2, startAt: AT + 86_400 })
  const lines = Array.from({ length: 4 }, () => [1, 2, 3, 4, 5])
  const winner = async (wins: readonly ['JACKPOT' | 'PRIZE' | 'FREE_TICKET', bigint | undefined, bigint][]) => {
    const playerId = await rows.player()
    const drawIds = [drawId, otherId]
    const playIds = await rows.order({ playerId, gameKey: 'bitcoin-hero', lines, drawIds })
    for (const [lineNo, [winType, sats, draw]] of wins.entries()) {
      const playId = playIds[drawIds.indexOf(draw)] ?? ''
      const prize = sats === undefined ? {} : { sats }
      await rows.win({ drawId: draw, playerId, playId, lineNo, matches: 3, winType, ...prize })
    }
    return playerId
  }
  const one = await winner([
    ['PRIZE', 30n, drawId],
    ['PRIZE', 30n, drawId],
    ['JACKPOT', 5000n, drawId],
    ['FREE_TICKET', undefined, drawId],
  ])
  const other = await winner([
    ['PRIZE', 300n, drawId],
    ['PRIZE', 999n, otherId],
    ['PRIZE', undefined, drawId], // scaled down to zero
  ])
  await post(db, 'stakes', [{ from: wallet, to: pot(drawId), sats: 6000n }])

  const pay = (winType: 'JACKPOT' | 'PRIZE', totalSats: bigint, event = `draw.${winType}`) =>
    db.transaction((tx) => postPrizes(tx, { event, drawId, winType, from: pot(drawId), totalSats, at: AT }))
  await pay('PRIZE', 0n, 'nobody won')
  await expect(pay('PRIZE', 361n)).rejects.toThrow('sum to')
  await pay('PRIZE', 360n)
  await pay('PRIZE', 360n)
  await pay('JACKPOT', 5000n)

  const draw = String(drawId)
  expect((await db.run(transfers, [])).slice(1)).toEqual([
    { event: 'draw.PRIZE', key: `draw.PRIZE:${draw}`, at: AT },
    { event: 'draw.JACKPOT', key: `draw.JACKPOT:${draw}`, at: AT },
  ])
  const prizes = (await db.run(postingsOf, [`draw.PRIZE:${draw}`])).map((row) => `${row.kind} ${row.amountSats}`)
  expect(prizes[0]).toBe('pot -360')
  expect(prizes.slice(1).toSorted()).toEqual(['winnings 30', 'winnings 30', 'winnings 300'])
  expect(await balanceOf(db, winnings(one))).toBe(5060n)
  expect(await balanceOf(db, winnings(other))).toBe(300n)
  expect(await balanceOf(db, pot(drawId))).toBe(640n)
  expect(await ledgerViolations(db)).toEqual([])
})

it('an event that two members of a shared transaction post at once moves money once, and one of them hears so', async () => {
  const { db } = await testDatabase()
  await post(db, 'test.first', [{ from: wallet, to: received, sats: 1n }])
  const shared = new SharedTransactions(db, testRuntime().log)
  const request = { event: 'test.moved', subject: 'a', at: AT, moves: [{ from: wallet, to: received, sats: 5n }] }
  const posted = ['one', 'other'].map((key) => shared.run(key, (tx) => postTransfer(tx, request)))
  expect((await Promise.all(posted)).filter((isPosted) => isPosted)).toHaveLength(1)
  expect(await balanceOf(db, received)).toBe(6n)
})
