import type { SignedIn } from '../../kernel/caller.ts'
import { Refused } from '../../kernel/errors.ts'
import { LIMITS } from '../../kernel/limits.ts'
import { exported } from '../../kernel/personal-data.ts'
import {
  exportFormerEmails,
  findPlayer,
  findTwofa,
  listIdentities,
  readRegistration,
  sessionsOf,
} from '../identity/service.ts'
import {
  consentsOf,
  detailsOf,
  exportDestinations,
  exportPayFirst,
  listAddresses,
  profileOf,
} from '../players/service.ts'
import { limitsSettingOf } from '../safer-play/service.ts'
import type { PrivacyContext } from './context.ts'
import * as queries from './personal-data-queries.ts'

// The export of everything stored about a player.

/**
 * Everything about a player as JSON. Hashes and secrets say nothing about a person and are left out; the fact that they
 * exist is included.
 *
 * @throws LotteryError TOO_MANY_REQUESTS
 */
export async function exportPersonalData(ctx: PrivacyContext, player: SignedIn): Promise<Record<string, unknown>> {
  await ctx.rateLimits.take(LIMITS.exportsOfPlayer, String(player.id))
  return await collected(ctx, player)
}

/** The same for the operator, who was asked for it. @throws Refused if there is no open account */
export async function personalDataOfPlayer(
  ctx: PrivacyContext,
  playerId: bigint,
): Promise<{ readonly username: string; readonly data: Record<string, unknown> }> {
  const player = await ctx.db.maybeOne(findPlayer, [playerId])
  if (player === null) throw new Refused(`There is no open account ${playerId}.`)
  const data = await collected(ctx, { ...player, isSocial: player.passwordHash === null, sessionId: '' })
  return { username: player.username, data }
}

async function collected(ctx: PrivacyContext, player: SignedIn): Promise<Record<string, unknown>> {
  const registered = await ctx.db.one(readRegistration, [player.id])
  const kept: Record<string, unknown> = {}
  for (const { exportOf } of ctx.holders) Object.assign(kept, await exportOf(player.id))
  return {
    exported_at: ctx.runtime.clock.now(),
    account: {
      ...(await profileOf(ctx, player)),
      ...detailsOf(player),
      created_at: registered.createdAt,
      email_verified_at: player.emailVerifiedAt,
      first_verified_at: registered.firstVerifiedAt,
      former_emails: (await ctx.db.run(exportFormerEmails, [player.id])).map(exported),
      social_networks: (await ctx.db.run(listIdentities, [player.id])).map(exported),
    },
    security: await securityOf(ctx, player.id),
    sessions: await sessionsOf(ctx.db, player.id),
    bitcoin_addresses: (await ctx.db.run(listAddresses, [player.id])).map(exported),
    lightning_destinations: (await ctx.db.run(exportDestinations, [player.id])).map(exported),
    paid_first: (await ctx.db.run(exportPayFirst, [player.id])).map(exported),
    responsible_play: await limitsSettingOf(ctx, player),
    winner_consents: await consentsOf(ctx, player.id),
    ...kept,
  }
}

/** What the player proves the account with; never the secret, the codes or the answer itself. */
async function securityOf(ctx: PrivacyContext, playerId: bigint) {
  const question = await ctx.db.maybeOne(queries.exportSecurityAnswer, [playerId])
  return {
    two_factor_since: (await ctx.db.maybeOne(findTwofa, [playerId]))?.confirmedAt ?? null,
    recovery_codes: (await ctx.db.run(queries.exportRecoveryCodes, [playerId])).map(exported),
    security_question_id: question?.questionId ?? null,
    security_question_set_at: question?.updatedAt ?? null,
    links_sent: (await ctx.db.run(queries.exportKeys, [playerId])).map(exported),
    waiting_notices: (await ctx.db.run(queries.exportWaitingNotices, [playerId])).map(exported),
    known_devices: (await ctx.db.run(queries.exportKnownDevices, [playerId])).map(exported),
    known_network_addresses: (await ctx.db.run(queries.exportKnownAddresses, [playerId])).map(exported),
  }
}
