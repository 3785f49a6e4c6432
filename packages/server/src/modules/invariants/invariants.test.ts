import { GAMES } from '@fairball/domain/seeds'
import { beforeAll, expect, it } from 'vitest'
import { testLottery, type TestLottery } from '../../../test/lottery.ts'
import { winningLines } from '../../../test/winning-lines.ts'
import type { Db, Tx } from '../../db/pool.ts'
import { sql, type Statement } from '../../db/sql.ts'
import { violationsOfTouched } from './changed.ts'
import { BODIES, BODY_HASH, TRIGGERS } from './guards.ts'
import { differencesOfSealedDraws } from './sealed-draws.ts'
import { continuePass, findSealedViolations, findViolations } from './service.ts'

/** What breaks an invariant, done behind the program's back with the database's own checks off. */
const BREACHES: readonly (readonly [invariant: string, sql: string])[] = [
  ['I1', `update postings set amount_sats = amount_sats + 1 where id = (select min(id) from postings)`],
  ['I1', `alter table postings disable trigger postings_append_only`],
  ['I1', `alter table ledger_checkpoints enable replica trigger ledger_checkpoints_append_only`],
  ['I1', `alter table operator_actions disable trigger all`],
  ['I1', `drop trigger log_leaves_append_only on log_leaves`],
  ['I1', `create or replace function refuse_change() returns trigger language plpgsql as $$ begin return new; end $$`],
  [
    'I1',
    `create or replace trigger transfers_append_only before update on transfers
      for each row when (old.id < 0) execute function refuse_change()`,
  ],
  [
    'I2',
    `update postings p set amount_sats = -amount_sats from transfers t where t.id = p.transfer_id and t.event = 'draw.closed'`,
  ],
  ['I3', `delete from plays where draw_id in (select id from draws where status = 'open')`],
  ['I3', `update orders set status = 'EXPIRED'`],
  [
    'I3',
    `do $$ begin
      alter table orders drop constraint orders_player_id_idempotency_key_key;
      update orders set idempotency_key = 'same';
    end $$`,
  ],
  ['I4', `update payments set confirmed_at = null where outpoint = (select min(outpoint) from payments)`],
  ['I4', `update payments set sats = sats + 1 where outpoint = (select min(outpoint) from payments)`],
  [
    'I4',
    `insert into ln_invoices (payment_hash, order_id, created_at, expires_at, paid_at, amount_sats, received_msat, node_id)
      select repeat('a', 64), id, 1, 2, 2, 5, 5000, '' from orders limit 1`,
  ],
  ['I5', `delete from payables where id = (select min(id) from payables where kind = 'prize')`],
  [
    'I5',
    `insert into order_goodwill (order_id, sats, at, request_id, payable_id)
      select id, 5, 1, gen_random_uuid(), (select min(id) from payables) from orders limit 1`,
  ],
  ['I5', `update owed_sums set prize_sats = prize_sats + 1`],
  ['I5', `update owed_sums set returns = returns + 1`],
  ['I5', `update owed_sums set first_prize_id = 1`],
  [
    'I5',
    `insert into payables (created_at, sats, player_id, kind, source) select 1, 5, id, 'refund', 'planted' from players limit 1`,
  ],
  ['I5', `update wins set amount_sats = amount_sats + 1 where amount_sats is not null`],
  ['I5', `update wins set player_id = player_id + 1000`],
  ['I5', `update plays set id = gen_random_uuid() where id in (select play_id from wins)`],
  ['I5', `update payout_batches set sent_at = null`],
  [
    'I5',
    `insert into ln_payouts (payout_id, destination_id, first_at, next_at, state)
      select id, 1, 1, 1, 'PAID' from payouts where sent_at is null or sent_at > 0 limit 1`,
  ],
  [
    'I18',
    `with made as (
        insert into ln_payouts (payout_id, destination_id, first_at, next_at, state)
        select id, 1, 1, 1, 'SENDING' from payouts limit 1 returning payout_id)
      insert into ln_attempts (payout_id, attempt, payment_hash, invoice, amount_msat, max_fee_msat, resolved_at, expires_at, outcome, ended_at)
      select payout_id, n, repeat(n::text, 64), '', 1, 0, n * 1000, n * 1000 + 900, case n when 1 then 'none' end, case n when 1 then 1100 end
      from made cross join generate_series(1, 2) n`,
  ],
  ['I6', `update draws set stake_sats = stake_sats + 100 where status = 'settled'`],
  [
    'I7',
    `insert into treasury_checks (checked_at, ledger_sats, held_sats, pending_sats) values (2000000000, 900000000, 99, 0)`,
  ],
  [
    'I7',
    `insert into treasury_checks (checked_at, ledger_sats, held_sats, pending_sats, lightning_ledger_sats, lightning_held_sats)
      values (2000000000, 0, 99, 0, 5, 4)`,
  ],
  ['I9', `update free_tickets set won = won + 1`],
  [
    'I9',
    `with none as (delete from free_tickets)
      update plays set free_count = 1 where id = (select id from plays order by id limit 1)`,
  ],
  ['I10', `delete from log_leaves where index = 3`],
  ['I10', `delete from checkpoints where size = 3`],
  ['I10', `update draws set status = 'open' where status = 'settled'`],
  [
    'I11',
    `with ended as (
        insert into sessions (id, player_id, created_at, expires_at, seen_at, revoked_at, fingerprint, authenticated_at)
        select gen_random_uuid(), id, 1, 9, 1, 5, '', 1 from players limit 1 returning id)
      insert into refresh_tokens (session_id, created_at, expires_at, hash) select id, 50, 90, 'x' from ended`,
  ],
  ['I13', `update orders set due_sats = due_sats * 3 / 2`],
  ['I13', `update orders set rate_sats = rate_sats + 1`],
  ['I13', `update texts set text = replace(text, 'price GBP 100', 'price GBP 150')`],
  ['I13', `update plays set stake_sats = stake_sats + 90000 where id = (select id from plays order by id limit 1)`],
  ['I13', `update draws set stake_sats = stake_sats + 100 where status = 'settled'`],
  ['I13', `update plays set price_minor = price_minor + 1 where id = (select id from plays order by id limit 1)`],
  ['I16', `update draws set price_minor = price_minor + 1 where status = 'settled'`],
  ['I16', `update draws set version = 9 where number = 1`],
  ['I17', `update games set state = 'retired', retires_into = 'treasure' where key = 'bitcoin-hero'`],
  ['I15', `update games set pot_sats = pot_sats + 1 where key = 'bitcoin-hero'`],
  ['I15', `update games set free_won = free_won + 1 where key = 'bitcoin-hero'`],
  ['I15', `update games set state_hash = null where key = 'bitcoin-hero'`],
  ['I15', `update games set closed = closed + 1, settled = settled + 1 where key = 'bitcoin-lotto'`],
  ['I15', `update draws set pot_sats = pot_sats + 1 where status = 'settled'`],
  [
    'I15',
    `update postings p set amount_sats = amount_sats - 1 from ledger_accounts a
      where a.id = p.account_id and a.kind = 'prize_pool' and a.subject = 'bitcoin-hero' and p.amount_sats > 0`,
  ],
  ['I14', `update ledger_checkpoints set balance_sats = balance_sats + 1000`],
  ['I14', `update ledger_checkpoints set upto_posting_id = upto_posting_id + 1000`],
  [
    'I14',
    `insert into ledger_checkpoints (account_id, upto_posting_id, balance_sats)
      select account_id, max(id), 7 from postings group by account_id on conflict do nothing`,
  ],
]

