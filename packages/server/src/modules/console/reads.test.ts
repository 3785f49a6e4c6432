import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Answer } from '../../../test/application.ts'
import { testConsole, type TestConsole, type TestStaff } from '../../../test/console.ts'
import { consoleLogin } from '../../../test/console-reads.ts'
import { START_AT, testLottery, type TestLottery } from '../../../test/lottery.ts'
import { holdAllPayouts, retryAllPayouts } from '../operator/service.ts'

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
    for (const path of ['/payouts/1', '/payouts/ln:1', '/payouts/none'])
      expect([path, (await auditor.call('GET', path)).status]).toEqual([path, 404])
    for (const q of ['nobody', '#1', 'ln:1', 'bitcoin-hero 999', 'ab'.repeat(32), WINNER, '%', ' ', '17'])
      expect([q, await read(`/search?q=${encodeURIComponent(q)}`)]).toEqual([q, { results: [] }])
    for (const path of ['/payouts', '/payouts/1', '/search?q=x'])
      expect([path, (await bench.call('GET', path)).status]).toEqual([path, 401])
  })
})

describe('screens of a lottery that has sold, drawn and paid', () => {
  beforeAll(async () => {
    winner = await world.addPlayer({ address: WINNER })
    idle = await world.addPlayer({ address: null })
    order = await world.buy({ playerId: winner, gameKey: GAME, lines: [NUMBERS, SECOND_LINE], days: [3], weeks: 2 })
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
})
