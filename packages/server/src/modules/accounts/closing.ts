import { LotteryError } from '@fairball/domain/errors'
import type { Db, Tx } from '../../db/pool.ts'
import type { SignedIn } from '../../http/auth-hook.ts'
import type { JobPayload } from '../../jobs/job.ts'
import type { Jobs } from '../../jobs/queue.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { Messages } from '../messages/service.ts'
import * as queries from './closing-queries.ts'
import type { Exclusions } from './exclusions.ts'
import { removeFormerEmails } from './former-email-queries.ts'
import type { Keys } from './keys.ts'
import type { AccountMails } from './mails.ts'
import type { PayoutAddress } from './payout-address.ts'
import type { ProofInput, Proofs } from './proof.ts'
import { removeIdentities } from './queries.ts'
import type { ResponsiblePlay } from './responsible-play.ts'
import { removeSecurityAnswer } from './security-queries.ts'
import type { Sessions } from './sessions.ts'
import { removeAddresses, removeLimits } from './settings-queries.ts'
import { lockSignedIn } from './signed-in-player.ts'
import type { TwoFactor } from './two-factor.ts'
import type { WinnerConsent } from './winner-consent.ts'

/** The kind of the job that erases closed accounts once everything is paid. */
export const FINISH_CLOSING = 'accounts.finish-closing'
/** What a payout tells by mail and message is on its way before the account it belongs to ends. */
const AFTER_PAYOUT_SECONDS = 60
/** Nobody tells of a draw that won nothing or an order that ran out, so closed accounts are looked at so often. */
const LOOK_SECONDS = 3600
/** Accounts looked at in one transaction. */
const MOST_AT_ONCE = 200n

/** How the money of a player stands; each says that there is some. */
export interface OpenMoney {
  /** owed, and not yet in a payout */
  readonly waits: boolean
  /** in a payout that has not left */
  readonly leaves: boolean
  /** may come to be owed: a draw to come, an order that is not decided, a payment that is not confirmed */
  readonly comes: boolean
  /** an order ran out unpaid less than a day ago: a payment that is late may still arrive */
  readonly late: boolean
}

export interface ClosingDeps {
  readonly db: Db
  readonly runtime: Runtime
  readonly jobs: Jobs
  readonly exclusions: Exclusions
  readonly keys: Keys
  readonly sessions: Sessions
  readonly twoFactor: TwoFactor
  readonly messages: Messages
  readonly mails: AccountMails
  readonly proofs: Proofs
  readonly payoutAddress: PayoutAddress
  readonly responsiblePlay: ResponsiblePlay
  readonly winnerConsent: WinnerConsent
  readonly openMoney: (tx: Tx, playerId: bigint) => Promise<OpenMoney>
  /** Whether what waits for a player is enough to be sent to the address. */
  readonly canBePaid: (tx: Tx, playerId: bigint) => Promise<boolean>
  readonly onPayoutReady: (tx: Tx, playerId: bigint) => Promise<void>
  /** Erases what other modules keep of a person: names in orders, saved numbers, free tickets, what was written to us. */
  readonly forgetElsewhere: (tx: Tx, playerId: bigint) => Promise<void>
}

export type Closing = ReturnType<typeof createClosing>

/**
 * Closing an account. It is closed to its player at once; where money is owed or may still come, it is paid first, and
 * what paying needs (e-mail address, username, bitcoin address) is erased only then.
 */
