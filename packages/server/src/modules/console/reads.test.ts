import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Answer } from '../../../test/application.ts'
import { testConsole, type TestConsole, type TestStaff } from '../../../test/console.ts'
import { consoleLogin } from '../../../test/console-reads.ts'
import { START_AT, testLottery, type TestLottery } from '../../../test/lottery.ts'
import { exportGames, planFile } from '../games/service.ts'
import { balancesByKind } from '../ledger/service.ts'
import { gamesDesk, holdAllPayouts, pauseSales, retryAllPayouts } from '../operator/service.ts'
import { createOrder } from '../orders/service.ts'
import { openInvoice } from '../payments/service.ts'

// What the screens read, as the console's own login reads it. Every answer is checked against its schema on its way.

const GAME = 'bitcoin-hero'
const DAY = 86_400
const NUMBERS = [1, 2, 3, 4, 5]
const SECOND_LINE = [6, 7, 8, 9, 10]
const request = '6f2c1c1e-6d0f-4a52-9a3e-5c1f0d6f7b11'
const WINNER = 'bcrt1qzkfswytc4x8p7yz0rchwvuhc7ueyctwlr8ecwe'

let world: TestLottery
let bench: TestConsole
let login: Awaited<ReturnType<typeof consoleLogin>>
let auditor: TestStaff
let winner: bigint
let idle: bigint
let order: string

const deskOf = () => ({ db: world.db, runtime: world.runtime, jobs: world.lottery.queue, actor: 'operator' })

/** What a person who may only read gets. */
async function read(path: string): Promise<Answer['body']> {
  const { status, body } = await auditor.call('GET', path)
  expect([path, status, body]).toEqual([path, 200, expect.anything()])
  return body
}

/** What a search finds. */
async function found(q: string): Promise<Answer['body']> {
  return (await read(`/search?q=${encodeURIComponent(q)}`)).results
}

beforeAll(async () => {
  world = await testLottery()
  login = await consoleLogin(world.rows, world.runtime)
  const { db, runtime } = world
  bench = await testConsole({ db, runtime, consoleDb: login.db })
  await bench.begin()
  auditor = await bench.person('auditor', ['auditor'])
})
beforeEach(() => auditor.signIn())
afterAll(async () => {
  await bench.end()
  await login.end()
  expect(await world.violations()).toEqual([])
})

describe('screens before anything was sold', () => {
  it('screens answer with nothing, unknown ids with 404, and nobody reads without a session', async () => {
    expect(await read('/payouts')).toEqual({ stopped: null, unaccepted: [], results: [], total_pages: 0 })
    const nowhere = '00000000-0000-4000-8000-000000000000'
    for (const path of [
      '/payouts/1',
      '/payouts/ln:1',
      '/payouts/none',
      '/players/1',
      '/players/me',
      `/orders/${nowhere}`,
      '/orders/1',
      '/draws/none/1',
      '/games/none',
      '/draws/bitcoin-hero/9999',
      '/draws/bitcoin-hero/999999999',
    ])
      expect([path, (await auditor.call('GET', path)).status]).toEqual([path, 404])
    for (const q of ['nobody', '#1', 'ln:1', 'bitcoin-hero 999', 'ab'.repeat(32), WINNER, '%', ' ', '17'])
      expect([q, await read(`/search?q=${encodeURIComponent(q)}`)]).toEqual([q, { results: [] }])
    for (const path of [
      '/payouts',
      '/payouts/1',
      '/search?q=x',
      '/overview',
      '/games',
      '/games/bitcoin-hero',
      '/settings',
      '/treasury',
      '/draws/bitcoin-hero/1',
      '/players/1',
      `/orders/${nowhere}`,
    ])
      expect([path, (await bench.call('GET', path)).status]).toEqual([path, 401])
  })
})

