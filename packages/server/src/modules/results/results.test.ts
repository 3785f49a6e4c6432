import { gunzipSync } from 'node:zlib'
import type {
  CheckedLine,
  Draw,
  DrawDetails,
  LatestDraw,
  Play,
  Statistics,
  WatchData,
  Win,
} from '@fairball/contract/schemas/game'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { StoredTier } from '../draws/stored-draw.ts'
import { NOON, openReadSide, type ReadSide } from '../../../test/read-side.ts'
import type { DrawRow } from '../../../test/draw-rows.ts'

let side: ReadSide
beforeAll(async () => {
  side = await openReadSide()
})
beforeEach(() => side.reset())
afterAll(() => side.close())

const DAY = 86_400
/** What caches may keep of an answer that changes by the second. */
const LIVE = 'public, max-age=0, s-maxage=1'
const STRONG_TAG = expect.stringMatching(/^"[\w-]{27}"$/u) as string
const NUMBERS = [34, 2, 17, 9, 50]
const TIERS: readonly StoredTier[] = [
  { matches: 5, kind: 'jackpot', winners: 0, satsEach: '0' },
  { matches: 4, kind: 'fixed', winners: 1, satsEach: '3000000' },
  { matches: 3, kind: 'fixed', winners: 2, satsEach: '50000' },
  { matches: 2, kind: 'free', winners: 5, satsEach: '0' },
]

interface Refusal {
  readonly error: { readonly code: string; readonly fields: Record<string, string> }
}

type DrawChanges = Partial<DrawRow> & { number: number; startAt: number }

function settled(changes: DrawChanges): Promise<bigint> {
  const outcome = { numbers: NUMBERS, entries: 8, rateAt: NOON, tiers: TIERS, partners: [] }
  return side.rows.draw({ gameKey: 'treasure', status: 'settled', ...outcome, ...changes })
}

function open(changes: DrawChanges): Promise<bigint> {
  return side.rows.draw({ gameKey: 'treasure', ...changes })
}

async function playsOf(playerId: bigint, page = ''): Promise<{ results: Play[]; total_pages: number }> {
  const answer = await side.get(`/games/treasure/plays${page}`, playerId)
  return answer.json<{ data: { results: Play[]; total_pages: number } }>().data
}

async function winsOf(playerId: bigint): Promise<Win[]> {
  return (await side.get('/games/treasure/wins', playerId)).json<{ data: Win[] }>().data
}

async function watch(playerId?: bigint): Promise<WatchData> {
  return (await side.get('/games/treasure/watch', playerId)).json<{ data: WatchData }>().data
}

