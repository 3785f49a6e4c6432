import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testDatabase, type TestDatabase } from '../../../test/database.ts'
import { moneyFixture, type MoneyFixture } from '../../../test/money.ts'
import { ADDRESS_SEALS } from '../../../test/sealed-addresses.ts'
import { nullable, sql, t } from '../../db/sql.ts'
import { testRuntime } from '../../runtime/test-runtime.ts'
import { payFirstAt, usableDestinationAt } from './destination-queries.ts'
import { AddressSeals } from './service.ts'

const { destinations: seals } = ADDRESS_SEALS

const findWay = sql({
  name: 'destinations-test.find-way',
  text: `select d.value, ${payFirstAt('$2')} as first from players p
    left join lateral (${usableDestinationAt('$2')}) d on true where p.id = $1`,
  params: [t.bigint, t.epochSeconds],
  row: { value: nullable(t.text), first: t.text },
})
const insertDestination = sql({
  name: 'destinations-test.insert-destination',
  text: `insert into player_destinations (player_id, created_at, usable_from, min_msat, max_msat, kind, value)
    values ($1, $2, $2, 1000, 100000000000, 'ADDRESS', $3)
    returning id, player_id, kind, value, min_msat, max_msat, created_at, usable_from`,
  params: [t.bigint, t.epochSeconds, t.text],
  row: {
    id: t.bigint,
    playerId: t.bigint,
    kind: t.oneOf(['ADDRESS', 'OFFER']),
    value: t.text,
    minMsat: t.bigint,
    maxMsat: t.bigint,
    createdAt: t.epochSeconds,
    usableFrom: t.epochSeconds,
  },
})

let database: TestDatabase
let money: MoneyFixture
let client: pg.Client
beforeAll(async () => {
  database = await testDatabase()
  money = await moneyFixture({ db: database.db, runtime: testRuntime() })
  client = await database.connect()
})
afterAll(() => database.drop())

/** Saves a destination, as the web does; `isTold` hands its notice over, as the worker does. */
async function save(playerId: bigint, value: string, { isTold = true, isForged = false } = {}) {
  const now = money.runtime.clock.now()
  const saved = await money.db.one(insertDestination, [playerId, now, value])
  const to = 'player@fairball.test'
  const proof = isForged ? Buffer.alloc(32) : seals.noticeProof(saved, to)
  await client.query(
    `insert into mail_outbox (created_at, category, to_address, subject, text, html, links, key, sent_at, destination_id, address_proof)
     values (1, 'account', $1, '', '', '', '{}', $2, $3, $4, $5)`,
    [to, `notice of destination ${saved.id}`, isTold ? now : null, saved.id, proof],
  )
  const isSealed = await money.db.transaction((tx) => seals.sealTold(tx, saved.id, money.runtime))
  return { ...saved, isSealed }
}

async function wayOf(playerId: bigint, at = money.runtime.clock.now()) {
  return await money.db.one(findWay, [playerId, at])
}

