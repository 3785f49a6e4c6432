import { bankrollWanted, type GameNeed } from '@fairball/domain/bankroll'
import { satsOfMinor } from '@fairball/domain/money'
import type { Queries } from '../../db/pool.ts'
import { naturalBalance, type LedgerAccountKind } from '../ledger/accounts.ts'
import { listBalances, listNeeds, sumUnbooked } from './read-money-queries.ts'

/** What one game wants of the bankroll, and what those before it leave of it. */
interface GameFunds {
  readonly game: string
  readonly wantedSats: bigint
  readonly freeSats: bigint
}

/** What the ledger's accounts hold as people read it, and what the bankroll has free. */
export interface Funds {
  /** by kind; what players are owed is `winnings` */
  readonly balances: ReadonlyMap<LedgerAccountKind, bigint>
  /** the bankroll that nothing has reserved, less coins that left the wallets unbooked */
  readonly freeSats: bigint
  /** what all games together want */
  readonly wantedSats: bigint
  /** games with an open draw, those that sold first: they are carried first */
  readonly games: readonly GameFunds[]
  /** the same as what sales are decided by, in the order of display */
  readonly needs: readonly GameNeed[]
}

/** Reads what the ledger holds and the bankroll is needed for. @param now epoch seconds */
export async function readFunds(from: Queries, now: number): Promise<Funds> {
  const [rows, needed, unbooked] = await Promise.all([
    from.run(listBalances, []),
    from.run(listNeeds, [now]),
    from.one(sumUnbooked, []),
  ])
  // The table's check constraint has the same list of kinds as the type.
  const sums = new Map(rows.map(({ kind, sats }) => [kind as LedgerAccountKind, sats]))
  sums.set('winnings', -rows.reduce((sum, { sats }) => sum + sats, 0n))
  const balances = new Map([...sums].map(([kind, sats]) => [kind, naturalBalance(kind, sats)]))
  const freeSats = (balances.get('bankroll') ?? 0n) - unbooked.sats
  const needs = needed.flatMap(({ gameKey: key, neededMinor, rateSats, isCommitted }) =>
    rateSats === null ? [] : [{ key, neededSats: satsOfMinor(neededMinor, rateSats), isCommitted }],
  )
  let before = 0n
  const games = needs
    .toSorted((one, other) => Number(other.isCommitted) - Number(one.isCommitted))
    .map(({ key, neededSats }) => {
      const [taken, wanted] = [bankrollWanted(before), bankrollWanted(before + neededSats)]
      before += neededSats
      return { game: key, wantedSats: wanted - taken, freeSats: freeSats - taken }
    })
  return { balances, freeSats, wantedSats: bankrollWanted(before), games, needs }
}
