import { describe, expect, it } from 'vitest'
import { sql, t } from '../src/db/sql.ts'
import { ADDRESS, PASSWORD, testApplication, type Loose, type TestApplication } from './application.ts'

/**
 * For each table with data about a player: the name in the export under which its rows are found, or why they are left
 * out; and whether its rows are erased with the account, or why they stay. A table that is missing here fails the test:
 * decide both before adding it.
 */
const TABLES: Record<string, { exported: string | { leftOut: string }; erased: true | { kept: string } }> = {
  contact_messages: { exported: 'contact_messages', erased: true },
  email_preferences: { exported: 'email_preferences', erased: true },
  forgotten_addresses: {
    exported: { leftOut: 'says only that there were addresses, which the export names while they are there' },
    erased: { kept: 'so that no address after erased ones is taken for a first one; a number without a name' },
  },
  former_emails: { exported: 'account.former_emails', erased: true },
  free_tickets: { exported: 'free_tickets', erased: true },
  known_addresses: { exported: 'security.known_network_addresses', erased: true },
  known_devices: { exported: 'security.known_devices', erased: true },
  mail_outbox: { exported: 'mails', erased: true },
  messages: { exported: 'messages', erased: true },
  orders: { exported: 'orders', erased: { kept: 'the record of the game and its books, without a name' } },
  owed_sums: {
    exported: { leftOut: 'sums of what is exported under owed' },
    erased: { kept: 'the sum of what the books still owe, without a name' },
  },
  payables: { exported: 'owed', erased: { kept: 'the books: what was owed for which order or win' } },
  payouts: {
    exported: 'payouts',
    erased: { kept: 'the books: what left for which address, as the chain shows for ever' },
  },
  payout_players_set_aside: {
    exported: { leftOut: 'what the operator looks into: somebody changed an address in the database' },
    erased: { kept: 'until the operator has looked; the address is that of a payout that was refused' },
  },
  player_addresses: { exported: 'bitcoin_addresses', erased: true },
  player_destinations: { exported: 'lightning_destinations', erased: true },
  player_holds: {
    exported: 'holds',
    erased: { kept: 'why the operator kept somebody from playing or from being paid, without a name' },
  },
  player_pay_first: { exported: 'paid_first', erased: true },
  player_keys: { exported: 'security.links_sent', erased: true },
  plays: { exported: 'plays', erased: { kept: 'the record of the game: the draws were computed over them' } },
  recovery_codes: { exported: 'security.recovery_codes', erased: true },
  responsible_play: { exported: 'responsible_play', erased: true },
  saved_numbers: { exported: 'saved_numbers', erased: true },
  security_answers: { exported: 'security.security_question_id', erased: true },
  sessions: { exported: 'sessions', erased: true },
  solvency_leaves: {
    exported: 'solvency',
    erased: { kept: 'until the next day: the paths of the other accounts lead over it' },
  },
  social_identities: { exported: 'account.social_networks', erased: true },
  waiting_notices: { exported: 'security.waiting_notices', erased: true },
  winner_consents: {
    exported: 'winner_consents',
    erased: { kept: 'the proof of what was agreed to and until when, without a name' },
  },
  twofa: { exported: 'security.two_factor_since', erased: true },
  wins: { exported: 'wins', erased: { kept: 'the record of the game, and what the prizes in the books are for' } },
}

const listTables = sql({
  name: 'test-personal-data.list-tables',
  text: `select c.table_name::text as name from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and c.column_name = 'player_id' and t.table_type = 'BASE TABLE' order by 1`,
  row: { name: t.text },
})