describe('plays', () => {
  it('plays come undrawn first, then newest first, ten per page', async () => {
    const playerId = await side.rows.player()
    const drawIds: bigint[] = []
    for (let number = 1; number <= 11; number++)
      drawIds.push(await settled({ number, startAt: NOON - (12 - number) * DAY }))
    drawIds.push(await open({ number: 12, startAt: NOON + DAY }), await open({ number: 13, startAt: NOON + 2 * DAY }))
    await side.rows.order({ playerId, gameKey: 'treasure', lines: [[50, 1, 2, 3, 4]], drawIds })

    const first = await playsOf(playerId)
    expect(first.total_pages).toBe(2)
    expect(first.results.map((play) => play.draw?.number ?? null)).toEqual([null, null, 11, 10, 9, 8, 7, 6, 5, 4])
    expect(first.results.slice(0, 2).map((play) => play.date)).toEqual([NOON + 2 * DAY, NOON + DAY])
    expect(first.results[0]?.tickets).toEqual([[1, 2, 3, 4, 50]])
    const second = await playsOf(playerId, '?_page=2')
    expect(second.results.map((play) => play.draw?.number)).toEqual([3, 2, 1])
    expect(await playsOf(playerId, '?_page=3')).toEqual({ results: [], total_pages: 2 })
    expect(await playsOf(playerId, '?_page=99999999999999999999')).toEqual({ results: [], total_pages: 2 })
    expect(await playsOf(await side.rows.player())).toEqual({ results: [], total_pages: 0 })
  })

  it.each(['0', '-1', '1.5', 'x', '', '1e3'])('plays have no page %s', async (page) => {
    const answer = await side.get(`/games/treasure/plays?_page=${page}`, await side.rows.player())
    expect([answer.statusCode, answer.json<Refusal>().error.fields]).toMatchObject([400, { _page: expect.any(String) }])
  })

  it('two orders in one draw are two plays, each with its own lines', async () => {
    const playerId = await side.rows.player()
    const drawIds = [await open({ number: 1, startAt: NOON + DAY })]
    const order = { playerId, gameKey: 'treasure', drawIds }
    await side.rows.order({ ...order, lines: [[1, 2, 3, 4, 5]], paidAt: NOON - 9 })
    await side.rows.order({
      ...order,
      lines: [
        [6, 7, 8, 9, 10],
        [1, 2, 3, 4, 6],
      ],
      paidAt: NOON - 5,
    })
    const { results } = await playsOf(playerId)
    expect(results.map((play) => play.tickets)).toEqual([
      [
        [6, 7, 8, 9, 10],
        [1, 2, 3, 4, 6],
      ],
      [[1, 2, 3, 4, 5]],
    ])
  })

  it('plays reveal nothing of their draw until it is settled', async () => {
    const playerId = await side.rows.player()
    const drawId = await settled({ number: 1, startAt: NOON - 100, status: 'drawn' })
    const [playId = ''] = await side.rows.order({ playerId, gameKey: 'treasure', lines: [NUMBERS], drawIds: [drawId] })
    await side.rows.win({ drawId, playerId, playId, matches: 5, winType: 'JACKPOT', sats: 9n })
    const hidden = { draw: null, is_win: false, win_type: null, is_claimed: false }
    expect((await playsOf(playerId)).results).toMatchObject([hidden])
    expect(await winsOf(playerId)).toEqual([])
    await side.rows.moveDraw(drawId, 'settled')
    const shown = { draw: { number: 1, numbers: NUMBERS }, is_win: true, win_type: 'JACKPOT', is_claimed: false }
    expect((await playsOf(playerId)).results).toMatchObject([shown])
    expect(await winsOf(playerId)).toHaveLength(1)
  })

  it.each([
    ['nothing', [], { is_win: false, win_type: null, is_claimed: false }],
    ['a free ticket', ['FREE_TICKET'], { is_win: true, win_type: 'FREE_TICKET', is_claimed: true }],
    ['money not paid out', ['FREE_TICKET', 'waiting'], { is_win: true, win_type: 'PRIZE', is_claimed: false }],
    ['money in a payout not sent', ['unsent'], { is_win: true, win_type: 'PRIZE', is_claimed: false }],
    ['money sent', ['sent', 'FREE_TICKET'], { is_win: true, win_type: 'PRIZE', is_claimed: true }],
    ['money of which one part was sent', ['sent', 'waiting'], { is_win: true, win_type: 'PRIZE', is_claimed: false }],
    ['the jackpot and more', ['sent', 'JACKPOT'], { is_win: true, win_type: 'JACKPOT', is_claimed: false }],
    ['a prize scaled down to nothing', ['nothing left'], { is_win: true, win_type: 'PRIZE', is_claimed: true }],
  ])('plays that won %s say so', async (_what, kinds, expected) => {
    const playerId = await side.rows.player()
    const drawId = await settled({ number: 1, startAt: NOON - DAY })
    const lines = kinds.length === 0 ? [[1, 3, 4, 5, 6]] : kinds.map(() => NUMBERS)
    const [playId = ''] = await side.rows.order({ playerId, gameKey: 'treasure', lines, drawIds: [drawId] })
    for (const [lineNo, kind] of kinds.entries()) {
      const winType = kind === 'FREE_TICKET' || kind === 'JACKPOT' ? kind : 'PRIZE'
      const hasMoney = kind !== 'FREE_TICKET' && kind !== 'nothing left'
      const win = {
        drawId,
        playerId,
        playId,
        lineNo,
        matches: 3,
        winType,
        ...(hasMoney ? { sats: 50_000n } : {}),
      } as const
      await side.rows.win(win)
      const sentAt = kind === 'sent' ? NOON - 10 : null
      if (kind === 'sent' || kind === 'unsent') await side.rows.payout({ playerId, drawId, playId, lineNo, sentAt })
    }
    expect((await playsOf(playerId)).results).toMatchObject([expected])
  })
})