describe('where a player is paid over Lightning', () => {
  it('a first destination is used once its notice was handed over, and a changed one 24 hours after its own', async () => {
    const { id } = await money.player()
    const now = money.runtime.clock.now()
    expect(await save(id, 'first@wallet.example', { isTold: false })).toMatchObject({ isSealed: false })
    expect((await wayOf(id)).value).toBeNull()
    await client.query('update mail_outbox set sent_at = 1 where destination_id is not null')
    expect(await save(id, 'second@wallet.example')).toMatchObject({ isSealed: true })
    expect((await wayOf(id, now)).value).toBe('first@wallet.example')
    expect((await wayOf(id, now + 86_399)).value).toBe('first@wallet.example')
    expect((await wayOf(id, now + 86_400)).value).toBe('second@wallet.example')
    expect(await seals.breaches(money.db)).toEqual([])
  })

  it('one that was removed is used no more, and an older one neither', async () => {
    const { id } = await money.player()
    await save(id, 'first@wallet.example')
    const now = money.runtime.clock.now()
    await client.query(`update player_destinations set superseded_at = $2 where player_id = $1`, [id, now])
    expect((await wayOf(id)).value).toBeNull()
    expect(await save(id, 'again@wallet.example')).toMatchObject({ isSealed: true })
    expect((await wayOf(id, now + 86_399)).value).toBeNull()
    expect((await wayOf(id, now + 86_400)).value).toBe('again@wallet.example')
  })

  it('one that the program did not save gets no seal', async () => {
    const { id } = await money.player()
    const begun = money.runtime.logged.length
    expect(await save(id, 'thief@wallet.example', { isForged: true })).toMatchObject({ isSealed: false })
    expect(money.runtime.logged.slice(begun)).toMatchObject([{ isOurs: false }])
    expect((await wayOf(id)).value).toBeNull()
  })

  it.each([
    ['where it goes', `value = 'thief@wallet.example'`],
    ['its kind', `kind = 'OFFER'`],
    ['its limits', 'max_msat = max_msat + 1'],
    ['from when it is used', 'paid_from = paid_from - 1'],
    ['its seal', 'seal = sha256(seal)'],
  ])('a change behind the program’s back is found, and nothing leaves for it: %s', async (_what, change) => {
    const { id } = await money.player()
    const { id: destinationId } = await save(id, 'first@wallet.example')
    const payout = {
      playerId: id,
      destinationId,
      address: 'first@wallet.example',
      at: money.runtime.clock.now(),
    }
    expect(await seals.refusalOf(money.db, payout)).toBeNull()
    expect(await seals.refusalOf(money.db, { ...payout, destinationId: destinationId + 1n })).toEqual({
      reason: 'is not the destination in use any more',
      isTampered: false,
    })
    await client.query('set session_replication_role = replica')
    await client.query(`update player_destinations set ${change} where id = $1`, [destinationId])
    const what = `destination ${destinationId} of player ${id} does not fit its seal`
    expect(await seals.refusalOf(money.db, payout)).toEqual({ reason: what, isTampered: true })
    expect(await ADDRESS_SEALS.breaches(money.db)).toEqual([what])
    await client.query(`delete from player_destinations where id = $1`, [destinationId])
    await client.query('set session_replication_role = origin')
  })

  it('the database refuses to change or remove one, except of a closed account', async () => {
    const { id } = await money.player()
    const { id: destinationId } = await save(id, 'first@wallet.example')
    await client.query(`update players set first_verified_at = 1 where id = $1`, [id])
    for (const text of [
      `update player_destinations set value = 'x' where id = $1`,
      `update player_destinations set max_msat = 5000 where id = $1`,
      `delete from player_destinations where id = $1`,
    ])
      await expect(client.query(text, [destinationId])).rejects.toThrow('payout destinations are append-only')
    await client.query(`update players set closed_at = 1 where id = $1`, [id])
    await client.query(`delete from player_destinations where id = $1`, [destinationId])
    const { rows } = await client.query(`select from forgotten_addresses where player_id = $1`, [id])
    expect(rows).toHaveLength(1)
  })

  it('seals are made anew with another key', async () => {
    const { id } = await money.player()
    await save(id, 'first@wallet.example')
    const waiting = await save(id, 'waits@wallet.example', { isTold: false })
    const next = new AddressSeals({ keyFor: (use) => new Uint8Array(32).fill(use.length) })
    await money.db.transaction((tx) => ADDRESS_SEALS.sealAgain(tx, next))
    expect(await next.breaches(money.db)).toEqual([])
    await client.query('update mail_outbox set sent_at = 1 where destination_id = $1', [waiting.id])
    expect(await money.db.transaction((tx) => next.destinations.sealTold(tx, waiting.id, money.runtime))).toBe(true)
    await money.db.transaction((tx) => next.sealAgain(tx, ADDRESS_SEALS))
  })
})

describe('which way a player is paid first', () => {
  const choose = (playerId: bigint, way: string, from: number) =>
    client.query(
      `insert into player_pay_first (player_id, created_at, usable_from, pay_first) values ($1, $2, $2, $3) returning id`,
      [playerId, from, way],
    )

  it('without a choice it is Lightning only where there is no bitcoin address', async () => {
    const withBoth = await money.player()
    await save(withBoth.id, 'both@wallet.example')
    expect((await wayOf(withBoth.id)).first).toBe('ONCHAIN')
    const { id } = await money.player({ hasAddress: false })
    expect((await wayOf(id)).first).toBe('ONCHAIN')
    await save(id, 'only@wallet.example')
    expect((await wayOf(id)).first).toBe('LIGHTNING')
  })

  it('the newest choice in force counts, and no choice is changed afterwards', async () => {
    const { id } = await money.player()
    const now = money.runtime.clock.now()
    await choose(id, 'LIGHTNING', now)
    const { rows } = await choose(id, 'ONCHAIN', now + 86_400)
    expect((await wayOf(id, now + 86_399)).first).toBe('LIGHTNING')
    expect((await wayOf(id, now + 86_400)).first).toBe('ONCHAIN')
    await client.query('update player_pay_first set superseded_at = $2 where id = $1', [rows[0]?.id, now])
    expect((await wayOf(id, now + 86_400)).first).toBe('LIGHTNING')
    for (const text of [
      `update player_pay_first set pay_first = 'LIGHTNING'`,
      `update player_pay_first set usable_from = 0`,
    ])
      await expect(client.query(`${text} where id = ${rows[0]?.id}`)).rejects.toThrow('append-only')
  })
})
