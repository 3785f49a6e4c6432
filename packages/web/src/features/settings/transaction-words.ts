import { btcToSats } from '@fairball/domain/money'
import type { TransactionRow } from './use-transactions.ts'

/** Draws named at once; of more, only the first of them are. */
const MOST_NAMED = 3
const FIRST = 2

/**
 * @returns the sign of a sum: minus for what the player paid, plus for what they got, none if nothing was paid, as for an
 *   order of free tickets
 */
export function signOf({ type, status, amount }: TransactionRow): string {
  if (type !== 'PAYMENT') return '+'
  return status === 'EXPIRED' || btcToSats(amount.crypto.value) === 0n ? '' : '−'
}

/** @returns what a transaction was for: "Won in Daily Six, draw 2", "Tickets for Daily Six, draws 128 and 129" */
export function transactionWords({ type, draws }: TransactionRow, game: string | null): string {
  if (type === 'REFUND') return 'Refund'
  const what = type === 'PRIZE' ? 'Won' : 'Tickets'
  if (game === null) return what
  const of = draws.length === 0 ? '' : `, ${draws.length === 1 ? 'draw' : 'draws'} ${listed(draws)}`
  return `${what} ${type === 'PRIZE' ? 'in' : 'for'} ${game}${of}`
}

/** "128", "128 and 129", "128, 129 and 6 more". */
function listed(draws: readonly number[]): string {
  const named = draws.length > MOST_NAMED ? draws.slice(0, FIRST) : draws
  const words = [...named.map(String), ...(named === draws ? [] : [`${draws.length - FIRST} more`])]
  return words.length === 1 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}
