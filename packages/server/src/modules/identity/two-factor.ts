import { createHash } from 'node:crypto'
import { LotteryError } from '@fairball/domain/errors'
import { Secret, TOTP } from 'otpauth'
import type { Queries, Tx } from '../../db/pool.ts'
import type { SignedIn } from '../../kernel/caller.ts'
import { LIMITS } from '../../kernel/limits.ts'
import type { Renew } from '../../runtime/seal.ts'
import type { IdentityContext } from './context.ts'
import { mailTwofaDisabled, mailTwofaEnabled } from './mails.ts'
import { noticeRecipients } from './notice-recipients.ts'
import * as queries from './security-queries.ts'
import { assertRecentlyAuthenticated } from './sessions.ts'
import { lockSignedIn } from './signed-in-player.ts'

// Two-factor authentication by time-based codes (RFC 6238: SHA-1, six digits, 30 seconds), by the system's clock.

/** The shared secret: 160 bits, as RFC 4226 recommends. */
const SECRET_BYTES = 20
const PERIOD_SECONDS = 30
/** Codes of the step before and after are accepted too: phones' clocks are off. */
const WINDOW = 1
/**
 * A proposed secret that is not confirmed is shown again for this long, so that loading the page twice keeps the QR
 * code.
 */
const PROPOSAL_SECONDS = 3600
const RECOVERY_CODES = 10
/** 16 characters of five bits each, 80 bits: too many to guess, so a fast hash protects them. */
const RECOVERY_CHARACTERS = 16
const BASE32 = 'abcdefghijkmnpqrstuvwxyz23456789'

/** What a secret is encrypted for. */
const contextOf = (playerId: bigint): string => `twofa:${playerId}`

/**
 * Proposes a secret to a session, as an `otpauth://` address for the QR code. Nothing is on until the same session has
 * verified a code of it; another session sees a secret of its own.
 *
 * @throws LotteryError ACCESS_DENIED if two-factor is on, as a secret in force is never shown again, and if the login
 *   is not recent
 * @throws Unauthorized if the session ended meanwhile
 */
export async function proposeTwofa(ctx: IdentityContext, player: SignedIn): Promise<string> {
  const label = player.email ?? player.username
  const issuer = ctx.messages.site().name
  return await ctx.db.transaction(async (tx) => {
    await lockSignedIn(tx, player)
    const present = await tx.maybeOne(queries.findTwofa, [player.id])
    await assertMaySwitchOn(ctx, tx, player, present)
    if (present?.sessionId === player.sessionId && present.createdAt + PROPOSAL_SECONDS > ctx.runtime.clock.now())
      return totpOf(ctx.secrets.unseal(present.secret, contextOf(player.id)), { issuer, label }).toString()

    const secret = ctx.runtime.random.bytes(SECRET_BYTES)
    const sealed = ctx.secrets.seal(secret, contextOf(player.id))
    await tx.execute(queries.proposeTwofa, [player.id, ctx.runtime.clock.now(), sealed, player.sessionId])
    return totpOf(secret, { issuer, label }).toString()
  })
}

async function assertMaySwitchOn(
  ctx: IdentityContext,
  tx: Tx,
  player: SignedIn,
  present: { confirmedAt: number | null } | null,
) {
  if (present !== null && present.confirmedAt !== null) throw alreadyOn()
  await assertRecentlyAuthenticated(ctx, tx, player)
}

/**
 * Switches two-factor on with the first code of the proposed secret, and returns the recovery codes, only this once.
 * The code that proves the set-up is not counted as used: a login with it within its half minute is the player.
 *
 * @throws LotteryError INVALID_2FA_CODE, also if the secret was proposed to another session; TOO_MANY_REQUESTS;
 *   ACCESS_DENIED as `propose`
 * @throws Unauthorized if the session ended meanwhile
 */
export async function confirmTwofa(ctx: IdentityContext, player: SignedIn, code: string): Promise<string[]> {
  await ctx.rateLimits.check(LIMITS.failedChecksOfPlayer, String(player.id))
  const codes = await ctx.db.transaction((tx) => confirmWith(ctx, tx, player, code))
  if (codes !== null) return codes
  await ctx.rateLimits.count(LIMITS.failedChecksOfPlayer, String(player.id))
  throw new LotteryError('INVALID_2FA_CODE')
}

/** Null for a wrong code. */
async function confirmWith(ctx: IdentityContext, tx: Tx, player: SignedIn, code: string): Promise<string[] | null> {
  const locked = await lockSignedIn(tx, player)
  const present = await tx.maybeOne(queries.findTwofa, [player.id])
  await assertMaySwitchOn(ctx, tx, player, present)
  if (present?.sessionId !== player.sessionId || stepOf(ctx, present.secret, player.id, code) === null) return null

  await tx.execute(queries.confirmTwofa, [player.id, ctx.runtime.clock.now()])
  const codes = Array.from({ length: RECOVERY_CODES }, () => newRecoveryCode(ctx))
  await tx.execute(queries.removeRecoveryCodes, [player.id])
  await tx.execute(queries.insertRecoveryCodes, [player.id, codes.map(hashOfRecoveryCode)])
  for (const to of await noticeRecipients(tx, locked, ctx.runtime.clock.now())) await mailTwofaEnabled(ctx, tx, to)
  ctx.runtime.log.info({ playerId: player.id }, 'two-factor authentication was switched on')
  return codes
}