describe('screens of a lottery that has sold nothing', () => {
  it('the overview has no alarms, the next draws, and the bankroll that the demo began with', async () => {
    const page = await read('/overview')
    expect(page).toMatchObject({
      alarms: [],
      waiting: 0,
      today: { orders: 0, sales_sats: '0', refunds_sats: '0', payouts_sats: '0' },
      paused: [],
      bankroll: [{ game: GAME, game_name: 'Bitcoin Hero', wanted_sats: '27500000', free_sats: '5000000000' }],
      checks: [],
    })
    expect(page.draws[0]).toMatchObject({ game: GAME, number: 1, state: 'open', entries: 0, stake_sats: '0' })
  })

  it('a console that is older than the database says so, on the overview as an alarm', async () => {
    const { db, runtime } = world
    const old = await testConsole({ db, runtime, consoleDb: login.db, schema: 1 })
    const late = await old.person('auditor', ['auditor'])
    await late.signIn()
    const text = expect.stringMatching(
      /^The database has schema \d+ of a newer version; this console knows 1\. Update it/u,
    )
    const check = { id: 'console-schema', state: 'fail', text }
    expect((await late.call('GET', '/health')).body.checks).toMatchObject([check])
    expect((await late.call('GET', '/overview')).body).toMatchObject({
      alarms: [{ id: 'check:console-schema', severity: 'page', text }],
      checks: [check],
    })
    await old.end()
  })

  it('the treasury has the ledger, and no wallet before one was read', async () => {
    expect(await read('/treasury')).toMatchObject({
      wallets: [],
      held_sats: null,
      difference_sats: null,
      owed_sats: '0',
      bankroll: { wanted_sats: '27500000', free_sats: '5000000000' },
      float: { sats: '0', limit_sats: null, variable: null },
      deposits: [],
      own_transfers: [],
      spends: [],
    })
  })

  it('games have their price, jackpot, next draw and version, and the file that makes them', async () => {
    const { paused, results } = await read('/games')
    expect(paused).toBeNull()
    const price = {
      key: GAME,
      name: 'Bitcoin Hero',
      state: 'open',
      paused: null,
      price: '£1.00',
      jackpot_sats: '20000000',
    }
    expect(results).toMatchObject([{ ...price, next_draw: { number: 1 }, coming: null }])
    const page = await read(`/games/${GAME}`)
    expect(page).toMatchObject({
      ...price,
      versions: [{ version: 1, changes: ['The game is new.'], is_carried: true }],
    })
    expect(page.file).toBe(await exportGames({ db: world.db }))
  })

  it('a game answers to its alias, as do its draws, the search and a pause of its sales', async () => {
    await world.rows(`insert into game_aliases (alias, game_key) values ('hero', $1)`, [GAME])
    expect(await read('/games/hero')).toMatchObject({ key: GAME, versions: [{ version: 1, is_carried: true }] })
    expect(await read('/draws/hero/1')).toMatchObject({ game: GAME, number: 1 })
    expect((await read('/search?q=hero%201')).results).toEqual([
      expect.objectContaining({ kind: 'draw', id: `${GAME}/1` }),
    ])
    const games = await bench.person('games', ['games'])
    expect((await games.propose('sales.pause', { game: 'hero', note: 'Back at noon.' })).body.state).toBe('done')
    expect((await read(`/games/${GAME}`)).paused).toMatchObject({ note: 'Back at noon.' })
    await world.rows('delete from sales_pauses')
    await world.rows('delete from game_aliases')
  })

  it('a games file is weighed as the operator’s command weighs it, and nothing is kept', async () => {
    const { file } = await read(`/games/${GAME}`)
    const preview = async (text: string): Promise<Answer> => auditor.call('POST', '/games/preview', { file: text })
    expect((await preview(file)).body).toEqual({ plan: [], problems: [] })
    const dearer = file.replace('"price_minor": 100', '"price_minor": 150')
    expect(dearer).not.toBe(file)
    const { lottery } = world
    const desk = gamesDesk(
      { db: world.db, runtime: world.runtime, jobs: lottery.queue },
      lottery.fairness,
      async () => {
        return { colors: null, partners: 1 }
      },
    )
    const planned = await planFile(desk, dearer)
    const { plan, problems } = (await preview(dearer)).body
    expect([plan, problems]).toEqual([planned.lines.slice(0, -1), []])
    expect(plan[0]).toContain('Bitcoin Hero: from draw')
    expect((await preview('{}')).body).toMatchObject({ plan: [], problems: [{ path: 'format' }, { path: 'games' }] })
    expect((await preview(`"${'x'.repeat(200_000)}"`)).status).toBe(200)
    expect((await bench.call('POST', '/games/preview', { file })).status).toBe(401)
    expect(await world.rows('select file from game_plans')).toHaveLength(1)
  })

  it('a legal text is shown as its page, with what keeps it from being applied', async () => {
    const preview = async (markdown: string) => auditor.call('POST', '/settings/preview', { markdown })
    expect((await preview('## Players\n\nOne *account* each.')).body).toMatchObject({
      blocks: [
        { kind: 'heading', title: 'Players' },
        { kind: 'paragraph', words: ['One ', { kind: 'emphasis', words: ['account'] }, ' each.'] },
      ],
      problems: [],
    })
    expect((await preview('Fair.\n\n<b>Bold</b>')).body.problems).toEqual([
      expect.stringContaining('line 3: leave out "<b>"'),
      expect.stringContaining('line 3: leave out "</b>"'),
    ])
    expect((await preview('ü'.repeat(100_000))).status).toBe(200)
    expect((await preview('x'.repeat(100_001))).status).toBe(400)
    expect((await bench.call('POST', '/settings/preview', { markdown: 'x' })).status).toBe(401)
  })

  it('every setting has its title, its value in force, what is coming, and who changed it', async () => {
    const known = { key: 'site.name', title: 'Name', needs_second: false, variable: null, is_fixed: false }
    const first = { ...known, value: 'Fairball', coming: null, history: [] }
    await vi.waitFor(async () => expect((await read('/settings')).settings[0]).toEqual(first), { timeout: 20_000 })
    const now = world.runtime.clock.now()
    await world.rows(
      `insert into settings (key, version, value, from_at, at, actor, reason, request_id) values
        ('site.name', 1, '"Lucky"', $1::bigint, $1::bigint, 'staff 1', 'A new name.', 'a'),
        ('site.name', 2, '"Luckier"', $1::bigint + 60, $1::bigint, 'staff 1', 'A better name.', 'b')`,
      [now],
    )
    const [name, ...others] = (await read('/settings')).settings
    expect(name).toMatchObject({
      value: 'Lucky',
      coming: { value: 'Luckier', from_at: now + 60 },
      history: [{ by: 'staff 1', reason: 'A better name.' }, { reason: 'A new name.' }],
    })
    const needing = others.flatMap((one: { key: string; needs_second: boolean }) => (one.needs_second ? [one.key] : []))
    expect(needing).toEqual(
      expect.arrayContaining(['partners', 'legal.terms', 'payouts.approval_sats', 'payouts.two_person_sats']),
    )
  })

  it('an open draw has the statement that opened it, and no numbers', async () => {
    const page = await read('/draws/bitcoin-hero/1')
    expect(page).toMatchObject({
      game: GAME,
      number: 1,
      state: 'open',
      opened_at: START_AT,
      settled_at: null,
      numbers: null,
      tiers: [],
      late_seconds: 0,
      witnesses: [],
      statements: [{ kind: 'open', at: START_AT }],
    })
  })
})

