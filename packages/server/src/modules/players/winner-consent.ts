import type { WinnerConsent as ConsentSetting } from '@fairball/contract/schemas/account'
import type { Tx } from '../../db/pool.ts'
import type { SignedIn } from '../../kernel/caller.ts'
import { exported } from '../../kernel/personal-data.ts'
import { lockSignedIn } from '../identity/service.ts'
import type { PlayersContext } from './context.ts'
import * as queries from './winner-consent-queries.ts'

// Whether a player's wins may be shown to everyone under a masked name: only with consent, and as long as it lasts.

/** The player's setting; off until it is switched on. */
export async function consentOf(ctx: PlayersContext, playerId: bigint): Promise<ConsentSetting> {
  const { isShown } = await ctx.db.one(queries.hasConsent, [playerId])
  return { is_shown: isShown }
}

/**
 * Gives or withdraws the consent; the time is stored. Repeating the present setting changes nothing.
 *
 * @throws Unauthorized if the session ended meanwhile
 */
export async function saveConsent(
  ctx: PlayersContext,
  player: SignedIn,
  setting: ConsentSetting,
): Promise<ConsentSetting> {
  await ctx.db.transaction(async (tx) => {
    const { id } = await lockSignedIn(tx, player)
    if (setting.is_shown)
      await tx.execute(queries.giveConsent, [ctx.runtime.random.uuid(), id, ctx.runtime.clock.now()])
    else await endConsent(ctx, tx, id)
  })
  return setting
}

/** Withdraws the consent, if there is one: at the player's wish, or when the account ends. */
export async function endConsent(ctx: PlayersContext, tx: Tx, playerId: bigint): Promise<void> {
  await tx.execute(queries.endConsent, [playerId, ctx.runtime.clock.now()])
}

/** When it was given and withdrawn, for the personal data export. */
export async function consentsOf(ctx: PlayersContext, playerId: bigint) {
  return (await ctx.db.run(queries.exportConsents, [playerId])).map(exported)
}