/** What breaks a sealed draw. */
const SEALED_BREACHES: readonly (readonly [what: string, sql: string])[] = [
  ['a leaf was changed', `update play_leaves set leaf = set_byte(leaf, 60, 255) where index = 0`],
  ['a leaf is gone', `delete from play_leaves where index = 1`],
  [
    'a leaf came later',
    `insert into play_leaves select draw_id, 9, play_id, false, leaf from play_leaves where index = 0`,
  ],
  ['a play left after the close', `delete from plays where draw_id in (select id from draws where status = 'settled')`],
  ['a win was left out', `delete from wins where line_no = (select min(line_no) from wins)`],
  ['a prize is another', `update wins set amount_sats = 1 where amount_sats is not null`],
]

/** Ends a transaction in which a test has seen enough. */
class Undone extends Error {}

let test: TestLottery
let statements = 0
let nights = 0

beforeAll(async () => {
  test = await testLottery({ games: GAMES })
  const playerId = await test.addPlayer()
  const lines = winningLines()
  for (const some of [lines, lines.slice(0, 2)])
    await test.buy({ playerId, gameKey: 'bitcoin-hero', lines: some, days: [3, 4] })
  await test.moveTo(test.runtime.clock.now() + 3 * 3600)
}, 60_000)

const plain = (text: string): Statement => ({
  name: `invariants-test.breach-${++statements}`,
  text,
  params: [],
  row: {},
})

