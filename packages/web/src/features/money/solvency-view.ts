import type { Solvency } from '@fairball/contract/calls/operations'
import { btcToSats, satsToBtc } from '@fairball/domain/money'
import type { BarPart } from '@fairball/ui/stacked-bar.tsx'
import { MONEY_TEXTS } from './messages.ts'

type Group = keyof typeof MONEY_TEXTS.groups

/** The owner of the money in each kind of ledger account (decisions section 5). */
const GROUP_OF: Readonly<Record<string, Group>> = {
  received: 'players',
  stakes_held: 'players',
  winnings: 'players',
  in_flight: 'players',
  pots: 'games',
  pot: 'games',
  reserve: 'games',
  donation_pool: 'causes',
  partner: 'causes',
  bankroll: 'own',
  fee_reserve: 'own',
  operator_fee: 'own',
}
const GROUPS = [
  { group: 'players', tone: 1 },
  { group: 'games', tone: 2 },
  { group: 'causes', tone: 3 },
  { group: 'other', tone: 4 },
  { group: 'own', tone: 5 },
] as const

/** A ledger account with its meaning. */
export interface AccountRow {
  kind: string
  name: string
  meaning: string
  btc: string
}

/**
 * A group of accounts with its sum; its percentage refers to the amount to be covered, and is 0 for the operator's own.
 */
export interface AccountGroup extends BarPart {
  isOwn: boolean
  btc: string
  rows: AccountRow[]
}

/** The operator's assets and debts, ordered by owner. */
export interface SolvencyView {
  /** Whether the wallets cover the debts; null if they were never read. */
  isSolvent: boolean | null
  /** The wallets' balance in the ledger. */
  ledgerBtc: string
  /** The difference in the wallets, with its sign; null if they agree. */
  differenceBtc: string | null
  /** When the wallets were read; null if never. */
  readAt: number | null
  /** The wallets' real balance; null if never read. */
  walletBtc: string | null
  /** All but the operator's own. */
  neededBtc: string
  ownBtc: string
  groups: AccountGroup[]
  freeTickets: number
}

/** Groups the sums of the ledger. An unknown kind counts as a debt. */
export function solvencyView(solvency: Solvency): SolvencyView {
  const { assets, liabilities, free_tickets, solvent, difference, read_at: readAt } = solvency
  const sums = Object.entries(liabilities).map(([kind, btc]) => ({ kind, btc, sats: btcToSats(btc) }))
  const sumOf = (some: typeof sums) => some.reduce((sum, { sats }) => sum + sats, 0n)
  const ownSats = sumOf(sums.filter(({ kind }) => GROUP_OF[kind] === 'own'))
  const neededSats = sumOf(sums) - ownSats
  const groups = GROUPS.map(({ group, tone }) => {
    const members = sums.filter(({ kind }) => (GROUP_OF[kind] ?? 'other') === group)
    const isOwn = group === 'own'
    return {
      name: MONEY_TEXTS.groups[group],
      tone,
      isOwn,
      percent: isOwn || neededSats === 0n ? 0 : Number((sumOf(members) * 10_000n) / neededSats) / 100,
      btc: satsToBtc(sumOf(members)),
      rows: members.map(({ kind, btc }) => ({ kind, btc, ...wordsOf(kind) })),
    }
  })
  const walletSats = Object.values(assets).reduce((sum, btc) => sum + btcToSats(btc), 0n)
  return {
    isSolvent: readAt === null ? null : solvent,
    ledgerBtc: solvency.ledger,
    differenceBtc: btcToSats(difference.replace('-', '')) === 0n ? null : difference,
    readAt,
    walletBtc: readAt === null ? null : satsToBtc(walletSats),
    neededBtc: satsToBtc(neededSats),
    ownBtc: satsToBtc(ownSats),
    groups: groups.filter(({ rows }) => rows.length > 0),
    freeTickets: free_tickets,
  }
}

function wordsOf(kind: string): { name: string; meaning: string } {
  const words: Readonly<Record<string, readonly [string, string]>> = MONEY_TEXTS.accounts
  const [name, meaning] = words[kind] ?? [kind, '']
  return { name, meaning }
}
