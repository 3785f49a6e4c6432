import type { MovedEntries, OrderNews } from '../../kernel/facts.ts'
import type { Story } from './news.ts'
import { type Payee, placeOf, type PlayerWords, whatPaymentNeeds } from './player-words.ts'

/** The reports about an order. */
export function storyOfOrder(news: OrderNews, gameName: string, words: PlayerWords, payee: Payee): Story {
  const subject = subjectOf(news, gameName)
  switch (news.kind) {
    case 'underpaid':
      return underpaid(news, subject, words)
    case 'ended':
      return ended(news, subject)
    case 'expired':
      return expired(news, subject)
    case 'paid':
      return paid(news, subject, words)
    case 'excess':
      return excess(news, subject, words, payee)
    case 'refunded':
      return refunded(news, subject, words, payee)
    case 'returned':
      return returned(news, subject, words, payee)
    case 'goodwill':
      return goodwill(news, subject, words, payee)
    case 'reversed':
      return reversed(news, subject, words)
    case 'moved':
      return moved(news, subject, words)
  }
}

type NewsOf<K extends OrderNews['kind']> = Extract<OrderNews, { kind: K }>

/** What all stories of an order are made of. */
interface Subject {
  /** the game's name */
  readonly game: string
  readonly about: Pick<Story, 'category' | 'action'>
  readonly toOrder: Story['action']
  readonly toResults: Story['action']
  readonly toGame: Story['action']
  /** the key of a fact about the order: what happens again after a payment was reorganised away is reported again */
  keyOf(fact: string): string
}

function subjectOf({ gameKey, orderId, timesReversed }: OrderNews, game: string): Subject {
  const again = timesReversed === 0 ? '' : `:after-${timesReversed}`
  return {
    game,
    about: {
      category: 'payment',
      action: { label: 'See your transactions', path: '/settings/funds-and-payments/transaction-history' },
    },
    toOrder: { label: 'See your order', path: `/game/${gameKey}?transaction_id=${orderId}` },
    toResults: { label: 'See your numbers', path: `/game/${gameKey}/results` },
    toGame: { label: `Play ${game}`, path: `/game/${gameKey}` },
    keyOf: (fact) => `order:${orderId}:${fact}${again}`,
  }
}

function underpaid(news: NewsOf<'underpaid'>, subject: Subject, { short, money, time }: PlayerWords): Story {
  const { game } = subject
  return {
    ...subject.about,
    key: subject.keyOf(`underpaid:${news.missingSats}`),
    title: `${short(news.missingSats)} is still missing from your ${game} order`,
    paragraphs: [
      `We received less than your ${game} order costs. Send the missing ${money(news.missingSats)} by ${time(news.expiresAt)} to the address you paid before.`,
      "If it doesn't arrive, we'll refund everything and your lines won't play.",
    ],
    action: subject.toOrder,
  }
}

const ENDED_BECAUSE: Readonly<Record<NewsOf<'ended'>['because'], (game: string) => string>> = {
  PAUSE: (game) => `You are taking a break from playing, so your ${game} order, which was not paid, has ended.`,
  WEEKLY_LIMIT: (game) =>
    `Your new weekly limit leaves no room for your ${game} order, which was not paid, so it has ended.`,
  BLOCKED: (game) => `Your account cannot buy at the moment, so your ${game} order, which was not paid, has ended.`,
}

function ended({ because }: NewsOf<'ended'>, { game, about, keyOf }: Subject): Story {
  return {
    ...about,
    key: keyOf('ended'),
    followsNoMoney: true,
    title: `Your ${game} order has ended`,
    paragraphs: [
      `${ENDED_BECAUSE[because](game)} Its numbers do not play.`,
      'If you have sent bitcoin for it, the money goes back to you.',
    ],
  }
}

function expired(news: NewsOf<'expired'>, { game, about, keyOf, toGame }: Subject): Story {
  const unpaid =
    news.timesReversed === 0
      ? `Your ${game} order was not paid in time, so its numbers do not play. You owe nothing.`
      : `The payment for your ${game} order that the bitcoin network took back has not come again, so its numbers do not play in draws that are still open.`
  return {
    ...about,
    key: keyOf('expired'),
    followsNoMoney: !news.isPaymentSeen && news.timesReversed === 0,
    title: `Your ${game} order has expired`,
    paragraphs: [
      news.isPaymentSeen
        ? `Your payment for your ${game} order has not confirmed in time. If we can no longer accept the order, we send the money back.`
        : unpaid,
      'A payment that is on its way is not lost: it counts if it is confirmed within 24 hours, before sales for the draws close, and otherwise goes back to you.',
    ],
    action: toGame,
  }
}

function paid(news: NewsOf<'paid'>, { game, about, keyOf, toResults }: Subject, words: PlayerWords): Story {
  const sum = words.money(news.sats)
  const received = news.sats > 0n ? `We received ${sum}` : 'Your free tickets paid'
  const how = news.timesReversed > 0 ? `Your payment is confirmed again: ${sum}` : received
  const late = news.isLate ? ' It arrived late, but it still counts.' : ''
  return {
    ...about,
    key: keyOf('paid'),
    title: `Your ${game} numbers are in${news.timesReversed > 0 ? ' again' : ''}`,
    paragraphs: [`${how} for your ${game} order.${late} ${whereTheyAre(news.moves, words)}`],
    action: toResults,
  }
}

function excess(news: NewsOf<'excess'>, { game, about }: Subject, { money }: PlayerWords, payee: Payee): Story {
  return {
    ...about,
    key: `order:${news.subject}:excess`,
    title: `You paid more than your ${game} order costs`,
    paragraphs: [
      `You overpaid your ${game} order by ${money(news.sats)}. We'll return it, less the network fee.`,
      whereMoneyGoes(payee),
    ],
  }
}

