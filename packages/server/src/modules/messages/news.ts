import { dateLabel, timeLabel } from '@fairball/domain/draw-time-label'
import { gameByKey } from '@fairball/domain/games'
import { satsToBtc } from '@fairball/domain/money'
import type { Tx } from '../../db/pool.ts'
import { sql, nullable, t } from '../../db/sql.ts'
import type { WinnerNews } from '../draws/service.ts'
import type { MovedEntries, OrderNews } from '../orders/service.ts'
import type { PayoutNews } from '../payouts/service.ts'
import type { MailCategory } from './queries.ts'
import { escapeHtml } from './sanitise-html.ts'
import type { Messages } from './service.ts'

const findRecipient = sql({
  name: 'messages.find-recipient',
  text: `select username, email from players where id = $1 and erased_at is null`,
  params: [t.bigint],
  row: { username: t.text, email: nullable(t.text) },
})

/** What is told, in the inbox and by mail: the same sentences. */
interface Story {
  readonly key: string
  readonly category: MailCategory
  readonly title: string
  readonly paragraphs: readonly string[]
  readonly action: { readonly label: string; readonly path: string }
}

export type News = ReturnType<typeof createNews>

/** Tells players what became of their orders, lines and prizes, in the transaction of the fact. */
export function createNews(deps: { readonly messages: Messages; readonly publicUrl: string }) {
  const { messages, publicUrl } = deps

  async function tell(tx: Tx, playerId: bigint, story: Story): Promise<void> {
    const { key, category, title, paragraphs, action } = story
    const address = `${publicUrl}${action.path}`
    const link = `<p><a href="${escapeHtml(address)}">${escapeHtml(action.label)}</a></p>`
    const html = [...paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`), link].join('')
    const player = await tx.maybeOne(findRecipient, [playerId])
    if (player === null) return // an erased account has no inbox any more
    await messages.send(tx, { playerId, title, html, key })
    if (player.email === null) return
    await messages.mail.enqueue(tx, {
      to: player.email,
      playerId,
      category,
      key,
      subject: title,
      paragraphs: [`Hello ${player.username},`, ...paragraphs],
      action: { label: action.label, address },
    })
  }

  return {
    /** What became of an order. */
    async ofOrder(tx: Tx, news: OrderNews): Promise<void> {
      await tell(tx, news.playerId, storyOfOrder(news))
    },

    /** What a player won in a draw. */
    async ofWinner(tx: Tx, news: WinnerNews): Promise<void> {
      const game = nameOf(news.gameKey)
      const won = [
        ...(news.sats > 0n ? [`${satsToBtc(news.sats)} BTC`] : []),
        ...(news.freeTickets > 0
          ? [news.freeTickets === 1 ? 'a free ticket' : `${news.freeTickets} free tickets`]
          : []),
      ].join(' and ')
      const money =
        news.sats > 0n
          ? 'The money is sent to the bitcoin address you saved, within an hour. If you have not saved one, or have not verified your e-mail address, it waits for you and never expires.'
          : 'A free ticket pays for one of your next lines in this game.'
      await tell(tx, news.playerId, {
        key: `win:${news.drawId}:${news.playerId}`,
        category: 'win',
        title: news.isJackpot ? `You won the ${game} jackpot` : `You won in ${game}`,
        paragraphs: [`You won ${won} in draw ${news.drawNumber} of ${game}.`, money],
        action: { label: 'See your results', path: `/game/${news.gameKey}/results` },
      })
    },

    /** Money that left for a player's address. */
    async ofPayout(tx: Tx, news: PayoutNews): Promise<void> {
      await tell(tx, news.playerId, {
        key: `payout:${news.payoutId}`,
        category: 'win',
        title: `${satsToBtc(news.sats)} BTC is on its way to you`,
        paragraphs: [
          `We sent ${satsToBtc(news.sats)} BTC to the bitcoin address you saved.`,
          `The bitcoin transaction is ${news.txid}.`,
        ],
        action: { label: 'See your transactions', path: '/settings/funds-and-payments/transaction-history' },
      })
    },
  }
}

function storyOfOrder(news: OrderNews): Story {
  const game = nameOf(news.gameKey)
  const amount = `${satsToBtc(news.sats)} BTC`
  const toResults = { label: 'See your numbers', path: `/game/${news.gameKey}/results` }
  const toHistory = { label: 'See your transactions', path: '/settings/funds-and-payments/transaction-history' }
  switch (news.kind) {
    case 'paid':
      return {
        key: `order:${news.orderId}:paid${again(news)}`,
        category: 'payment',
        title: `Your ${game} numbers are in`,
        paragraphs: [
          `${news.sats > 0n ? `We received ${amount}` : 'Your free tickets paid'} for your ${game} order. ${whereTheyAre(news.moves)}`,
        ],
        action: toResults,
      }
    case 'refunded':
      return {
        key: `order:${news.orderId}:refunded:${news.sats}${again(news)}`,
        category: 'payment',
        title: `Your ${game} payment is refunded`,
        paragraphs: [
          `The payment for your ${game} order could not be used: it was too little, or it came too late. The whole ${amount} goes back to you, less the network's fee.`,
          'It is sent to the bitcoin address you saved, or waits until you save one.',
        ],
        action: toHistory,
      }
    case 'reversed':
      return {
        key: `order:${news.orderId}:reversed${again(news)}`,
        category: 'payment',
        title: `Your ${game} payment was undone`,
        paragraphs: [
          `The bitcoin network took back ${amount} that had paid for your ${game} order: the block it stood in was replaced by another. Your lines are out of the draws whose sales had not closed.`,
          'In most cases the same payment is confirmed again by itself, usually within the hour. Your lines are then in the next draws again, and you need to do nothing.',
        ],
        action: toHistory,
      }
    case 'moved':
      return {
        key: `order:${news.orderId}:moved:${news.moves.map((move) => move.from).join(',')}${again(news)}`,
        category: 'payment',
        title: `Your ${game} lines moved to a later draw`,
        paragraphs: [
          news.cause === 'draw-void'
            ? `${drawsLeft(news.moves)} of ${game} could not be held, so your lines play later: ${movesText(news.moves)}.`
            : `Your payment was confirmed after sales for ${drawsLeft(news.moves).toLowerCase()} of ${game} had closed, so your lines play later: ${movesText(news.moves)}.`,
          'You pay nothing more, and nothing is lost.',
        ],
        action: toResults,
      }
  }
}

