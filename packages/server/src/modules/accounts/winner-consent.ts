import type { WinnerConsent as ConsentSetting } from '@fairball/contract/schemas/account'
import type { Db, Tx } from '../../db/pool.ts'
import type { SignedIn } from '../../http/auth-hook.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { lockSignedIn } from './signed-in-player.ts'
import * as queries from './winner-consent-queries.ts'

export type WinnerConsent = ReturnType<typeof createWinnerConsent>

/** Whether a player's wins may be shown to everybody under a masked name: only who says so, and as long as it holds. */
export function createWinnerConsent(deps: { db: Db; runtime: Pick<Runtime, 'clock' | 'random'> }) {
  const { db, runtime } = deps

  /** The player's setting; off until it is switched on. */
  function settingOf(playerId: bigint): Promise<ConsentSetting> {
    return db.one(queries.hasConsent, [playerId])
  }

  /**
   * Gives the consent or takes it back; when is kept. What it was already changes nothing.
   *
   * @throws Unauthorized when the session ended meanwhile
   */
  async function save(player: SignedIn, setting: ConsentSetting): Promise<ConsentSetting> {
    await db.transaction(async (tx) => {
      const { id } = await lockSignedIn(tx, player)
      if (setting.is_shown) await tx.execute(queries.giveConsent, [runtime.random.uuid(), id, runtime.clock.now()])
      else await end(tx, id)
    })
    return setting
  }

  /** Takes the consent back, where there is one: the player's wish, or the account ends. */
  async function end(tx: Tx, playerId: bigint): Promise<void> {
    await tx.execute(queries.endConsent, [playerId, runtime.clock.now()])
  }

  return {
    settingOf,
    save,
    end,
    /** When it was given and taken back, for the export of personal data. */
    personalData: (playerId: bigint) => db.run(queries.exportConsents, [playerId]),
  }
}
