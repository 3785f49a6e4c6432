import { act } from 'react'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Ticket } from '@fairball/contract/schemas/ticket'
import { hasButton, pass, pressButton, text } from '../../testing/render-page.tsx'
import { find } from '@fairball/ui/testing/render.tsx'
import {
  CLOSES_BEFORE,
  NUMBERS,
  STAGE,
  START,
  WEEK,
  announced,
  drawAt,
  go,
  land,
  links,
  money,
  open,
  page,
  server,
  setUpWatchPage,
  stream,
  tell,
  ticket,
} from '../../testing/watch-page.tsx'

setUpWatchPage()

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
  const lettersOfRows = () => [...document.querySelectorAll('[data-row] > :first-child')].map((one) => one.textContent)
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
    // A line has the letter of its ticket, the first ticket first.
    expect(rowsOfLines().map(([name, matched]) => [name, matched])).toEqual([
      ['Line A', [34, 2]],
      ['Line A of ticket 3', [2, 34]],
      ['Line A of ticket 2', []],
    ])
    expect(lettersOfRows()).toEqual(['A', 'A3', 'A2'])
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
    network: 'ONCHAIN',
    receipt: null,
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
