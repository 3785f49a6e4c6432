import type { AnswerOf } from '@fairball/contract/calls'
import type { Db, Tx } from '../../db/pool.ts'
import type { WalletSource } from '../../ports/bitcoin.ts'
import type { SeenOutput } from '../../ports/payment-provider/payment-provider.ts'
import type { DepositCoins } from '../../ports/wallet/deposit-coins.ts'
import type { Movements } from '../../ports/wallet/movements.ts'
import type { Wallet } from '../../ports/wallet/wallet.ts'
import { Loop } from '../../runtime/loop.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { SharedAnswer } from '../../runtime/shared-answer.ts'

/** Everybody who asks within this time, in real ms, gets one answer. */
const SHARED_MS = 5_000

/** What the operator's wallets are followed with, and compared with the ledger. */
export interface TreasuryContext {
  readonly db: Db
  readonly runtime: Pick<Runtime, 'clock' | 'monotonic' | 'log'>
  /** who says what is held */
  readonly sources: readonly WalletSource[]
  /** what moves coins of our wallets on a real chain; null with the test chain, where nothing moves but payments and payouts */
  readonly movements: Movements | null
  /** Puts money that belongs to no order into suspense, with an alert; `holder` is the wallet it arrived in. */
  readonly bookUnknown: (tx: Tx, output: SeenOutput, holder: string) => Promise<void>
  /** lists the coins of the deposits, and what spending costs now; missing where the node does not watch them */
  readonly deposits?: Pick<DepositCoins, 'list'> & Pick<Wallet, 'estimateFee'>
  /** what nothing explains, and for how many looks it has been the same */
  readonly apart: { sats: bigint; looks: number }
  readonly solvency: SharedAnswer<AnswerOf<'getSolvency'>>
  readonly loop: Loop
}

/** The context of one process. */
export function treasuryContext(options: Omit<TreasuryContext, 'apart' | 'solvency' | 'loop'>): TreasuryContext {
  const { monotonic } = options.runtime
  return {
    ...options,
    apart: { sats: 0n, looks: 0 },
    solvency: new SharedAnswer(() => monotonic.nowMs(), SHARED_MS),
    loop: new Loop(monotonic),
  }
}
