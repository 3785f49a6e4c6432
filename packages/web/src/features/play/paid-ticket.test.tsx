import { onlineManager } from '@tanstack/react-query'
import type { encode } from 'uqr'
import { describe, expect, it, vi } from 'vitest'
import type { PaidFor } from '@fairball/contract/schemas/order'
import type { Ticket } from '@fairball/contract/schemas/ticket'
import { readTicketCode } from '../../proof/ticket-code.ts'
import { PAID_FOR } from '../../testing/checkout.ts'
import { drawAt } from '../../testing/hero-game.ts'
import { card, DAY, openPaid, ordered, papers, shown } from '../../testing/paid-page.tsx'
import { lines, linkTo, NOW, page, refuse, setUpPlayPage } from '../../testing/play-page.tsx'
import { hasButton, pass, pressButton, text } from '../../testing/render-page.tsx'
import type { Answers } from '../../testing/render-page.tsx'

const codes = vi.hoisted(() => [] as string[])
vi.mock('uqr', async (original) => {
  const uqr = await original<{ encode: typeof encode }>()
  return { ...uqr, encode: (code: string, options: object) => (codes.push(code), uqr.encode(code, options)) }
})

setUpPlayPage()

const ticket = () => document.querySelector('section[aria-label="Your ticket"]')
const facts = () =>
  Object.fromEntries(
    [...(ticket()?.querySelectorAll('dt') ?? [])].map((term) => [
      term.textContent,
      term.nextElementSibling?.textContent ?? '',
    ]),
  )
const code = () => document.querySelector('[aria-label="Code that proves this ticket"]')
const announced = () => document.querySelector('[aria-live="polite"][aria-atomic]')?.textContent

describe('the ticket of a paid order', () => {
  it('a paid order is a ticket with its lines, the dates of its draws, and what it cost', async () => {
    const price = {
      crypto: { value: '0.00080000', code: 'BTC' as const },
      fiat: { GBP: { ...PAID_FOR.price.fiat['GBP']!, value: 80 } },
    }
    await openPaid(ordered(40, 2, { price }))
    expect(text()).toContain('40 lines in 2 draws. Good luck!')
    expect(ticket()?.querySelector('h2')?.textContent).toBe('Bitcoin Hero, draw 12')
    expect(ticket()?.textContent).toContain('Sat, Nov 21, 6:00 PM')
    expect(ticket()?.textContent).toContain('Also in draw 13 · Sun, Nov 22, 6:00 PM')
    expect(ticket()?.querySelector('[role="timer"]')?.textContent).toBe('00Days05Hours59Mins59Sec')
    expect(facts()).toMatchObject({
      Price: '40 lines × 2 draws × £1.00',
      Paid: '£80.00 0.00080000 BTC',
      'Paid on': 'Sat, Nov 21, 12:00 PM',
      'Sales close': 'Sat, Nov 21, 5:55 PM',
    })
    expect(lines()).toHaveLength(5)
    const rows = [...(ticket()?.querySelectorAll('li') ?? [])].map((one) => one.textContent)
    expect(rows.filter((row) => row.includes('Lucky dip'))).toEqual(['C12345Lucky dip'])
    await pressButton('and 35 more')
    expect(lines()).toHaveLength(40)
    expect(linkTo('Play More')).toBe('/game/bitcoin-hero')
    expect(linkTo('Check Your Numbers')).toBe('/game/bitcoin-hero/results')
  })

  it('a ticket of many draws names two, and the others when they are wanted', async () => {
    await openPaid(ordered(1, 9))
    expect(ticket()?.querySelector('summary')?.textContent).toBe('and 7 more')
    expect(ticket()?.querySelectorAll('details li')).toHaveLength(7)
  })

  it('a price that is not lines × draws × today’s price is not explained by it', async () => {
    await openPaid(ordered(3, 2))
    expect(facts()).toMatchObject({ Price: '3 lines × 2 draws', Paid: '£1.00 0.00001000 BTC' })
  })

  it('an order that free tickets covered was paid with those, not with a sum of nothing', async () => {
    const price = {
      crypto: { value: '0.00000000', code: 'BTC' as const },
      fiat: { GBP: { ...PAID_FOR.price.fiat['GBP']!, value: 0 } },
    }
    await openPaid(ordered(3, 2, { price }))
    expect(facts()).toMatchObject({ Price: '3 lines × 2 draws', Paid: '6 free tickets' })
  })

  it('the receipt and the code follow once the lines are in the draw’s list, and the code holds no secret of the order', async () => {
    const { order, before, after } = papers()
    let answer = before
    await openPaid(ordered(1, 1), { answers: { getReceipt: () => answer } })
    await shown(() => facts()['Signed receipt'] === 'By 12:10 PM')
    expect(ticket()?.textContent).toContain('Your code appears here by 12:10 PM.')
    expect(code()).toBeNull()
    answer = after
    await pass(5_000)
    await shown(() => code() !== null)
    expect(facts()['Signed receipt']).toMatch(/^[\da-f]{8}…[\da-f]{8}$/u)
    const address = new URL(codes.at(-1) ?? '')
    expect(address.origin + address.pathname).toBe('http://localhost/game/bitcoin-hero/draw/12/proof')
    expect(readTicketCode(address.hash.slice(1))).toMatchObject({ index: 0, username: 'player-abc123' })
    const secret = Buffer.from(order.secret)
    expect(address.hash).not.toContain(secret.toString('base64url').slice(0, 20))
    expect(address.hash).not.toContain(secret.toString('hex').slice(0, 20))
  })

  it('the page says that a code is late once its time has passed, and asks less often', async () => {
    await openPaid(ordered(1, 1))
    await shown(() => facts()['Signed receipt'] === 'By 12:10 PM')
    await pass(60_000)
    vi.setSystemTime((NOW + 601) * 1000)
    await pass(1_000)
    expect(facts()['Signed receipt']).toBe('Soon')
    expect(ticket()?.textContent).toContain('Your code appears here soon.')
    const asked = page.calls('getReceipt').length
    await pass(60_000)
    expect(page.calls('getReceipt')).toHaveLength(asked + 4)
  })

  it('the ticket slides in and is announced only if the order is paid while the page is open', async () => {
    let status: 'PROCESSING' | 'PAID' = 'PROCESSING'
    await openPaid(ordered(3, 2), {}, () => ({ status }))
    expect(announced()).toBe('')
    status = 'PAID'
    await pass(600)
    expect(document.querySelector('[data-new]')).not.toBeNull()
    expect(announced()).toBe('Payment confirmed. 3 lines in 2 draws.')
    page.unmount()
    await openPaid(ordered(3, 2))
    expect(document.querySelector('[data-new]')).toBeNull()
  })
})