export function createClosing(deps: ClosingDeps) {
  const { db, runtime, jobs, sessions, messages, mails, payoutAddress, responsiblePlay } = deps
  const now = (): number => runtime.clock.now()

  /**
   * Closes an account. Its plays and orders stay without a name; a self-exclusion outlives it as a keyed hash of the
   * address.
   *
   * @throws LotteryError ACCESS_DENIED when money is owed or may come, and there is no bitcoin address or no verified
   *   e-mail address to pay it to; what a missing or wrong proof throws
   * @throws Unauthorized when the session ended meanwhile, or it was closed a moment ago
   */
  async function close(player: SignedIn, proof: ProofInput): Promise<void> {
    await deps.proofs.require(player, proof)
    await db.transaction(async (tx) => {
      const row = await lockSignedIn(tx, player)
      const { waits, leaves, comes, late } = await deps.openMoney(tx, player.id)
      const address = await payoutAddress.usable(tx, player.id, now())
      // An order that nobody is likely to pay any more keeps nobody here who could not be paid back anyway.
      const waitsForLate = late && address !== null && row.email_verified_at !== null
      if (!waits && !leaves && !comes && !waitsForLate) {
        await end(tx, row)
        return
      }
      if (waits || comes) assertPayable({ hasAddress: address !== null, isVerified: row.email_verified_at !== null })
      await keepExclusion(tx, row)
      await shut(tx, player.id)
      if (row.email !== null) await mails.accountClosing(tx, { ...row, playerId: row.id, email: row.email }, address)
      await deps.onPayoutReady(tx, player.id)
      await scheduleFinish(tx)
    })
  }

  /** Whatever lets somebody in or says something about the person goes; the address that is paid stays. */
  async function shut(tx: Tx, playerId: bigint): Promise<void> {
    await sessions.forgetPlayer(tx, playerId)
    await deps.keys.revoke(tx, playerId, 'all')
    await deps.twoFactor.forgetPlayer(tx, playerId)
    await tx.execute(removeSecurityAnswer, [playerId])
    await tx.execute(queries.removeKnownAddresses, [playerId])
    await tx.execute(removeFormerEmails, [playerId])
    await tx.execute(removeLimits, [playerId])
    await deps.winnerConsent.end(tx, playerId)
    await payoutAddress.keepOnlyUsable(tx, playerId)
    await messages.forgetPlayer(tx, playerId)
    await tx.execute(queries.shutPlayer, [playerId, now()])
  }

  /** Nothing is to be paid any more: the rest goes too. */
  async function end(tx: Tx, player: { id: bigint; username: string; email: string | null }): Promise<void> {
    const { id, username, email } = player
    await keepExclusion(tx, player)
    await shut(tx, id)
    await tx.execute(removeAddresses, [id])
    await tx.execute(removeIdentities, [id])
    await deps.forgetElsewhere(tx, id)
    const suffix = Buffer.from(runtime.random.bytes(6)).toString('hex')
    await tx.execute(queries.erasePlayer, [id, now(), `closed-${id}-${suffix}`])
    if (email !== null) await mails.accountClosed(tx, { email, username })
  }

  /** A self-exclusion outlives the account: by the e-mail address, and by who the player is to a social network. */
  async function keepExclusion(tx: Tx, player: { id: bigint; email: string | null }): Promise<void> {
    const until = await responsiblePlay.excludedUntil(tx, player.id)
    if (until !== null) await deps.exclusions.keep(tx, player, until)
  }

  /** Erases the closed accounts that have nothing to wait for, and arranges for the next look while others have. */
  async function finish(tx: Tx, payload: JobPayload): Promise<void> {
    const closing = await tx.run(queries.lockClosing, [BigInt(payload['after'] ?? 0), MOST_AT_ONCE])
    for (const player of closing) if (!(await isWaitedFor(tx, player.id))) await end(tx, player)
    const last = closing.at(-1)
    if (last !== undefined && BigInt(closing.length) === MOST_AT_ONCE) {
      await jobs.add(tx, FINISH_CLOSING, { after: String(last.id) }, { key: FINISH_CLOSING, runAt: now() })
    } else await scheduleFinish(tx, LOOK_SECONDS)
  }

  /** A sum too small to be sent to any address, or to this one, is not waited for: nothing would ever add to it. */
  async function isWaitedFor(tx: Tx, playerId: bigint): Promise<boolean> {
    const { waits, leaves, comes, late } = await deps.openMoney(tx, playerId)
    return leaves || comes || late || (waits && (await deps.canBePaid(tx, playerId)))
  }

  /** Has closed accounts looked at soon, where there are any. Called wherever payouts come to an end. */
  async function scheduleFinish(tx: Tx, inSeconds: number = AFTER_PAYOUT_SECONDS): Promise<void> {
    const { has_closing: hasClosing } = await tx.one(queries.hasClosing, [])
    if (hasClosing) await jobs.add(tx, FINISH_CLOSING, {}, { key: FINISH_CLOSING, runAt: now() + inSeconds })
  }

  return { close, finish, scheduleFinish }
}

/** @throws LotteryError ACCESS_DENIED with what is to be done first */
function assertPayable(player: { hasAddress: boolean; isVerified: boolean }): void {
  const { hasAddress, isVerified } = player
  if (hasAddress && isVerified) return
  const missing = [
    ...(hasAddress ? [] : ['save a bitcoin address in your crypto account details']),
    ...(isVerified ? [] : ['verify your e-mail address']),
  ].join(' and ')
  throw new LotteryError(
    'ACCESS_DENIED',
    `Money is owed to you, or may still come from a draw or a payment under way. Please ${missing} first, so that it can be paid to you.`,
  )
}
