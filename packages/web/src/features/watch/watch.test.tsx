import { act } from 'react'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { ballsShown } from '@fairball/domain/draw-phase'
import type { DrawDetails, Game, WatchData, WatchPrize } from '@fairball/contract/schemas/game'
import type { Ticket } from '@fairball/contract/schemas/ticket'
import { runtime } from '../../shared/runtime.ts'
import { hasButton, pass, pressButton, renderPage, text } from '../../testing/render-page.tsx'
import type { RenderedPage } from '../../testing/render-page.tsx'
import { find } from '../../testing/render.tsx'
import { StreamStandIn } from '../../testing/stream-stand-in.ts'
import { SILENT_AFTER_MS } from './watch-stream.ts'
import { WatchScreen } from './watch-screen.tsx'

/** A Saturday at 20:00 UTC. */
const START = Date.parse('2026-11-21T20:00:00Z') / 1000
const [PICK, CLOSES_BEFORE, WEEK] = [5, 600, 7 * 86_400] as const
const END = START + 20 * PICK + 60
const NUMBERS = [34, 2, 17, 9, 50]

const money = (value: number) => ({ GBP: { value, symbol: '£', position_of_symbol: 'LEFT' as const } })
const words = (value: 'Jackpot' | 'Free ticket') => ({
  GBP: { value, symbol: '£', position_of_symbol: 'LEFT' as const },
})

const drawAt = (number: number, startAt: number): Game['next_draw'] => ({
  number,
  start_at: startAt,
  end_at: startAt + 20 * PICK + 60,
  ticket_sell_closes_at: startAt - CLOSES_BEFORE,
})

const gameAt = (key: string, name: string, nextDraw: Game['next_draw']): Game => ({
  id: 1,
  key,
  name,
  color: '#22c58f',
  pattern: 'band',
  summary: '',
  currency: 'GBP',
  split: { prize_pool: 80, donation: 5, fee: 15 },
  sets: [{ n: PICK, N: 50 }],
  tickets_won: 0,
  ticket_price: { fiat: money(2.5) },
  jackpot: { crypto: { value: '1.00000000', code: 'BTC' }, fiat: money(100_000) },
  prizes: [
    { matches: [5], prize: { fiat: words('Jackpot') } },
    { matches: [4], prize: { fiat: money(3000) } },
    { matches: [2], prize: { fiat: words('Free ticket') } },
  ],
  advanced_ticket_purchase: { days: [{ day: 6, time_delta_midnight_utc: 72_000, max_weeks: 4 }], max_weeks_ahead: 4 },
  next_draw: nextDraw,
  is_on_sale: true,
  sales_note: null,
  change: null,
  open_draws: [],
  last_draw_at: null,
})

const prizesFor = (youWin: boolean): WatchPrize[] => [
  {
    type: 'JACKPOT',
    matches: [5],
    crypto: { value: '1.00000000', code: 'BTC' },
    fiat: money(100_000),
    number_of_wins: 1,
    youWin: false,
    partners: [{ name: 'Example Water', url: 'https://water.example' }],
  },
  {
    type: 'PRIZE',
    matches: [4],
    crypto: { value: '0.03000000', code: 'BTC' },
    fiat: money(3000),
    number_of_wins: 1204,
    youWin,
    partners: [],
  },
  { type: 'FREE_TICKET', matches: [2], crypto: null, fiat: {}, number_of_wins: 7, youWin: false, partners: [] },
]

/** The server's data. It has the true time, `server.now`, whatever the device's clock says. */
const server = {
  now: START,
  draw: drawAt(7, START),
  numbers: NUMBERS as number[] | null,
  revealFromAt: null as number | null,
  prizesAt: START + 20 * PICK + 1,
  hasNetwork: true,
  /** Accepts calls and never answers. */
  isSilent: false,
  salesNote: null as string | null,
  previous: null as Partial<DrawDetails> | null,
  entries: 940 as number | null,
  openDraws: [] as Game['open_draws'],
  /** What the player holds, and the server's rows of a page. */
  tickets: [] as Ticket[],
  hasTickets: true,
}
/** As many rows as a page of the test's server has. */
const PAGE_ROWS = 2

/** A ticket of the watched draw. Its result is there with the prizes. */
const ticket = (id: string, lines: readonly (readonly number[])[], change: Partial<Ticket> = {}): Ticket => ({
  play_id: id,
  game_key: 'treasure',
  transaction_id: id,
  draw: {
    number: 7,
    start_at: START,
    ticket_sell_closes_at: START - CLOSES_BEFORE,
    end_at: END,
    status: 'UPCOMING',
    numbers: [],
  },
  lines: lines.map((numbers) => ({ numbers: [...numbers], is_lucky_dip: false, matches: null })),
  moved_from: null,
  result: null,
  payout: null,
  ...change,
})

