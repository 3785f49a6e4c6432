import type { Tx } from '../../db/pool.ts'
import { OPENING_SATS } from '../../ports/wallet/test-chain.ts'
import { bankroll, suspense, wallet } from '../ledger/accounts.ts'
import { postTransfer } from '../ledger/service.ts'

/**
 * Books the coins the test wallet opens with as the operator's bankroll (decisions section 4): first as unattributed
 * money, then as the operator's deposit. Called at every start of the demo, it books them once.
 *
 * @param at epoch seconds
 */
export async function fundDemoBankroll(tx: Tx, at: number): Promise<void> {
  const subject = 'demo-opening'
  const arrived = [{ from: wallet, to: suspense, sats: OPENING_SATS }]
  const deposited = [{ from: suspense, to: bankroll, sats: OPENING_SATS }]
  await postTransfer(tx, { event: 'money.unknown', subject, at, moves: arrived })
  await postTransfer(tx, { event: 'operator.deposit', subject, at, moves: deposited })
}
