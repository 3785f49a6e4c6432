import type { BitcoinNetwork } from '@fairball/domain/btc-address'
import type { Tx } from '../../db/pool.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { IdentityContext } from '../identity/service.ts'
import type { Payees } from '../../ports/lightning/payee.ts'
import type { AddressSeals, DestinationSeals } from '../payouts/service.ts'
import type { SaferPlayContext } from '../safer-play/service.ts'

/** What players set about themselves: profile, password, payout address, and whether their wins are shown. */
export interface PlayersContext extends IdentityContext, SaferPlayContext {
  readonly runtime: Runtime
  readonly network: BitcoinNetwork
  /** Whether an address is one of the operator's, at which payments are taken. */
  readonly isOperatorAddress: (tx: Tx, address: string) => Promise<boolean>
  /** The same for destinations over Lightning. */
  readonly proofOfDestinationNotice: DestinationSeals['noticeProof']
  /** What is known of payees over Lightning; null if payouts leave on the chain alone. */
  readonly payees: Payees | null
  /** The host of this installation, with its port, if Lightning addresses there can be paid. */
  readonly ownHost: string | null
  /** Proof that the program saved an address and notifies this mailbox of it. */
  readonly proofOfNotice: AddressSeals['noticeProof']
  /** Deletes the lines a player saved for the games. @returns for how many games there were some */
  readonly forgetSavedNumbers: (tx: Tx, playerId: bigint) => Promise<number>
}
