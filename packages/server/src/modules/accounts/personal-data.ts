import type { Db } from '../../db/pool.ts'
import type { SignedIn } from '../../http/auth-hook.ts'
import { LIMITS, type RateLimits } from '../../http/rate-limits.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { Messages } from '../messages/service.ts'
import { exportFormerEmails } from './former-email-queries.ts'
import * as queries from './personal-data-queries.ts'
import type { Profile } from './profile.ts'
import { listIdentities, readRegistration } from './queries.ts'
import type { ResponsiblePlay } from './responsible-play.ts'
import { findTwofa } from './security-queries.ts'
import type { Sessions } from './sessions.ts'
import * as settings from './settings-queries.ts'
import type { WinnerConsent } from './winner-consent.ts'

export interface PersonalDataDeps {
  readonly db: Db
  readonly runtime: Pick<Runtime, 'clock'>
  readonly rateLimits: RateLimits
  readonly sessions: Sessions
  readonly messages: Messages
  readonly profile: Profile
  readonly responsiblePlay: ResponsiblePlay
  readonly winnerConsent: WinnerConsent
  /** What other modules keep about a player: orders, plays, wins, payouts, numbers, contact messages. Plain JSON. */
  readonly otherPersonalData: (playerId: bigint) => Promise<Record<string, unknown>>
}

export type PersonalData = ReturnType<typeof createPersonalData>

/** Everything kept about a player, given out. */
export function createPersonalData(deps: PersonalDataDeps) {
  const { db, runtime, rateLimits, sessions, messages, profile, responsiblePlay, winnerConsent } = deps

  /**
   * Everything about a player as JSON. Hashes and secrets say nothing about a person and stay; of what they prove the
   * fact is told.
   *
   * @throws LotteryError TOO_MANY_REQUESTS
   */
  async function exportOf(player: SignedIn): Promise<Record<string, unknown>> {
    await rateLimits.take(LIMITS.exportsOfPlayer, String(player.id))
    const registered = await db.one(readRegistration, [player.id])
    return {
      exported_at: runtime.clock.now(),
      account: {
        ...(await profile.profileOf(player)),
        ...profile.detailsOf(player),
        created_at: registered.created_at,
        email_verified_at: player.emailVerifiedAt,
        first_verified_at: registered.first_verified_at,
        former_emails: await db.run(exportFormerEmails, [player.id]),
        social_networks: await db.run(listIdentities, [player.id]),
      },
      security: await securityOf(player.id),
      sessions: await sessions.personalData(db, player.id),
      bitcoin_addresses: await db.run(settings.listAddresses, [player.id]),
      responsible_play: await responsiblePlay.settingOf(player),
      winner_consents: await winnerConsent.personalData(player.id),
      ...(await messages.personalData(player.id)),
      ...(await deps.otherPersonalData(player.id)),
    }
  }

  /** What the player proves the account with; never the secret, the codes or the answer itself. */
  async function securityOf(playerId: bigint) {
    const question = await db.maybeOne(queries.exportSecurityAnswer, [playerId])
    return {
      two_factor_since: (await db.maybeOne(findTwofa, [playerId]))?.confirmed_at ?? null,
      recovery_codes: (await db.run(queries.exportRecoveryCodes, [playerId])).map((code) => ({
        used_at: code.used_at,
      })),
      security_question_id: question?.question_id ?? null,
      security_question_set_at: question?.updated_at ?? null,
      links_sent: await db.run(queries.exportKeys, [playerId]),
      known_network_addresses: (await db.run(queries.exportKnownAddresses, [playerId])).map((one) => ({
        seen_at: one.seen_at,
      })),
    }
  }

  return { exportOf }
}
