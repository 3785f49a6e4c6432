import type { BitcoinNetwork } from '@fairball/domain/btc-address'
import type { Tx } from '../../db/pool.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { IdentityContext } from '../identity/service.ts'
import type { AddressSeals } from '../payouts/service.ts'
import type { SaferPlayContext } from '../safer-play/service.ts'

/** What players set about themselves: profile, password, payout address, and whether their wins are shown. */
export interface PlayersContext extends IdentityContext, SaferPlayContext {
  readonly runtime: Runtime
  readonly network: BitcoinNetwork
  /** Whether an address is one of the operator's, at which payments are taken. */
  readonly isOperatorAddress: (tx: Tx, address: string) => Promise<boolean>
  /** Proof that the program saved an address and notifies this mailbox of it. */
  readonly proofOfNotice: AddressSeals['noticeProof']
  /** Deletes the lines a player saved for the games. @returns for how many games there were some */
  readonly forgetSavedNumbers: (tx: Tx, playerId: bigint) => Promise<number>
}
