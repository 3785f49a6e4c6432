import type { Tx } from '../../db/pool.ts'
import type { PersonalDataHolder } from '../../kernel/personal-data.ts'
import type { OpenMoney } from '../payouts/service.ts'
import type { PlayersContext } from '../players/service.ts'

/** What personal data is exported with, and accounts are closed. */
export interface PrivacyContext extends PlayersContext {
  /** every module that keeps something about players, in the order of the export */
  readonly holders: readonly PersonalDataHolder[]
  /** How a player's money stands: what is owed, is leaving, or may still come. */
  readonly openMoney: (tx: Tx, playerId: bigint) => Promise<OpenMoney>
  /** Whether what waits for a player is enough to be sent to the address. */
  readonly canBePaid: (tx: Tx, playerId: bigint) => Promise<boolean>
}