describe('the draws of a paid order', () => {
  const of = (number: number, draw: Partial<Ticket['draw']>, changes: Partial<Ticket> = {}): Ticket => ({
    play_id: `play-${number}`,
    game_key: 'bitcoin-hero',
    transaction_id: 'order-1',
    draw: { ...drawAt(NOW + 6 * 3600 + (number - 12) * DAY), number, status: 'UPCOMING', numbers: [], ...draw },
    lines: [],
    moved_from: null,
    result: null,
    payout: null,
    ...changes,
  })
  const rows = () => [...(card('Your draws')?.querySelectorAll('li') ?? [])].map((one) => one.textContent)

  /** Answers with the ticket of the draw that is asked for, beside one of another order. */
  const ticketsIn =
    (...tickets: Ticket[]): NonNullable<Answers['getTickets']> =>
    ({ query }) => ({
      results: [
        ...tickets.filter(({ draw }) => draw.number === Number(query?.draw)),
        of(Number(query?.draw), { status: 'DRAWN' }, { transaction_id: 'order-2' }),
      ],
      total_pages: 1,
    })
  /** An order whose first draws are closed. */
  const closed = (count: number, draws: number) => {
    const order = ordered(1, draws)
    const change = (draw: PaidFor['draws'][number], place: number) =>
      place < count ? { ...draw, ticket_sell_closes_at: NOW - 60 } : draw
    return { ...order, draws: order.draws.map(change) }
  }

  it('each draw has its date and its state, which is asked for from its close on', async () => {
    const won = { win_type: 'PRIZE', best_matches: 3, amount_won: PAID_FOR.price, free_tickets: 2 } as const
    const getTickets = ticketsIn(
      of(12, { status: 'DRAWN', numbers: [1, 2, 3, 4, 5] }, { result: won }),
      of(13, { status: 'LIVE' }),
      of(14, { status: 'POSTPONED', start_at: NOW + 3 * DAY }),
      of(15, { status: 'VOID' }),
    )
    await openPaid(closed(4, 8), { answers: { getTickets } }, () => ({
      moved: [{ from: 11, to: 16, date: NOW + 4 * DAY }],
    }))
    expect(rows()).toEqual([
      '22 SunDraw 13Live now Watch live',
      '24 TueDraw 14Delayed New start: Tue, Nov 24, 12:00 PM. Every line stays in.',
      '24 TueDraw 15Not drawn This draw was void. Its lines moved to a later draw.',
      '25 WedDraw 166:00 PM · sales close 5:55 PMMoved here from draw 11.',
      '26 ThuDraw 176:00 PM · sales close 5:55 PM',
      '27 FriDraw 186:00 PM · sales close 5:55 PM',
      '21 SatDraw 12You won £1.00 and 2 free tickets',
    ])
    expect(page.calls('getTickets')).toHaveLength(4)
    await pressButton('Show all 8 draws')
    expect(rows()).toHaveLength(8)
  })

  it('once a draw is over the ticket is about the next one, and the draw stays below with its result', async () => {
    const won = { win_type: 'PRIZE', best_matches: 3, amount_won: PAID_FOR.price, free_tickets: 0 } as const
    let status: Ticket['draw']['status'] = 'LIVE'
    const getTickets: NonNullable<Answers['getTickets']> = (input) =>
      ticketsIn(
        status === 'DRAWN' ? of(12, { status, numbers: [1, 2, 3, 4, 5] }, { result: won }) : of(12, { status }),
      )(input)
    const order = closed(1, 3)
    await openPaid(order, { answers: { getTickets }, game: { next_draw: { ...drawAt(NOW - 30), number: 12 } } })
    expect(ticket()?.querySelector('h2')?.textContent).toBe('Bitcoin Hero, draw 12')
    status = 'DRAWN'
    await pass(30_000)
    expect(ticket()?.querySelector('h2')?.textContent).toBe('Bitcoin Hero, draw 13')
    expect(ticket()?.textContent).toContain('Also in draw 14')
    expect(ticket()?.textContent).not.toContain('draw 12')
    expect(facts()).toMatchObject({ Price: '1 line × 3 draws', 'Sales close': 'Sun, Nov 22, 5:55 PM' })
    expect(page.calls('getReceipt').length).toBeGreaterThan(1)
    expect(rows()).toEqual([
      '22 SunDraw 136:00 PM · sales close 5:55 PM',
      '23 MonDraw 146:00 PM · sales close 5:55 PM',
      '21 SatDraw 12You won £1.00',
    ])
    expect(linkTo('You won £1.00')).toBe('/game/bitcoin-hero/draw/12')
  })

  it('where a draw is over, the ticket comes with its result, and nothing moves', async () => {
    const won = { win_type: 'PRIZE', best_matches: 3, amount_won: PAID_FOR.price, free_tickets: 0 } as const
    const answer = Promise.withResolvers<{ results: Ticket[]; total_pages: number }>()
    const order = ordered(1, 2)
    const [{ start_at: startAt } = { start_at: 0 }] = order.draws
    const asked = () => document.querySelector('[data-waits]')?.contains(ticket())
    await openPaid(
      { ...order, draws: order.draws.map((draw) => ({ ...draw, start_at: draw.start_at - DAY })) },
      { answers: { getTickets: () => answer.promise }, game: { last_draw_at: startAt - DAY } },
    )
    expect(asked()).toBe(true)
    const drawn = of(12, { status: 'DRAWN', start_at: startAt - DAY, numbers: [1, 2, 3, 4, 5] }, { result: won })
    answer.resolve({ results: [{ ...drawn, play_id: 'play-1' }], total_pages: 1 })
    await pass(0)
    expect(asked()).toBeUndefined()
    const sections = [...document.querySelectorAll('section')]
    const result = sections.find((section) => section.textContent.includes('You won £1.00'))
    expect(result && sections.indexOf(result)).toBeLessThan(sections.findIndex((section) => section === ticket()))
  })

  it('a ticket is not held back for a result that cannot be asked for without a connection', async () => {
    const [draw] = ordered(1, 1).draws
    const order = ordered(1, 1, { draws: draw === undefined ? [] : [{ ...draw, start_at: NOW - DAY }] })
    const answers = { getTickets: () => Promise.reject(new Error('no network')) }
    let isConnected = true
    await openPaid(order, { answers, game: { last_draw_at: NOW - DAY } }, () => {
      if (isConnected) onlineManager.setOnline(false)
      isConnected = false
      return {}
    })
    const isHeld = ticket() === null || document.querySelector('[data-waits]') !== null
    onlineManager.setOnline(true)
    expect(isHeld).toBe(false)
  })

  it('a ticket whose draws are all over is about the last one', async () => {
    await openPaid(ordered(1, 2), { game: { next_draw: { ...drawAt(NOW + 3_000), number: 14 } } })
    expect(ticket()?.querySelector('h2')?.textContent).toBe('Bitcoin Hero, draw 13')
  })

  it('a ticket whose draw was delayed says so beside the new start', async () => {
    const [draw] = closed(1, 1).draws
    const order = ordered(1, 1, { draws: draw === undefined ? [] : [{ ...draw, start_at: NOW + 7 * 3600 }] })
    const getTickets = ticketsIn(of(12, { status: 'POSTPONED', start_at: NOW + 7 * 3600 }))
    await openPaid(order, { answers: { getTickets } })
    expect(ticket()?.textContent).toContain('Sat, Nov 21, 7:00 PMDelayed: this is the new start. Every line stays in.')
  })

  it('a draw whose sales close while the page is open says so, and its state is asked for until it is drawn', async () => {
    const [draw] = ordered(1, 1).draws
    let status: Ticket['draw']['status'] = 'CLOSED'
    await openPaid(ordered(1, 1, { draws: draw === undefined ? [] : [{ ...draw, ticket_sell_closes_at: NOW + 20 }] }), {
      answers: { getTickets: (input) => ticketsIn(of(12, { status }))(input) },
    })
    expect(page.calls('getTickets')).toHaveLength(0)
    await pass(20_000)
    expect(rows()).toEqual(['21 SatDraw 126:00 PM · sales are closed'])
    status = 'DRAWN'
    await pass(30_000)
    expect(rows()).toEqual(['21 SatDraw 12Drawn. See your results'])
    const asked = page.calls('getTickets').length
    await pass(60_000)
    expect(page.calls('getTickets')).toHaveLength(asked)
  })

  it('after a late confirmation the ticket names the new draws of the lines', async () => {
    const moved = [{ from: 12, to: 13, date: NOW + 30 * 3600 }]
    await openPaid(ordered(1, 1), {}, () => ({ moved }))
    expect(text()).toContain('Draw 12 closed first. Those lines are now in draw 13: Sun, Nov 22, 6:00 PM.')
    expect(text()).toContain('You pay nothing more. A message says the same.')
  })
})