function watchedNow(youWin: boolean): WatchData {
  const { start_at: startAt, end_at: endAt } = server.draw
  const { numbers, now, revealFromAt } = server
  const draw = ballsShown({ numbers, startAt, endAt, pick: PICK, nowAt: now, revealFromAt })
  const isShown = draw.every((ball) => typeof ball === 'number')
  return { draw, prizes: isShown && now >= server.prizesAt ? prizesFor(youWin) : false }
}

let page: RenderedPage
let streams: StreamStandIn[]
const stream = () => streams.findLast((one) => !one.isClosed)
const setVisible = (state: 'visible' | 'hidden') => {
  Object.defineProperty(document, 'visibilityState', { value: state, configurable: true })
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
}

async function open({
  isPlayer = false,
  otherDrawAt = START + 3 * 86_400,
  deviceAheadSeconds = 0,
}: { isPlayer?: boolean; otherDrawAt?: number; deviceAheadSeconds?: number } = {}) {
  vi.setSystemTime((server.now + deviceAheadSeconds) * 1000)
  const answer = <Value,>(value: () => Value) => {
    if (!server.hasNetwork) throw new TypeError('Failed to fetch')
    // As the client handles the header of every answer (browser-session.ts).
    page?.clock.correct(server.now)
    return value()
  }
  page = await renderPage(<WatchScreen gameKey="treasure" />, {
    profile: isPlayer ? {} : null,
    startedAt: server.now,
    answers: {
      getGames: () =>
        answer(() => [
          {
            ...gameAt('treasure', 'Treasure', server.draw),
            is_on_sale: server.salesNote === null,
            sales_note: server.salesNote,
            open_draws: server.openDraws,
          },
          gameAt('ether-lotto', 'Ether Lotto', drawAt(3, otherDrawAt)),
        ]),
      getWatch: ({ signal }) =>
        server.isSilent
          ? new Promise<never>((_, reject) => {
              signal?.addEventListener('abort', () => reject(new DOMException('The call was given up.', 'AbortError')))
            })
          : answer(() => ({ ok: true as const, data: watchedNow(isPlayer) })),
      // Only these members are read.
      getDraw: ({ params }) =>
        answer(() =>
          params.number === server.draw.number
            ? ({ number: server.draw.number, entries: server.entries } as DrawDetails)
            : ({ number: server.draw.number - 1, status: 'DRAWN', numbers: [], ...server.previous } as DrawDetails),
        ),
      getTickets: ({ query }) =>
        answer(() => {
          if (!server.hasTickets) throw new TypeError('Failed to fetch')
          const held = server.tickets.filter(({ draw }) => draw.number === query?.draw)
          const from = (Number(query?._page ?? 1) - 1) * PAGE_ROWS
          return { results: held.slice(from, from + PAGE_ROWS), total_pages: Math.ceil(held.length / PAGE_ROWS) }
        }),
    },
  })
  await pass(0)
}

/** Advances the device and the server together. */
async function go(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    server.now += 1
    await pass(1_000)
  }
}

/** The device sleeps: its timers stop, its clock and the server continue. */
function sleep(seconds: number): void {
  server.now += seconds
  vi.setSystemTime(runtime.nowMs() + seconds * 1000)
}

/** The server sends its state to every follower of the stream. */
const tell = () => act(() => stream()?.send('watch', watchedNow(false)))

const STAGE = '[aria-labelledby="watch-game"]'
const status = () => find(`${STAGE} [role="status"]`)
/** What is said of the newest event; the tag beside it is for all. */
const announced = () => status().lastElementChild?.textContent
const tag = () => (status().childElementCount > 1 ? status().firstElementChild?.textContent : '')
const balls = () =>
  [...find('[aria-label="Numbers of this draw"]').querySelectorAll('li')].map((place) => place.textContent)
const links = () =>
  [...document.querySelectorAll(`${STAGE} a`)]
    .filter((link) => link.closest('section') === find(STAGE) && link.closest('nav') === null)
    .map((link) => [link.textContent, link.getAttribute('href')])
/** A ball has landed a moment after it was told. */
const land = () => pass(900)
const rows = () =>
  [...document.querySelectorAll('tbody tr')].map((row) =>
    [...row.querySelectorAll('td')].map((cell) => cell.textContent),
  )

