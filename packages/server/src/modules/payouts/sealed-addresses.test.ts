import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { ADDRESS, CONFIG, PASSWORD, testApplication } from '../../../test/application.ts'
import { testDatabase, type TestDatabase } from '../../../test/database.ts'
import { testLottery } from '../../../test/lottery.ts'
import { moneyFixture, type MoneyFixture } from '../../../test/money.ts'
import { startPayoutCluster } from '../../../test/payout-cluster.ts'
import { ADDRESS_SEALS } from '../../../test/sealed-addresses.ts'
import { smtpRefusal, startSmtpServer } from '../../../test/smtp-server.ts'
import { sql, t } from '../../db/sql.ts'
import { deriveKey, type KeyUse } from '../../runtime/keys.ts'
import { testRuntime } from '../../runtime/test-runtime.ts'
import { approveBatch, listPayouts, retryAddress } from '../operator/payout-actions.ts'
import { insertAddress } from '../players/settings-queries.ts'
import { findVersions } from './queries.ts'
import { AddressSeals, balanceOfPlayer, makePayouts, openMoney } from './service.ts'

/** A regtest address of a made-up key. */
const THIEF = 'bcrt1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qzf4jry'

const closeAccount = sql({
  name: 'sealed-test.close-account',
  text: `update players set closed_at = 1 where id = $1`,
  params: [t.bigint],
})
const forgetAddresses = sql({
  name: 'sealed-test.forget-addresses',
  text: `select forget_addresses($1, 0) as forgotten`,
  params: [t.bigint],
  row: { forgotten: t.int },
})
const changePayout = sql({
  name: 'sealed-test.change-payout',
  text: `update payouts set address = $2 where player_id = $1`,
  params: [t.bigint, t.text],
})
const saveAddress = sql({
  name: 'sealed-test.save-address',
  text: `insert into player_addresses (player_id, created_at, usable_from, address) values ($1, $2, $3, $4)`,
  params: [t.bigint, t.epochSeconds, t.epochSeconds, t.text],
})
/** Changes its first bit; a second call changes it back. */
const changeSeal = sql({
  name: 'sealed-test.change-seal',
  text: `update player_addresses set seal = set_bit(seal, 0, 1 - get_bit(seal, 0)) where player_id = $1 and seal is not null`,
  params: [t.bigint],
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

/** Changes rows as the owner of the database can, with its triggers off. */
async function tamper(text: string, values: unknown[] = []): Promise<void> {
  await client.query('set session_replication_role = replica')
  await client.query(text, values)
  await client.query('set session_replication_role = origin')
}

/** A player who has changed the address once, long enough ago. */
async function playerWithTwoAddresses() {
  const { id, address: older } = await money.player()
  const newer = money.addressOf(1_000_000 + Number(id))
  await money.saveAddress(id, newer)
  return { id, older, newer }
}

/**
 * An address of the thief, saved with the keys of a web process; a worker has handed over its notice to the thief's
 * mailbox.
 */
async function noticedAddress(playerId: bigint, times: { createdAt: number; usableFrom: number }) {
  const saved = await money.db.one(insertAddress, [playerId, times.createdAt, times.usableFrom, THIEF])
  const mailbox = 'thief@example.org'
  await client.query(
    `insert into mail_outbox (created_at, category, to_address, subject, text, html, links, key, sent_at, address_id, address_proof)
     values (1, 'account', $1, '', '', '', '{}', $2, $3, $4, $5)`,
    [mailbox, `notice ${saved.id}`, money.runtime.clock.now(), saved.id, ADDRESS_SEALS.noticeProof(saved, mailbox)],
  )
  const isSealed = await money.db.transaction((tx) => ADDRESS_SEALS.sealTold(tx, saved.id, money.runtime))
  return { saved, isSealed }
}

const of = (playerId: bigint): string => `where player_id = ${playerId}`
const newestOf = (playerId: bigint): string => `where id = (select max(id) from player_addresses ${of(playerId)})`

describe('what was changed behind the program’s back', () => {
  it.each([
    ['an address', (id: bigint) => `set address = '${THIEF}' ${of(id)}`],
    ['the newest address', (id: bigint) => `set address = '${THIEF}' ${newestOf(id)}`],
    ['from when an address is used', (id: bigint) => `set usable_from = usable_from - 1 ${of(id)}`],
    ['when an address was saved', (id: bigint) => `set created_at = created_at - 1 ${newestOf(id)}`],
    [
      'the order of addresses',
      (id: bigint) =>
        `set (address, seal) = (select o.address, o.seal from player_addresses o ${of(id)} and o.id <> a.id) ${of(id)}`,
    ],
    ['whose an address is', (id: bigint) => `set player_id = ${id} ${of(id - 1n)}`],
    ['a seal', (id: bigint) => `set seal = sha256(seal) ${newestOf(id)}`],
  ] as const)('a change is found and halts only the payout concerned: %s', async (_what, change) => {
    const accomplice = await money.player()
    const victim = await playerWithTwoAddresses()
    const other = await money.player()
    await tamper(`update player_addresses a ${change(victim.id)}`)
    await money.owe(victim.id, 50_000n)
    await money.owe(other.id, 40_000n)
    await money.queue.runDue()

    for (const address of [THIEF, accomplice.address, victim.older, victim.newer])
      expect(await money.paidTo(address)).toEqual([])
    expect(await money.paidTo(other.address)).toEqual([40_000n])
    expect((await openMoney(money.payouts, money.db, victim.id)).waits).toBe(true)
    const found = await ADDRESS_SEALS.breaches(money.db)
    expect(found).toEqual([expect.stringContaining(`of player ${victim.id} does not fit its seal`)])
    await tamper(`delete from player_addresses ${of(victim.id)}`)
  })

  it('a payout is not signed either if the payout itself was changed', async () => {
    const victim = await playerWithTwoAddresses()
    await money.owe(victim.id, 50_000n)
    await money.db.transaction((tx) => makePayouts(money.payouts, tx))
    for (const [address, isHalted] of [
      [victim.older, false],
      [THIEF, true],
    ] as const) {
      await client.query(`update payouts set address = $2 where player_id = $1 and cancelled_at is null`, [
        victim.id,
        address,
      ])
      await money.queue.runDue()
      expect(await money.paidTo(address)).toEqual([])
      const { rowCount } = await client.query(`delete from payout_players_set_aside where player_id = $1`, [victim.id])
      expect(rowCount).toBe(isHalted ? 1 : 0)
      await money.db.transaction((tx) => makePayouts(money.payouts, tx))
    }
    await money.moveTo(money.runtime.clock.now() + 700)
    expect(await money.paidTo(victim.newer)).toEqual([50_000n])
  })

  it('the database refuses the change, except by its owner', async () => {
    const { id } = await playerWithTwoAddresses()
    for (const text of [
      `update player_addresses set address = 'x' ${of(id)}`,
      `update player_addresses set usable_from = 0 ${of(id)}`,
    ])
      await expect(client.query(text)).rejects.toThrow('payout addresses are append-only')
    await client.query(`update players set first_verified_at = 1 where id = ${id}`)
    await expect(client.query(`delete from player_addresses ${of(id)}`)).rejects.toThrow(
      'payout addresses are append-only',
    )
  })
})

describe('an address', () => {
  it('an address written straight into the database is never used, whatever notice accompanies it', async () => {
    const victim = await money.player()
    const { rows } = await client.query<{ id: string }>(
      `insert into player_addresses (player_id, created_at, usable_from, address) values ($1, 1, 1, $2) returning id`,
      [victim.id, THIEF],
    )
    const id = BigInt(rows[0]?.id ?? 0)
    await client.query(
      `insert into mail_outbox (created_at, category, to_address, subject, text, html, links, key, sent_at, address_id, address_proof)
       values (1, 'account', 'thief@example.org', '', '', '', '{}', 'forged', 1, $1, $2)`,
      [id, Buffer.alloc(32)],
    )
    const begun = money.runtime.logged.length
    expect(await money.db.transaction((tx) => ADDRESS_SEALS.sealTold(tx, id, money.runtime))).toBe(false)
    expect(money.runtime.logged.slice(begun)).toMatchObject([{ addressId: String(id), isOurs: false, waits: false }])
    await money.owe(victim.id, 50_000n)
    await money.queue.runDue()
    expect(await money.paidTo(THIEF)).toEqual([])
    expect(await money.paidTo(victim.address)).toEqual([50_000n])
  })

  it('an address that follows erased ones is no first one, even if an account was closed for a moment', async () => {
    const victim = await money.player()
    const now = money.runtime.clock.now()
    await money.db.execute(closeAccount, [victim.id])
    expect((await money.db.one(forgetAddresses, [victim.id])).forgotten).toBe(1)
    await client.query('update players set closed_at = null where id = $1', [victim.id])
    const atOnce = await noticedAddress(victim.id, { createdAt: now, usableFrom: now })
    expect(atOnce.isSealed).toBe(false)
    await money.owe(victim.id, 50_000n)
    await money.queue.runDue()
    expect(await money.paidTo(THIEF)).toEqual([])
    await tamper(`delete from player_addresses ${of(victim.id)}`)
  })

  it('an address that was backdated with the keys of a web process waits 24 hours from the time a worker handed over its notice', async () => {
    const victim = await money.player()
    const now = money.runtime.clock.now()
    const { saved, isSealed } = await noticedAddress(victim.id, { createdAt: now - 86_400, usableFrom: now })
    expect(isSealed).toBe(true)
    await money.moveTo(now + 86_399)
    await money.owe(victim.id, 50_000n)
    await money.queue.runDue()
    expect(await money.paidTo(victim.address)).toEqual([50_000n])

    await money.moveTo(now + 86_400)
    await money.owe(victim.id, 40_000n)
    await money.queue.runDue()
    expect(await money.paidTo(THIEF)).toEqual([40_000n])
    await tamper(`update player_addresses set paid_from = paid_from - 1 where id = ${saved.id}`)
    expect(await ADDRESS_SEALS.breaches(money.db)).toEqual([expect.stringContaining(`address ${saved.id} of player`)])
    await tamper(`delete from player_addresses ${of(victim.id)}`)
  })

  it('an address is sealed once each notice about it was handed over, one after the other', async () => {
    let isBusy = false
    const server = await startSmtpServer({
      onRcptTo: (_address, _session, done) => (isBusy ? done(smtpRefusal(451, 'try again later')) : done()),
    })
    onTestFinished(() => server.close())
    const smtpUrl = `smtp://127.0.0.1:${server.port}?tls.rejectUnauthorized=false`
    const app = await testApplication({ games: 'one game', config: { smtpUrl } })
    const now = (): number => app.runtime.clock.now()
    const { bearer } = await app.signUp({ isVerified: false, address: null })
    await app.moveTo(now() + 1)
    const looker = await app.connect()
    const seals = async (): Promise<boolean[]> =>
      (
        await looker.query<{ is_sealed: boolean }>(
          `select seal is not null as is_sealed from player_addresses order by id`,
        )
      ).rows.map((row) => row.is_sealed)
    const save = (token: string, address: string) =>
      app.call('PUT', '/settings/crypto-account-details', {
        bearer: token,
        body: { btc_address: address, password: PASSWORD },
      })

    isBusy = true
    expect((await save(bearer, ADDRESS)).status).toBe(200)
    await app.moveTo(now() + 60)
    expect(await seals()).toEqual([false])
    expect((await save(bearer, THIEF)).status).toBe(200)
    await app.moveTo(now() + 120)
    expect(await seals()).toEqual([false, false])

    isBusy = false
    const wasBusyUntil = now()
    await app.moveTo(now() + 3600)
    expect(await seals()).toEqual([true, true])
    const { rows: times } = await looker.query<{ late: string }>(
      `select paid_from - greatest(usable_from, $1 + 86400) as late from player_addresses order by id`,
      [wasBusyUntil],
    )
    expect(Number(times[0]?.late)).toBeLessThan(0) // the first is used immediately
    expect(Number(times[1]?.late)).toBeGreaterThan(0) // 24 hours after its own notice, which came late
    expect(server.taken.filter(({ parsed }) => parsed.subject === 'Your bitcoin address was changed')).toHaveLength(2)
    const key = { keyFor: (use: KeyUse) => deriveKey(CONFIG.secretKey, use) }
    expect(await new AddressSeals(key).breaches(app.db)).toEqual([])
    expect((await looker.query(`select from jobs where kind = 'payouts.make'`)).rowCount).toBe(0)
  })

  it('an address from before there were seals is sealed once, at the start, and never again', async () => {
    const test = await testLottery()
    const playerId = await test.addPlayer()
    const forget = async (): Promise<void> => {
      await test.rows(`set session_replication_role = replica`)
      await test.rows(`update player_addresses set seal = null where player_id = $1`, [playerId])
      await test.rows(`set session_replication_role = origin`)
    }
    const isSealed = async (): Promise<unknown> =>
      (await test.rows(`select seal is not null as sealed from player_addresses`))[0]
    await forget()
    await test.rows(`delete from system_state where key = 'payouts.addresses-sealed'`)
    await test.restart()
    expect(await isSealed()).toEqual({ sealed: true })
    expect(await ADDRESS_SEALS.breaches(test.db)).toEqual([])
    await forget()
    await test.restart()
    expect(await isSealed()).toEqual({ sealed: false })
  })
})

describe('a player at an address that another shares', () => {
  /** A prize of 60,000 sats that waits for approval, for a player who has saved the address of another. */
  async function sharedAddress() {
    const cluster = await startPayoutCluster({ limits: { approvalSats: 50_000n, floatSats: null } })
    const working = cluster.worker()
    const victim = await cluster.money.player()
    const { id } = await cluster.money.player({ hasAddress: false })
    await cluster.money.saveAddress(id, victim.address)
    const newer = cluster.money.addressOf(777_777)
    await cluster.db.execute(saveAddress, [id, cluster.now() - 86_400, cluster.now(), newer])
    await cluster.money.owe(id, 60_000n, 'prize')
    await cluster.pass(working, 0)
    expect(await cluster.states()).toEqual(['WAITING_APPROVAL'])
    return { cluster, working, victim, id, newer }
  }

  it('the prize is planned for the newer address if that was sealed since, and the other player is paid', async () => {
    const { cluster, working, victim, newer } = await sharedAddress()
    await cluster.db.transaction((tx) => ADDRESS_SEALS.sealAll(tx))
    await approveBatch(cluster.desk, 1n)
    await cluster.pass(working, 0)
    await cluster.money.owe(victim.id, 30_000n)
    await cluster.pass(working, 1)
    expect((await listPayouts(cluster.desk)).setAside).toEqual([])
    await approveBatch(
      cluster.desk,
      (await listPayouts(cluster.desk)).batches.find(({ state }) => state === 'WAITING_APPROVAL')?.id ?? 0n,
    )
    await cluster.pass(working, 9)
    await cluster.expectPaid([
      { address: victim.address, sats: 30_000n },
      { address: newer, sats: 60_000n },
    ])
  })

  it('only the player whose seals were changed waits for the operator', async () => {
    const { cluster, working, victim, id } = await sharedAddress()
    await cluster.db.execute(changeSeal, [id])
    await cluster.money.owe(victim.id, 300n)
    await approveBatch(cluster.desk, 1n)
    await cluster.pass(working, 9)
    expect(cluster.chain.minedTo(victim.address)).toEqual([300n])
    expect((await listPayouts(cluster.desk)).setAside).toMatchObject([
      { address: victim.address, playerId: id, sats: 60_000n },
    ])
    const { waiting } = await balanceOfPlayer(working.payouts, id)
    expect(waiting.items.map(({ payout }) => payout.reason)).toEqual(['ON_HOLD'])
    await cluster.db.execute(changeSeal, [id])
    await retryAddress(cluster.desk, victim.address)
    await cluster.pass(working, 0)
    expect((await listPayouts(cluster.desk)).setAside).toEqual([])
    expect((await listPayouts(cluster.desk)).batches).toMatchObject([{ state: 'WAITING_APPROVAL', sats: 60_000n }])
  })
})

describe('a batch that has left', () => {
  /** A batch to two players, in the mempool. */
  async function sentBatch() {
    const cluster = await startPayoutCluster()
    const working = cluster.worker()
    const [one, other] = [await cluster.money.player(), await cluster.money.player()]
    await cluster.money.owe(one.id, 40_000n)
    await cluster.money.owe(other.id, 10_000n)
    await cluster.pass(working, 0)
    expect(await cluster.states()).toEqual(['SENT'])
    return { cluster, working, one, other }
  }

  it('the batch gets versions with higher fees even if a payee has closed the account and the addresses are gone', async () => {
    const { cluster, working, other } = await sentBatch()
    expect(await openMoney(working.payouts, cluster.db, other.id)).toMatchObject({ waits: false, leaves: false })
    await cluster.db.execute(closeAccount, [other.id])
    await cluster.db.run(forgetAddresses, [other.id])
    await cluster.pass(working, 6, 'empty')
    expect(await cluster.db.run(findVersions, [1n])).toHaveLength(4)
  })

  it('the batch gets none if what it pays was changed since it was checked', async () => {
    const { cluster, working, one, other } = await sentBatch()
    await cluster.db.execute(changePayout, [other.id, one.address])
    await cluster.pass(working, 6, 'empty')
    expect(await cluster.db.run(findVersions, [1n])).toHaveLength(1)
  })
})