const NOTHING_YET = { postingId: 0n, transferId: 0n }
const NO_END = { postingId: 2n ** 63n - 1n, transferId: 2n ** 63n - 1n }

/** What a look finds in what came after these ids and this time. */
const look = (tx: Tx, after: typeof NOTHING_YET, sinceAt: number) =>
  violationsOfTouched(tx, { after, to: NO_END, verifiedPostingId: after.postingId, sinceAt })

type Found = Awaited<ReturnType<typeof findViolations>>

/** What the pass of another night finds, all of it in one transaction. */
async function wholePass(tx: Tx): Promise<Found> {
  nights += 1
  const found: Found = []
  const db: Db = { ...test.db, execute: tx.execute.bind(tx), transaction: async (work) => await work(tx) }
  const keeper = {
    now: () => test.runtime.clock.now() + nights * 86_400,
    nowMs: () => 0,
    async keep(_tx: Tx, violations: readonly Found[number][]) {
      found.push(...violations)
      return { numbers: [], isCapped: false }
    },
    end: async () => undefined,
  }
  while (await continuePass(db, keeper));
  return found
}

/** What is found after `sql` ran on the database, before all of it is rolled back. */
async function foundAfter<T>(sql: string, find: (tx: Tx) => Promise<T>): Promise<T> {
  let found: T | null = null
  await test.db
    .transaction(async (tx) => {
      await tx.execute(plain('set local session_replication_role = replica'), [])
      expect(await tx.execute(plain(sql), []), sql).toBeGreaterThanOrEqual(/^(alter|create|do|drop) /.test(sql) ? 0 : 1)
      await tx.execute(plain('set local session_replication_role = origin'), [])
      found = await find(tx)
      throw new Undone()
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undone)) throw error
    })
  if (found === null) throw new Error('nothing was looked for')
  return found
}

it('a lottery that sold, drew and paid breaks no invariant', async () => {
  const [figures] = await test.rows<{ wins: string; payouts: string; free: string }>(
    `select (select count(*) from wins) as wins, (select count(*) from payouts) as payouts, (select sum(won) from free_tickets) as free`,
  )
  expect(Number(figures?.wins)).toBeGreaterThan(0)
  expect(Number(figures?.payouts)).toBeGreaterThan(0)
  expect(Number(figures?.free)).toBeGreaterThan(0)
  expect(await findViolations(test.db)).toEqual([])
  expect(await findSealedViolations(test.db)).toEqual([])
  expect(await test.db.transaction((tx) => look(tx, NOTHING_YET, 0))).toEqual([])
  expect(await test.db.transaction(wholePass)).toEqual([])
})

