import { useEffect, useReducer, useState } from 'react'
import { MAX_LINES } from '@fairball/domain/games'
import { addLines, canSaveLines, completeLines, luckyDipCount } from '@fairball/domain/line-drafts'
import { luckyDip } from '@fairball/domain/lucky-dip'
import { dayChoices, haveDaysPassed, isGameAvailable, weekChoices } from '@fairball/domain/play-days'
import { orderPrice, totalOfPlays } from '@fairball/domain/price'
import { weekdayOf } from '@fairball/domain/weekday'
import { useClock, useMinuteNow } from '../../shared/use-clock.ts'
import { useOpenDraws } from '../../shared/data/game-versions.ts'
import { useOpenDraw } from '../../shared/data/games.ts'
import type { Game } from '../../shared/data/games.ts'
import { drawTimesOf } from '../../shared/order/draw-times.ts'
import { keepOrder, keptOrder } from '../../shared/order/kept-order.ts'
import { attemptNow, newOrder, orderAfter } from '../../shared/order/order-draft.ts'
import { claimedLines, forgetClaimed } from '../../shared/order/visitor-order.ts'
import { usePageSteps } from '../../shared/page-state.ts'
import { runtime } from '../../shared/runtime.ts'
import { useSession } from '../../shared/session/use-session.ts'
import { type DrawPrices, orderedPrices } from './draw-prices.ts'
import { ticketPriceOf } from './money-of-game.ts'
import { useUtcOffset } from '../../shared/player-view.ts'

const DAY_SECONDS = 86_400

/**
 * The unfinished order, and everything derived from it. The tab keeps it: a reload, or the way back from the payment,
 * finds it again. Its two steps are entries of the browser's history. When the game moves to its next draw, days, weeks
 * and step start again.
 *
 * @param dips lucky dips to start with
 */
export function useOrder(game: Game, dips: number) {
  const { n: pick, N: pool } = game.sets[0] ?? { n: 1, N: 2 }
  const newDips = (count: number) =>
    Array.from({ length: count }, () => luckyDip({ pick, pool }, (bytes) => runtime.randomBytes(bytes)))
  const clock = useClock()
  const { order, dispatch, steps, arrived } = useKeptOrder(game, dips, newDips)

  const { days, mostWeeks, ...choices } = useDays(game, order.days)
  const weeks = Math.min(order.weeks, mostWeeks)
  const complete = completeLines(order.lines, pick)
  const price = usePrice(game, { lines: complete.length, days, weeks })
  // Step 2 is only for an order with a price (specification, section 4), and for the draw it was put together for.
  const isNextDraw = order.drawTimes !== drawTimesOf(game)
  // The entry of an order that was bought meanwhile would pay for other lines.
  const isSame = steps.state?.draftId === order.id
  const isPaying = steps.state?.step === 2 && isSame && price.entries > 0 && !isNextDraw
  const isTooFar = steps.state?.step === 2 && !isPaying
  useEffect(() => {
    if (isTooFar) steps.replace({ step: 1, draftId: order.id })
  }, [isTooFar, steps, order.id])
  useEffect(() => {
    if (isNextDraw) dispatch({ type: 'next-draw', drawTimes: drawTimesOf(game) })
  }, [isNextDraw, dispatch, game])

  const tickets = complete.map((line) => ({ isLuckyDip: line.isLuckyDip, numbers: [...line.confirmedNumbers] }))
  const wanted = { key: game.key, days: [...days], weeks, tickets }
  return {
    order,
    dispatch,
    /** The number of lines picked before the login that are in it since this page opened. */
    arrived,
    step: isPaying ? (2 as const) : (1 as const),
    pick,
    pool,
    complete,
    days,
    weeks,
    ...choices,
    price,
    dipCount: luckyDipCount(order.lines),
    canSave: canSaveLines(order.lines),
    /** How many lines still fit into the order. */
    room: MAX_LINES - complete.length,
    addDips: (count: number) => dispatch({ type: 'add-dips', dips: newDips(count) }),
    goToPayment: () => steps.push({ step: 2, draftId: order.id }),
    goBack: () => (steps.state?.isFirst === true ? steps.replace({ step: 1, draftId: order.id }) : steps.back()),
    /** The order as sent. */
    wanted,
    /** The order as sent, under the name of its attempt. */
    attempt() {
      const now = { nowAt: clock.now(), newId: () => runtime.randomId() }
      const attempt = attemptNow(order.attempt, JSON.stringify(wanted), now)
      dispatch({ type: 'attempt', attempt })
      return { attemptId: attempt.id, ...wanted }
    },
  }
}

/** The order of this address: the one kept by the tab, or a new one. Every change is kept. */
function useKeptOrder(game: Game, dips: number, newDips: (count: number) => number[][]) {
  const { n: pick, N: pool } = game.sets[0] ?? { n: 1, N: 2 }
  const { profile } = useSession()
  const clock = useClock()
  const steps = usePageSteps()
  const place = { gameKey: game.key, dips, player: profile?.username ?? '' }
  const [begun] = useState(() => {
    const kept = keptOrder(sessionStorage, place, { pick, pool })
    // An address with lucky dips makes new ones each time it is followed, but not when the player comes back to it.
    const isHere = kept !== null && (dips === 0 || kept.entry === steps.entry || kept.order.id === steps.state?.draftId)
    const name = { id: runtime.randomId(), drawTimes: drawTimesOf(game) }
    const { entry, order } = isHere
      ? kept
      : { entry: steps.entry, order: newOrder(newDips(Math.min(dips, MAX_LINES)), name) }
    // Lines picked before the login come after those of an order that was begun.
    const of = { gameKey: game.key, pick, pool, nowAt: clock.now() }
    const claimed = claimedLines(sessionStorage, place.player, of).slice(0, MAX_LINES + 1 - order.lines.length)
    return { entry, order: { ...order, lines: addLines(order.lines, claimed) }, arrived: claimed.length }
  })
  useEffect(() => {
    if (begun.arrived > 0) forgetClaimed(sessionStorage)
  }, [begun.arrived])
  const [order, dispatch] = useReducer(orderAfter, begun.order)
  const { gameKey, player } = place
  useEffect(
    () => keepOrder(sessionStorage, { gameKey, dips, player }, { order, entry: begun.entry }),
    [gameKey, dips, player, order, begun.entry],
  )
  return { order, dispatch, steps, arrived: begun.arrived }
}

