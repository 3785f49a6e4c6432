import { Address } from '@scure/btc-signer'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { type PayoutCluster, startPayoutCluster } from '../../../test/payout-cluster.ts'
import type { Tx } from '../../db/pool.ts'
import { array, sql, t } from '../../db/sql.ts'
import { STATEMENTS } from '../invariants/queries.ts'
import { REGTEST } from '../../ports/wallet/test-chain.ts'
import { bookCancelled, bookTakenOut } from './booking.ts'
import { findOwedToPlayers } from './owed-sums-queries.ts'
import { makePayouts } from './prizes.ts'
import * as queries from './queries.ts'
import { setAside, setPlayerAside } from './queries.ts'
import { canBePaid } from './status.ts'

const ROUNDS = 12

/** Rows that this session has read of what is owed and whom to, without those reported before. */
const readRows = sql({
  name: 'owed-sums-test.read-rows',
  text: `select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::bigint as rows from pg_stat_xact_user_tables
    where relname in ('payables', 'owed_sums', 'players', 'player_addresses')`,
  row: { rows: t.bigint },
})
const findLastPlayer = sql({
  name: 'owed-sums-test.find-last-player',
  text: 'select max(id) as id from players',
  row: { id: t.bigint },
})
const verify = sql({
  name: 'owed-sums-test.verify',
  text: 'update players set email_verified_at = 1 where id = $1',
  params: [t.bigint],
})
const clearAside = sql({
  name: 'owed-sums-test.clear-aside',
  text: 'with players as (delete from payout_players_set_aside) delete from payout_set_aside',
})
const insertPayables = sql({
  name: 'owed-sums-test.insert-payables',
  text: `insert into payables (created_at, sats, player_id, kind, source)
    select 1, 1000, player_id, $2, gen_random_uuid() from unnest($1::bigint[]) as one (player_id)`,
  params: [array(t.bigint), t.text],
})
const removePayables = sql({
  name: 'owed-sums-test.remove-payables',
  text: `delete from payables where player_id = $1 and payout_id is null and kind = 'refund'`,
  params: [t.bigint],
})
const findOpenBatches = sql({
  name: 'owed-sums-test.find-open-batches',
  text: `select b.id, min(p.id) as payout_id
    from payout_batches b join payouts p on p.batch_id = b.id and p.cancelled_at is null
    where b.state = 'BATCHED' group by b.id order by b.id`,
  row: { id: t.bigint, payoutId: t.bigint },
})
const findWrongSums = sql({
  name: 'owed-sums-test.find-wrong-sums',
  text: `select what from (${STATEMENTS.I5.text}) found where what like 'player %'`,
  row: { what: t.text },
})
const countPassedOver = sql({
  name: 'owed-sums-test.count-passed-over',
  text: 'select count(*)::int as players from owed_sums where prizes > 0 and passed_change = changes',
  row: { players: t.int },
})

/** The rows that some work reads. */
async function rowsReadBy(cluster: PayoutCluster, work: (tx: Tx) => Promise<unknown>): Promise<number> {
  return await cluster.db.transaction(async (tx) => {
    const before = await tx.one(readRows, [])
    await work(tx)
    return Number((await tx.one(readRows, [])).rows - before.rows)
  })
}

/** Players who are owed two prizes each, as after two draws; the first 600 of them can be paid. */
async function clusterOf(players: number): Promise<PayoutCluster> {
  const cluster = await startPayoutCluster()
  const client = new pg.Client(cluster.url)
  await client.connect()
  onTestFinished(() => client.end())
  await client.query(`insert into players (created_at, email_verified_at, username, email)
    select 1, 1, 'waits-' || n, 'waits-' || n || '@fairball.test' from generate_series(1, ${players}) n`)
  const addresses = Array.from({ length: 600 }, (_, place) =>
    Address(REGTEST).encode({ type: 'wpkh', hash: new Uint8Array(20).fill(place % 200, place / 200) }),
  )
  await client.query(
    `insert into player_addresses (player_id, created_at, usable_from, address, seal)
      select id, 1, 1, coalesce(($1::text[])[row_number() over (order by id)], 'elsewhere-' || id), '' from players`,
    [addresses],
  )
  for (const draw of [1, 2])
    await client.query(`insert into payables (created_at, sats, player_id, kind, source)
      select 1, 1000, id, 'prize', '${draw}:' || id from players order by id`)
  await client.query('analyze payables, owed_sums, players, player_addresses')
  return cluster
}

