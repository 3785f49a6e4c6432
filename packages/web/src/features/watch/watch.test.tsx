import { act } from 'react'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { ballsShown } from '@fairball/domain/draw-phase'
import type { DrawDetails, Game, WatchData, WatchPrize } from '@fairball/contract/schemas/game'
import { runtime } from '../../shared/runtime.ts'
import { pass, renderPage, text } from '../../testing/render-page.tsx'
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
}

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
      getDraw: () =>
        answer(
          () => ({ number: server.draw.number - 1, status: 'DRAWN', numbers: [], ...server.previous }) as DrawDetails,
        ),
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
const tag = () => find(`${STAGE} [role="status"]`).textContent
const balls = () =>
  [...find('[aria-label="Numbers of this draw"]').querySelectorAll('li')].map((place) => place.textContent)
const links = () =>
  [...document.querySelectorAll(`${STAGE} a`)].map((link) => [link.textContent, link.getAttribute('href')])
const announced = () => find('[aria-live="polite"]').textContent
const rows = () =>
  [...document.querySelectorAll('tbody tr')].map((row) =>
    [...row.querySelectorAll('td')].map((cell) => cell.textContent),
  )

// Lazily loaded parts of the screen are loaded beforehand, so that they show immediately.
beforeAll(() =>
  Promise.all([
    import('./components/below-the-draw.tsx'),
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
    const said: string[] = []
    for (let ball = 1; ball <= PICK; ball += 1) {
      await go(20)
      tell()
      expect(balls().slice(0, ball)).toEqual(NUMBERS.slice(0, ball).map(String))
      said.push(announced())
    }
    expect(said).toEqual(NUMBERS.map((number, index) => `Ball ${index + 1}: ${number}`))
  })

  it('balls that arrive together after a sleep are all announced', async () => {
    await open()
    sleep(45)
    await go(1)
    expect(announced()).toBe('Ball 1: 34. Ball 2: 2')
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
    expect(text()).toContain('You won! See what each line won.')
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
    expect(text()).toContain('The balls are being drawn now.')
    await go(2)
    expect(tag()).toBe('LIVE')
    expect(text()).toContain('The random number is late.')
    await go(400)
    expect(tag()).toBe('LIVE')
    server.numbers = NUMBERS
    server.revealFromAt = server.now
    await go(2)
    expect(balls().slice(0, 2)).toEqual(['34', ROLLING])
    expect(text()).toContain('The balls are being drawn now.')
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