describe('wins', () => {
  it('there is one win per winning entry, newest first, with its page and its play', async () => {
    const playerId = await side.rows.player()
    const drawIds: bigint[] = []
    for (let number = 1; number <= 12; number++)
      drawIds.push(await settled({ number, startAt: NOON - (13 - number) * DAY }))
    const playIds = await side.rows.order({ playerId, gameKey: 'treasure', lines: [NUMBERS, NUMBERS], drawIds })
    const inDraw = (index: number) => ({ drawId: drawIds[index] ?? 0n, playerId, playId: playIds[index] ?? '' })
    await side.rows.win({ ...inDraw(0), lineNo: 0, matches: 4, winType: 'PRIZE', sats: 3_000_000n })
    await side.rows.win({ ...inDraw(0), lineNo: 1, matches: 2, winType: 'FREE_TICKET' })
    await side.rows.win({ ...inDraw(11), matches: 5, winType: 'JACKPOT', sats: 123_456_789n })

    const wins = await winsOf(playerId)
    expect(wins.map((win) => [win.win_type, win.date, win.play_page, win.play_id])).toEqual([
      ['JACKPOT', NOON - DAY, 1, playIds[11]],
      ['PRIZE', NOON - 12 * DAY, 2, playIds[0]],
      ['FREE_TICKET', NOON - 12 * DAY, 2, playIds[0]],
    ])
    expect(wins.map((win) => win.amount_won?.crypto.value ?? null)).toEqual(['1.23456789', '0.03000000', null])
    expect(wins[1]?.amount_won?.fiat['GBP']).toEqual({ value: 3000, symbol: '£', position_of_symbol: 'LEFT' })
    expect(new Set(wins.map((win) => win.id)).size).toBe(3)
    for (const win of wins) {
      const page = await playsOf(playerId, `?_page=${win.play_page}`)
      expect(page.results.map((play) => play.id)).toContain(win.play_id)
    }
    expect(await winsOf(await side.rows.player())).toEqual([])
  })

  it('wins use the rates of their draw, whatever the rates are now', async () => {
    const playerId = await side.rows.player()
    await side.rows.rates(NOON - 10, 2n)
    const drawId = await settled({ number: 1, startAt: NOON - DAY, rateAt: NOON - DAY - 600 })
    const [playId = ''] = await side.rows.order({ playerId, gameKey: 'treasure', lines: [NUMBERS], drawIds: [drawId] })
    await side.rows.win({ drawId, playerId, playId, matches: 3, winType: 'PRIZE', sats: 50_000n })
    expect((await winsOf(playerId))[0]?.amount_won?.fiat['GBP']?.value).toBe(50)
  })
})

describe('the draw history', () => {
  const history = async (page = ''): Promise<{ results: Draw[]; totalPages: number; total_pages: number }> =>
    (await side.get(`/games/treasure/draws${page}`)).json()

  it('the history has the settled draws of the last 180 days, newest first', async () => {
    expect(await history()).toEqual({ results: [], totalPages: 0, total_pages: 0 })
    await settled({ number: 1, startAt: NOON - 181 * DAY })
    await settled({ number: 2, startAt: NOON - 179 * DAY })
    await settled({ number: 3, startAt: NOON - 3 * DAY, status: 'void' })
    await settled({
      number: 4,
      startAt: NOON - 2 * DAY,
      jackpotSats: 100_000_000n,
      donationSats: 5n,
      partners: [{ name: 'A', url: 'https://a.example' }],
    })
    await settled({ number: 5, startAt: NOON - 60, status: 'drawn' })
    await open({ number: 6, startAt: NOON + DAY })
    const { results, totalPages, total_pages } = await history()
    expect([totalPages, total_pages]).toEqual([1, 1])
    expect(results.map((draw) => draw.number)).toEqual([4, 2])
    expect(results[0]).toMatchObject({
      datetime: NOON - 2 * DAY,
      month_and_year: 'January 2027',
      numbers: NUMBERS,
      jackpot: { crypto: { value: '1.00000000', code: 'BTC' }, fiat: { GBP: { value: 100_000 } } },
      donation: { crypto: { value: '0.00000005' } },
      partners: [{ name: 'A', url: 'https://a.example' }],
    })
    expect(results[1]).toMatchObject({ jackpot: false, donation: false, partners: [] })
  })

  it('the history has ten draws per page', async () => {
    for (let number = 1; number <= 21; number++) await settled({ number, startAt: NOON - (30 - number) * DAY })
    expect((await history()).results.map((draw) => draw.number)).toEqual([21, 20, 19, 18, 17, 16, 15, 14, 13, 12])
    expect(await history('?_page=3')).toMatchObject({ results: [{ number: 1 }], totalPages: 3 })
    expect((await history('?_page=4')).results).toEqual([])
    expect((await side.get('/games/threasure/draws')).json()).toMatchObject({ totalPages: 3 })
  })
})