// Lazily loaded parts of the screen are loaded beforehand, so that they show immediately.
beforeAll(() =>
  Promise.all([
    import('./components/below-the-draw.tsx'),
    import('../../shared/stage/own-lines.tsx'),
    import('./components/draw-news-banner.tsx'),
    import('./draw-sound.ts'),
  ]),
)

beforeEach(() => {
  vi.useFakeTimers()
  streams = []
  vi.spyOn(runtime, 'openStream').mockImplementation(() => {
    const opened = new StreamStandIn()
    streams.push(opened)
    return opened.asEventSource()
  })
  Object.assign(server, {
    now: START,
    draw: drawAt(7, START),
    numbers: NUMBERS,
    revealFromAt: null,
    prizesAt: START + 20 * PICK + 1,
    hasNetwork: true,
    isSilent: false,
    salesNote: null as string | null,
    previous: null,
    entries: 940,
    openDraws: [],
    tickets: [],
    hasTickets: true,
  })
})
afterEach(() => {
  setVisible('visible')
  page.unmount()
  vi.useRealTimers()
})

const HIDDEN = 'not drawn yet'
const ROLLING = 'being drawn'

describe('the phases of a draw', () => {
  it.each([
    [CLOSES_BEFORE + 1, '', ['PLAY THE GAME', 'CHECK PREVIOUS RESULTS']],
    [CLOSES_BEFORE, 'STARTS SOON', ['CHECK PREVIOUS RESULTS']],
    [1, 'STARTS SOON', ['CHECK PREVIOUS RESULTS']],
    [0, 'LIVE', ['CHECK PREVIOUS RESULTS']],
    [-20 * PICK, 'LIVE', ['CHECK PREVIOUS RESULTS']],
    [-20 * PICK - 1, 'ENDED', ['CHECK RESULTS', 'Play the next draw']],
    [-20 * PICK - 61, 'ENDED', ['CHECK RESULTS', 'Play the next draw']],
  ])('a draw %i s before its start has the tag "%s" and the links %j', async (before, tagText, linkTexts) => {
    server.now = START - before
    await open()
    expect(tag()).toBe(tagText)
    expect(links().map(([name]) => name)).toEqual(linkTexts)
  })

  it.each([
    [CLOSES_BEFORE + 1, ['CHECK PREVIOUS RESULTS'], 'Sales open soon'],
    [-20 * PICK - 61, ['CHECK RESULTS'], ''],
  ])('%i s before its start no link leads to playing while nothing is on sale', async (before, linkTexts, said) => {
    server.salesNote = 'Sales open soon'
    server.now = START - before
    await open()
    expect(links().map(([name]) => name)).toEqual(linkTexts)
    expect(text()).toContain(said)
  })

  it('after its end a draw is LIVE while balls are pending, and ENDED while only prizes are', async () => {
    server.numbers = null
    server.now = END + 5
    await open()
    expect(tag()).toBe('LIVE')
    server.numbers = NUMBERS
    server.prizesAt = Infinity
    await go(2)
    expect(tag()).toBe('ENDED')
    expect(text()).toContain('The prizes are being counted.')
  })

  it('the page leads to the game, to the results and to the watch pages of the other games', async () => {
    server.now = START - 5000
    await open()
    expect(links()).toEqual([
      ['PLAY THE GAME', '/game/treasure'],
      ['CHECK PREVIOUS RESULTS', '/game/treasure/results'],
    ])
    expect(find('nav a').getAttribute('href')).toBe('/game/ether-lotto/watch')
    expect(find('nav a').textContent).toContain('Ether Lotto')
  })

  it('the page marks another game whose draw runs at the same time', async () => {
    await open({ otherDrawAt: START - 10 })
    expect(find('nav a').textContent).toContain('LIVE')
    expect(tag()).toBe('LIVE')
  })

  it('the page counts down to the start, with the jackpot in the player’s currency and in bitcoin', async () => {
    server.now = START - 3661
    await open()
    expect(find('[role="timer"]').textContent.match(/\d+/gu)).toEqual(
      ['0', '01', '01', '01'].map((digits) => expect.stringMatching(new RegExp(`^0?${Number(digits)}$`, 'u'))),
    )
    expect(text()).toContain('£100,000.00')
    expect(text()).toContain('1.00000000 BTC')
  })
})

