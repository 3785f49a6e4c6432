import { FORMER_EMAIL_SECONDS } from '@fairball/domain/periods'
import type { Tx } from '../../db/pool.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import * as queries from './exclusion-queries.ts'
import { listFormerEmails } from './former-email-queries.ts'
import { listIdentities } from './queries.ts'
import { identityName } from './recipient.ts'
import type { Secrets } from './secrets.ts'

// Self-exclusions as keyed hashes of the person's identity: they apply to every account that would be opened.

interface ExclusionsContext {
  readonly runtime: Pick<Runtime, 'clock'>
  readonly secrets: Secrets
}

/** The kind of the job that releases what older versions kept of never-verified addresses. */
export const RELEASE_UNVERIFIED = 'accounts.release-unverified'

/**
 * Binds an exclusion to what is proven of a player: the verified address, the verified ones left within seven days, and
 * the player's identity at a social network. A never-verified address may be a stranger's: its exclusion is pending
 * until this account verifies it. Called when an exclusion begins or is extended, and when an address is verified.
 *
 * @param until epoch seconds; a later one stays
 */
export async function keepExclusion(
  ctx: ExclusionsContext,
  tx: Tx,
  player: { id: bigint; email: string | null; emailVerifiedAt: number | null },
  until: number,
): Promise<void> {
  const verified = player.email !== null && player.emailVerifiedAt !== null ? [player.email] : []
  const former = await tx.run(listFormerEmails, [player.id, ctx.runtime.clock.now() - FORMER_EMAIL_SECONDS, ''])
  const identities = await tx.run(listIdentities, [player.id])
  const names = identities.map(({ provider, subject }) => identityName(provider, subject))
  // In one order, so that two players who share an address never wait for each other.
  const digests = [...verified, ...former.map(({ email }) => email), ...names].map((name) =>
    ctx.secrets.emailDigest(name),
  )
  for (const digest of digests.toSorted((one, other) => Buffer.compare(one, other)))
    await tx.execute(queries.excludeEmail, [until, digest])
}

/**
 * Makes the exclusions of never-verified addresses pending that older versions kept: those of the present addresses,
 * and of every address that an account without a verified one was mailed at. For an erased account this is unknown: its
 * exclusions stay.
 */
export async function releaseUnverified(ctx: ExclusionsContext, tx: Tx): Promise<void> {
  for (const { email, until } of await tx.run(queries.lockUnverifiedExcluded, [ctx.runtime.clock.now()]))
    await tx.execute(queries.releaseEmail, [ctx.secrets.emailDigest(email), until])
}