describe('the page of a draw', () => {
  const details = async (number: number): Promise<DrawDetails> =>
    (await side.get(`/games/treasure/draws/${number}`)).json<DrawDetails>()

  it('the page of a settled draw has its prize breakdown', async () => {
    const tiers = TIERS.map((tier) => (tier.kind === 'jackpot' ? { ...tier, winners: 2, satsEach: '70000000' } : tier))
    const partners = [{ name: 'A', url: 'https://a.example' }]
    await settled({ number: 1, startAt: NOON - DAY, tiers, partners, jackpotSats: 140_000_000n })
    const draw = await details(1)
    expect(draw).toMatchObject({
      status: 'DRAWN',
      numbers: NUMBERS,
      entries: 8,
      is_scaled: false,
      rate: { code: 'GBP', sats: 1000 },
    })
    expect(draw.prizes).toMatchObject([
      { type: 'JACKPOT', matches: [5], crypto: { value: '0.70000000' }, number_of_wins: 2, youWin: false, partners },
      {
        type: 'PRIZE',
        matches: [4],
        crypto: { value: '0.03000000' },
        fiat: { GBP: { value: 3000 } },
        number_of_wins: 1,
        partners: [],
      },
      { type: 'PRIZE', matches: [3], number_of_wins: 2 },
      {
        type: 'FREE_TICKET',
        matches: [2],
        crypto: null,
        fiat: { GBP: { value: 'Free ticket' } },
        number_of_wins: 5,
      },
    ])
  })

  it.each([
    ['closed', 'CLOSED'],
    ['drawn', 'CLOSED'],
    ['void', 'VOID'],
  ] as const)('the page of a draw that is %s reveals neither numbers nor prizes', async (status, shown) => {
    await settled({ number: 1, startAt: NOON - 50, status, jackpotSats: 5n, donationSats: 5n })
    expect(await details(1)).toMatchObject({
      status: shown,
      numbers: [],
      prizes: false,
      jackpot: false,
      donation: false,
      money: null,
    })
  })

  it('a draw is open for sale until its sales close, and not again if it is postponed before it was sealed', async () => {
    await open({ number: 1, startAt: NOON + DAY })
    expect(await details(1)).toMatchObject({ status: 'OPEN' })
    await open({ number: 2, startAt: NOON + 60 })
    expect(await details(2)).toMatchObject({ status: 'CLOSED' })
  })

  it('the page may be cached for a minute once nothing can change, and for a second before', async () => {
    await settled({ number: 1, startAt: NOON - DAY })
    await open({ number: 2, startAt: NOON + DAY })
    const keptFor = async (number: number) =>
      (await side.get(`/games/treasure/draws/${number}`)).headers['cache-control']
    expect([await keptFor(1), await keptFor(2)]).toEqual(['public, max-age=60', LIVE])
  })

  it.each(['2', '999999999'])('the page of a draw is 404 for the number %s that no draw has', async (number) => {
    await settled({ number: 1, startAt: NOON - DAY })
    expect((await side.get(`/games/treasure/draws/${number}`)).statusCode).toBe(404)
  })

  it.each(['0', 'x', '1.5', '-1'])('the page of a draw is 400 for %s, which is no number of a draw', async (number) => {
    expect((await side.get(`/games/treasure/draws/${number}`)).statusCode).toBe(400)
  })
})