describe('the balls', () => {
  it('a ball goes from the X to the turning ball to its number, and is announced once', async () => {
    server.now = START - 2
    await open()
    expect(balls()).toEqual([HIDDEN, HIDDEN, HIDDEN, HIDDEN, HIDDEN])
    await go(2)
    tell()
    expect(balls()).toEqual([ROLLING, HIDDEN, HIDDEN, HIDDEN, HIDDEN])
    const said: unknown[] = []
    for (let ball = 1; ball <= PICK; ball += 1) {
      await go(20)
      tell()
      expect(balls().slice(0, ball)).toEqual(NUMBERS.slice(0, ball).map(String))
      await land()
      said.push(announced())
    }
    expect(said).toEqual(NUMBERS.map((number, index) => `Ball ${index + 1} of 5: ${number}.`))
  })

  it('balls that arrive together after a sleep are all announced', async () => {
    await open()
    sleep(45)
    await go(1)
    await land()
    expect(announced()).toBe('Ball 1 of 5: 34. Ball 2 of 5: 2.')
  })

  it('balls known when the page was opened are not announced', async () => {
    server.now = START + 45
    await open()
    expect(balls().slice(0, 3)).toEqual(['34', '2', ROLLING])
    expect(announced()).toBe('')
  })
})

describe('the drum', () => {
  const inDrum = () => [...document.querySelectorAll('[data-mixing] text')].map((text) => Number(text.textContent))
  const all = Array.from({ length: 50 }, (_, index) => index + 1)

  it('the drum holds every number of the game except the shown ones', async () => {
    await open()
    for (let shown = 0; shown < PICK; shown += 1) {
      const left = all.filter((number) => !NUMBERS.slice(0, shown).includes(number))
      expect(inDrum().toSorted((one, other) => one - other)).toEqual(left)
      await go(20)
      tell()
    }
  })
})

