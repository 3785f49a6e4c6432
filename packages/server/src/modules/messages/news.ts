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
    await Promise.all([
      messages.send(tx, { playerId, title, html, key }),
      player.email === null
        ? null
        : messages.mail.enqueue(tx, {
            to: player.email,
            playerId,
            category,
            key,
            subject: title,
            paragraphs: [`Hello ${player.username},`, ...paragraphs],
            action: { label: action.label, address },
          }),
    ])
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
  const toOrder = { label: 'See your order', path: `/game/${news.gameKey}?transaction_id=${news.orderId}` }
  const toResults = { label: 'See your numbers', path: `/game/${news.gameKey}/results` }
  const toHistory = { label: 'See your transactions', path: '/settings/funds-and-payments/transaction-history' }
  const about = { category: 'payment', action: toHistory } as const
  const keyOf = (fact: string): string => `order:${news.orderId}:${fact}${again(news)}`
  switch (news.kind) {
    case 'underpaid': {
      const missing = btc(news.missingSats)
      return {
        ...about,
        key: keyOf(`underpaid:${news.missingSats}`),
        title: `${missing} is missing for your ${game} order`,
        paragraphs: [
          `We received less than your ${game} order costs: ${missing} is missing. Send it by ${timeText(news.expiresAt)}, to the address you paid before.`,
          'If it does not come by then, the whole is refunded and your numbers do not play.',
        ],
        action: toOrder,
      }
    }
    case 'expired':
      return {
        ...about,
        key: keyOf('expired'),
        title: `Your ${game} order has expired`,
        paragraphs: [
          news.timesReversed === 0
            ? `Your ${game} order was not paid in time, so its numbers do not play. You owe nothing.`
            : `The payment for your ${game} order that the bitcoin network took back has not come again, so its numbers do not play in draws that are still open.`,
          'A payment that is on its way is not lost: it counts if it is confirmed within 24 hours, before sales for the draws close, and otherwise goes back to you.',
        ],
        action: { label: `Play ${game}`, path: `/game/${news.gameKey}` },
      }
    case 'paid': {
      const received = news.sats > 0n ? `We received ${btc(news.sats)}` : 'Your free tickets paid'
      const how = news.timesReversed > 0 ? 'Your payment is confirmed again' : received
      const late = news.isLate ? ' It came after the time for it was over, and it counts all the same.' : ''
      return {
        ...about,
        key: keyOf('paid'),
        title: `Your ${game} numbers are in${news.timesReversed > 0 ? ' again' : ''}`,
        paragraphs: [
          `${how}${news.timesReversed > 0 ? `: ${btc(news.sats)}` : ''} for your ${game} order.${late} ${whereTheyAre(news.moves)}`,
        ],
        action: toResults,
      }
    }
    case 'excess':
      return {
        ...about,
        key: `order:${news.subject}:excess`,
        title: `You paid more than your ${game} order costs`,
        paragraphs: [
          `${btc(news.sats)} came beyond what your ${game} order costs. It goes back to you, less the network's fee.`,
          WHERE_MONEY_GOES,
        ],
      }
    case 'refunded':
      return { ...about, key: `order:${news.subject}:refunded`, ...refundOf(news, game) }
    case 'reversed':
      return {
        ...about,
        key: keyOf('reversed'),
        title: `Your ${game} payment was undone`,
        paragraphs: [
          `The bitcoin network took back ${btc(news.sats)} that had come for your ${game} order: the block it stood in was replaced by another. ${
            news.hasLeftDraws
              ? 'Your lines are out of the draws whose sales had not closed.'
              : 'So what we were to send back to you of it is not sent.'
          }`,
          `In most cases the same payment is confirmed again by itself, usually within the hour. ${
            news.hasLeftDraws ? 'Your lines are then in the next draws again' : 'It is then sent back to you after all'
          }, and you need to do nothing.`,
        ],
      }
    case 'moved':
      return {
        ...about,
        key: keyOf(`moved:${news.moves.map((move) => move.from).join(',')}`),
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

const WHERE_MONEY_GOES = 'It is sent to the bitcoin address you saved, or waits until you save one.'

/** What is said of a refund, by what is left of it. */
function refundOf(news: Extract<OrderNews, { kind: 'refunded' }>, game: string): Pick<Story, 'title' | 'paragraphs'> {
  const { sats, keptSats, reason } = news
  const keptWhy = 'lines of it had played in a closed draw, and the bitcoin network had taken their payment back'
  if (sats === 0n)
    return {
      title: `Your ${game} payment was used`,
      paragraphs: [`The ${btc(keptSats)} that came for your ${game} order pays for what was played: ${keptWhy}.`],
    }
  const why = {
    'too-little': `The payment for your ${game} order was less than it costs, and the rest did not come in time.`,
    'too-late': `The payment for your ${game} order came too late to be used.`,
    'refunded-before': `More came for your ${game} order after its payment was refunded.`,
  }[reason]
  const howMuch =
    keptSats === 0n
      ? `The whole ${btc(sats)} goes back to you, less the network's fee.`
      : `${btc(keptSats)} of it stays, because ${keptWhy}. The other ${btc(sats)} goes back to you, less the network's fee.`
  return { title: `Your ${game} payment is refunded`, paragraphs: [`${why} ${howMuch}`, WHERE_MONEY_GOES] }
}

function btc(sats: bigint): string {
  return `${satsToBtc(sats)} BTC`
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
      return `in draw ${to} (${timeText(toStartAt)}) instead of draw ${from}`
    })
    .join(', ')
}

function timeText(at: number): string {
  return `${dateLabel(at, 0)} at ${timeLabel(at, 0)} UTC`
}

function nameOf(gameKey: string): string {
  return gameByKey(gameKey)?.name ?? gameKey
}