describe('the watch page', () => {
  const startAt = NOON + 3600

  it('the watch page shows each ball from its moment on and nothing of the prizes before the settlement', async () => {
    const drawId = await open({ number: 1, startAt })
    const hidden = [false, false, false, false, false]
    expect(await watch()).toEqual({ draw: hidden, prizes: false })
    await side.rows.moveDraw(drawId, 'closed')
    side.runtime.clock.set(startAt - 1)
    expect(await watch()).toEqual({ draw: hidden, prizes: false })
    side.runtime.clock.set(startAt)
    expect(await watch()).toEqual({ draw: [true, false, false, false, false], prizes: false })
  })

  it('the watch page shows a drawn draw ball by ball; a late beacon’s from its arrival', async () => {
    await settled({ number: 1, startAt, status: 'drawn', revealFromAt: startAt + 2 })
    side.runtime.clock.set(startAt + 19)
    expect((await watch()).draw).toEqual([true, false, false, false, false])
    side.runtime.clock.set(startAt + 20)
    expect((await watch()).draw).toEqual([34, true, false, false, false])
    side.runtime.clock.set(startAt + 59)
    expect((await watch()).draw).toEqual([34, 2, true, false, false])
    side.runtime.clock.set(startAt + 100)
    expect(await watch()).toEqual({ draw: NUMBERS, prizes: false })

    await settled({ gameKey: 'bitcoin-hero', number: 1, startAt, status: 'drawn', revealFromAt: startAt + 7200 })
    await side.rows.draw({ gameKey: 'bitcoin-hero', number: 2, startAt: startAt + DAY })
    side.runtime.clock.set(startAt + 7219)
    const late = (await side.get('/games/bitcoin-hero/watch')).json<{ data: WatchData }>().data
    expect(late.draw).toEqual([34, true, false, false, false])
  })

  it('the watch page shows the prizes of a settled draw, and to a player which of them are theirs', async () => {
    const drawId = await settled({ number: 1, startAt, revealFromAt: startAt })
    side.runtime.clock.set(startAt + 110)
    const winner = await side.rows.player()
    const [playId = ''] = await side.rows.order({
      playerId: winner,
      gameKey: 'treasure',
      lines: [NUMBERS],
      drawIds: [drawId],
    })
    await side.rows.win({ drawId, playerId: winner, playId, matches: 2, winType: 'FREE_TICKET' })
    await side.rows.win({ drawId, playerId: winner, playId, lineNo: 1, matches: 4, winType: 'PRIZE', sats: 3_000_000n })
    const youWin = async (playerId?: bigint): Promise<unknown> => {
      const { prizes } = await watch(playerId)
      return prizes === false ? false : prizes.map((prize) => prize.youWin)
    }
    expect((await watch()).draw).toEqual(NUMBERS)
    expect((await watch()).prizes).toMatchObject([
      { type: 'JACKPOT', crypto: null, fiat: { GBP: { value: 'Jackpot' } }, number_of_wins: 0 },
      { type: 'PRIZE', matches: [4], crypto: { value: '0.03000000' } },
      { type: 'PRIZE', matches: [3] },
      { type: 'FREE_TICKET', crypto: null },
    ])
    expect(await youWin()).toEqual([false, false, false, false])
    expect(await youWin(winner)).toEqual([false, true, false, true])
    expect(await youWin(await side.rows.player())).toEqual([false, false, false, false])
  })

  it('the watch page may be cached for a second by caches that visitors share, and not at all for a player', async () => {
    await open({ number: 1, startAt })
    const answer = await side.get('/games/treasure/watch')
    expect(answer.headers).toMatchObject({
      'cache-control': LIVE,
      etag: STRONG_TAG,
      vary: 'authorization, accept-encoding',
    })
    const url = '/api/v1/games/treasure/watch'
    const head = await side.app.inject({ method: 'HEAD', url })
    expect([head.statusCode, head.body, head.headers['etag']]).toEqual([200, '', answer.headers['etag']])
    const headers = { 'if-none-match': String(answer.headers['etag']) }
    const again = await side.app.inject({ url, headers })
    expect([again.statusCode, again.body, again.headers['cache-control']]).toEqual([304, '', LIVE])
    const own = await side.get('/games/treasure/watch', await side.rows.player())
    expect([own.headers['cache-control'], own.headers['etag']]).toEqual(['no-store', undefined])
  })

  it('what a cache keeps of a draw between its close and its result tells no ball before its time', async () => {
    await settled({ number: 1, startAt, status: 'drawn', revealFromAt: startAt })
    const textOf = async (path: string): Promise<string> => {
      const answer = await side.app.inject({ url: `/api/v1${path}`, headers: { 'accept-encoding': 'gzip' } })
      expect(answer.headers['cache-control']).toBe(LIVE)
      return String(answer.headers['content-encoding'] === 'gzip' ? gunzipSync(answer.rawPayload) : answer.rawPayload)
    }
    for (const second of [-1, 0, 19, 20, 39, 40, 59, 60, 79, 80, 99, 100]) {
      side.runtime.clock.set(startAt + second)
      const turning = Math.floor(second / 20)
      const draw = NUMBERS.map((number, place) => (place < turning ? number : place === turning))
      expect(await textOf('/games/treasure/watch')).toBe(JSON.stringify({ ok: true, data: { draw, prizes: false } }))
      for (const path of ['/games', '/games/treasure/draws', '/games/treasure/draws/1', '/draws/latest'])
        expect(await textOf(path), 'a list of drawn numbers').not.toMatch(/\d(,\d+){2}/)
    }
  })

  it('two seconds without a change have the same bytes under the same tag, and each ball has another tag', async () => {
    await settled({ number: 1, startAt, status: 'drawn', revealFromAt: startAt })
    const tags: unknown[] = []
    for (let second = -1; second <= 100; second += 1) {
      side.runtime.clock.set(startAt + second)
      tags.push((await side.get('/games/treasure/watch')).headers['etag'])
    }
    expect(new Set(tags).size).toBe(NUMBERS.length + 2)
  })

  it('the watch page shows no balls before the first draw is opened', async () => {
    expect(await watch()).toEqual({ draw: [false, false, false, false, false], prizes: false })
  })
})