function refunded(news: NewsOf<'refunded'>, { game, about }: Subject, words: PlayerWords, payee: Payee): Story {
  return { ...about, key: `order:${news.subject}:refunded`, ...refundOf(news, game, words, payee) }
}

function returned(
  { drawNumber, sats, freeCount }: NewsOf<'returned'>,
  { game, about, keyOf }: Subject,
  { money }: PlayerWords,
  payee: Payee,
): Story {
  const tickets = freeCount === 1 ? 'Its free ticket is' : `Its ${freeCount} free tickets are`
  return {
    ...about,
    key: keyOf(`returned:${drawNumber}`),
    title: `Draw ${drawNumber} of ${game} was not held`,
    paragraphs: [
      `Draw ${drawNumber} of ${game} could not be held, and ${game} has no later draw for your lines.`,
      ...(sats > 0n
        ? [`The ${money(sats)} that they cost goes back to you, less the network fee.`, whereMoneyGoes(payee)]
        : []),
      ...(freeCount > 0 ? [`${tickets} paid out to you when the game is wound up.`] : []),
    ],
  }
}

function goodwill(news: NewsOf<'goodwill'>, subject: Subject, words: PlayerWords, payee: Payee): Story {
  const { game, about, keyOf } = subject
  return {
    ...about,
    key: keyOf('goodwill'),
    title: `You get ${words.short(news.sats)} back for your ${game} order`,
    paragraphs: [
      `We give you ${words.money(news.sats)} back for your ${game} order, as goodwill. Your numbers stay in their draws, and what they win is yours.`,
      whereMoneyGoes(payee),
    ],
  }
}

function reversed(news: NewsOf<'reversed'>, { game, about, keyOf }: Subject, { money }: PlayerWords): Story {
  return {
    ...about,
    key: keyOf('reversed'),
    title: `Your ${game} payment was reversed`,
    paragraphs: [
      `The bitcoin network took back ${money(news.sats)} that had come for your ${game} order: the block it stood in was replaced by another. ${
        news.hasLeftDraws
          ? 'Your lines are out of the draws whose sales had not closed.'
          : 'So what we were to send back to you of it is not sent.'
      }`,
      `It usually confirms again within the hour. ${
        news.hasLeftDraws ? 'Your lines are then in the next draws again' : 'It is then sent back to you after all'
      }. You don't need to do anything.`,
    ],
  }
}

function moved(news: NewsOf<'moved'>, { game, about, keyOf, toResults }: Subject, words: PlayerWords): Story {
  const left = drawsLeft(news.moves)
  const later = movesText(news.moves, words)
  return {
    ...about,
    key: keyOf(`moved:${news.moves.map((move) => move.from).join(',')}`),
    title: `Your ${game} lines moved to a later draw`,
    paragraphs: [
      news.cause === 'draw-void'
        ? `${left} of ${game} could not be held, so your lines play later: ${later}.`
        : `Your payment was confirmed after sales for ${left.toLowerCase()} of ${game} had closed, so your lines play later: ${later}.`,
      'You pay nothing more, and nothing is lost.',
    ],
    action: toResults,
  }
}

function whereMoneyGoes(payee: Payee): string {
  const missing = whatPaymentNeeds(payee)
  if (missing !== null) return missing
  return payee.destination === null
    ? `It goes to your payout address ${payee.address}.`
    : `It goes to ${placeOf(payee)}.`
}

/** The text about a refund, by what is left of it. */
function refundOf(
  news: NewsOf<'refunded'>,
  game: string,
  { money }: PlayerWords,
  payee: Payee,
): Pick<Story, 'title' | 'paragraphs'> {
  const { sats, keptSats, reason } = news
  const keptWhy = 'lines of it had played in a closed draw, and the bitcoin network had taken their payment back'
  if (sats === 0n)
    return {
      title: `Your ${game} payment was used`,
      paragraphs: [`The ${money(keptSats)} that came for your ${game} order pays for what was played: ${keptWhy}.`],
    }
  const why = {
    'too-little': `The payment for your ${game} order was less than it costs, and the rest did not come in time.`,
    'too-late': `The payment for your ${game} order came too late to be used.`,
    'no-draw-left': `Your payment for ${game} was confirmed after sales for its last draw had closed.`,
    'refunded-before': `More came for your ${game} order after its payment was refunded.`,
  }[reason]
  const howMuch =
    keptSats === 0n
      ? `The whole ${money(sats)} goes back to you, less the network fee.`
      : `${money(keptSats)} of it stays, because ${keptWhy}. The other ${money(sats)} goes back to you, less the network fee.`
  return { title: `Your ${game} payment is refunded`, paragraphs: [`${why} ${howMuch}`, whereMoneyGoes(payee)] }
}

function whereTheyAre(moves: readonly MovedEntries[], words: PlayerWords): string {
  if (moves.length === 0) return 'Your numbers are in the draws you chose.'
  return `It was confirmed after sales for ${drawsLeft(moves).toLowerCase()} had closed, so those lines play later: ${movesText(moves, words)}.`
}

/** "Draw 12", or "Draws 12 and 13". */
function drawsLeft(moves: readonly MovedEntries[]): string {
  const numbers = moves.map((move) => String(move.from))
  if (numbers.length === 1) return `Draw ${numbers.join('')}`
  return `Draws ${numbers.slice(0, -1).join(', ')} and ${numbers.at(-1)}`
}

/** "in draw 13 on Thu, Jan 2, 6:00 PM (London) instead of draw 12". */
function movesText(moves: readonly MovedEntries[], { time }: PlayerWords): string {
  return moves
    .map(({ from, to, toStartAt }) => {
      return `in draw ${to} on ${time(toStartAt)} instead of draw ${from}`
    })
    .join(', ')
}
