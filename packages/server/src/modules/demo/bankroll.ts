import type { Tx } from '../../db/pool.ts'
import { CHANNEL_SATS } from '../../ports/lightning/test-node.ts'
import { OPENING_SATS } from '../../ports/wallet/test-chain.ts'
import { bankroll, type LedgerAccount, lightning, suspense, wallet } from '../ledger/accounts.ts'
import { postTransfer } from '../ledger/service.ts'

/**
 * Books the coins the test wallet opens with as the operator's bankroll (decisions section 4): first as unattributed
 * money, then as the operator's deposit. Called at every start of the demo, it books them once.
 *
 * @param at epoch seconds
 */
export async function fundDemoBankroll(tx: Tx, at: number): Promise<void> {
  await bookOpening(tx, { subject: 'demo-opening', held: wallet, sats: OPENING_SATS, at })
}

/** Books what the demo's Lightning node opens with in the same way. @param at epoch seconds */
export async function fundDemoLightning(tx: Tx, at: number): Promise<void> {
  await bookOpening(tx, { subject: 'demo-lightning', held: lightning, sats: CHANNEL_SATS, at })
}

async function bookOpening(
  tx: Tx,
  { subject, held, sats, at }: { subject: string; held: LedgerAccount; sats: bigint; at: number },
): Promise<void> {
  const arrived = [{ from: held, to: suspense, sats }]
  const deposited = [{ from: suspense, to: bankroll, sats }]
  await postTransfer(tx, { event: 'money.unknown', subject, at, moves: arrived })
  await postTransfer(tx, { event: 'operator.deposit', subject, at, moves: deposited })
}
