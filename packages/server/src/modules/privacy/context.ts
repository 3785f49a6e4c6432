import type { Tx } from '../../db/pool.ts'
import type { PersonalDataHolder } from '../../kernel/personal-data.ts'
import type { OpenMoney } from '../payouts/service.ts'
import type { PlayersContext } from '../players/service.ts'

/** What exporting personal data and closing accounts needs. */
export interface PrivacyContext extends PlayersContext {
  /** every module that stores something about players, in the order of the export */
  readonly holders: readonly PersonalDataHolder[]
  /** The state of a player's money: what is owed, is leaving, or may still come. */
  readonly openMoney: (tx: Tx, playerId: bigint) => Promise<OpenMoney>
  /** Whether a player's waiting money is enough to be sent to the address. */
  readonly canBePaid: (tx: Tx, playerId: bigint) => Promise<boolean>
}
