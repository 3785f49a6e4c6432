import type { ConsoleAnswerOf } from '@fairball/contract/console/call'
import type { readCalls } from '@fairball/contract/console/read'
import type { Queries } from '../../db/pool.ts'
import { DEBIT_KINDS, type LedgerAccountKind } from '../ledger/accounts.ts'
import { readFunds } from './read-bankroll.ts'
import * as queries from './read-money-queries.ts'
import { settingInForce } from './read-settings.ts'

type TreasuryAnswer = ConsoleAnswerOf<typeof readCalls.getTreasury>

/** What is the operator's own: nobody else is owed it. */
const OWN_KINDS: readonly LedgerAccountKind[] = ['bankroll', 'operator_fee', 'fee_reserve']
/** The name of the readings of the wallet that pays out. */
const PAYING_WALLET = 'payouts'
/** Payment providers that keep an account of ours. */
const HOSTED = ['btcpay', 'opennode']
/** What counts as final on the chain: the console asks no node, and the worker notes six blocks. */
const FINAL_DEPTH = 6

/** Wallets and ledger side by side, the bankroll, the float, and what a person has to book. */
export async function treasuryPage(from: Queries, now: number): Promise<TreasuryAnswer> {
  const [funds, readings, check, deposits, spends, limit] = await Promise.all([
    readFunds(from, now),
    from.run(queries.listReadings, []),
    from.maybeOne(queries.findTreasuryCheck, []),
    from.run(queries.listDeposits, []),
    from.run(queries.listSpends, []),
    settingInForce(from, 'payouts.float_sats', now),
  ])
  const sum = (some: readonly { readonly sats: bigint }[]): bigint => some.reduce((total, { sats }) => total + sats, 0n)
  const owed = [...funds.balances].filter(([kind]) => !DEBIT_KINDS.includes(kind) && !OWN_KINDS.includes(kind))
  const float = readings.filter(({ wallet }) => wallet === PAYING_WALLET)
  return {
    wallets: readings.map(({ wallet, sats, readAt }) => ({ name: wallet, sats: String(sats), read_at: readAt })),
    ledger: [...funds.balances].map(([account, sats]) => ({ account, sats: String(sats) })),
    held_sats: readings.length === 0 ? null : String(sum(readings)),
    owed_sats: String(sum(owed.map(([, sats]) => ({ sats })))),
    difference_sats:
      check === null || check.pendingSats === null ? null : String(differenceOf(check, check.pendingSats)),
    bankroll: { wanted_sats: String(funds.wantedSats), free_sats: String(funds.freeSats) },
    float: {
      sats: String(sum(float)),
      limit_sats: typeof limit.value === 'number' ? String(limit.value) : null,
      variable: limit.variable,
    },
    deposits: deposits.map(({ outpoint, sats, seenAt, isConfirmed, isFinal }) => ({
      outpoint,
      address: null,
      sats: String(sats),
      at: seenAt,
      confirmations: isFinal ? FINAL_DEPTH : Number(isConfirmed),
    })),
    // Only from an account at a payment provider can something come that the ledger counted already.
    own_transfers: deposits
      .filter(({ provider, isConfirmed }) => isConfirmed && HOSTED.includes(provider))
      .map(({ outpoint, sats, seenAt }) => ({ outpoint, sats: String(sats), at: seenAt })),
    spends: spends.map(({ txid, sats, foundAt, isAccepted, isBooked }) => ({
      txid,
      sats: sats === null ? null : String(sats),
      found_at: foundAt,
      is_accepted: isAccepted,
      is_booked: isBooked,
    })),
  }
}

interface Check {
  readonly heldSats: bigint
  readonly ledgerSats: bigint
  readonly lightningHeldSats: bigint | null
  readonly lightningLedgerSats: bigint | null
}

/** What nothing explains: what is on its way is no difference. */
function differenceOf(
  { heldSats, ledgerSats, lightningHeldSats, lightningLedgerSats }: Check,
  pendingSats: bigint,
): bigint {
  return heldSats - ledgerSats - pendingSats + (lightningHeldSats ?? 0n) - (lightningLedgerSats ?? 0n)
}