describe('screens of a lottery that has sold, drawn and paid', () => {
  beforeAll(async () => {
    winner = await world.addPlayer({ address: WINNER })
    idle = await world.addPlayer({ address: null })
    order = await world.buy({ playerId: winner, gameKey: GAME, lines: [NUMBERS, SECOND_LINE], days: [3, 4] })
    const [draw] = await world.rows<{ start_at: string; end_at: string }>(
      `select start_at, end_at from draws where game_key = $1 and id = (select min(draw_id) from plays)`,
      [GAME],
    )
    await world.moveTo(Number(draw?.start_at) + 60)
    await world.rig(GAME, NUMBERS)
    await world.moveTo(Number(draw?.end_at) + 60)
    await world.moveTo(world.runtime.clock.now() + DAY)
  })

  it('payouts are listed by state, with payee, address, draws and what else the payee won', async () => {
    const page = await read('/payouts')
    expect(page).toMatchObject({ stopped: null, unaccepted: [], total_pages: 1 })
    expect(page.results).toHaveLength(1)
    const [batch] = page.results
    expect(batch).toMatchObject({
      id: '1',
      payouts: [
        {
          payee: 'player-1',
          player: String(winner),
          player_since: START_AT,
          address: WINNER,
          address_since: START_AT,
          is_address_recent: true,
          sats: batch.sats,
          draws: [{ game: GAME, game_name: 'Bitcoin Hero', number: 1 }],
          holds: [],
          other_wins: { count: 0, sats: '0' },
        },
      ],
    })
    expect(['SENT', 'FINAL']).toContain(batch.state)
    expect((await read(`/payouts?state=${batch.state}`)).results).toEqual([batch])
    expect((await read('/payouts?state=HALTED')).results).toEqual([])
    expect((await read('/payouts?_page=2')).results).toEqual([])
    expect((await read('/payouts?_page=99999999')).results).toEqual([])
    expect((await auditor.call('GET', '/payouts?state=NONE')).status).toBe(400)
  })

  it('a stop of all payouts shows its reason', async () => {
    await holdAllPayouts(deskOf())
    expect(await read('/payouts')).toMatchObject({ stopped: 'held by the operator' })
    await retryAllPayouts(deskOf())
    expect(await read('/payouts')).toMatchObject({ stopped: null })
  })

  it('a payout over Lightning stands beside the batches, with the fee of what it was sent by', async () => {
    const now = world.runtime.clock.now()
    const hash = 'ab'.repeat(32)
    await world.rows('set session_replication_role = replica') // only what is read here, without all that leads to it
    const [made] = await world.rows<{ id: string }>(
      `insert into payouts (player_id, sats, fee_share_sats, created_at, address, kind)
        values ($1, 900, 0, $2, 'me@wallet.example', 'lightning') returning id`,
      [winner, now],
    )
    const id = made?.id ?? ''
    await world.rows(
      `insert into ln_payouts (payout_id, destination_id, first_at, next_at, attempts, state) values ($1, 1, $2, $2, 1, 'RETRY_AT')`,
      [id, now],
    )
    await world.rows(
      `insert into ln_attempts (payout_id, attempt, amount_msat, max_fee_msat, resolved_at, expires_at, sent_at, calls, answers, is_refused, payment_hash, invoice)
        values ($1, 1, 900000, 5000, $2, $2, $2, 1, 1, false, $3, 'lnbc')`,
      [id, now, hash],
    )
    const page = await read(`/payouts/ln:${id}`)
    expect(page).toMatchObject({
      id: `ln:${id}`,
      state: 'BATCHED',
      sats: '900',
      reason: 'It could not be sent over Lightning, and is tried again.',
      payouts: [{ id, payee: 'player-1', address: 'me@wallet.example', address_since: null, draws: [] }],
      txs: [{ txid: hash, fee_sats: '0' }],
    })
    expect((await read('/payouts')).results.map((one: { id: string }) => one.id)).toEqual([`ln:${id}`, '1'])
    expect(await found(`ln:${id}`)).toMatchObject([{ kind: 'payout', id: `ln:${id}` }])
    expect(await found(hash)).toMatchObject([{ kind: 'payout', id: `ln:${id}` }])
    for (const table of ['ln_attempts', 'ln_payouts']) await world.rows(`delete from ${table}`)
    await world.rows('delete from payouts where id = $1', [id])
    await world.rows('set session_replication_role = default')
  })

  it('a batch shows its transactions and how deep they are, its audit, and who is held or set aside', async () => {
    const [tx] = await world.rows<{ txid: string; fee_sats: string }>('select txid, fee_sats from payout_txs')
    const fresh = await read('/payouts/1')
    expect(fresh).toMatchObject({ txs: [{ txid: tx?.txid, fee_sats: tx?.fee_sats, confirmations: 6 }], audit: [] })
    await world.rows(
      `insert into payout_set_aside (address, reason, txids, at) values ($1, 'Asked by its bank.', '{}', 1)`,
      [WINNER],
    )
    await world.rows(
      `insert into payout_players_set_aside (player_id, address, reason, at) values ($1, $2, 'A lost notice.', 1)`,
      [winner, WINNER],
    )
    const now = world.runtime.clock.now()
    await world.rows(
      `insert into player_holds (player_id, kind, from_at, until_at, reason, request_id, lifted_at)
        select $1, kind, 5, until_at, reason, $2, lifted_at from (values
          ('payouts', $3::bigint + 60, 'Asked by the police.', null), ('payouts', $3::bigint, 'Over.', null),
          ('payouts', $3::bigint + 60, 'Lifted.', 7), ('buy', null, 'Chargebacks.', null)) h (kind, until_at, reason, lifted_at)`,
      [winner, request, now],
    )
    expect((await read(`/players/${winner}`)).holds).toEqual([
      { kind: 'payouts', from_at: 5, until_at: now + 60, reason: 'Asked by the police.', request },
      { kind: 'buy', from_at: 5, until_at: null, reason: 'Chargebacks.', request },
      { kind: 'set-aside', from_at: 1, until_at: null, reason: 'A lost notice.', request: null },
      { kind: 'set-aside', from_at: 1, until_at: null, reason: 'Asked by its bank.', request: null },
    ])
    expect((await read('/payouts/1')).payouts[0].holds).toEqual([
      { kind: 'player', until_at: null, reason: 'A lost notice.' },
      { kind: 'address', until_at: null, reason: 'Asked by its bank.' },
      { kind: 'hold', until_at: now + 60, reason: 'Asked by the police.' },
    ])
    await world.rows('delete from payout_set_aside')
    await world.rows('delete from payout_players_set_aside')
    await world.rows('delete from player_holds')
  })

  it.each([
    ['an e-mail address', (): string => 'Player-1@example.org', 'player'],
    ['the beginning of a name', (): string => 'PLAYER-1', 'player'],
    ['an order', (): string => order, 'order'],
    ['the beginning of an order', (): string => order.slice(0, 8), 'order'],
    ['a batch', (): string => '#1', 'payout'],
    ['a draw', (): string => 'bitcoin-hero 1', 'draw'],
    ['an address that a player saved', (): string => WINNER.toUpperCase(), 'player'],
  ] as const)('the search finds %s', async (_what, text, kind) => {
    const { results } = await read(`/search?q=${encodeURIComponent(text())}`)
    const ids = { player: String(winner), order, payout: '1', draw: 'bitcoin-hero/1' }
    expect(results).toContainEqual(expect.objectContaining({ kind, id: ids[kind] }))
  })

  it('the search finds plays, payments, their addresses and transactions, and never more than fifty', async () => {
    const [play] = await world.rows<{ id: string }>('select id from plays order by id limit 1')
    const [payment] = await world.rows<{ outpoint: string }>('select outpoint from payments')
    const [invoice] = await world.rows<{ address: string }>('select address from invoices')
    const [tx] = await world.rows<{ txid: string }>('select txid from payout_txs')
    expect(await found(play?.id ?? '')).toMatchObject([{ kind: 'play', id: order }])
    expect(await found(payment?.outpoint ?? '')).toMatchObject([{ kind: 'transaction', id: order }])
    expect(await found(payment?.outpoint.split(':')[0] ?? '')).toMatchObject([{ kind: 'transaction', id: order }])
    expect(await found(`${payment?.outpoint.split(':')[0]}:99`)).toEqual([])
    expect(await found(invoice?.address ?? '')).toMatchObject([{ kind: 'address', id: order }])
    expect(await found(tx?.txid ?? '')).toMatchObject([{ kind: 'payout', id: '1' }])
    await world.rows(
      `insert into players (username, email, created_at) select 'crowd-' || n, 'crowd-' || n || '@example.org', 1 from generate_series(1, 60) n`,
    )
    expect(await found('crowd-')).toHaveLength(50)
    expect(await found('crowd-7')).toMatchObject([{ kind: 'player', label: 'crowd-7, crowd-7@example.org' }])
    expect(await found(String(idle))).toContainEqual(expect.objectContaining({ kind: 'player', id: String(idle) }))
  })

  it('an order tells from its making to the payout of its prize, with a sentence for the player', async () => {
    const page = await read(`/orders/${order}`)
    const [{ due_sats: dueSats } = { due_sats: '' }] = await world.rows<{ due_sats: string }>(
      'select due_sats from orders',
    )
    const [payment] = await world.rows<{ outpoint: string }>('select outpoint from payments')
    const [tx] = await world.rows<{ txid: string }>('select txid from payout_txs')
    const first = { game: GAME, game_name: 'Bitcoin Hero', number: 1 }
    expect(page).toMatchObject({
      id: order,
      player: { id: String(winner), username: 'player-1' },
      state: 'PAID',
      sats: dueSats,
      received_sats: dueSats,
      goodwill_sats: '0',
      lines: 2,
      draws: 2,
      address: expect.stringContaining('bcrt1'),
      plays: [
        { ...first, lines: 2, state: 'settled', won_sats: '20000000' },
        { game: GAME, number: 3, lines: 2, state: 'open', won_sats: '0' },
      ],
    })
    const told = page.timeline.map(({ kind }: { kind: string }) => kind)
    expect(told).toEqual(
      expect.arrayContaining([
        'order.made',
        'payment.seen',
        'payment.confirmed',
        'order.paid',
        'play.entered',
        'draw.drawn',
      ]),
    )
    expect(page.timeline.map(({ at }: { at: number }) => at)).toEqual(
      page.timeline.map(({ at }: { at: number }) => at).toSorted((one: number, other: number) => one - other),
    )
    expect(page.timeline).toContainEqual(
      expect.objectContaining({ kind: 'payment.confirmed', sats: dueSats, txid: payment?.outpoint.split(':')[0] }),
    )
    expect(page.timeline).toContainEqual(
      expect.objectContaining({ kind: 'payout.sent', batch: '1', sats: '20000000', txid: tx?.txid }),
    )
    expect(page.sentence).toBe(
      `Your Bitcoin Hero order ${order.slice(0, 8)} is paid; it won 0.20000000 BTC, which was sent to you in the transaction ${tx?.txid}, one draw is still to come.`,
    )
  })

  it('an order that nobody pays waits, then expires, in the words for its player', async () => {
    const open = await createOrder(world.lottery.orders, {
      playerId: idle,
      gameKey: GAME,
      days: [3],
      weeks: 1,
      tickets: [{ numbers: NUMBERS, isLuckyDip: false }],
      idempotencyKey: null,
    })
    await openInvoice(world.lottery.payments, open.orderId)
    const waiting = await read(`/orders/${open.orderId}`)
    expect(waiting).toMatchObject({ state: 'PENDING', plays: [], received_sats: '0' })
    expect(waiting.sentence).toContain(' BTC until 2025-01-02 ')
    await world.moveTo(world.runtime.clock.now() + DAY)
    await auditor.signIn()
    const over = await read(`/orders/${open.orderId}`)
    expect(over.state).toBe('EXPIRED')
    expect(over.timeline.at(-1)).toMatchObject({ kind: 'order.expired', at: over.expires_at })
    expect(over.sentence).toContain('so its lines do not play.')
  })

  it('an order shows the goodwill that was paid for it', async () => {
    const [{ id: payable } = { id: '' }] = await world.rows<{ id: string }>('select id from payables')
    await world.rows(
      `insert into order_goodwill (order_id, sats, at, request_id, payable_id) values ($1, 500, $2, gen_random_uuid(), $3)`,
      [order, world.runtime.clock.now(), payable],
    )
    const page = await read(`/orders/${order}`)
    expect(page.goodwill_sats).toBe('500')
    expect(page.timeline).toContainEqual(expect.objectContaining({ kind: 'order.goodwill', sats: '500' }))
  })

  it('a player is shown with everything but secrets', async () => {
    const now = world.runtime.clock.now()
    await world.rows(
      `insert into responsible_play (player_id, weekly_limit_minor, next_limit_minor, next_limit_from, excluded_until, currency_id, reminder_minutes)
        values ($1, 2050, null, $2, $2, 1, 60)`,
      [winner, now + DAY],
    )
    await world.rows(
      `insert into sessions (id, player_id, created_at, expires_at, seen_at, authenticated_at, fingerprint) values
        (gen_random_uuid(), $1, $2::bigint, $2::bigint + 100, $2::bigint + 5, $2::bigint, 'Firefox on Linux, FR'),
        (gen_random_uuid(), $1, $2::bigint, $2::bigint - 1, $2::bigint, $2::bigint, 'Gone')`,
      [winner, now],
    )
    const page = await read(`/players/${winner}`)
    expect(page).toMatchObject({
      username: 'player-1',
      email: 'player-1@example.org',
      is_email_verified: true,
      state: 'open',
      last_seen_at: now + 5,
      currency: 'GBP',
      has_two_factor: false,
      owed_sats: '0',
      limits: [
        { name: 'Weekly limit', value: '20.50 GBP', coming: 'none', from_at: now + DAY },
        { name: 'Reminder', value: 'every 60 minutes', coming: null, from_at: null },
      ],
      exclusions: [{ until_at: now + DAY, by: 'the player' }],
      holds: [],
      sessions: [{ device: 'Firefox on Linux, FR', seen_at: now + 5 }],
      addresses: [{ address: WINNER, since: START_AT, usable_from: START_AT, superseded_at: null }],
      orders: [{ id: order, state: 'PAID', lines: 2, game: GAME, game_name: 'Bitcoin Hero' }],
      payouts: [{ batch: '1', sats: '20000000', address: WINNER }],
    })
    const stored = await world.rows<{ id: string; sats: string; at: string; state: string; number: number }>(
      `select p.id::text, p.stake_sats::text as sats, p.receipt_at::text as at, d.status as state, d.number
        from plays p join draws d on d.id = p.draw_id where p.order_id = $1 order by d.id desc`,
      [order],
    )
    const play = { order, game: GAME, game_name: 'Bitcoin Hero', lines: 2 }
    expect(stored.at(-1)).toMatchObject({ number: 1, state: 'settled' })
    expect(page.plays).toEqual(stored.map((one) => ({ ...play, ...one, at: Number(one.at) })))
    expect(page.wins).toContainEqual(
      expect.objectContaining({ game: GAME, number: 1, prize: 'Jackpot', sats: '20000000' }),
    )
    expect(page.messages.length).toBeGreaterThan(0)
    expect(await read(`/players/${idle}`)).toMatchObject({
      limits: [],
      sessions: [],
      addresses: [],
      plays: [],
      wins: [],
      payouts: [],
    })
  })

  it('a settled draw shows its numbers, winners and statements once its last ball was shown', async () => {
    const page = await read('/draws/bitcoin-hero/1')
    expect(page).toMatchObject({ state: 'settled', numbers: NUMBERS, entries: 2, plays: 1, late_seconds: 0 })
    expect(page.tiers[0]).toEqual({ prize: 'Jackpot, 5 right', winners: 1, sats: '20000000' })
    const kinds = page.statements.map(({ kind }: { kind: string }) => kind)
    expect([kinds[0], kinds.at(-1)]).toEqual(['open', 'result'])
    const now = world.runtime.clock.now()
    await world.rows('update draws set end_at = $1 where number = 1', [now + 1])
    expect(await read('/draws/bitcoin-hero/1')).toMatchObject({ numbers: null, tiers: [] })
    await world.rows('update draws set end_at = start_at + 160 where number = 1')
  })

  it('the overview and the treasury say what the ledger says', async () => {
    const balances = await balancesByKind(world.db)
    const treasury = await read('/treasury')
    const told = Object.fromEntries(
      treasury.ledger.map(({ account, sats }: { account: string; sats: string }) => [account, BigInt(sats)]),
    )
    const known = Object.fromEntries([...balances].filter(([, sats]) => sats !== 0n))
    expect(Object.fromEntries(Object.entries(told).filter(([, sats]) => sats !== 0n))).toEqual(known)
    expect(treasury.bankroll.free_sats).toBe(String(balances.get('bankroll')))
    await world.rows(
      `insert into wallet_readings (source, wallet, sats, read_at) values ('deposits', 'deposits', 70, 1), ('payouts', 'payouts', 30, 1)`,
    )
    await world.rows(
      `insert into treasury_checks (checked_at, ledger_sats, held_sats, pending_sats) values (1, 90, 100, 4)`,
    )
    await world.rows(
      `insert into unknown_deposits (outpoint, sats, seen_at, confirmed_at, times_confirmed, provider, network, taken_confirmation)
      values ($1, 9, 5, 6, 1, 'btcpay', 'ONCHAIN', 0)`,
      [`${'cd'.repeat(32)}:0`],
    )
    await world.rows(
      `insert into treasury_movements (txid, found_at, paid_sats, fee_sats, kind, state) values ($1, 5, 40, 2, 'spend', 'UNBOOKED')`,
      ['ef'.repeat(32)],
    )
    await world.rows(`insert into payout_foreign_txs (txid, found_at, may_be_payout) values ($1, 5, true)`, [
      'ef'.repeat(32),
    ])
    expect(await read('/treasury')).toMatchObject({
      wallets: [
        { name: 'deposits', sats: '70', read_at: 1 },
        { name: 'payouts', sats: '30', read_at: 1 },
      ],
      held_sats: '100',
      difference_sats: '6',
      bankroll: { free_sats: String((balances.get('bankroll') ?? 0n) - 42n) },
      float: { sats: '30', limit_sats: null },
      deposits: [{ outpoint: `${'cd'.repeat(32)}:0`, sats: '9', confirmations: 1 }],
      own_transfers: [{ outpoint: `${'cd'.repeat(32)}:0` }],
      spends: [{ txid: 'ef'.repeat(32), sats: '42', is_accepted: false, is_booked: false }],
    })
    expect((await read('/overview')).alarms).toMatchObject([
      { id: 'payouts', severity: 'page', since: 5, acknowledged_by: null },
    ])
    expect(await read('/payouts')).toMatchObject({ unaccepted: [{ txid: 'ef'.repeat(32), found_at: 5 }] })
    for (const table of [
      'wallet_readings',
      'treasury_checks',
      'unknown_deposits',
      'treasury_movements',
      'payout_foreign_txs',
    ])
      await world.rows(`delete from ${table}`)
  })

  it('the overview has the pauses, the broken invariants, and the requests that wait for a signature of the reader', async () => {
    await pauseSales(deskOf(), GAME, { note: 'Back at noon.', reason: 'A test of pauses.' })
    await world.rows(
      `insert into invariant_violations (invariant, problem, found_at, seen_at) values ('I1', 'a trigger is gone', 7, 7)`,
    )
    const owner = await bench.person('owner', ['owner'])
    const treasurer = await bench.person('treasurer', ['treasurer'])
    const asked = await treasurer.propose('payouts.retry', { batch: 'all' })
    expect(asked.status).toBe(200)
    const approver = await bench.person('approver', ['approver'])
    expect((await approver.call('GET', '/overview')).body).toMatchObject({
      waiting: 1,
      paused: [{ game: GAME, game_name: 'Bitcoin Hero', note: 'Back at noon.' }],
      alarms: [
        { severity: 'page', text: 'I1: a trigger is gone', since: 7 },
        { id: 'payouts', since: 7 },
      ],
    })
    for (const person of [owner, treasurer]) expect((await person.call('GET', '/overview')).body.waiting).toBe(0)
    await world.rows('delete from invariant_violations')
  })
})
