import type { Tx } from '../../db/pool.ts'
import type { Jobs } from '../../jobs/queue.ts'
import type { DrawNews, OrderNews, PayoutNews } from '../../kernel/facts.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { noteEvent, type OutgoingEvent } from './events.ts'

/** What telling webhooks of the lottery's facts needs. */
interface FactsContext {
  readonly jobs: Pick<Jobs, 'add'>
  readonly runtime: Pick<Runtime, 'clock'>
}

/** Tells of an order that is paid, or whose money goes back. */
export async function tellOfOrder(ctx: FactsContext, tx: Tx, news: OrderNews): Promise<void> {
  const event = eventOfOrder(news)
  if (event !== null) await noteEvent(ctx, tx, { ...event, at: ctx.runtime.clock.now() })
}

/** Tells of a draw that is closed, drawn or void. */
export async function tellOfDraw(ctx: FactsContext, tx: Tx, news: DrawNews): Promise<void> {
  const at = ctx.runtime.clock.now()
  await noteEvent(ctx, tx, { type: `draw.${news.to}`, subject: String(news.drawId), at, data: dataOfDraw(news) })
}

/** Tells of a payout that has left. */
export async function tellOfPayout(ctx: FactsContext, tx: Tx, news: PayoutNews): Promise<void> {
  const { payoutId, sats, way } = news
  const reference = way.kind === 'chain' ? way.txid : way.hash
  const data = { payout: String(payoutId), sats: Number(sats), kind: way.kind, reference }
  await noteEvent(ctx, tx, { type: 'payout.sent', subject: String(payoutId), at: ctx.runtime.clock.now(), data })
}

/**
 * Tells of an alarm.
 *
 * @param news `subject` tells it from others, and `text` names nobody and no address: webhooks may lead anywhere
 */
export async function tellOfAlarm(
  ctx: FactsContext,
  tx: Tx,
  { alarm, subject, text }: { readonly alarm: string; readonly subject: string; readonly text: string },
): Promise<void> {
  await noteEvent(ctx, tx, { type: 'alarm.raised', subject, at: ctx.runtime.clock.now(), data: { alarm, text } })
}

function eventOfOrder(news: OrderNews): Omit<OutgoingEvent, 'at'> | null {
  const about = { order: news.orderId, game: news.gameKey }
  if (news.kind === 'paid') {
    const data = { ...about, sats: Number(news.sats) }
    return { type: 'order.paid', subject: `${news.orderId}:${news.timesReversed}`, data }
  }
  if (news.kind === 'refunded') {
    const data = { ...about, sats: Number(news.sats), reason: news.reason }
    return { type: 'order.refunded', subject: news.subject, data }
  }
  if (news.kind !== 'returned') return null
  const data = { ...about, sats: Number(news.sats), reason: 'no-draw-left' }
  return { type: 'order.refunded', subject: `${news.orderId}:draw-${news.drawNumber}`, data }
}

function dataOfDraw(news: DrawNews): OutgoingEvent['data'] {
  const about = { game: news.gameKey, number: news.drawNumber, start_at: news.startAt }
  if (news.to === 'closed') return { ...about, entries: news.entries, stake_sats: Number(news.stakeSats) }
  if (news.to === 'void') return { ...about, reason: news.reason }
  return {
    ...about,
    numbers: news.numbers,
    winning_lines: news.winningLines,
    prize_sats: Number(news.prizeSats),
    jackpot_sats: Number(news.jackpotSats),
  }
}
