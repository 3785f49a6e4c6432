import type { Tx } from '../../db/pool.ts'
import { nullable, type RowOf, sql, t } from '../../db/sql.ts'
import type { FreeTicketsNews, GameNews, OrderNews, PayoutNews, WinnerNews } from '../../kernel/facts.ts'
import { zoneOf } from '../content/service.ts'
import { currentRates } from '../payments/service.ts'
import { isInUseAt } from '../payouts/service.ts'
import type { MessagesContext } from './context.ts'
import { storyOfOrder } from './order-stories.ts'
import { type PlayerWords, whatPaymentNeeds, wordsOf } from './player-words.ts'
import type { MailCategory } from './queries.ts'
import { escapeHtml } from './sanitise-html.ts'
import { enqueueMail, type MessageAction, sendMessage } from './service.ts'

/** Longest time until prizes leave after becoming owed, if there is an address. */
const PAID_WITHIN_SECONDS = 3600

const findRecipient = sql({
  name: 'messages.find-recipient',
  text: `select username, email, email_verified_at is not null as is_verified, timezone_id, currency_id,
      (select address from player_addresses a where a.player_id = p.id and superseded_at is null and ${isInUseAt('$2')}
        order by a.id desc limit 1) as address,
      coalesce((select g.name from games g where g.key = $3), '') as game_name
    from players p where id = $1 and erased_at is null`,
  params: [t.bigint, t.epochSeconds, nullable(t.text)],
  row: {
    username: t.text,
    email: nullable(t.text),
    isVerified: t.bool,
    timezoneId: t.int,
    currencyId: t.int,
    address: nullable(t.text),
    gameName: t.text,
  },
})

type NewsReader = RowOf<typeof findRecipient>

/** A report for the inbox and by mail, with the same sentences. */
export interface Story {
  readonly key: string
  readonly category: MailCategory
  readonly title: string
  readonly paragraphs: readonly string[]
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
 */
async function tellStory(
  ctx: MessagesContext,
  tx: Tx,
  about: { readonly playerId: bigint; readonly gameKey: string | null; readonly ratesAt: number },
  storyFor: (words: PlayerWords, reader: NewsReader) => Story,
): Promise<void> {
  const { playerId } = about
  const [reader, rates] = await Promise.all([
    tx.maybeOne(findRecipient, [playerId, ctx.runtime.clock.now(), about.gameKey]),
    currentRates(tx, about.ratesAt),
  ])
  if (reader === null) return // an erased account no longer has an inbox
  const { username, email, isVerified, timezoneId, currencyId } = reader
  const words = wordsOf({ zone: zoneOf(timezoneId), currencyId }, rates, ctx.runtime.clock.now())
  const { key, category, title, paragraphs, action, followsNoMoney = false } = storyFor(words, reader)
  const address = `${ctx.site().publicUrl}${action.path}`
  const html = paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`).join('')
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
        }),
  ])
}

/** What happened to an order. */
export async function tellOfOrder(ctx: MessagesContext, tx: Tx, news: OrderNews): Promise<void> {
  const about = { playerId: news.playerId, gameKey: news.gameKey, ratesAt: ctx.runtime.clock.now() }
  await tellStory(ctx, tx, about, (words, reader) => storyOfOrder(news, reader.gameName, words, reader))
}

/** What a player won in a draw. */
export async function tellWinner(ctx: MessagesContext, tx: Tx, news: WinnerNews): Promise<void> {
  const approvalSats = ctx.approvalSats()
  const isApproved = approvalSats === null || news.sats <= approvalSats
  const payByAt = isApproved ? ctx.runtime.clock.now() + PAID_WITHIN_SECONDS : null
  const { playerId, gameKey, ratesAt } = news
  await tellStory(ctx, tx, { playerId, gameKey, ratesAt }, (words, reader) =>
    storyOfWinner(news, words, { ...reader, payByAt }),
  )
}

/** Money that left for a player's address. */
export async function tellOfPayout(ctx: MessagesContext, tx: Tx, news: PayoutNews): Promise<void> {
  const about = { playerId: news.playerId, gameKey: null, ratesAt: ctx.runtime.clock.now() }
  await tellStory(ctx, tx, about, ({ short, money }) => ({
    key: `payout:${news.payoutId}`,
    category: 'win',
    title: `${short(news.sats)} is on its way to you`,
    paragraphs: [
      `We sent ${money(news.sats)} to your bitcoin address ${news.address}.`,
      `The bitcoin transaction is ${news.txid}.`,
    ],
    action: { label: 'See your transactions', path: '/settings/funds-and-payments/transaction-history' },
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
      whatPaymentNeeds(reader) ?? `${short(sats)} is on its way to ${reader.address}.`,
    ],
    action: { label: 'See your transactions', path: '/settings/funds-and-payments/transaction-history' },
  }))
}

function ticketsText(count: number): string {
  return count === 1 ? '1 free ticket' : `${count} free tickets`
}

function storyOfWinner(
  news: WinnerNews,
  { short, money, time }: PlayerWords,
  reader: { address: string | null; isVerified: boolean; payByAt: number | null; gameName: string },
): Story {
  const { gameKey, drawId, drawNumber, playerId, sats, freeTickets, numbers, bestLine } = news
  const game = reader.gameName
  const tickets = freeTickets === 1 ? 'a free ticket' : `${freeTickets} free tickets`
  const won = (sum: string): string =>
    [...(sats > 0n ? [sum] : []), ...(freeTickets > 0 ? [tickets] : [])].join(' and ')
  const until =
    reader.payByAt === null ? 'we approve sums of this size by hand first' : `expect it by ${time(reader.payByAt)}`
  const state = whatPaymentNeeds(reader) ?? `${short(sats)} is on its way to ${reader.address}; ${until}.`
  return {
    key: `win:${drawId}:${playerId}`,
    category: 'win',
    title: news.isJackpot
      ? `You won the ${game} jackpot: ${short(sats)}`
      : `You won ${sats > 0n ? short(sats) : tickets} in ${game}`,
    paragraphs: [
      `Line ${bestLine.place} matched ${bestLine.matches} of ${numbers.length} in draw ${drawNumber} (${numbers.join(', ')}).`,
      `You won ${won(money(sats))}.${sats > 0n ? ` ${state}` : ''}`,
      ...(freeTickets > 0
        ? [
            `${freeTickets === 1 ? 'The free ticket is' : 'Free tickets are'} used automatically with your next order in ${game}.`,
          ]
        : []),
    ],
    action: { label: 'See your lines', path: `/game/${gameKey}/results/1/${bestLine.playId}` },
  }
}
