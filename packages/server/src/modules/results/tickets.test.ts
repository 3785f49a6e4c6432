import type { Ticket } from '@fairball/contract/schemas/ticket'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { DrawRow } from '../../../test/draw-rows.ts'
import { NOON, openReadSide, type ReadSide } from '../../../test/read-side.ts'

let side: ReadSide
beforeAll(async () => {
  side = await openReadSide()
})
beforeEach(() => side.reset())
afterAll(() => side.close())

const DAY = 86_400
const NUMBERS = [34, 2, 17, 9, 50]
const LINE = [2, 9, 17, 40, 41]

async function ticketsOf(playerId: bigint, query = ''): Promise<{ results: Ticket[]; total_pages: number }> {
  const answer = await side.get(`/settings/tickets${query}`, playerId)
  expect(answer.statusCode, query).toBe(200)
  return answer.json()
}

function draw(row: Partial<DrawRow> & { number: number; startAt: number }): Promise<bigint> {
  return side.rows.draw({ gameKey: 'treasure', ...row })
}

const settled = (row: Partial<DrawRow> & { number: number; startAt: number }) =>
  draw({ status: 'settled', numbers: NUMBERS, entries: 8, rateAt: NOON - DAY, tiers: [], ...row })

describe('the tickets of a player', () => {
  it('draws to come are listed soonest first, then drawn ones newest first, ten a page', async () => {
    const playerId = await side.rows.player()
    const drawIds: bigint[] = []
    for (let number = 1; number <= 9; number += 1)
      drawIds.push(await settled({ number, startAt: NOON - (10 - number) * DAY }))
    drawIds.push(await draw({ number: 10, startAt: NOON + DAY }), await draw({ number: 11, startAt: NOON + 2 * DAY }))
    await side.rows.order({ playerId, gameKey: 'treasure', lines: [LINE], drawIds })

    const first = await ticketsOf(playerId)
    expect(first.total_pages).toBe(2)
    expect(first.results.map((ticket) => ticket.draw.number)).toEqual([10, 11, 9, 8, 7, 6, 5, 4, 3, 2])
    expect((await ticketsOf(playerId, '?_page=2')).results.map((ticket) => ticket.draw.number)).toEqual([1])
    expect(await ticketsOf(playerId, '?_page=3')).toEqual({ results: [], total_pages: 2 })
    expect(await ticketsOf(await side.rows.player())).toEqual({ results: [], total_pages: 0 })
  })

  it('tickets of one game, or of one draw, are listed alone, and an unknown game is not found', async () => {
    const playerId = await side.rows.player()
    const drawIds = [await draw({ number: 1, startAt: NOON + DAY }), await draw({ number: 2, startAt: NOON + 2 * DAY })]
    await side.rows.order({ playerId, gameKey: 'treasure', lines: [LINE], drawIds })
    await side.rows.order({ playerId, gameKey: 'treasure', lines: [LINE, NUMBERS], drawIds: drawIds.slice(0, 1) })
    const other = await side.rows.draw({ gameKey: 'bitcoin-hero', number: 1, startAt: NOON + DAY })
    await side.rows.order({ playerId, gameKey: 'bitcoin-hero', lines: [[1, 2, 3, 4, 5]], drawIds: [other] })

    expect((await ticketsOf(playerId)).results).toHaveLength(4)
    expect((await ticketsOf(playerId, '?game=treasure')).results).toHaveLength(3)
    const { results } = await ticketsOf(playerId, '?game=treasure&draw=1')
    expect(new Set(results.map(({ lines }) => lines.length))).toEqual(new Set([1, 2]))
    expect((await side.get('/settings/tickets?game=none', playerId)).statusCode).toBe(404)
    expect((await side.get('/settings/tickets?game=treasure&draw=x', playerId)).statusCode).toBe(400)
    expect((await side.get('/settings/tickets')).statusCode).toBe(401)
  })

  it.each([
    ['open', DAY, 'UPCOMING'],
    ['open', 60, 'CLOSED'],
    ['closed', 60, 'CLOSED'],
    ['closed', -10, 'LIVE'],
    ['drawn', -10, 'LIVE'],
    ['void', -10, 'VOID'],
  ] as const)(
    'a ticket of a draw that is %s and starts in %i s is %s, and tells no ball',
    async (status, inS, shown) => {
      const playerId = await side.rows.player()
      const id = await draw({
        number: 1,
        startAt: NOON + inS,
        status,
        ...(status === 'drawn' ? { numbers: NUMBERS } : {}),
      })
      const [playId = ''] = await side.rows.order({ playerId, gameKey: 'treasure', lines: [LINE], drawIds: [id] })
      await side.rows.win({ drawId: id, playerId, playId, matches: 3, winType: 'PRIZE', sats: 5_000n })
      const [ticket] = (await ticketsOf(playerId)).results
      expect(ticket).toMatchObject({ draw: { status: shown, numbers: [] }, result: null, payout: null })
      expect(ticket?.lines).toEqual([{ numbers: LINE, is_lucky_dip: false, matches: null }])
    },
  )

  it('a drawn ticket has the matches of each line, what it won at the rate of its draw, and where the money is', async () => {
    const playerId = await side.rows.player()
    await side.rows.rates(NOON - 60, 2n)
    const drawId = await settled({ number: 1, startAt: NOON - DAY })
    const lines = [LINE, [1, 3, 4, 5, 6], NUMBERS]
    const [playId = ''] = await side.rows.order({ playerId, gameKey: 'treasure', lines, drawIds: [drawId] })
    await side.rows.win({ drawId, playerId, playId, lineNo: 0, matches: 3, winType: 'PRIZE', sats: 5_000n })
    await side.rows.win({ drawId, playerId, playId, lineNo: 2, matches: 5, winType: 'FREE_TICKET' })
    await side.rows.payout({ playerId, drawId, playId, lineNo: 0, sentAt: NOON - 100 })

    const [ticket] = (await ticketsOf(playerId)).results
    expect(ticket?.draw).toMatchObject({ status: 'DRAWN', numbers: NUMBERS })
    expect(ticket?.lines.map(({ matches }) => matches)).toEqual([3, 0, 5])
    expect(ticket?.result).toMatchObject({
      win_type: 'PRIZE',
      best_matches: 5,
      free_tickets: 1,
      amount_won: { crypto: { value: '0.00005000' }, fiat: { GBP: { value: 5 } } },
    })
    expect(ticket?.payout).toMatchObject({
      status: 'SENT',
      reason: null,
      sent_at: NOON - 100,
      address: 'address',
      confirmations: 0,
    })
  })

  it('a ticket without a win has its best line, and no payout', async () => {
    const playerId = await side.rows.player()
    const drawIds = [await settled({ number: 1, startAt: NOON - DAY })]
    await side.rows.order({ playerId, gameKey: 'treasure', lines: [[1, 3, 4, 5, 9]], drawIds })
    const [ticket] = (await ticketsOf(playerId)).results
    expect(ticket).toMatchObject({
      result: { win_type: null, best_matches: 1, amount_won: null, free_tickets: 0 },
      payout: null,
    })
  })
})