it.each(BREACHES)('the check and the pass name %s when it is broken: %s', async (invariant, sql) => {
  const [checked, passed] = await foundAfter(
    sql,
    async (tx) => [await findViolations(tx), await wholePass(tx)] as const,
  )
  expect(checked.map((violation) => violation.invariant)).toContain(invariant)
  expect(passed.map((violation) => violation.invariant)).toContain(invariant)
})

/** The ledger has a check of its own (new-postings.test.ts); sessions are left to the pass, since they move no money. */
const ELSEWHERE = ['I1', 'I2', 'I14', 'I11']

it.each(BREACHES.filter(([invariant]) => !ELSEWHERE.includes(invariant)))(
  'a look at what is new names %s when it is broken: %s',
  async (invariant, sql) => {
    const found = await foundAfter(sql, (tx) => look(tx, NOTHING_YET, 0))
    expect(found.map((violation) => violation.invariant)).toContain(invariant)
  },
)

it.each([
  ['an order', `update orders set due_sats = due_sats * 3 / 2`],
  ['an output', `update payments set confirmed_at = null where outpoint = (select min(outpoint) from payments)`],
  ['a prize', `update wins set amount_sats = amount_sats + 1 where amount_sats is not null`],
  ['a debt', `delete from payables where id = (select min(id) from payables where kind = 'prize')`],
  ['a draw', `update draws set stake_sats = stake_sats + 100 where status = 'settled'`],
  ['free tickets', `update free_tickets set won = won + 1`],
])('%s changed behind the watermark is found by the pass, not by a look at what is new', async (_what, sql) => {
  const [newest] = await test.rows<{ posting: string; transfer: string }>(
    `select (select max(id) from postings) as posting, (select max(id) from transfers) as transfer`,
  )
  const after = { postingId: BigInt(newest?.posting ?? 0), transferId: BigInt(newest?.transfer ?? 0) }
  const verify = plain(
    `insert into ledger_verified (account_id, natural_sats)
      select a.id, case when a.kind in ('wallet', 'lightning', 'network_fees', 'losses') then -1 else 1 end * sum(p.amount_sats)
      from ledger_accounts a join postings p on p.account_id = a.id group by a.id`,
  )
  const [looked, passed] = await foundAfter(sql, async (tx) => {
    await tx.execute(verify, [])
    return [await look(tx, after, test.runtime.clock.now() + 1), await wholePass(tx)] as const
  })
  expect(looked).toEqual([])
  expect(passed).not.toEqual([])
})

it('the check names I1 if the database treats every session as a replica, in which no trigger works', async () => {
  const asReplica = sql({ name: 'invariants-test.replica', text: `set local session_replication_role = replica` })
  const found = await test.db.transaction(async (tx) => {
    await tx.execute(asReplica, [])
    return await findViolations(tx)
  })
  expect(found).toEqual([{ invariant: 'I1', what: 'triggers are off: the session runs as a replica' }])
})

it('every trigger of the database, and what it calls, is as the migrations made it', async () => {
  const made = await test.rows<{ definition: string; name: string; body: string }>(
    `select pg_get_triggerdef(t.oid, true) as definition, f.proname as name, ${BODY_HASH} as body
      from pg_trigger t join pg_proc f on f.oid = t.tgfoid where not t.tgisinternal`,
  )
  expect(made.map(({ definition }) => definition).toSorted()).toEqual(TRIGGERS.toSorted())
  expect(Object.fromEntries(made.map(({ name, body }) => [name, body]))).toEqual(BODIES)
})

it.each(SEALED_BREACHES)('the check recomputes a sealed draw and sees that %s', async (_what, sql) => {
  expect(await foundAfter(sql, (tx) => differencesOfSealedDraws(tx))).not.toEqual([])
})

it('the check leaves out the draws before the one it starts from', async () => {
  const [last] = await test.rows<{ id: string }>(`select max(id) as id from draws`)
  const [, sql] = SEALED_BREACHES[0] ?? ['', '']
  expect(await foundAfter(sql, (tx) => differencesOfSealedDraws(tx, BigInt(last?.id ?? 0) + 1n))).toEqual([])
})
