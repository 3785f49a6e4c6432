import { LotteryError } from '@fairball/domain/errors'
import type { Tx } from '../../db/pool.ts'
import type { JobPayload } from '../../jobs/job.ts'
import type { SignedIn } from '../../kernel/caller.ts'
import { Refused } from '../../kernel/errors.ts'
import type { PersonalDataHolder } from '../../kernel/personal-data.ts'
import {
  forgetAttemptsOf,
  forgetSessionsOf,
  forgetTwofaOf,
  type LockedPlayer,
  lockPlayer,
  lockSignedIn,
  mailAccountClosed,
  mailAccountClosing,
  type ProofInput,
  recipientOf,
  removeFormerEmails,
  removeIdentities,
  removeSecurityAnswer,
  requireProof,
  revokeKeys,
  sendWaitingNotices,
} from '../identity/service.ts'
import {
  endConsent,
  forgetAddresses,
  forgetDestinations,
  forgetWaitingAddresses,
  forgetWaitingDestinations,
  usableAddress,
} from '../players/service.ts'
import { removeLimits } from '../safer-play/service.ts'
import * as queries from './closing-queries.ts'
import type { PrivacyContext } from './context.ts'

// Closes an account. It is closed to its player immediately. If money is owed or may still come, it is paid first, and
// what paying needs (email address, username, bitcoin address) is erased only then.

/** The kind of the job that erases closed accounts once everything is paid. */
export const FINISH_CLOSING = 'accounts.finish-closing'
/** The mail and message about a payout are on their way before the account they belong to ends. */
const AFTER_PAYOUT_SECONDS = 60
/** A draw without a win and an expired order are not announced, so closed accounts are checked this often. */
const LOOK_SECONDS = 3600
/** Accounts checked per transaction. */
const MAX_AT_ONCE = 200n

/**
 * Closes an account. Its plays and orders stay without a name; a self-exclusion outlives it as keyed hashes of the
 * verified addresses.
 *
 * @throws LotteryError ACCESS_DENIED if money is owed or may come, and there is no bitcoin address or no verified email
 *   address to pay it to; what a missing or wrong proof throws
 * @throws Unauthorized if the session ended meanwhile, or the account was closed a moment ago
 */
export async function closeAccount(ctx: PrivacyContext, player: SignedIn, proof: ProofInput): Promise<void> {
  await requireProof(ctx, player, proof)
  await ctx.db.transaction(async (tx) => closeLocked(ctx, tx, await lockSignedIn(tx, player)))
}

/**
 * Closes an account for its player, who asked the operator to.
 *
 * @returns its name, and whether it is erased already; otherwise what is owed is paid first
 * @throws Refused if money is owed or may come that could not be paid
 */
export async function closeForPlayer(
  ctx: PrivacyContext,
  tx: Tx,
  playerId: bigint,
): Promise<{ readonly username: string; readonly isErased: boolean }> {
  const row = await tx.maybeOne(lockPlayer, [playerId])
  if (row === null) throw new Refused(`There is no open account ${playerId}.`)
  try {
    return { username: row.username, isErased: await closeLocked(ctx, tx, row) }
  } catch (error) {
    if (!(error instanceof LotteryError)) throw error
    throw new Refused(
      'Money is owed to this player, or may still come, and there is no bitcoin address or no verified email address to pay it to.',
      error,
    )
  }
}

/** @returns whether it is erased; otherwise it is shut, and what is owed is paid first */
async function closeLocked(ctx: PrivacyContext, tx: Tx, row: LockedPlayer): Promise<boolean> {
  const { id } = row
  const { waits, leaves, comes, late } = await ctx.openMoney(tx, id)
  const address = await usableAddress(tx, id, ctx.runtime.clock.now())
  // An order that is unlikely to be paid any more does not keep a player here who could not be refunded anyway.
  const waitsForLate = late && address !== null && row.emailVerifiedAt !== null
  if (!waits && !leaves && !comes && !waitsForLate) {
    await endAccount(ctx, tx, row)
    return true
  }
  if (waits || comes) assertPayable({ hasAddress: address !== null, isVerified: row.emailVerifiedAt !== null })
  await shutAccount(ctx, tx, id)
  const recipient = recipientOf(row)
  if (recipient !== null) await mailAccountClosing(ctx, tx, recipient, address)
  await ctx.facts.record(tx, 'money.payable', { playerId: id })
  await scheduleFinishClosing(ctx, tx)
  return false
}

