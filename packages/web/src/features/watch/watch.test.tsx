import { act } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { runtime } from '../../shared/runtime.ts'
import { pass, text } from '../../testing/render-page.tsx'
import { find } from '@fairball/ui/testing/render.tsx'
import { SILENT_AFTER_MS } from './watch-stream.ts'
import {
  CLOSES_BEFORE,
  END,
  NUMBERS,
  PICK,
  START,
  WEEK,
  announced,
  balls,
  drawAt,
  go,
  land,
  links,
  open,
  page,
  rows,
  server,
  setUpWatchPage,
  setVisible,
  sleep,
  stream,
  tag,
  tell,
} from '../../testing/watch-page.tsx'

setUpWatchPage()

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
