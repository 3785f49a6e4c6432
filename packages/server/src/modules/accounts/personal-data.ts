import { LotteryError } from '@fairball/domain/errors'
import type { Db, Tx } from '../../db/pool.ts'
import type { SignedIn } from '../../http/auth-hook.ts'
import { LIMITS, type RateLimits } from '../../http/rate-limits.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { Messages } from '../messages/service.ts'
import type { Keys } from './keys.ts'
import type { AccountMails } from './mails.ts'
import type { Profile } from './profile.ts'
import type { ProofInput, Proofs } from './proof.ts'
import * as queries from './queries.ts'
import type { ResponsiblePlay } from './responsible-play.ts'
import type { Secrets } from './secrets.ts'
import * as security from './security-queries.ts'
import type { Sessions } from './sessions.ts'
import * as settings from './settings-queries.ts'
import type { TwoFactor } from './two-factor.ts'

export interface PersonalDataDeps {
  readonly db: Db
  readonly runtime: Runtime
  readonly rateLimits: RateLimits
  readonly secrets: Secrets
  readonly keys: Keys
  readonly sessions: Sessions
  readonly twoFactor: TwoFactor
  readonly messages: Messages
  readonly mails: AccountMails
  readonly proofs: Proofs
  readonly profile: Profile
  readonly responsiblePlay: ResponsiblePlay
  /** Whether a player is owed money, or money of an order is on its way: the account stays until it is paid. */
  readonly hasOpenMoney: (tx: Tx, playerId: bigint) => Promise<boolean>
  /** What other modules keep about a player: orders, plays, wins, payouts. Plain JSON. */
  readonly otherPersonalData: (playerId: bigint) => Promise<Record<string, unknown>>
}

export type PersonalData = ReturnType<typeof createPersonalData>

/** Everything kept about a player, given out or erased. */
export function createPersonalData(deps: PersonalDataDeps) {
  const { db, runtime, rateLimits, sessions, messages, profile, responsiblePlay } = deps

  /** Everything about a player as JSON. Hashes and secrets say nothing about a person and stay. */
  async function exportOf(player: SignedIn): Promise<Record<string, unknown>> {
    await rateLimits.take(LIMITS.exportsOfPlayer, String(player.id))
    const { created_at: createdAt } = await db.one(queries.readRegistration, [player.id])
    return {
      exported_at: runtime.clock.now(),
      account: {
        ...(await profile.profileOf(player)),
        ...profile.detailsOf(player),
        created_at: createdAt,
        email_verified_at: player.emailVerifiedAt,
        social_networks: await db.run(queries.listIdentities, [player.id]),
      },
      sessions: await sessions.personalData(db, player.id),
      bitcoin_addresses: await db.run(settings.listAddresses, [player.id]),
      responsible_play: await responsiblePlay.settingOf(player),
      ...(await messages.personalData(player.id)),
      ...(await deps.otherPersonalData(player.id)),
    }
  }

  /**
   * Closes an account: everything personal is erased, its plays and orders stay without a name. A self-exclusion
   * outlives it as a keyed hash of the address.
   *
   * @throws LotteryError ACCESS_DENIED while money is owed or on its way; what a missing or wrong proof throws
   */
  async function close(player: SignedIn, proof: ProofInput): Promise<void> {
    await deps.proofs.require(player, proof)
    await db.transaction(async (tx) => {
      const row = await tx.one(queries.lockPlayer, [player.id])
      if (await deps.hasOpenMoney(tx, player.id))
        throw new LotteryError(
          'ACCESS_DENIED',
          'The account cannot be closed while money is owed to it, a payment is under way, or a draw is to come.',
        )
      await keepExclusion(tx, player.id, row.email)
      await erase(tx, player.id)
      if (row.email !== null) await deps.mails.accountClosed(tx, { email: row.email, username: row.username })
    })
  }

  async function keepExclusion(tx: Tx, playerId: bigint, email: string | null): Promise<void> {
    const until = await responsiblePlay.excludedUntil(tx, playerId)
    if (until === null || email === null) return
    await tx.execute(queries.excludeEmail, [until, deps.secrets.emailDigest(email)])
  }

  async function erase(tx: Tx, playerId: bigint): Promise<void> {
    await sessions.forgetPlayer(tx, playerId)
    await deps.keys.revoke(tx, playerId, 'all')
    await deps.twoFactor.forgetPlayer(tx, playerId)
    await tx.execute(security.removeSecurityAnswer, [playerId])
    await tx.execute(settings.removeAddresses, [playerId])
    await tx.execute(settings.removeLimits, [playerId])
    await tx.execute(queries.removeIdentities, [playerId])
    await messages.forgetPlayer(tx, playerId)
    const suffix = Buffer.from(runtime.random.bytes(6)).toString('hex')
    await tx.execute(queries.closePlayer, [playerId, runtime.clock.now(), `closed-${playerId}-${suffix}`])
  }

  return { exportOf, close }
}