describe('the player’s lines', () => {
  /** NUMBERS come as 34, 2, 17, 9, 50; two, four and five matches have a prize. */
  const A = [34, 2, 5, 6, 7]
  const B = [1, 3, 4, 5, 6]
  const C = [34, 8, 10, 11, 12]
  const D = [2, 34, 17, 20, 21]
  const rowsOfLines = () =>
    [...document.querySelectorAll('[aria-label^="Line "]')].map((line) => [
      line.getAttribute('aria-label'),
      [...line.querySelectorAll('li')]
        .filter((ball) => ball.textContent.includes('match'))
        .map((ball) => parseInt(ball.textContent, 10)),
      line.parentElement?.lastElementChild?.textContent,
    ])
  const ladder = () =>
    [...document.querySelectorAll('section')]
      .find((section) => section.querySelector('h2')?.textContent === 'How your lines stand')
      ?.textContent.replace('How your lines stand', '')

  it('before sales close the page says how many lines the player has, or until when there can be some', async () => {
    server.now = START - CLOSES_BEFORE - 12 * 60
    await open({ isPlayer: true })
    expect(text()).toContain('You have no lines in this draw. Sales close in 12 min.')
    expect(links()[0]).toEqual(['PLAY THE GAME', '/game/treasure'])
    page.unmount()

    server.tickets = [ticket('1', [A, B])]
    await open({ isPlayer: true })
    expect(text()).toContain('You have 2 lines in this draw.')
  })

  it('once sales are closed the page says how many lines are sealed, and a player without one when the next draw is', async () => {
    server.now = START - 60
    server.openDraws = [drawAt(8, START + WEEK)]
    await open({ isPlayer: true })
    expect(text()).toContain('Sales are closed. 940 lines are sealed.')
    expect(text()).toContain('Next draw: Sat, Nov 28, 8:00 PM')
  })

  it('the number of sealed lines is asked for until the draw is sealed', async () => {
    server.now = START - 60
    server.entries = null
    await open()
    expect(text()).toContain('Sales are closed.')
    server.entries = 1
    await go(6)
    expect(text()).toContain('Sales are closed. 1 line is sealed.')
  })

  it('a ball that has landed is counted, its lines come first, and one sentence tells it', async () => {
    server.tickets = [ticket('1', [B, A, C])]
    server.now = START - 2
    await open({ isPlayer: true })
    await go(2)
    tell()
    expect(text()).toContain('Ball 1 of 5 · next in 0:20')
    await go(8)
    expect(text()).toContain('Ball 1 of 5 · next in 0:12')
    await go(12)
    tell()
    expect(rowsOfLines()[0]).toEqual(['Line A', [], '0 of 5'])
    await land()
    expect(text()).toContain('34 matches 2 of your lines.')
    expect(rowsOfLines()).toEqual([
      ['Line B', [34], '1 of 5'],
      ['Line C', [34], '1 of 5'],
      ['Line A', [], '0 of 5'],
    ])
    expect(announced()).toBe('Ball 1 of 5: 34. Matches 2 of your lines. Best line: 1 of 5.')
    await go(20)
    tell()
    await land()
    expect(rowsOfLines()[0]).toEqual(['Line B', [34, 2], '2 of 5 · free ticket'])
    expect(text()).toContain('1 free ticket so far')
    expect(ladder()).toBe(
      'Match 5Jackpot00 linesMatch 4£3,000.0000 linesMatch 3No prize yet00 linesMatch 2Free ticket11 lineMatch 1No prize yet11 lineNo match yet11 lineWith three balls to come, a line can gain three more matches.',
    )
    await go(20)
    tell()
    await land()
    expect(text()).toContain('17 is on none of your lines.')
    expect(announced()).toBe('Ball 3 of 5: 17. On none of your lines. Best line: 2 of 5.')
  })

  it('with few balls to come the best line has plain arithmetic; after the last there is none', async () => {
    server.tickets = [ticket('1', [D])]
    server.now = START + 65
    await open({ isPlayer: true })
    expect(text()).toContain('Your 1 line')
    expect(text()).toContain('17 matches your line.')
    expect(text()).toContain('If 20 comes next, line A has 4 of 5 (£3,000.00).')
    await go(16)
    tell()
    expect(text()).toContain('Last ball in 0:19')
    await go(19)
    tell()
    await land()
    expect(text()).toContain('All 5 balls are drawn. Counting prizes.')
    expect(text()).not.toContain('comes next')
    expect(text()).not.toMatch(/almost|won/iu)
  })

  it('lines of all orders for this draw are counted, also those on later pages; none for a later draw', async () => {
    const later = ticket('9', [C])
    server.tickets = [
      ticket('3', [D]),
      ticket('2', [B]),
      ticket('1', [A]),
      { ...later, draw: { ...later.draw, number: 8 } },
    ]
    server.now = START + 45
    await open({ isPlayer: true })
    expect(text()).toContain('Your lines (3)')
    // Letters follow the orders, the first one first.
    expect(rowsOfLines().map(([name, matched]) => [name, matched])).toEqual([
      ['Line A', [34, 2]],
      ['Line C', [2, 34]],
      ['Line B', []],
    ])
  })

  it('a page that is loaded at the third ball shows the same as one that was open all the time', async () => {
    server.tickets = [ticket('1', [A, B, C, D])]
    server.now = START - 2
    await open({ isPlayer: true })
    for (let ball = 0; ball < 3; ball += 1) {
      await go(ball === 0 ? 23 : 20)
      tell()
      await land()
    }
    const [rowsThen, ladderThen] = [rowsOfLines(), ladder()]
    page.unmount()
    await open({ isPlayer: true })
    expect([rowsOfLines(), ladder()]).toEqual([rowsThen, ladderThen])
    expect(rowsThen).toHaveLength(4)
  })

  it('they are asked for once for each of: on sale, sealed, and drawn; and again after a reconnection', async () => {
    server.tickets = [ticket('1', [A])]
    server.now = START - CLOSES_BEFORE - 5
    await open({ isPlayer: true })
    const asked = () => page.calls('getTickets').length
    expect(asked()).toBe(1)
    await go(10)
    expect(asked()).toBe(2)
    tell()
    await go(3)
    act(() => stream()?.tell('error'))
    await go(4)
    tell()
    await pass(0)
    expect(asked()).toBe(3)
    await go(40)
    expect(asked()).toBe(3)
  })

  it('of more than five lines the best five are shown, and all on request', async () => {
    server.tickets = [
      ticket(
        '1',
        Array.from({ length: 120 }, (_, place) => [1 + (place % 40), 41, 42, 43, 44]),
      ),
    ]
    server.now = START + 25
    await open({ isPlayer: true })
    expect(rowsOfLines()).toHaveLength(5)
    const button = (name: string) => [...document.querySelectorAll('button')].find((one) => one.textContent === name)
    act(() => button('Show all 120 lines')?.click())
    expect(rowsOfLines()).toHaveLength(100)
    act(() => button('Show more lines')?.click())
    expect(rowsOfLines()).toHaveLength(120)
    expect(button('Show more lines')).toBeUndefined()
  })

  it('if they cannot be loaded the page says so, and shows them on request', async () => {
    server.tickets = [ticket('1', [A])]
    server.hasTickets = false
    server.now = START + 25
    await open({ isPlayer: true })
    await pass(30_000)
    expect(text()).toContain('Data cannot be loaded! Please try again later.')
    server.hasTickets = true
    await pressButton('Try again')
    expect(text()).toContain('Your 1 line')
  })

  it('a visitor has no block of lines, and makes no request for them', async () => {
    server.tickets = [ticket('1', [A])]
    server.now = START + 25
    await open()
    expect(text()).not.toContain('Your 1 line')
    expect(ladder()).toBeUndefined()
    expect(page.calls('getTickets')).toEqual([])
  })
})

