import { letterOf } from '@fairball/domain/line-letters'
import { PATTERNS } from '@fairball/domain/games'
import type { Tx } from '../../db/pool.ts'
import { nullable, type RowOf, sql, t } from '../../db/sql.ts'
import type {
  FreeTicketsNews,
  GameNews,
  HoldNews,
  OrderNews,
  PayoutNews,
  ReturnedNews,
  WinnerNews,
} from '../../kernel/facts.ts'
import { zoneOf } from '../content/service.ts'
import { currentRates } from '../payments/service.ts'
import { isInUseAt, payFirstAt, usableDestinationAt } from '../payouts/service.ts'
import type { MessagesContext } from './context.ts'
import { storyOfOrder } from './order-stories.ts'
import { type Payee, placeOf, type PlayerWords, whatPaymentNeeds, wordsOf } from './player-words.ts'
import { type BallsPicture, type MailFile, type MailParagraph, wordsOfParagraph } from './mail-parts.ts'
import type { MailCategory } from './queries.ts'
import { escapeHtml } from './sanitise-html.ts'
import { enqueueMail, type MessageAction, sendMessage } from './service.ts'
import { calendarOf, picturesOfWin, readLine, readOrder, ticketOf } from './told-lines.ts'

/** Longest time until prizes leave after becoming owed, if there is an address. */
const PAID_WITHIN_SECONDS = 3600

const MSAT_A_SAT = 1000n

const findRecipient = sql({
  name: 'messages.find-recipient',
  text: `select p.username, p.email, p.email_verified_at is not null as is_verified, p.timezone_id, p.currency_id,
      (select address from player_addresses a where a.player_id = p.id and superseded_at is null and ${isInUseAt('$2')}
        order by a.id desc limit 1) as address,
      e.value as destination, e.max_msat,
      coalesce(g.name, '') as game_name, coalesce(g.accent, '') as accent, coalesce(g.pattern, 'solid') as pattern
    from players p left join games g on g.key = $3
    left join lateral (${usableDestinationAt('$2', 'value, max_msat')}) e on ${payFirstAt('$2')} = 'LIGHTNING'
    where p.id = $1 and p.erased_at is null`,
  params: [t.bigint, t.epochSeconds, nullable(t.text)],
  row: {
    username: t.text,
    email: nullable(t.text),
    isVerified: t.bool,
    timezoneId: t.int,
    currencyId: t.int,
    address: nullable(t.text),
    destination: nullable(t.text),
    maxMsat: nullable(t.bigint),
    gameName: t.text,
    accent: t.text,
    pattern: t.oneOf(PATTERNS),
  },
  serves: 'each',
})

type NewsReader = RowOf<typeof findRecipient>

/** A report for the inbox and by mail, with the same sentences. */
export interface Story {
  readonly key: string
  readonly category: MailCategory
  readonly title: string
  readonly paragraphs: readonly MailParagraph[]
  readonly files?: readonly MailFile[]
  readonly action: MessageAction
  /**
   * No money came: a never-verified address gets no mail about it, or endless orders would fill a stranger's mailbox.
   */
  readonly followsNoMoney?: boolean
}

/**
 * Writes a story to its player, in the player's currency and time zone.
 *
 * @param about.gameKey the game whose name the story has; null for none
 * @param about.ratesAt time of the rates for its amounts, in epoch seconds
 * @param about.more what else the story is made of, asked for at the same time
 */
async function tellStory<More>(
  ctx: MessagesContext,
  tx: Tx,
  about: {
    readonly playerId: bigint
    readonly gameKey: string | null
    readonly ratesAt: number
    readonly more?: Promise<More> | undefined
  },
  storyFor: (words: PlayerWords, reader: NewsReader, more: More | undefined) => Story,
): Promise<void> {
  const { playerId } = about
  const [reader, rates, more] = await Promise.all([
    tx.maybeOne(findRecipient, [playerId, ctx.runtime.clock.now(), about.gameKey]),
    currentRates(tx, about.ratesAt),
    about.more,
  ])
  if (reader === null) return // an erased account no longer has an inbox
  const { username, email, isVerified, timezoneId, currencyId } = reader
  const words = wordsOf({ zone: zoneOf(timezoneId), currencyId }, rates, ctx.runtime.clock.now())
  const { key, category, title, paragraphs, action, files = [], followsNoMoney = false } = storyFor(words, reader, more)
  const address = `${ctx.site().publicUrl}${action.path}`
  const html = paragraphs.map((one) => `<p>${escapeHtml(wordsOfParagraph(one))}</p>`).join('')
  await Promise.all([
    sendMessage(ctx, tx, { playerId, title, html, action, key }),
    email === null || (followsNoMoney && !isVerified)
      ? null
      : enqueueMail(ctx, tx, {
          to: email,
          playerId,
          category,
          key,
          subject: title,
          paragraphs: [`Hello ${username},`, ...paragraphs],
          action: { label: action.label, address },
          files,
        }),
  ])
}

