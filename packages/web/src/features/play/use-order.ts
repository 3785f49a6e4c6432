import { useReducer, useState } from 'react'
import { MOST_LINES } from '@fairball/domain/games'
import { canSaveLines, completeLines, luckyDipCount } from '@fairball/domain/line-drafts'
import { luckyDip } from '@fairball/domain/lucky-dip'
import { dayChoices, haveDaysPassed, isGameAvailable, weekChoices } from '@fairball/domain/play-days'
import { orderPrice } from '@fairball/domain/price'
import { useMinuteNow } from '../../app/clock.ts'
import type { Game } from '../../app/data/games.ts'
import { runtime } from '../../app/runtime.ts'
import { useSession } from '../../app/session/use-session.ts'
import { ticketPriceOf } from './money-of-game.ts'
import { newOrder, orderAfter } from './order-draft.ts'
import { useUtcOffset } from '../../app/player-view.ts'

/**
 * The order that is being put together, and everything that follows from it. When the game goes on to its next draw, days,
 * weeks and step begin again.
 *
 * @param dips so many lucky dips are there at first
 */
export function useOrder(game: Game, dips: number) {
  const { n: pick, N: pool } = game.sets[0] ?? { n: 1, N: 2 }
  const { start_at: startAt } = game.next_draw
  const newDips = (count: number) =>
    Array.from({ length: count }, () => luckyDip({ pick, pool }, (bytes) => runtime.randomBytes(bytes)))
  const [order, dispatch] = useReducer(orderAfter, Math.min(dips, MOST_LINES), (count) => newOrder(newDips(count)))
  const [drawAt, setDrawAt] = useState(startAt)
  if (drawAt !== startAt) {
    setDrawAt(startAt)
    dispatch({ type: 'next-draw' })
  }

  const { days, ...choices } = useDays(game, order.days)
  const complete = completeLines(order.lines, pick)
  const price = usePrice(game, { lines: complete.length, days: days.length, weeks: order.weeks })
  return {
    order,
    dispatch,
    pick,
    pool,
    complete,
    days,
    ...choices,
    price,
    dipCount: luckyDipCount(order.lines),
    canSave: canSaveLines(order.lines),
    /** How many lines still fit into the order. */
    room: MOST_LINES - complete.length,
    addDips: (count: number) => dispatch({ type: 'add-dips', dips: newDips(count) }),
    goToPayment: () => dispatch({ type: 'to-payment', attemptId: runtime.randomId() }),
  }
}

/** Everything about an order in the making. */
export type Order = ReturnType<typeof useOrder>

/** The days and weeks to choose from, and the chosen days: without a choice yet, the first possible one. */
function useDays(game: Game, chosen: readonly number[] | null) {
  const { days, max_weeks_ahead: maxWeeks } = game.advanced_ticket_purchase
  const nowAt = useMinuteNow()
  const utcOffsetSeconds = useUtcOffset()(game.next_draw.start_at)
  const choices = dayChoices(days, { nowAt, utcOffsetSeconds })
  const wanted = chosen ?? choices.filter((choice) => choice.checked).map((choice) => choice.index)
  // A day chosen yesterday may have passed today.
  const possible = choices.filter((choice) => choice.enabled && wanted.includes(choice.index))
  return {
    days: possible.map((choice) => choice.index),
    dayChoices: choices,
    weekChoices: weekChoices(maxWeeks),
    havePassed: haveDaysPassed(choices),
    isAvailable: isGameAvailable(choices, maxWeeks),
  }
}

function usePrice(game: Game, size: { lines: number; days: number; weeks: number }) {
  const { currencyCode } = useSession()
  const { minor, write } = ticketPriceOf(game, currencyCode)
  const { entries, freeUsed, totalMinor } = orderPrice({ ...size, freeTickets: game.tickets_won, priceMinor: minor })
  /** The free tickets that pay for entries; before there are entries, those there are to use. */
  const freeTickets = entries > 0 ? freeUsed : game.tickets_won
  return {
    entries,
    freeTickets,
    isFree: entries > 0 && totalMinor === 0,
    total: write(totalMinor),
    ticket: write(minor),
  }
}