describe('the prizes', () => {
  it('before the draw the promised prizes are in the same rows', async () => {
    server.now = START - 100
    await open()
    expect(rows()).toEqual([
      ['Match 5', 'Jackpot', '–not drawn yet'],
      ['Match 4', '£3,000.00', '–not drawn yet'],
      ['Match 2', 'Free ticket', '–not drawn yet'],
    ])
  })

  it('the prizes show type, matches, amounts in both currencies, number of wins, own wins, and the partners with links', async () => {
    server.now = END
    await open({ isPlayer: true })
    expect(rows()).toEqual([
      ['Match 5Jackpot', '£100,000.001.00000000 BTC', '1'],
      ['Match 4PrizeYou win!', '£3,000.000.03000000 BTC', '1,204'],
      ['Match 2Free ticket', 'Free ticket', '7'],
    ])
    expect(find('a[href="https://water.example"]').textContent).toBe('Example Water')
    expect(find('a[href="/game/treasure/draw/7"]').textContent).toBe('Draw details')
    expect(find('a[href="/game/treasure/draw/7/proof"]').textContent).toBe('Check this draw')
  })

  it('a visitor sees the prizes without a win', async () => {
    server.now = END
    await open()
    expect(text()).not.toContain('You win')
  })

  it('a player’s prizes are fetched once the stream, which knows no player, has sent them', async () => {
    server.now = START + 95
    await open({ isPlayer: true })
    await go(6)
    tell()
    await pass(0)
    expect(tag()).toBe('ENDED')
    expect(text()).toContain('You win!')
  })
})

describe('how the draw ended for the player', () => {
  const WON: Ticket['result'] = {
    win_type: 'PRIZE',
    best_matches: 4,
    amount_won: { crypto: { value: '0.03000000', code: 'BTC' }, fiat: money(3000) },
    free_tickets: 2,
  }
  const LOST: Ticket['result'] = { win_type: null, best_matches: 1, amount_won: null, free_tickets: 0 }
  const PAYOUT: Ticket['payout'] = {
    status: 'WAITING',
    reason: 'NO_ADDRESS',
    amount: { crypto: { value: '0.03000000', code: 'BTC' }, fiat: money(3000) },
    leaves_by: null,
    sent_at: null,
    available_from: null,
    address: null,
    txid: null,
    link: null,
    confirmations: 0,
  }
  const LINES = [
    [1, 3, 4, 5, 6],
    [34, 2, 17, 9, 6],
    [34, 2, 3, 4, 5],
    [50, 9, 3, 4, 5],
  ]
  const counted = (result: Ticket['result'], payout: Ticket['payout'] = null): Ticket => {
    const before = ticket('play-1', LINES)
    return {
      ...before,
      draw: { ...before.draw, status: 'DRAWN', numbers: NUMBERS },
      lines: before.lines.map((line) => ({
        ...line,
        matches: line.numbers.filter((number) => NUMBERS.includes(number)).length,
      })),
      result,
      payout,
    }
  }
  const bursts = () => document.querySelectorAll('.burst').length

  /** Opens the page before the last ball, and lets the draw end with this ticket. */
  async function watchTheEnd(drawn: Ticket): Promise<void> {
    server.tickets = [ticket('play-1', LINES)]
    server.now = START + 95
    await open({ isPlayer: true })
    await go(5)
    tell()
    await land()
    server.tickets = [drawn]
    await go(1)
    tell()
    await pass(0)
  }

  beforeEach(() => localStorage.clear())

  it('a win has its sum, its bitcoin, its best line, the number of winning lines, the way of the money and the next steps', async () => {
    await watchTheEnd(counted(WON, PAYOUT))
    expect(find('[data-won] strong').textContent).toBe('You won £3,000.00 and 2 free tickets')
    expect(find('[data-won]').textContent).toContain('0.03000000 BTC')
    expect(find(`${STAGE} [aria-label="Line B"]`).textContent).toBe('34 match2 match17 match9 match6')
    expect(text()).toContain('3 winning lines')
    expect(find('[aria-label="The way of your prize"]').textContent).toContain('Counted')
    expect(text()).toContain('Waiting for a payout address. Add one')
    expect(links()).toEqual([
      ['See my lines', '/game/treasure/results/1/play-1'],
      ['Check this draw', '/game/treasure/draw/7/proof'],
      ['CHECK RESULTS', '/game/treasure/results'],
    ])
    expect(hasButton('Same numbers again')).toBe(true)
    expect(announced()).toBe('You won 3,000 pounds and 2 free tickets.')
    // The next jackpot has left the headline for the card of the next draw.
    expect(find('[aria-label="Next draw"]').textContent).toContain('£100,000.00')
    expect(text().match(/£100,000\.00/gu)).toHaveLength(2) // there, and among the prizes
  })

  it('a win is celebrated once in a browser', async () => {
    await watchTheEnd(counted(WON, PAYOUT))
    expect(bursts()).toBe(1)
    page.unmount()
    await open({ isPlayer: true })
    expect(text()).toContain('You won £3,000.00')
    expect(bursts()).toBe(0)
  })

  it('free tickets alone have no way of money', async () => {
    await watchTheEnd(counted({ win_type: 'FREE_TICKET', best_matches: 2, amount_won: null, free_tickets: 2 }))
    expect(text()).toContain('You won 2 free tickets')
    expect(document.querySelector('[aria-label="The way of your prize"]')).toBeNull()
  })

  it('without a win the page says so, and celebrates nothing', async () => {
    await watchTheEnd(counted(LOST))
    expect(text()).toContain('No win this time. Best line: 1 of 5.')
    expect(links()[0]?.[0]).toBe('See my lines')
    expect(announced()).toBe('No win this time. Best line: 1 of 5.')
    expect(bursts()).toBe(0)
    expect(text()).not.toMatch(/almost|so close/iu)
  })
})