/** What happened to an order. */
export async function tellOfOrder(ctx: MessagesContext, tx: Tx, news: OrderNews): Promise<void> {
  const now = ctx.runtime.clock.now()
  const { playerId, gameKey } = news
  const more = news.kind === 'paid' ? readOrder(tx, news.orderId) : undefined
  await tellStory(ctx, tx, { playerId, gameKey, ratesAt: now, more }, (words, reader, order) => {
    const payee = payeeOf(ctx, reader, 'sats' in news ? news.sats : 0n)
    const story = storyOfOrder(news, reader.gameName, words, payee)
    if (order === undefined) return story
    return {
      ...story,
      paragraphs: [...story.paragraphs, ...ticketOf(order, reader, words)],
      files: calendarOf(order, { gameKey, gameName: reader.gameName }, { ...ctx.site(), now }),
    }
  })
}

/** What a player won in a draw. */
export async function tellWinner(ctx: MessagesContext, tx: Tx, news: WinnerNews): Promise<void> {
  const approvalSats = ctx.approvalSats()
  const isApproved = approvalSats === null || news.sats <= approvalSats
  const payByAt = isApproved ? ctx.runtime.clock.now() + PAID_WITHIN_SECONDS : null
  const { playerId, gameKey, ratesAt, numbers, bestLine } = news
  await tellStory(ctx, tx, { playerId, gameKey, ratesAt, more: readLine(tx, bestLine) }, (words, reader, line) => {
    const pictures = line === undefined ? [] : picturesOfWin(numbers, { ...bestLine, line }, reader)
    const payee = payeeOf(ctx, reader, news.sats)
    return storyOfWinner(news, words, { payee, payByAt, gameName: reader.gameName, pictures })
  })
}

/** Money that left for a player's address. */
export async function tellOfPayout(ctx: MessagesContext, tx: Tx, news: PayoutNews): Promise<void> {
  const { playerId } = news
  if (playerId === null) return // a partner has no messages
  const about = { playerId, gameKey: null, ratesAt: ctx.runtime.clock.now() }
  await tellStory(ctx, tx, about, ({ short, money }) => ({
    key: `payout:${news.payoutId}`,
    category: 'win',
    title:
      news.way.kind === 'chain' ? `${short(news.sats)} is on its way to you` : `${short(news.sats)} was paid to you`,
    paragraphs:
      news.way.kind === 'chain'
        ? [
            `We sent ${money(news.sats)} to your bitcoin address ${news.address}.`,
            `The bitcoin transaction is ${news.way.txid}.`,
          ]
        : [
            `We paid ${money(news.sats)} over Lightning to ${news.address}. It has arrived.`,
            `The payment hash is ${news.way.hash}. Your transactions show the preimage, which proves the payment.`,
          ],
    action: { label: 'See your transactions', path: '/settings/funds-and-payments/transaction-history' },
  }))
}

/** The operator holds a player's payouts for a time. */
export async function tellOfHold(ctx: MessagesContext, tx: Tx, news: HoldNews): Promise<void> {
  const about = { playerId: news.playerId, gameKey: null, ratesAt: ctx.runtime.clock.now() }
  await tellStory(ctx, tx, about, ({ time }) => ({
    key: `hold:${news.holdId}`,
    category: 'payment',
    title: 'Your payouts are on hold',
    paragraphs: [
      `We are checking something about your account, so nothing is paid out to you until ${time(news.until)} at the latest.`,
      'The money stays yours: your balance shows it, and so does the statement of what we owe. Lines that are paid for play on, and what they win is added.',
    ],
    action: { label: 'See your balance', path: '/settings/funds-and-payments/balance' },
  }))
}

/** A wallet that could not be paid for a day: told once for each destination. */
export async function tellOfReturned(ctx: MessagesContext, tx: Tx, news: ReturnedNews): Promise<void> {
  const about = { playerId: news.playerId, gameKey: null, ratesAt: ctx.runtime.clock.now() }
  await tellStory(ctx, tx, about, ({ money }, { address }) => ({
    key: `payout-returned:${news.destinationId}`,
    category: 'win',
    title: 'Your Lightning wallet could not be paid',
    paragraphs: [
      `We tried for a day to pay ${money(news.sats)} over Lightning to ${news.address}, and no payment arrived. The money is still yours.`,
      address === null
        ? 'We try again once a day. You can save a bitcoin address or another Lightning destination, and are paid there.'
        : `It is sent to your bitcoin address ${address} instead.`,
    ],
    action: { label: 'See where you are paid', path: '/settings/funds-and-payments/crypto-account-details' },
  }))
}