/** Rows that the calls of this test do not create: $1 is the player. */
const addRows = [
  `insert into forgotten_addresses (player_id) values ($1)`,
  `insert into player_destinations (player_id, created_at, usable_from, min_msat, max_msat, kind, value)
     values ($1, 0, 0, 1000, 2000, 'ADDRESS', 'planted@wallet.example')`,
  `insert into player_holds (player_id, kind, from_at, until_at, reason, request_id)
     values ($1, 'buy', 1, 2, 'planted', '00000000-0000-0000-0000-000000000001')`,
  `insert into player_pay_first (player_id, created_at, usable_from, pay_first) values ($1, 0, 0, 'LIGHTNING')`,
  `insert into payout_players_set_aside (player_id, address, reason, at) values ($1, 'planted', 'planted', 5)`,
  `insert into social_identities (player_id, created_at, provider, subject) values ($1, 0, 'google', 'g-1')`,
  `insert into former_emails (player_id, left_at, email) values ($1, 0, 'left@example.org')`,
  `insert into twofa (player_id, created_at, confirmed_at, secret) values ($1, 5, 6, 'secret-of-twofa')`,
  `insert into recovery_codes (player_id, hash) values ($1, 'hash-of-recovery')`,
  `insert into waiting_notices (player_id, first_at, last_at, is_former, to_address, fact)
     values ($1, 0, 0, false, 'player@example.org', 'passwordChanged')`,
  `insert into free_tickets (player_id, game_key, won) values ($1, 'treasure', 2)`,
  `insert into messages (player_id, created_at, title, content, key) values ($1, 0, 'Hello', 'x', 'test')`,
  `insert into payout_batches (created_at, state) select 0, 'FINAL' where $1::bigint > 0`,
  `insert into payouts (batch_id, player_id, sats, created_at, sent_at, address)
     select max(id), $1, 500, 0, 1, '${ADDRESS}' from payout_batches`,
  `insert into payables (created_at, sats, player_id, kind, source, payout_id)
     select 0, 500, $1, 'prize', 'test', max(id) from payouts`,
  `insert into wins (draw_id, player_id, amount_sats, play_id, line_no, matches, win_type)
     select draw_id, $1, 500, id, 0, 3, 'PRIZE' from plays where player_id = $1`,
  `insert into solvency_leaves (hash, index, player_id, nonce, sats, username)
     select hash, 0, $1, decode(repeat('07', 32), 'hex'), 500, 'player' from log_leaves where index = 0`,
].map((text, index) => sql({ name: `test-personal-data.add-${index}`, text, params: [t.bigint] }))

const endDraws = sql({
  name: 'test-personal-data.end-draws',
  text: `update draws set status = 'settled' where id in (select draw_id from plays)`,
})
const findPlayer = sql({
  name: 'test-personal-data.find-player',
  text: 'select id from players where email = $1',
  params: [t.text],
  row: { id: t.bigint },
})

/** A player with data in every table, in an application of its own. */
async function knownPlayer() {
  const app = await testApplication()
  const { bearer, email } = await app.signUp()
  const { id } = await app.db.one(findPlayer, [email])
  const put = (path: string, body: unknown) => app.call('PUT', path, { bearer, body })
  await put('/settings/email-preferences', {
    is_lottery_games_active: false,
    is_winners_and_good_causes_active: true,
  })
  await put('/settings/winner-consent', { is_shown: true })
  await put('/settings/responsible-play', { weekly_limit: 25, reminder_minutes: 30 })
  await put('/settings/security/security-questions', {
    is_active: true,
    security_question_id: 3,
    answer: 'Planted-Answer',
  })
  await put('/games/treasure/saved-numbers', { lines: [[1, 2, 3, 4, 5]] })
  const message = { name: 'A Player', email, country_id: 1, message: 'Planted question to the support' }
  expect((await app.call('POST', '/contact', { bearer, body: message })).status).toBe(201)
  await app.call('GET', `/auth/forgotten-password?email=${email}`)
  const tickets = [{ isLuckyDip: true, numbers: [1, 2, 3, 4, 5] }]
  const order = { type: 'lotto', key: 'bitcoin-hero', days: [3], weeks: 1, tickets }
  const made = await app.call('POST', '/payment', { bearer, body: order })
  await app.call('POST', '/dev/pay', { body: { transaction_id: made.body.transaction_id } })
  for (const statement of addRows) await app.db.execute(statement, [id])
  return { app, bearer, email, id }
}

const countStatements = new Map(
  Object.keys(TABLES).map((table) => {
    const name = `test-personal-data.count-${table.replaceAll('_', '-')}`
    const text = `select count(*)::int as rows from ${table} where player_id = $1`
    return [table, sql({ name, text, params: [t.bigint], row: { rows: t.int } })]
  }),
)

