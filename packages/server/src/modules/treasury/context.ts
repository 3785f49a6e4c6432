import type { AnswerOf } from '@fairball/contract/calls'
import type { Db, Tx } from '../../db/pool.ts'
import type { WalletSource } from '../../ports/bitcoin.ts'
import type { LightningNode } from '../../ports/lightning/lightning-node.ts'
import type { SeenOutput } from '../../ports/payment-provider/payment-provider.ts'
import type { DepositCoins } from '../../ports/wallet/deposit-coins.ts'
import type { Movements } from '../../ports/wallet/movements.ts'
import type { Wallet } from '../../ports/wallet/wallet.ts'
import { Loop } from '../../runtime/loop.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { SharedAnswer } from '../../runtime/shared-answer.ts'

/** Requests within this time, in real ms, share one answer. */
const SHARED_MS = 5_000

/** What following the operator's wallets and comparing them with the ledger needs. */
export interface TreasuryContext {
  readonly db: Db
  readonly runtime: Pick<Runtime, 'clock' | 'monotonic' | 'log'>
  /** reports what is held */
  readonly sources: readonly WalletSource[]
  /** the Lightning node; null without one */
  readonly lightning: Pick<LightningNode, 'liquidity' | 'fees' | 'movedBy'> | null
  /**
   * reports what moves coins of our wallets on a real chain; null with the test chain, where only payments and payouts
   * move coins
   */
  readonly movements: Movements | null
  /** Puts money that belongs to no order into suspense, with an alert; `holder` is the wallet it arrived in. */
  readonly bookUnknown: (tx: Tx, output: SeenOutput, holder: string) => Promise<void>
  /** lists the coins of the deposits, and what spending costs now; missing if the node does not watch them */
  readonly deposits?: Pick<DepositCoins, 'list'> & Pick<Wallet, 'estimateFee'>
  /** the unexplained amount, and the number of checks it has been the same */
  readonly apart: { sats: bigint; looks: number }
  readonly solvency: SharedAnswer<AnswerOf<'getSolvency'>>
  readonly loop: Loop
}

/** The context of one process. */
export function treasuryContext(
  options: Omit<TreasuryContext, 'apart' | 'solvency' | 'loop' | 'lightning'> &
    Partial<Pick<TreasuryContext, 'lightning'>>,
): TreasuryContext {
  const { monotonic } = options.runtime
  return {
    lightning: null,
    ...options,
    apart: { sats: 0n, looks: 0 },
    solvency: new SharedAnswer(() => monotonic.nowMs(), SHARED_MS),
    loop: new Loop(monotonic),
  }
}
