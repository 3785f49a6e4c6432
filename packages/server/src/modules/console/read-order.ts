import type { ConsoleAnswerOf } from '@fairball/contract/console/call'
import type { readCalls } from '@fairball/contract/console/read'
import { LotteryError } from '@fairball/domain/errors'
import { satsToBtc } from '@fairball/domain/money'
import type { Queries } from '../../db/pool.ts'
import type { RowOf } from '../../db/sql.ts'
import { type GameNames, gameNames } from './read-parts.ts'
import * as queries from './read-orders-queries.ts'

type OrderAnswer = ConsoleAnswerOf<typeof readCalls.getOrder>
type Event = OrderAnswer['timeline'][number]
type OrderRow = RowOf<typeof queries.findOrder>
type PaymentRow = RowOf<typeof queries.listPayments>
type PlayRow = RowOf<typeof queries.listPlays>
type OwedRow = RowOf<typeof queries.listOwed>

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** Maximum number of characters shown of the provider's answer. */
const MOST_WORDS = 300

const ENDED: Readonly<Record<string, string>> = {
  PAUSE: 'It ended early: its player began a time-out or an exclusion.',
  WEEKLY_LIMIT: 'It ended early: its player lowered the weekly limit.',
}
const MOVED: Readonly<Record<string, string>> = {
  late: 'the payment came late',
  void: 'the draw was void',
  reorg: 'its payment left the chain for a time',
}

/** One order from its making to its last payout. @throws LotteryError NOT_FOUND */
export async function orderPage(from: Queries, id: string, now: number): Promise<OrderAnswer> {
  const order = UUID.test(id) ? await from.maybeOne(queries.findOrder, [id]) : null
  if (order === null) throw new LotteryError('NOT_FOUND')
  const [payments, plays, owed, nameOf] = await Promise.all([
    from.run(queries.listPayments, [id]),
    from.run(queries.listPlays, [id, now]),
    from.run(queries.listOwed, [id]),
    gameNames(from),
  ])
  const timeline = [
    ...orderEvents(order),
    ...payments.flatMap(paymentEvents),
    ...plays.flatMap((play) => playEvents(play, nameOf, now)),
    ...owed.flatMap(owedEvents),
  ].toSorted((one, other) => one.at - other.at) // stable: what happened at once keeps its order
  return {
    id,
    player: { id: String(order.playerId), username: order.username },
    state: order.status,
    game: order.gameKey,
    game_name: nameOf(order.gameKey),
    created_at: order.createdAt,
    expires_at: order.expiresAt,
    sats: String(order.dueSats),
    received_sats: String(order.receivedSats),
    goodwill_sats: String(order.goodwillSats),
    lines: order.lineCount,
    draws: order.draws,
    address: order.address,
    timeline,
    plays: plays.map((play) => ({
      ...drawOf(play, nameOf),
      id: play.id,
      lines: play.lineCount,
      state: play.returnedAt === null ? play.status : 'returned',
      won_sats: String(play.wonSats),
    })),
    sentence: sentenceOf(order, { payments, plays, owed }, nameOf, now),
  }
}

function event(at: number, kind: string, text: string, more: Partial<Event> = {}): Event {
  return { at, kind, text, sats: null, txid: null, batch: null, draw: null, ...more }
}

function orderEvents(order: OrderRow): Event[] {
  const { createdAt, expiresAt, paidAt, lineCount, draws, freeCount, provider, words, wordsAt, lightningAt } = order
  const events = [
    event(
      createdAt,
      'order.made',
      `Ordered: ${lineCount} × ${draws}, of ${order.entryCount} entries ${freeCount} free.`,
      {
        sats: String(order.dueSats),
      },
    ),
  ]
  if (provider !== null) events.push(event(createdAt, 'invoice.made', `Invoice by ${provider}.`))
  if (lightningAt !== null)
    events.push(event(lightningAt, 'invoice.lightning', `Lightning invoice ${order.paymentHash ?? ''}.`))
  if (words !== null && wordsAt !== null)
    events.push(event(wordsAt, 'provider.said', `The provider said: ${words.slice(0, MOST_WORDS)}`))
  if (paidAt !== null) events.push(event(paidAt, 'order.paid', 'Paid: its plays are entered.'))
  if (order.goodwillAt !== null)
    events.push(
      event(order.goodwillAt, 'order.goodwill', 'Goodwill was paid into the player’s winnings.', {
        sats: String(order.goodwillSats),
      }),
    )
  if (paidAt === null && (order.status === 'EXPIRED' || order.status === 'REFUNDED'))
    events.push(
      event(expiresAt, 'order.expired', ENDED[order.endedBecause ?? ''] ?? 'Expired: not all of it had arrived.'),
    )
  return events
}

function paymentEvents(payment: PaymentRow): Event[] {
  const { network, outpoint, seenAt, confirmedAt, missingSince, goneAt } = payment
  const isLightning = network === 'LIGHTNING'
  const txid = outpoint.split(':')[isLightning ? 1 : 0] ?? outpoint
  const about = { sats: String(payment.sats), txid }
  const events = [
    event(seenAt, 'payment.seen', isLightning ? 'A payment over Lightning came.' : 'A payment was seen.', about),
  ]
  if (confirmedAt !== null) events.push(event(confirmedAt, 'payment.confirmed', 'The payment is confirmed.', about))
  if (missingSince !== null)
    events.push(event(missingSince, 'payment.missing', 'The payment is not found any more.', about))
  if (goneAt !== null) events.push(event(goneAt, 'payment.gone', 'The payment left the chain.', about))
  return events
}

