import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Answer } from '../../../test/application.ts'
import { testConsole, type TestConsole, type TestStaff } from '../../../test/console.ts'
import { consoleLogin } from '../../../test/console-reads.ts'
import { START_AT, testLottery, type TestLottery } from '../../../test/lottery.ts'
import { holdAllPayouts, retryAllPayouts } from '../operator/service.ts'
import { createOrder } from '../orders/service.ts'
import { openInvoice } from '../payments/service.ts'

// What the screens read, as the console's own login reads it. Every answer is checked against its schema on its way.

const GAME = 'bitcoin-hero'
const DAY = 86_400
const NUMBERS = [1, 2, 3, 4, 5]
const SECOND_LINE = [6, 7, 8, 9, 10]
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
    ])
      expect([path, (await auditor.call('GET', path)).status]).toEqual([path, 404])
    for (const q of ['nobody', '#1', 'ln:1', 'bitcoin-hero 999', 'ab'.repeat(32), WINNER, '%', ' ', '17'])
      expect([q, await read(`/search?q=${encodeURIComponent(q)}`)]).toEqual([q, { results: [] }])
    for (const path of ['/payouts', '/payouts/1', '/search?q=x', '/players/1', `/orders/${nowhere}`])
      expect([path, (await bench.call('GET', path)).status]).toEqual([path, 401])
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

  it('a batch shows its transactions, its audit, and who is set aside', async () => {
    const [tx] = await world.rows<{ txid: string; fee_sats: string }>('select txid, fee_sats from payout_txs')
    const fresh = await read('/payouts/1')
    expect(fresh).toMatchObject({ txs: [{ txid: tx?.txid, fee_sats: tx?.fee_sats, confirmations: null }], audit: [] })
    await world.rows(
      `insert into payout_set_aside (address, reason, txids, at) values ($1, 'Asked by its bank.', '{}', 1)`,
      [WINNER],
    )
    await world.rows(
      `insert into payout_players_set_aside (player_id, address, reason, at) values ($1, $2, 'A lost notice.', 1)`,
      [winner, WINNER],
    )
    expect((await read('/payouts/1')).payouts[0].holds).toEqual([
      { kind: 'player', until_at: null, reason: 'A lost notice.' },
      { kind: 'address', until_at: null, reason: 'Asked by its bank.' },
    ])
    await world.rows('delete from payout_set_aside')
    await world.rows('delete from payout_players_set_aside')
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
    expect(page.wins).toContainEqual(
      expect.objectContaining({ game: GAME, number: 1, prize: 'Jackpot', sats: '20000000' }),
    )
    expect(page.messages.length).toBeGreaterThan(0)
    expect(await read(`/players/${idle}`)).toMatchObject({
      limits: [],
      sessions: [],
      addresses: [],
      wins: [],
      payouts: [],
    })
  })
})
