import { parseBtcAddress, type BitcoinNetwork } from '@fairball/domain/btc-address'
import { LotteryError } from '@fairball/domain/errors'
import { CHANGED_ADDRESS_WAITS_SECONDS } from '@fairball/domain/periods'
import type { Db, Queries, Tx } from '../../db/pool.ts'
import type { SignedIn } from '../../http/auth-hook.ts'
import { LIMITS, type RateLimits } from '../../http/rate-limits.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { Caller } from './caller.ts'
import type { Keys } from './keys.ts'
import type { AccountMails } from './mails.ts'
import type { ProofInput, Proofs } from './proof.ts'
import { noticeRecipients } from './notice-recipients.ts'
import { lockPlayer } from './queries.ts'
import type { Sessions } from './sessions.ts'
import * as queries from './settings-queries.ts'
import { lockSignedIn } from './signed-in-player.ts'

export interface PayoutAddressDeps {
  readonly db: Db
  readonly runtime: Pick<Runtime, 'clock'>
  readonly network: BitcoinNetwork
  readonly rateLimits: RateLimits
  readonly keys: Keys
  readonly sessions: Sessions
  readonly proofs: Proofs
  readonly mails: AccountMails
  /** Whether an address is one of the house's, at which payments are taken. */
  readonly isHouseAddress: (tx: Tx, address: string) => Promise<boolean>
  /** Called in the transaction in which an address was saved: money may wait for it. */
  readonly onPayoutReady: (tx: Tx, playerId: bigint) => Promise<void>
}

export type PayoutAddress = ReturnType<typeof createPayoutAddress>

/** The bitcoin address a player's winnings go to. */
export function createPayoutAddress(deps: PayoutAddressDeps) {
  const { db, runtime, network, rateLimits, keys, sessions, proofs, mails } = deps

  /** The address last saved, also while it waits; null before one is saved. */
  async function latest(playerId: bigint): Promise<string | null> {
    return (await db.maybeOne(queries.findLatestAddress, [playerId]))?.address ?? null
  }

  /** The address payouts go to at `at`; null while there is none. */
  async function usable(from: Queries, playerId: bigint, at: number): Promise<string | null> {
    return (await from.maybeOne(queries.findUsableAddress, [playerId, at]))?.address ?? null
  }

  /**
   * Saves an address. The first one is used at once, a changed one after 24 hours; until then payouts go to the one
   * before. Another change in that time takes the place of the waiting one, which is then never used; saving the
   * address still in use takes a change back.
   *
   * An address at which we take payments is refused: what is paid out there would come in again.
   *
   * Only the password of an account that has one proves it, a social account shows a code.
   *
   * @throws LotteryError INVALID_BTC_ADDRESS, INVALID_PAYLOAD without a proof, INVALID_CREDENTIALS, INVALID_2FA_CODE,
   *   ACCESS_DENIED, TOO_MANY_REQUESTS
   * @throws Unauthorized when the session ended meanwhile: a change was stopped, or the account closed
   */
  async function save(player: SignedIn, rawAddress: string, proof: ProofInput): Promise<void> {
    const address = rawAddress.trim()
    if (parseBtcAddress(address, network) === null) throw new LotteryError('INVALID_BTC_ADDRESS')
    await proofs.requireOfOwner(player, proof)
    await db.transaction(async (tx) => {
      if (await deps.isHouseAddress(tx, address)) throw new LotteryError('INVALID_BTC_ADDRESS')
      const locked = await lockSignedIn(tx, player) // of two changes at once, the second sees the first
      const nowAt = runtime.clock.now()
      const before = await tx.maybeOne(queries.findLatestAddress, [player.id])
      if (before?.address === address) return
      await takeBackWaiting(tx, player.id, nowAt)
      const inUse = await usable(tx, player.id, nowAt)
      const usableFrom = inUse === null ? nowAt : nowAt + CHANGED_ADDRESS_WAITS_SECONDS
      if (inUse !== address) await tx.execute(queries.insertAddress, [player.id, nowAt, usableFrom, address])
      const isWaiting = inUse !== null && inUse !== address
      // Each has a link of its own; using one takes the others' keys with it.
      for (const to of await noticeRecipients(tx, locked, nowAt)) {
        const stopKey = isWaiting ? await keys.issue(tx, 'stop_address_change', player.id, to.email) : null
        await mails.addressChanged(tx, to, address, stopKey)
      }
      await deps.onPayoutReady(tx, player.id)
    })
  }

  /** A waiting address is never used then, and its stop link has nothing to stop. @returns how many waited: one or none */
  async function takeBackWaiting(tx: Tx, playerId: bigint, nowAt: number): Promise<number> {
    await keys.revoke(tx, playerId, 'stop_address_change')
    return await tx.execute(queries.supersedeWaitingAddresses, [playerId, nowAt])
  }

  /**
   * Takes a changed address back with the key out of the mail about it. Whoever changed it may still be signed in, so
   * every session ends.
   *
   * @throws LotteryError INVALID_KEY when the key is unknown or used, or the address is in use by now or was changed
   *   again; TOO_MANY_REQUESTS
   */
  async function stopChange(key: string, caller: Caller): Promise<void> {
    await rateLimits.check(LIMITS.wrongKeysOfAddress, caller.address)
    await db
      .transaction((tx) => stopWith(tx, key))
      .catch(async (error: unknown) => {
        if (error instanceof LotteryError && error.code === 'INVALID_KEY')
          await rateLimits.count(LIMITS.wrongKeysOfAddress, caller.address)
        throw error
      })
  }

  async function stopWith(tx: Tx, key: string): Promise<void> {
    const { playerId } = await keys.look(tx, 'stop_address_change', key)
    const player = await tx.maybeOne(lockPlayer, [playerId])
    // Looked at again under the lock: another change, or the same link, may have come first.
    await keys.use(tx, 'stop_address_change', key)
    if (player === null || (await takeBackWaiting(tx, playerId, runtime.clock.now())) === 0)
      throw new LotteryError('INVALID_KEY')
    await sessions.endOthers(tx, playerId, null)
    await keys.revoke(tx, playerId, 'login_secure')
    const address = await usable(tx, playerId, runtime.clock.now())
    if (address === null) return
    for (const to of await noticeRecipients(tx, player, runtime.clock.now()))
      await mails.addressChangeStopped(tx, to, address)
  }

  /** Forgets every address: the next one is a first one again, and used at once. @returns how many there were */
  async function forgetAll(tx: Tx, playerId: bigint): Promise<number> {
    await keys.revoke(tx, playerId, 'stop_address_change')
    return await tx.execute(queries.removeAddresses, [playerId])
  }

  /** Forgets all addresses but the one payouts go to; a change that waits is taken back. */
  async function keepOnlyUsable(tx: Tx, playerId: bigint): Promise<void> {
    await tx.execute(queries.removeOtherAddresses, [playerId, runtime.clock.now()])
  }

  return { latest, usable, save, stopChange, keepOnlyUsable, forgetAll }
}
