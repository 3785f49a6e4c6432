import type { WinnerConsent as ConsentSetting } from '@fairball/contract/schemas/account'
import type { Tx } from '../../db/pool.ts'
import type { SignedIn } from '../../kernel/caller.ts'
import { exported } from '../../kernel/personal-data.ts'
import { lockSignedIn } from '../identity/service.ts'
import type { PlayersContext } from './context.ts'
import * as queries from './winner-consent-queries.ts'

// Whether a player's wins may be shown to everybody under a masked name: only who says so, and as long as it holds.

/** The player's setting; off until it is switched on. */
export async function consentOf(ctx: PlayersContext, playerId: bigint): Promise<ConsentSetting> {
  const { isShown } = await ctx.db.one(queries.hasConsent, [playerId])
  return { is_shown: isShown }
}

/**
 * Gives the consent or takes it back; when is kept. What it was already changes nothing.
 *
 * @throws Unauthorized when the session ended meanwhile
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

/** Takes the consent back, where there is one: the player's wish, or the account ends. */
export async function endConsent(ctx: PlayersContext, tx: Tx, playerId: bigint): Promise<void> {
  await tx.execute(queries.endConsent, [playerId, ctx.runtime.clock.now()])
}

/** When it was given and taken back, for the export of personal data. */
export async function consentsOf(ctx: PlayersContext, playerId: bigint) {
  return (await ctx.db.run(queries.exportConsents, [playerId])).map(exported)
}