describe('whatever happens to the stream', () => {
  it('the page fetches only rarely while events arrive', async () => {
    server.now = START - 2
    await open()
    await go(3)
    tell()
    const before = page.calls('getWatch').length
    for (let beat = 0; beat < 2; beat += 1) {
      await go(5)
      act(() => stream()?.send('now', server.now))
    }
    expect(page.calls('getWatch').length - before).toBeLessThanOrEqual(1)
  })

  it('the page fetches every second if the stream is refused, breaks during the draw or is held back by a proxy', async () => {
    await open()
    tell()
    await go(2)
    act(() => stream()?.tell('error'))
    let before = page.calls('getWatch').length
    await go(2)
    expect(page.calls('getWatch').length - before).toBeGreaterThanOrEqual(2)

    await go(1)
    tell()
    await go(SILENT_AFTER_MS / 1000 + 1)
    before = page.calls('getWatch').length
    await go(2)
    expect(page.calls('getWatch').length - before).toBeGreaterThanOrEqual(2)
    expect(balls()[0]).toBe('34')
  })

  it('the page says that the connection is lost if nothing arrives, and catches up once it is back', async () => {
    await open()
    server.hasNetwork = false
    act(() => stream()?.tell('error'))
    await go(25)
    expect(text()).toContain('Connection lost.')
    expect(tag()).toBe('LIVE')
    server.hasNetwork = true
    act(() => void window.dispatchEvent(new Event('online')))
    await pass(0)
    expect(text()).not.toContain('Connection lost.')
    expect(balls().slice(0, 2)).toEqual(['34', ROLLING])
  })

  it('the page does not wait forever for a lost answer', async () => {
    await open()
    server.isSilent = true
    await go(3)
    server.isSilent = false
    await go(4)
    expect(balls()[0]).toBe(ROLLING)
    server.now = START + 25
    await go(5)
    expect(balls().slice(0, 2)).toEqual(['34', ROLLING])
  })
})

describe('a page out of view', () => {
  it('a tab seen again after the draw fetches immediately, and shows the end', async () => {
    server.now = START - 30
    await open()
    setVisible('hidden')
    expect(stream()).toBeUndefined()
    sleep(30 + 20 * PICK + 10)
    setVisible('visible')
    await pass(0)
    expect(tag()).toBe('ENDED')
    expect(balls()).toEqual(NUMBERS.map(String))
  })

  it('a page restored by back or forward fetches immediately', async () => {
    await open()
    const leave = new Event('pagehide')
    act(() => void window.dispatchEvent(leave))
    expect(stream()).toBeUndefined()
    sleep(45)
    act(() => void window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true })))
    await pass(0)
    expect(balls().slice(0, 3)).toEqual(['34', '2', ROLLING])
    expect(stream()).toBeDefined()
  })

  it('a page in view fetches immediately after the computer slept', async () => {
    server.now = START - 1000
    await open()
    sleep(1000 + 45)
    await go(1)
    expect(tag()).toBe('LIVE')
    expect(balls().slice(0, 3)).toEqual(['34', '2', ROLLING])
  })

  it('a page that slept until the next draw shows that one with hidden balls, and the missed result', async () => {
    server.now = START - 30
    await open()
    setVisible('hidden')
    sleep(3600)
    server.draw = drawAt(8, START + WEEK)
    server.previous = { status: 'DRAWN', numbers: NUMBERS }
    setVisible('visible')
    await pass(0)
    expect(tag()).toBe('')
    expect(balls()).toEqual([HIDDEN, HIDDEN, HIDDEN, HIDDEN, HIDDEN])
    expect(text()).toContain('Draw 7 ended while this page was away. Its numbers: 34, 2, 17, 9, 50.')
    expect(find('a[href="/game/treasure/draw/7"]').textContent).toBe('See draw 7')
  })

  it('the page never mixes the balls of two draws', async () => {
    server.now = START + 45
    await open()
    sleep(3600)
    server.draw = drawAt(8, START + 3600)
    server.numbers = [1, 3, 4, 5, 6]
    server.now = START + 3600 + 25
    await go(1)
    expect(balls()).toEqual(['1', ROLLING, HIDDEN, HIDDEN, HIDDEN])
  })
})