it(
  'a batch, and a look at one player, read no more rows when ten times as many players wait',
  { timeout: 60_000 },
  async () => {
    const read: number[] = []
    const readOfOne: number[] = []
    for (const players of [1_000, 10_000]) {
      const cluster = await clusterOf(players)
      const { payouts } = cluster.worker()
      read.push(await rowsReadBy(cluster, (tx) => makePayouts(payouts, tx)))
      const { id } = await cluster.db.one(findLastPlayer, [])
      readOfOne.push(await rowsReadBy(cluster, (tx) => canBePaid(payouts, tx, id)))
    }
    const [few = 0, many = 0] = read
    // 500 players with address and sums, and their 1,000 prizes, which are read again when they are taken up. A small
    // table is read as a whole.
    expect(few).toBeLessThan(10_000)
    expect(many).toBeLessThan(few * 1.1)
    expect(Math.max(...readOfOne)).toBeLessThan(30)
  },
)

it('players who cannot be paid are read once, and again as soon as something changes for them', async () => {
  const cluster = await startPayoutCluster({ mostPlayers: 5 })
  const { money, db } = cluster
  const { payouts } = cluster.worker()
  const owe = async (player: { id: bigint; address: string }, sats: bigint) => {
    await money.owe(player.id, sats)
    return player
  }
  const unverified = await owe(await money.player({ isVerified: false }), 7_000n)
  const homeless = await owe(await money.player({ hasAddress: false }), 7_000n)
  const suspect = await owe(await money.player(), 7_000n)
  const aside = await owe(await money.player(), 7_000n)
  const small = await owe(await money.player(), 200n)
  const fellow = await money.player({ hasAddress: false })
  await money.saveAddress(fellow.id, small.address)
  await db.execute(setPlayerAside, [suspect.id, suspect.address, 'a test', 1])
  await db.execute(setAside, [aside.address, 'a test', [], 1])
  for (let count = 0; count < 60; count += 1) await owe(await money.player({ hasAddress: false }), 7_000n)

  const make = (): Promise<bigint | null> => db.transaction((tx) => makePayouts(payouts, tx))
  expect(await make()).toBeNull()
  expect(await db.one(countPassedOver, [])).toEqual({ players: 65 })
  const look = { at: cluster.now(), most: 100n, firstId: 0n, playerId: 0n }
  expect(await db.run(findOwedToPlayers, look)).toEqual([])

  const paid: bigint[] = []
  const pays = async (player: { id: bigint }, change: () => Promise<unknown>) => {
    await change()
    const batchId = await make()
    if (batchId === null) throw new Error(`player ${player.id} is not paid`)
    for (const { playerId } of await db.run(queries.markSent, [batchId, cluster.now()])) paid.push(playerId ?? 0n)
  }
  await pays(unverified, () => db.execute(verify, [unverified.id]))
  await pays(homeless, () => money.saveAddress(homeless.id, homeless.address))
  await db.execute(clearAside, [])
  await pays(suspect, async () => undefined)
  // Too little for one is enough for two at the same address.
  await pays(small, () => money.owe(fellow.id, 200n))
  expect(paid).toEqual([unverified.id, homeless.id, suspect.id, aside.id, small.id, fellow.id])
})

it(`sums are those of the payables after ${ROUNDS} rounds in which workers make, cancel and settle at once`, async () => {
  const cluster = await startPayoutCluster({ mostPlayers: 7 })
  const { db, money } = cluster
  const players: bigint[] = []
  for (let count = 0; count < 20; count += 1) players.push((await money.player({ hasAddress: count % 5 > 0 })).id)
  const workers = [cluster.worker(), cluster.worker()]
  const some = (): bigint[] => players.filter(() => cluster.runtime.random.bytes(1)[0]! % 2 === 0)
  const make = (worker: (typeof workers)[number]) => db.transaction((tx) => makePayouts(worker.payouts, tx))
  const settle = (kind: string) =>
    db.transaction(async (tx) => {
      for (const part of [some().toReversed(), some()]) await tx.execute(insertPayables, [part, kind])
    })
  const cancel = async () => {
    for (const { id, payoutId } of await db.run(findOpenBatches, []))
      await db.transaction(async (tx) => {
        const batch = await tx.one(queries.lockBatch, [id])
        if (batch.state !== 'BATCHED') return
        await bookTakenOut(tx, id, [payoutId], cluster.now())
        if (id % 3n === 0n) return
        await tx.execute(queries.moveBatch, [id, ['BATCHED'], 'CANCELLED', null])
        await bookCancelled(tx, batch, 0n, cluster.now())
      })
  }
  const remove = () => db.transaction(async (tx) => void (await tx.execute(removePayables, [some()[0] ?? 0n])))
  const verifyAll = async () => {
    for (const id of some()) await db.execute(verify, [id])
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    await Promise.all([
      ...workers.map(make),
      settle('prize'),
      settle('refund'),
      settle('prize'),
      cancel(),
      remove(),
      verifyAll(),
    ])
    expect(await db.run(findWrongSums, [])).toEqual([])
  }
})