/**
 * Switches two-factor off; the caller has checked a proof.
 *
 * @throws LotteryError ACCESS_DENIED if it is not on
 * @throws Unauthorized if the session ended meanwhile
 */
export async function disableTwofa(ctx: IdentityContext, player: SignedIn): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const locked = await lockSignedIn(tx, player)
    const present = await tx.maybeOne(queries.findTwofa, [player.id])
    if (present?.confirmedAt == null)
      throw new LotteryError('ACCESS_DENIED', 'Two-factor authentication is not switched on.')
    await forgetTwofaOf(tx, player.id)
    for (const to of await noticeRecipients(tx, locked, ctx.runtime.clock.now())) await mailTwofaDisabled(ctx, tx, to)
    ctx.runtime.log.info({ playerId: player.id }, 'two-factor authentication was switched off')
  })
}

/**
 * Whether a code is valid now and was not used before; the call also uses it up. False also while two-factor is not on.
 * The caller counts failures and refuses after a few; here every code is counted before it is checked, so that of a
 * thousand concurrent ones only some tens are.
 *
 * @throws LotteryError TOO_MANY_REQUESTS
 */
export async function acceptsCode(
  ctx: IdentityContext,
  from: Queries,
  playerId: bigint,
  code: string,
): Promise<boolean> {
  const present = await from.maybeOne(queries.findTwofa, [playerId])
  if (present?.confirmedAt == null) return false
  await ctx.rateLimits.take(LIMITS.codesOfPlayer, String(playerId))
  const step = stepOf(ctx, present.secret, playerId, code)
  const isGood = step !== null && (await from.execute(queries.useTwofaStep, [playerId, step])) > 0
  if (isGood) await ctx.rateLimits.forget(LIMITS.codesOfPlayer, String(playerId))
  return isGood
}

/** Whether a recovery code is one of the player's and was not used before; the call also uses it up. */
export async function acceptsRecoveryCode(
  ctx: IdentityContext,
  from: Queries,
  playerId: bigint,
  code: string,
): Promise<boolean> {
  return (
    (await from.execute(queries.useRecoveryCode, [playerId, hashOfRecoveryCode(code), ctx.runtime.clock.now()])) > 0
  )
}

/** The 30-second step a code belongs to, or null if it is no current code. */
function stepOf(ctx: IdentityContext, sealed: Uint8Array, playerId: bigint, code: string): number | null {
  const totp = totpOf(ctx.secrets.unseal(sealed, contextOf(playerId)))
  const delta = totp.validate({ token: code, timestamp: ctx.runtime.clock.nowMs(), window: WINDOW })
  return delta === null ? null : Math.floor(ctx.runtime.clock.now() / PERIOD_SECONDS) + delta
}

/** Four groups of four characters, none easily mistaken for another. */
function newRecoveryCode(ctx: IdentityContext): string {
  // 32 characters: five bits of a byte choose one without a bias.
  const characters = [...ctx.runtime.random.bytes(RECOVERY_CHARACTERS)].map((byte) => BASE32[byte & 31])
  return (characters.join('').match(/.{4}/g) ?? []).join('-')
}

/** Removes secret and recovery codes. @returns whether there was a secret */
export async function forgetTwofaOf(tx: Tx, playerId: bigint): Promise<boolean> {
  await tx.execute(queries.removeRecoveryCodes, [playerId])
  return (await tx.execute(queries.removeTwofa, [playerId])) > 0
}

function totpOf(secret: Uint8Array, names: { readonly issuer?: string; readonly label?: string } = {}): TOTP {
  return new TOTP({
    ...names,
    algorithm: 'SHA1',
    digits: 6,
    period: PERIOD_SECONDS,
    secret: new Secret({ buffer: new Uint8Array(secret).buffer }),
  })
}

/** Typed by hand from paper: case, spaces and hyphens do not count. */
function hashOfRecoveryCode(code: string): Uint8Array {
  const plain = code.toLowerCase().replaceAll(/[\s-]/g, '')
  return new Uint8Array(createHash('sha256').update(`fairball/recovery/v1:${plain}`).digest())
}

function alreadyOn(): LotteryError {
  return new LotteryError('ACCESS_DENIED', 'Two-factor authentication is switched on already.')
}

/** Encrypts all secrets of two-factor authentication again. @returns how many */
export async function renewTwofaSeals(tx: Tx, renew: Renew): Promise<number> {
  const secrets = await tx.run(queries.listTwofaSecrets, [])
  const fresh = secrets.map((one) => renew(one.secret, contextOf(one.playerId)) ?? one.secret)
  return await tx.execute(queries.replaceTwofaSecrets, [secrets.map((one) => one.playerId), fresh])
}
