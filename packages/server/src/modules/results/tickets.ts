import type { AnswerOf } from '@fairball/contract/calls'
import type { Payout } from '@fairball/contract/schemas/account'
import type { Ticket } from '@fairball/contract/schemas/ticket'
import { matchesOf, maskNumbers } from '@fairball/domain/lines'
import { pageRange, totalPages } from '../../kernel/paging.ts'
import type { RowOf } from '../../db/sql.ts'
import { knownGame, shownUntil } from '../games/service.ts'
import { amountOf, drawRefOf } from '../payments/service.ts'
import { type OwedItem, prizesOfPlays } from '../payouts/service.ts'
import type { ResultsContext } from './context.ts'
import type { DrawRates } from './draw-views.ts'
import { ratesOf } from './rates.ts'
import * as queries from './ticket-queries.ts'

type TicketRow = RowOf<typeof queries.findTickets>
type LinesRow = RowOf<typeof queries.findLinesOfOrders>

/**
 * One page of what a player holds: the lines of each order in each draw, draws to come first.
 *
 * @param only a game, or one of its draws
 * @throws LotteryError NOT_FOUND for an unknown game
 */
export async function listTickets(
  ctx: ResultsContext,
  playerId: bigint,
  { page, ...only }: { page: number; game?: string | undefined; draw?: number | undefined },
): Promise<AnswerOf<'getTickets'>> {
  const gameKey = only.game === undefined ? null : (await knownGame(ctx.games, only.game)).key
  const filter = { playerId, gameKey, number: only.draw ?? null }
  const [{ tickets: count }, rows] = await Promise.all([
    ctx.db.one(queries.countTickets, filter),
    ctx.db.run(queries.findTickets, { ...filter, ...pageRange(page) }),
  ])
  const orderIds = [...new Set(rows.map((row) => row.orderId))]
  const wonIds = rows.filter((row) => row.wonSats !== null).map((row) => row.id)
  const [lines, rates, prizes] = await Promise.all([
    orderIds.length === 0 ? [] : ctx.db.run(queries.findLinesOfOrders, [orderIds]),
    ratesOf(ctx, rows),
    wonIds.length === 0 ? [] : prizesOfPlays(ctx.payouts, playerId, wonIds),
  ])
  const linesByOrder = Map.groupBy(lines, ({ orderId }) => orderId)
  const prizesByPlay = Map.groupBy(prizes, ({ playId }) => playId)
  const nowAt = ctx.runtime.clock.now()
  const results = rows.map((row) => ({
    ...ticketOf(row, { parts: linesByOrder.get(row.orderId) ?? [], rates: rates(row), nowAt }),
    payout: farthestBehind(prizesByPlay.get(row.id) ?? []),
  }))
  return { results, total_pages: totalPages(count) }
}

function ticketOf(
  row: TicketRow,
  { parts, rates, nowAt }: { parts: readonly LinesRow[]; rates: DrawRates; nowAt: number },
): Omit<Ticket, 'payout'> {
  const { drawnMask } = row
  const isDrawn = row.status === 'settled'
  const lines = parts.flatMap(({ masks, dips }) =>
    masks.map((mask, place) => ({
      numbers: maskNumbers(mask),
      is_lucky_dip: dips[place] ?? false,
      matches: isDrawn && drawnMask !== null ? matchesOf(mask, drawnMask) : null,
    })),
  )
  return {
    play_id: row.id,
    game_key: row.gameKey,
    transaction_id: row.orderId,
    draw: {
      ...drawRefOf(row),
      end_at: shownUntil(row),
      status: statusOf(row, nowAt),
      numbers: isDrawn ? [...(row.numbers ?? [])] : [],
    },
    lines,
    moved_from: row.movedFrom,
    result: isDrawn
      ? {
          win_type: row.winType,
          best_matches: Math.max(0, ...lines.map(({ matches }) => matches ?? 0)),
          amount_won: row.wonSats === null ? null : amountOf(row.wonSats, rates),
          free_tickets: row.freeTickets,
        }
      : null,
  }
}

function statusOf({ status, postponed, startAt, closesAt }: TicketRow, nowAt: number): Ticket['draw']['status'] {
  if (status === 'void') return 'VOID'
  if (status === 'settled') return 'DRAWN'
  if (status !== 'open' && startAt <= nowAt) return 'LIVE'
  if (postponed > 0) return 'POSTPONED'
  return closesAt <= nowAt ? 'CLOSED' : 'UPCOMING'
}

const PAYOUT_STEPS: readonly Payout['status'][] = ['WAITING', 'SCHEDULED', 'SENT', 'CONFIRMED']

/** The way of all the money of a play: of what is farthest behind, if its prizes left at different times. */
function farthestBehind(prizes: readonly OwedItem[]): Payout | null {
  const [last] = prizes
    .map(({ payout }) => payout)
    .toSorted((one, other) => PAYOUT_STEPS.indexOf(one.status) - PAYOUT_STEPS.indexOf(other.status))
  return last ?? null
}