/** Everything about an unfinished order. */
export type Order = ReturnType<typeof useOrder>

/**
 * Today, if its draw is no longer on sale, and the draw that it counts for instead: the first one on sale that is not
 * on another chosen day (as in the terms). Null if today's draw is on sale, or if other days have more draws than are
 * known here.
 */
function movedDay(game: Game, chosen: readonly number[], nowAt: number): { day: number; startAt: number } | null {
  const day = weekdayOf(nowAt)
  const isToday = (startAt: number) => Math.floor(startAt / DAY_SECONDS) === Math.floor(nowAt / DAY_SECONDS)
  const open = game.open_draws.filter((draw) => nowAt < draw.ticket_sell_closes_at)
  if (open.length === 0 || open.some((draw) => isToday(draw.start_at))) return null
  const others = chosen.filter((one) => one !== day)
  const draw = open.find(({ start_at }) => !others.includes(weekdayOf(start_at)))
  return draw === undefined ? null : { day, startAt: draw.start_at }
}

/** The days and weeks to choose from, and the chosen days: without a choice yet, the first possible one. */
function useDays(game: Game, chosen: readonly number[] | null) {
  const { days, max_weeks_ahead: maxWeeks } = game.advanced_ticket_purchase
  const nowAt = useMinuteNow()
  const choices = dayChoices(days, { nowAt, utcOffsetAt: useUtcOffset() })
  const openDraw = useOpenDraw(game).draw
  const openDay = weekdayOf(openDraw.start_at)
  // The day of the draw that an order made now counts for, if it can be chosen this week; otherwise the first possible
  // day.
  const first =
    choices.find(({ index, enabled }) => enabled && index === openDay) ?? choices.find(({ checked }) => checked)
  const wanted = chosen ?? (first === undefined ? [] : [first.index])
  // A day chosen yesterday may have passed today.
  const possible = choices.filter((choice) => choice.enabled && wanted.includes(choice.index))
  // A game that ends has no draw on some days of later weeks.
  const mostWeeks = Math.min(
    maxWeeks,
    ...days.filter(({ day }) => possible.some(({ index }) => index === day)).map(({ max_weeks }) => max_weeks),
  )
  return {
    days: possible.map((choice) => choice.index),
    mostWeeks,
    dayChoices: choices,
    movedDay: movedDay(
      game,
      possible.map((choice) => choice.index),
      nowAt,
    ),
    weekChoices: weekChoices(mostWeeks),
    havePassed: haveDaysPassed(choices),
    isAvailable: isGameAvailable(choices, maxWeeks),
  }
}

function usePrice(game: Game, size: { lines: number; days: readonly number[]; weeks: number }) {
  const { currencyCode } = useSession()
  const { lines, weeks } = size
  const { minor, write } = ticketPriceOf(game, currencyCode)
  const days = size.days.length
  const { entries, freeUsed, totalMinor } = orderPrice({
    lines,
    days,
    weeks,
    freeTickets: game.tickets_won,
    priceMinor: minor,
  })
  const byDraw = useDrawPrices(game, size)
  const minors = byDraw === null ? null : Object.values(byDraw).map((prices) => prices[currencyCode] ?? minor)
  const isMixed = minors !== null && minors.some((one) => one !== minor) && minors.length === days * weeks
  const order = { lines, draws: days * weeks, free: freeUsed }
  const total = isMixed && entries > 0 ? Number(totalOfPlays(order, minors.map(BigInt))) : totalMinor
  /** The free tickets that pay for entries; before there are entries, the available ones. */
  const freeTickets = entries > 0 ? freeUsed : game.tickets_won
  return {
    entries,
    freeTickets,
    isFree: entries > 0 && total === 0,
    /** Whether the price of every draw is known: if the rules change, each has its own. */
    isKnown: byDraw !== null,
    /** What a line costs in each draw of the order; empty if all cost the same. */
    byDraw: byDraw ?? {},
    total: write(total),
    ticket: isMixed ? ticketTexts(minors, write) : write(minor),
  }
}

/** "3 × £1.00, 1 × £1.50" for draws that do not cost the same. */
function ticketTexts(minors: readonly number[], write: (minor: number) => string): string {
  const groups = Map.groupBy(minors, (minor) => minor)
  return [...groups].map(([minor, draws]) => `${draws.length} × ${write(minor)}`).join(', ')
}

/** What a line costs in each draw of an order: nothing if no change is announced, null while it is not known. */
function useDrawPrices(game: Game, order: { days: readonly number[]; weeks: number }): DrawPrices | null {
  const { data: openDraws } = useOpenDraws(game)
  const nowAt = useMinuteNow()
  if (game.change === null || order.days.length === 0) return {}
  if (openDraws === undefined) return null
  const prices = orderedPrices(game, openDraws, { ...order, nowAt })
  return prices === null ? {} : Object.fromEntries(prices)
}