/** A change of a game that may be worse for its player, or its end. */
export async function tellOfGame(ctx: MessagesContext, tx: Tx, news: GameNews): Promise<void> {
  const { playerId, gameKey, version, fromAt, changes, freeTickets } = news
  await tellStory(ctx, tx, { playerId, gameKey, ratesAt: ctx.runtime.clock.now() }, ({ time }, { gameName: game }) => ({
    key: `game:${gameKey}:${version}:${playerId}`,
    category: 'payment',
    title: changes === null ? `${game} comes to an end` : `${game} changes`,
    paragraphs:
      changes === null
        ? [
            `${game} has no draw that starts after ${time(fromAt - 1)}. Draws before that are played as announced.`,
            ...(freeTickets === 0
              ? []
              : [
                  `You have ${ticketsText(freeTickets)} of ${game}. What is left of them after its last draw is paid out to you.`,
                ]),
          ]
        : [
            `Draws of ${game} that start after ${time(fromAt - 1)} have other rules. Earlier draws keep theirs, and so do your lines in them.`,
            ...changes,
          ],
    action: { label: `See ${game}`, path: `/game/${gameKey}` },
  }))
}

/** Free tickets that were paid out because their game has ended. */
export async function tellOfFreeTickets(ctx: MessagesContext, tx: Tx, news: FreeTicketsNews): Promise<void> {
  const { playerId, gameKey, tickets, sats } = news
  const about = { playerId, gameKey, ratesAt: ctx.runtime.clock.now() }
  await tellStory(ctx, tx, about, ({ short, money }, reader) => ({
    key: `free-tickets:${gameKey}:${playerId}`,
    category: 'payment',
    title: `Your free tickets of ${reader.gameName} are paid out`,
    paragraphs: [
      `${reader.gameName} has ended. For the ${ticketsText(tickets)} that you had left you get ${money(sats)}, the price of as many lines.`,
      whatPaymentNeeds(payeeOf(ctx, reader, sats)) ??
        `${short(sats)} is on its way to ${placeOf(payeeOf(ctx, reader, sats))}.`,
    ],
    action: { label: 'See your transactions', path: '/settings/funds-and-payments/transaction-history' },
  }))
}

function ticketsText(count: number): string {
  return count === 1 ? '1 free ticket' : `${count} free tickets`
}

function storyOfWinner(
  news: WinnerNews,
  words: PlayerWords,
  reader: {
    payee: Payee
    payByAt: number | null
    gameName: string
    pictures: readonly BallsPicture[]
  },
): Story {
  const { gameKey, drawId, drawNumber, playerId, sats, freeTickets, numbers, bestLine } = news
  const game = reader.gameName
  const tickets = freeTickets === 1 ? 'a free ticket' : `${freeTickets} free tickets`
  const line = `Line ${letterOf(bestLine.place - 1)} matched ${bestLine.matches} of ${numbers.length} in draw ${drawNumber} (${numbers.join(', ')}).`
  const usedWhen = `used automatically with your next order in ${game}.`
  const free = sats > 0n ? `You also won ${tickets}, ${usedWhen}` : `You won ${tickets}, ${usedWhen}`
  return {
    key: `win:${drawId}:${playerId}`,
    category: 'win',
    title: news.isJackpot
      ? `You won the ${game} jackpot: ${words.short(sats)}`
      : `You won ${sats > 0n ? words.short(sats) : tickets} in ${game}`,
    paragraphs: [
      sats > 0n ? `${line} ${whereItIs(sats, words, reader)}` : line,
      ...reader.pictures,
      ...(freeTickets > 0 ? [free] : []),
    ],
    action: { label: 'See your lines', path: `/game/${gameKey}/results/1/${bestLine.playId}` },
  }
}

/** Where the money of a win is: the one state that applies. */
function whereItIs(
  sats: bigint,
  { money, time }: PlayerWords,
  { payee, payByAt }: { payee: Payee; payByAt: number | null },
): string {
  const missing = whatPaymentNeeds(payee)
  if (missing !== null) return `You won ${money(sats)}. ${missing}`
  const until = payByAt === null ? 'we approve sums of this size by hand first' : `expect it by ${time(payByAt)}`
  return `${money(sats)} is on its way to ${placeOf(payee, shortPlace)}; ${until}.`
}

/**
 * How a player is paid a sum: over Lightning if that is first, and neither our node nor the wallet limits it to less,
 * or if there is no other way.
 */
function payeeOf(ctx: MessagesContext, { address, destination, maxMsat, isVerified }: NewsReader, sats: bigint): Payee {
  const most = ctx.lightningMaxSats()
  const fits = most !== null && sats <= most && sats * MSAT_A_SAT <= (maxMsat ?? 0n)
  return { address, isVerified, destination: fits || (most !== null && address === null) ? destination : null }
}

/** "bcrt1q…9x2k"; an address that is read like a mailbox is left whole. */
function shortPlace(place: string): string {
  return place.includes('@') ? place : `${place.slice(0, 6)}…${place.slice(-4)}`
}