describe('checking numbers', () => {
  const check = (lines: unknown) => side.send('POST', '/games/treasure/check-numbers', undefined, { lines })

  it('a check lists only the draws of the last 180 days in which a line won', async () => {
    await settled({ number: 1, startAt: NOON - 181 * DAY })
    await settled({ number: 2, startAt: NOON - 5 * DAY })
    await settled({ number: 3, startAt: NOON - 4 * DAY, numbers: [1, 3, 4, 5, 34] })
    await settled({ number: 4, startAt: NOON - 10, status: 'drawn' })
    const answer = await check([
      [50, 34, 17, 9, 2],
      [34, 17, 9, 2, 1],
      [11, 12, 13, 14, 15],
      [1, 3, 4, 11, 12],
    ])
    expect(answer.json<{ results: CheckedLine[] }>().results).toEqual([
      { line: [50, 34, 17, 9, 2], draws: [{ number: 2, date: NOON - 5 * DAY, matches: 5, win_type: 'JACKPOT' }] },
      {
        line: [34, 17, 9, 2, 1],
        draws: [
          { number: 3, date: NOON - 4 * DAY, matches: 2, win_type: 'FREE_TICKET' },
          { number: 2, date: NOON - 5 * DAY, matches: 4, win_type: 'PRIZE' },
        ],
      },
      { line: [11, 12, 13, 14, 15], draws: [] },
      { line: [1, 3, 4, 11, 12], draws: [{ number: 3, date: NOON - 4 * DAY, matches: 3, win_type: 'PRIZE' }] },
    ])
  })

  it('a check is refused after 600 in a quarter of an hour from one address', async () => {
    const line = [[1, 2, 3, 4, 5]]
    for (let times = 0; times < 600; times++) expect((await check(line)).statusCode).toBe(200)
    const refused = await check(line)
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '900'])
    side.runtime.clock.set(NOON + 901)
    expect((await check(line)).statusCode).toBe(200)
  })

  it.each([
    ['a line too short', [[1, 2, 3]], 'lines.0'],
    ['a number above the pool', [[1, 2, 3, 4, 51]], 'lines.0'],
    ['a repeated number', [[1, 1, 2, 3, 4]], 'lines.0'],
    ['nothing', undefined, 'lines'],
  ])('a check of numbers refuses %s', async (_what, lines, field) => {
    const answer = await check(lines)
    expect(answer.statusCode).toBe(400)
    expect(Object.keys(answer.json<Refusal>().error.fields)).toEqual([field])
  })
})