/** Everything that admits a person or describes them is removed; the payout address stays. */
async function shutAccount(ctx: PrivacyContext, tx: Tx, playerId: bigint): Promise<void> {
  await forgetSessionsOf(tx, playerId)
  await revokeKeys(tx, playerId, 'all')
  await forgetTwofaOf(tx, playerId)
  await tx.execute(removeSecurityAnswer, [playerId])
  await forgetAttemptsOf(tx, playerId)
  await tx.execute(removeFormerEmails, [playerId])
  await tx.execute(removeLimits, [playerId])
  await endConsent(ctx, tx, playerId)
  await sendWaitingNotices(ctx, tx, playerId)
  await forgetElsewhere(ctx, tx, playerId, 'when-shut')
  await tx.execute(queries.shutPlayer, [playerId, ctx.runtime.clock.now()])
  await forgetWaitingAddresses(ctx, tx, playerId)
  await forgetWaitingDestinations(ctx, tx, playerId)
}

/** Erases what the other modules store, in the order of their list. */
async function forgetElsewhere(
  ctx: PrivacyContext,
  tx: Tx,
  playerId: bigint,
  when: PersonalDataHolder['goes'],
): Promise<void> {
  for (const { forget, goes } of ctx.holders) if (goes === when) await forget(tx, playerId)
}

/** Nothing more is to be paid: the rest is removed too. */
async function endAccount(ctx: PrivacyContext, tx: Tx, player: Parameters<typeof recipientOf>[0]): Promise<void> {
  const { id } = player
  const recipient = recipientOf(player)
  await shutAccount(ctx, tx, id)
  await forgetAddresses(tx, id)
  await forgetDestinations(tx, id)
  await tx.execute(removeIdentities, [id])
  await forgetElsewhere(ctx, tx, id, 'when-ended')
  const suffix = Buffer.from(ctx.runtime.random.bytes(6)).toString('hex')
  await tx.execute(queries.erasePlayer, [id, ctx.runtime.clock.now(), `closed-${id}-${suffix}`])
  if (recipient !== null) await mailAccountClosed(ctx, tx, recipient)
}

/** Erases the closed accounts that have nothing to wait for, and schedules the next check while others have. */
export async function finishClosing(ctx: PrivacyContext, tx: Tx, payload: JobPayload): Promise<void> {
  const closing = await tx.run(queries.lockClosing, [BigInt(payload['after'] ?? 0), MAX_AT_ONCE])
  for (const player of closing) if (!(await isWaitedFor(ctx, tx, player.id))) await endAccount(ctx, tx, player)
  const last = closing.at(-1)
  if (last !== undefined && BigInt(closing.length) === MAX_AT_ONCE) {
    await ctx.jobs.add(
      tx,
      FINISH_CLOSING,
      { after: String(last.id) },
      { key: FINISH_CLOSING, runAt: ctx.runtime.clock.now() },
    )
  } else await scheduleFinishClosing(ctx, tx, LOOK_SECONDS)
}

/** A sum too small to be sent to any address, or to this one, is not waited for: nothing would ever be added to it. */
async function isWaitedFor(ctx: PrivacyContext, tx: Tx, playerId: bigint): Promise<boolean> {
  const { waits, leaves, comes, late } = await ctx.openMoney(tx, playerId)
  return leaves || comes || late || (waits && (await ctx.canBePaid(tx, playerId)))
}

/** Has closed accounts checked soon, if there are any. Called wherever payouts come to an end. */
export async function scheduleFinishClosing(
  ctx: PrivacyContext,
  tx: Tx,
  inSeconds: number = AFTER_PAYOUT_SECONDS,
): Promise<void> {
  const { hasClosing } = await tx.one(queries.hasClosing, [])
  if (hasClosing)
    await ctx.jobs.add(tx, FINISH_CLOSING, {}, { key: FINISH_CLOSING, runAt: ctx.runtime.clock.now() + inSeconds })
}

/** @throws LotteryError ACCESS_DENIED with what has to be done first */
function assertPayable(player: { hasAddress: boolean; isVerified: boolean }): void {
  const { hasAddress, isVerified } = player
  if (hasAddress && isVerified) return
  const missing = [
    ...(hasAddress ? [] : ['save a bitcoin address in your crypto account details']),
    ...(isVerified ? [] : ['verify your email address']),
  ].join(' and ')
  throw new LotteryError(
    'ACCESS_DENIED',
    `Money is owed to you, or may still come from a draw or a payment under way. Please ${missing} first, so that it can be paid to you.`,
  )
}