function drawOf({ gameKey, number }: PlayRow, nameOf: GameNames): NonNullable<Event['draw']> {
  return { game: gameKey, game_name: nameOf(gameKey), number }
}

function playEvents(play: PlayRow, nameOf: GameNames, now: number): Event[] {
  const draw = drawOf(play, nameOf)
  const { receiptAt, movedFrom, moveReason, receiptMadeAt, returnedAt, closedAt, endAt, status, wonSats } = play
  const moved = movedFrom === null ? '' : `, instead of draw ${movedFrom}: ${MOVED[moveReason ?? ''] ?? 'it was moved'}`
  const lines = play.lineCount === 1 ? '1 line is' : `${play.lineCount} lines are`
  const events = [event(receiptAt, 'play.entered', `${lines} in the draw${moved}.`, { draw })]
  if (receiptMadeAt !== null) events.push(event(receiptMadeAt, 'receipt.made', 'Its receipt was asked for.', { draw }))
  if (closedAt !== null) events.push(event(closedAt, 'draw.closed', 'Sales of the draw closed.', { draw }))
  if (returnedAt !== null)
    events.push(event(returnedAt, 'play.returned', 'The draw was void: the stake goes back.', { draw }))
  if (status === 'settled' && endAt <= now) {
    const tickets = play.freeTickets === 0 ? '' : ` Free tickets: ${play.freeTickets}.`
    const text = wonSats > 0n ? `Drawn: it won.${tickets}` : `Drawn: it won no money.${tickets}`
    events.push(event(endAt, 'draw.drawn', text, { draw, sats: wonSats > 0n ? String(wonSats) : null }))
  }
  return events
}

const OWED: Readonly<Record<string, string>> = {
  prize: 'The prize is owed.',
  refund: 'A refund is owed.',
  excess: 'What was paid too much is owed.',
}

function owedEvents({ kind, createdAt, sats, payoutId, batchId, madeAt, sentAt, txid }: OwedRow): Event[] {
  const events = [event(createdAt, `owed.${kind}`, OWED[kind] ?? 'Money is owed.', { sats: String(sats) })]
  if (payoutId === null || madeAt === null) return events
  const batch = batchId === null ? `ln:${payoutId}` : String(batchId)
  events.push(event(madeAt, 'payout.made', 'It is in a payout.', { batch, sats: String(sats) }))
  if (sentAt !== null)
    events.push(event(sentAt, 'payout.sent', 'The payout was sent.', { batch, txid, sats: String(sats) }))
  return events
}

/** One sentence to send to the player. */
function sentenceOf(
  order: OrderRow,
  { payments, plays, owed }: { payments: readonly PaymentRow[]; plays: readonly PlayRow[]; owed: readonly OwedRow[] },
  nameOf: GameNames,
  now: number,
): string {
  const name = `Your ${nameOf(order.gameKey)} order ${order.id.slice(0, 8)}`
  const back = owed.filter(({ kind }) => kind === 'refund')
  switch (order.status) {
    case 'PENDING':
      return `${name} waits for ${btc(order.dueSats)} until ${utc(order.expiresAt)}.`
    case 'UNDERPAID': {
      const seen = payments.filter(({ goneAt }) => goneAt === null).reduce((sum, { sats }) => sum + sats, 0n)
      const missing = order.dueSats > seen ? order.dueSats - seen : 0n
      return `${name} still lacks ${btc(missing)}: send it to the same address by ${utc(order.expiresAt)}.`
    }
    case 'PROCESSING':
      return `${name} is paid, and its lines play once the payment is confirmed.`
    case 'REFUNDED':
      return `${name} was not paid in time, and ${returnOf(back)}.`
    case 'PAID':
      return `${name} is paid${playedOf(plays, owed, now)}.`
    default:
      return back.length === 0
        ? `${name} expired at ${utc(order.expiresAt)} before it was paid, so its lines do not play.`
        : `${name} expired before it was paid, and ${returnOf(back)}.`
  }
}

function returnOf(back: readonly OwedRow[]): string {
  const sats = btc(back.reduce((sum, one) => sum + one.sats, 0n))
  const last = back.at(-1)
  if (last === undefined || last.sentAt === null) return `${sats} will be sent back to your payout address`
  return `${sats} was sent back${last.txid === null ? '' : ` in the transaction ${last.txid}`}`
}

function playedOf(plays: readonly PlayRow[], owed: readonly OwedRow[], now: number): string {
  const drawn = plays.filter(({ status, endAt }) => status === 'settled' && endAt <= now)
  const won = drawn.reduce((sum, { wonSats }) => sum + wonSats, 0n)
  const open = plays.length - drawn.length
  const coming = open === 0 ? '' : `, ${open === 1 ? 'one draw is' : `${open} draws are`} still to come`
  if (drawn.length === 0)
    return plays.length === 0
      ? ''
      : `, and its lines are in ${plays.length === 1 ? 'its draw' : `${plays.length} draws`}`
  if (won === 0n)
    return `; its lines played in ${drawn.length === 1 ? 'one draw' : `${drawn.length} draws`} and won no money${coming}`
  const prizes = owed.filter(({ kind }) => kind === 'prize')
  const sent = prizes.length > 0 && prizes.every(({ sentAt }) => sentAt !== null)
  const txid = prizes.findLast((one) => one.txid !== null)?.txid ?? null
  const paid = sent ? `was sent to you${txid === null ? '' : ` in the transaction ${txid}`}` : 'will be paid to you'
  return `; it won ${btc(won)}, which ${paid}${coming}`
}

function btc(sats: bigint): string {
  return `${satsToBtc(sats)} BTC`
}

function utc(at: number): string {
  return `${new Date(at * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