async function countRows(app: TestApplication, table: string, playerId: bigint): Promise<number> {
  const statement = countStatements.get(table)
  if (statement === undefined) throw new Error(`no such table: ${table}`)
  return (await app.db.one(statement, [playerId])).rows
}

function at(data: Loose, path: string): unknown {
  return path.split('.').reduce((part, name) => part?.[name], data)
}

const isFilled = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== null && value !== undefined

describe('everything about a player', () => {
  it('every table that knows a player declares what is exported and what is erased with the account', async () => {
    const { db } = await testApplication()
    const tables = (await db.run(listTables, [])).map(({ name }) => name)
    // A draw's entries know their play, and so the order; they are public by number and nameless.
    expect(tables.toSorted()).toEqual(Object.keys(TABLES).toSorted())
  })

  it('the export is JSON, each table under its name, without secrets', async () => {
    const { app, bearer, email, id } = await knownPlayer()
    await app.db.execute(endDraws, []) // wins are exported once their draw is settled
    const { status, body, headers } = await app.call('GET', '/settings/personal-data', { bearer })
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'application/json; charset=utf-8',
      'no-store',
    ])
    for (const [table, { exported }] of Object.entries(TABLES)) {
      expect(await countRows(app, table, id), `rows in ${table}`).toBeGreaterThan(0)
      if (typeof exported === 'string') expect(isFilled(at(body, exported)), `${table} as ${exported}`).toBe(true)
    }
    expect(body).toMatchObject({
      account: { email, currency_code: 'GBP', timezone_id: 202, social_networks: [{ subject: 'g-1' }] },
      security: { two_factor_since: 6, security_question_id: 3 },
      bitcoin_addresses: [{ address: ADDRESS }],
      lightning_destinations: [{ kind: 'ADDRESS', value: 'planted@wallet.example' }],
      paid_first: [{ pay_first: 'LIGHTNING' }],
      responsible_play: { weekly_limit: 25, reminder_minutes: 30 },
      email_preferences: { is_lottery_games_active: false },
      saved_numbers: [{ game_key: 'treasure', lines: [[1, 2, 3, 4, 5]] }],
      contact_messages: [{ message: 'Planted question to the support' }],
      orders: [{ status: 'PAID', lines: [[1, 2, 3, 4, 5]], lucky_dips: [true] }],
      payments: [{ sats: '1000', network: 'ONCHAIN' }],
      plays: [{ game_key: 'bitcoin-hero' }],
      wins: [{ amount_sats: '500' }],
      payouts: [{ sats: '500', address: ADDRESS }],
      owed: [{ kind: 'prize', sats: '500' }],
      free_tickets: [{ game_key: 'treasure', won: 2 }],
    })
    const text = JSON.stringify(body)
    for (const secret of ['argon2', 'Planted-Answer', 'secret-of-twofa', 'hash-of-recovery', PASSWORD])
      expect(text).not.toContain(secret)
  })

  it('personal data is erased with the account, except for what the game and its books need, without the name', async () => {
    const { app, bearer, email, id } = await knownPlayer()
    await app.db.execute(endDraws, [])
    expect((await app.call('DELETE', '/settings/account', { bearer, body: { password: PASSWORD } })).body).toEqual({
      ok: true,
    })
    for (const [table, { erased }] of Object.entries(TABLES)) {
      const rows = await countRows(app, table, id)
      expect(erased === true ? rows === 0 : rows > 0, `${table} has ${rows} rows`).toBe(true)
    }
    // The last mail, which says that the account was closed.
    expect(await tablesWith(app, email)).toEqual(['mail_outbox'])
  })
})

const listAllTables = sql({
  name: 'test-personal-data.list-all-tables',
  text: `select table_name::text as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  row: { name: t.text },
})

/** The tables whose rows contain a text. */
async function tablesWith(app: TestApplication, text: string): Promise<string[]> {
  const found: string[] = []
  for (const { name } of await app.db.run(listAllTables, [])) {
    const find = sql({
      name: `test-personal-data.find-in-${name.replaceAll('_', '-')}`,
      text: `select exists (select from ${name} x where x::text ilike '%' || $1 || '%') as found`,
      params: [t.text],
      row: { found: t.bool },
    })
    if ((await app.db.one(find, [text])).found) found.push(name)
  }
  return found
}
