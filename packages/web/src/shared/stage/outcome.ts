import { btcToSats, satsToBtc } from '@fairball/domain/money'
import { formatMoney } from '@fairball/domain/fiat'
import type { Payout } from '@fairball/contract/schemas/account'
import type { FiatAmount } from '@fairball/contract/schemas/money'
import type { Ticket } from '@fairball/contract/schemas/ticket'
import { fiatIn } from '../player-view.ts'
import { winHeadline } from '../win-headline.ts'
import { lineNamesOf } from './use-own-tickets.ts'

/** How a draw ended for a player, over all orders. */
export interface Outcome {
  readonly hasWon: boolean
  /** "You won £5.00 and 7 free tickets", or "No win this time. Best line: 1 of 5." */
  readonly headline: string
  /** The same to be said: "You won 5 pounds and 7 free tickets." */
  readonly spoken: string
  /** What was won, in BTC; null if it was no money. */
  readonly btc: string | null
  /** The line with the most matches, its name among all lines, and the play it belongs to. */
  readonly best: { readonly name: string; readonly numbers: readonly number[]; readonly playId: string } | null
  readonly drawn: readonly number[]
  /** The way of the money; null if none was won. */
  readonly payout: Payout | null
  readonly countedAt: number
}

/**
 * @param tickets all that the player held in the draw
 * @returns null while a result is not there, and for a player without a ticket
 */
export function outcomeOf(tickets: readonly Ticket[], currencyCode: string): Outcome | null {
  const [first] = tickets
  const results = tickets.flatMap(({ result }) => (result === null ? [] : [result]))
  if (first === undefined || results.length < tickets.length) return null
  const won = results.flatMap(({ amount_won: amount }) => (amount === null ? [] : [amount]))
  const sum = won.length === 0 ? null : sumOf(won.map(({ fiat }) => fiatIn(fiat, currencyCode)))
  const { numbers: drawn, end_at: countedAt } = first.draw
  const parts = {
    freeTickets: results.reduce((count, { free_tickets: tickets }) => count + tickets, 0),
    bestMatches: Math.max(...results.map(({ best_matches: matches }) => matches)),
    balls: drawn.length,
  }
  const hasWon = results.some(({ win_type: type }) => type !== null)
  const headline = winHeadline({ ...parts, sum: sum === null ? null : formatMoney(sum) })
  return {
    hasWon,
    headline,
    spoken: hasWon
      ? `${winHeadline({ ...parts, sum: sum === null ? null : spokenMoney(sum.value, currencyCode) })}.`
      : headline,
    btc: won.length === 0 ? null : satsToBtc(won.reduce((sats, { crypto }) => sats + btcToSats(crypto.value), 0n)),
    best: bestLine(tickets),
    drawn,
    payout: farthestBehind(tickets),
    countedAt,
  }
}

/** The sum of payable amounts: each has at most two decimals. */
function sumOf(amounts: readonly FiatAmount[]): FiatAmount | null {
  const [first] = amounts
  if (first === undefined) return null
  return { ...first, value: Math.round(amounts.reduce((sum, { value }) => sum + value * 100, 0)) / 100 }
}

function bestLine(tickets: readonly Ticket[]): Outcome['best'] {
  const lines = tickets.flatMap(({ play_id: playId, lines: own }) => own.map((line) => ({ ...line, playId })))
  const most = Math.max(...lines.map(({ matches }) => matches ?? 0))
  const place = lines.findIndex(({ matches }) => (matches ?? 0) === most)
  const best = lines[place]
  const name = lineNamesOf(tickets)[place]
  return best === undefined || name === undefined ? null : { name, numbers: best.numbers, playId: best.playId }
}

const STEPS: readonly Payout['status'][] = ['WAITING', 'SCHEDULED', 'SENT', 'CONFIRMED']

/** The way of all the money: of what is farthest behind. */
function farthestBehind(tickets: readonly Ticket[]): Payout | null {
  const [last] = tickets
    .flatMap(({ payout }) => (payout === null ? [] : [payout]))
    .toSorted((one, other) => STEPS.indexOf(one.status) - STEPS.indexOf(other.status))
  return last ?? null
}

/** A sum as it is said: "5 pounds", "1.50 dollars". */
function spokenMoney(value: number, currencyCode: string): string {
  const words = new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency: currencyCode,
    currencyDisplay: 'name',
    trailingZeroDisplay: 'stripIfInteger',
  })
    .format(value)
    .split(' ')
  // "5.00 British pounds": everybody knows whose.
  return `${words[0]} ${words.at(-1)}`
}