/** Part of a key: what happens once more after a payment was reorganised away is told once more. */
function again(news: OrderNews): string {
  return news.timesReversed === 0 ? '' : `:after-${news.timesReversed}`
}

function whereTheyAre(moves: readonly MovedEntries[]): string {
  if (moves.length === 0) return 'Your numbers are in the draws you chose.'
  return `It was confirmed after sales for ${drawsLeft(moves).toLowerCase()} had closed, so those lines play later: ${movesText(moves)}.`
}

/** "Draw 12", or "Draws 12 and 13". */
function drawsLeft(moves: readonly MovedEntries[]): string {
  const numbers = moves.map((move) => String(move.from))
  if (numbers.length === 1) return `Draw ${numbers.join('')}`
  return `Draws ${numbers.slice(0, -1).join(', ')} and ${numbers.at(-1)}`
}

/** "in draw 13 (Jan 2, 2025 at 6:00 PM UTC) instead of draw 12": a message is read in any time zone, so it names its own. */
function movesText(moves: readonly MovedEntries[]): string {
  return moves
    .map(({ from, to, toStartAt }) => {
      return `in draw ${to} (${dateLabel(toStartAt, 0)} at ${timeLabel(toStartAt, 0)} UTC) instead of draw ${from}`
    })
    .join(', ')
}

function nameOf(gameKey: string): string {
  return gameByKey(gameKey)?.name ?? gameKey
}