describe('tickets on paper', () => {
  const slips = () =>
    [...document.querySelectorAll('section')].filter(
      (one) => one.querySelector('h2')?.textContent === 'Fairball ticket',
    )

  it('one sheet for each draw is printed, with all lines, the receipt and the code, once all are there', async () => {
    const printed: number[] = []
    vi.stubGlobal('print', () => printed.push(slips().length))
    const { after } = papers()
    await openPaid(ordered(40, 3), { answers: { getReceipt: () => after } })
    await shown(() => hasButton('Print ticket'))
    expect(slips()).toEqual([])
    await pressButton('Print ticket')
    await shown(() => printed.length > 0)
    expect(printed).toEqual([3])
    const [, second] = slips()
    const facts = [...(second?.querySelectorAll('dd') ?? [])].map((one) => one.textContent)
    expect(facts).toEqual(['Bitcoin Hero', '13', 'Sun, Nov 22, 6:00 PM'])
    expect(second?.querySelectorAll('[aria-label^="Line "]')).toHaveLength(40)
    expect(second?.querySelector('svg')?.getAttribute('aria-label')).toBe('Code that proves this ticket')
    expect(second?.textContent).toContain('Scan after sales close to prove these lines were in the draw.')
    expect(second?.textContent).toMatch(/Receipt \(SHA-256\): [\da-f]{64}/u)
    expect(second?.textContent).toContain('Check this draw at http://localhost/game/bitcoin-hero/draw/13/proof')
    vi.unstubAllGlobals()
  })

  it('a ticket before its receipt says when the code is there', async () => {
    vi.stubGlobal('print', () => undefined)
    await openPaid(ordered(1, 1))
    await shown(() => hasButton('Print ticket'))
    await pressButton('Print ticket')
    await shown(() => slips().length === 1)
    expect(slips()[0]?.querySelector('svg')).toBeNull()
    expect(slips()[0]?.textContent).toContain('The code to scan is made within 10 minutes of payment.')
    vi.unstubAllGlobals()
  })

  it('nothing is printed if the papers cannot be loaded', async () => {
    const print = vi.fn()
    vi.stubGlobal('print', print)
    await openPaid(ordered(1, 1), { answers: { getReceipt: refuse(500, 'INTERNAL_SERVER_ERROR') } })
    await shown(() => hasButton('Print ticket'))
    await pressButton('Print ticket')
    await pass(20_000)
    await shown(() => text().includes('The ticket could not be loaded. Please try again.'))
    expect(print).not.toHaveBeenCalled()
    vi.unstubAllGlobals()
  })
})