describe('statistics', () => {
  it('statistics count how often each number was drawn in settled draws, and list what could be won in each', async () => {
    await settled({ number: 1, startAt: NOON - 400 * DAY, potSats: 9_100_000n, floorSats: 5_000_000n })
    await settled({ number: 2, startAt: NOON - DAY, numbers: [34, 1, 3, 4, 5], jackpotSats: 200_000_000n })
    await settled({ number: 3, startAt: NOON - 10, status: 'drawn', numbers: [34, 6, 7, 8, 11] })
    const { draws, numbers, jackpots } = (await side.get('/games/treasure/statistics')).json<Statistics>()
    expect(draws).toBe(2)
    expect(numbers.length).toBe(50)
    expect(numbers.filter((row) => row.count > 0).map((row) => [row.number, row.count])).toEqual([
      [1, 1],
      [2, 1],
      [3, 1],
      [4, 1],
      [5, 1],
      [9, 1],
      [17, 1],
      [34, 2],
      [50, 1],
    ])
    expect(jackpots).toMatchObject([
      { number: 2, date: NOON - DAY, crypto: { value: '2.00000000' }, is_won: true },
      // The pot less the fixed prizes, 3,100,000 satoshis; not won.
      { number: 1, date: NOON - 400 * DAY, crypto: { value: '0.06000000' }, is_won: false },
    ])
  })

  it('statistics never list a jackpot below the guaranteed one, and have the newest 200', async () => {
    for (let number = 1; number <= 201; number++)
      await settled({ number, startAt: NOON - (202 - number) * DAY, potSats: 1n, floorSats: 7_000_000n })
    const { draws, jackpots } = (await side.get('/games/treasure/statistics')).json<Statistics>()
    expect([draws, jackpots.length, jackpots[0]?.number]).toEqual([201, 200, 201])
    expect(new Set(jackpots.map((jackpot) => jackpot.crypto.value))).toEqual(new Set(['0.07000000']))
  })
})

describe('a player with the largest possible orders', () => {
  it('such a player reads ten plays of a thousand lines, and all wins', async () => {
    const playerId = await side.rows.player()
    const drawIds: bigint[] = []
    for (let number = 1; number <= 14; number++)
      drawIds.push(await settled({ number, startAt: NOON - (15 - number) * DAY }))
    const lines = Array.from({ length: 1000 }, (_, index) => [1, 2, 3, 4 + (index % 20), 24 + (index % 27)])
    const playIds = await side.rows.order({ playerId, gameKey: 'treasure', lines, drawIds })
    for (const [index, drawId] of drawIds.entries()) {
      await side.rows.manyWins({ drawId, playerId, playId: playIds[index] ?? '', wins: 140 })
    }
    const plays = await playsOf(playerId)
    expect(plays.results.map((play) => play.tickets.length)).toEqual(Array.from({ length: 10 }, () => 1000))
    expect((await winsOf(playerId)).length).toBe(14 * 140)
  })
})

describe('the latest draws', () => {
  it('each game has its newest settled draw, newest first, with the lines that won and the money of all of them', async () => {
    await settled({ number: 1, startAt: NOON - 2 * DAY })
    await settled({ number: 2, startAt: NOON - DAY })
    await settled({ gameKey: 'bitcoin-hero', number: 7, startAt: NOON - 3600, tiers: [] })
    await settled({ gameKey: 'mega-ball', number: 1, startAt: NOON - 181 * DAY })
    await open({ number: 3, startAt: NOON + DAY })
    const latest = (await side.get('/draws/latest')).json<LatestDraw[]>()
    expect(latest).toMatchObject([
      { game_key: 'bitcoin-hero', draw: { number: 7 }, winning_lines: 0, prizes: { crypto: { value: '0.00000000' } } },
      {
        game_key: 'treasure',
        draw: { number: 2, numbers: NUMBERS, jackpot: false },
        winning_lines: 8,
        prizes: { crypto: { value: '0.03100000' } },
      },
    ])
    expect(latest).toHaveLength(2)
  })
})