describe('a device whose clock is wrong', () => {
  it.each([7 * 60, -7 * 60])(
    'a device whose clock is wrong by %i s shows the server’s countdown and phase',
    async (deviceAheadSeconds) => {
      server.now = START - 65
      await open({ deviceAheadSeconds })
      expect(tag()).toBe('STARTS SOON')
      expect(find('[role="timer"]').textContent).toMatch(/0?1\D+0?5/u)
      await go(65)
      expect(tag()).toBe('LIVE')
    },
  )

  it.each([7 * 60, -7 * 60])('a clock that is set by %i s is corrected by fetching', async (setBy) => {
    server.now = START - 300
    await open()
    vi.setSystemTime(runtime.nowMs() + setBy * 1000)
    await go(2)
    await pass(0)
    expect(tag()).toBe('STARTS SOON')
    expect(find('[role="timer"]').textContent).toMatch(/0?4\D+5[78]/u)
  })
})

describe('from one draw to the next', () => {
  it('the games are fetched every 10 seconds after the end, and the next draw’s balls start hidden', async () => {
    server.now = END - 1
    await open()
    const before = [page.calls('getGames').length, page.calls('getWatch').length]
    await go(31)
    const after = [page.calls('getGames').length, page.calls('getWatch').length]
    for (const [index, count] of after.entries()) {
      expect(count - (before[index] ?? 0)).toBeGreaterThanOrEqual(3)
      expect(count - (before[index] ?? 0)).toBeLessThanOrEqual(4)
    }
    server.draw = drawAt(8, START + WEEK)
    await go(10)
    expect(tag()).toBe('')
    expect(balls()).toEqual([HIDDEN, HIDDEN, HIDDEN, HIDDEN, HIDDEN])
    expect(text()).not.toContain('while this page was away')
    expect(rows()[0]).toEqual(['Match 5', 'Jackpot', '–not drawn yet'])
  })
})

describe('a draw that does not go as planned', () => {
  it('the page says that the random number is late, and continues once it arrives', async () => {
    server.numbers = null
    await open()
    await go(29)
    expect(text()).toContain('Ball 1 of 5')
    await go(2)
    expect(tag()).toBe('LIVE')
    expect(text()).toContain('The random number is late.')
    await go(400)
    expect(tag()).toBe('LIVE')
    server.numbers = NUMBERS
    server.revealFromAt = server.now
    await go(2)
    expect(balls().slice(0, 2)).toEqual(['34', ROLLING])
    expect(text()).toContain('Ball 2 of 5')
  })

  it('a delayed draw counts down to its new start and says so', async () => {
    server.now = START - 20
    await open()
    expect(text()).not.toContain('put off')
    server.draw = { ...server.draw, start_at: START + 900, end_at: END + 900 }
    await go(26)
    expect(tag()).toBe('STARTS SOON')
    expect(text()).toContain('This draw is delayed.')
    expect(find('[role="timer"]').textContent).toMatch(/1[45]\D+\d\d/u)
  })

  it('the next draw replaces a void one, and the page says where its lines went', async () => {
    server.now = START - 20
    await open()
    server.draw = drawAt(8, START + WEEK)
    server.previous = { status: 'VOID', numbers: [] }
    await go(26)
    expect(tag()).toBe('')
    expect(text()).toContain('Draw 7 did not take place. Its lines play in a later draw at no cost')
    expect(find('a[href="/game/treasure/draw/7"]').textContent).toBe('See draw 7')
  })
})

describe('when nothing can be loaded', () => {
  it('a page that cannot be loaded says so, and fetches again on request', async () => {
    server.hasNetwork = false
    await open()
    await go(10)
    expect(text()).toContain('Data cannot be loaded! Please try again later.')
  })
})
