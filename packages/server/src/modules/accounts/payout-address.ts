import { parseBtcAddress, type BitcoinNetwork } from '@fairball/domain/btc-address'
import { LotteryError } from '@fairball/domain/errors'
import type { Db, Queries, Tx } from '../../db/pool.ts'
import type { SignedIn } from '../../http/auth-hook.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { AccountMails } from './mails.ts'
import type { ProofInput, Proofs } from './proof.ts'
import { lockPlayer } from './queries.ts'
import { recipientOf } from './recipient.ts'
import * as queries from './settings-queries.ts'

/** How long a changed address waits before payouts go to it, so that its player can stop a thief (decisions section 6). */
export const CHANGED_ADDRESS_WAITS_SECONDS = 24 * 3600

export interface PayoutAddressDeps {
  readonly db: Db
  readonly runtime: Pick<Runtime, 'clock'>
  readonly network: BitcoinNetwork
  readonly proofs: Proofs
  readonly mails: AccountMails
  /** Called in the transaction in which an address was saved: money may wait for it. */
  readonly onPayoutReady: (tx: Tx, playerId: bigint) => Promise<void>
}

export type PayoutAddress = ReturnType<typeof createPayoutAddress>

/** The bitcoin address a player's winnings go to. */
export function createPayoutAddress(deps: PayoutAddressDeps) {
  const { db, runtime, network, proofs, mails } = deps

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
   * @throws LotteryError INVALID_BTC_ADDRESS, INVALID_CREDENTIALS, INVALID_2FA_CODE, ACCESS_DENIED, TOO_MANY_REQUESTS
   */
  async function save(player: SignedIn, rawAddress: string, proof: ProofInput): Promise<void> {
    const address = rawAddress.trim()
    if (parseBtcAddress(address, network) === null) throw new LotteryError('INVALID_BTC_ADDRESS')
    await proofs.require(player, proof)
    await db.transaction(async (tx) => {
      await tx.one(lockPlayer, [player.id]) // of two changes at once, the second sees the first
      const nowAt = runtime.clock.now()
      const before = await tx.maybeOne(queries.findLatestAddress, [player.id])
      if (before?.address === address) return
      await tx.execute(queries.supersedeWaitingAddresses, [player.id, nowAt])
      const inUse = await usable(tx, player.id, nowAt)
      const usableFrom = inUse === null ? nowAt : nowAt + CHANGED_ADDRESS_WAITS_SECONDS
      if (inUse !== address) await tx.execute(queries.insertAddress, [player.id, nowAt, usableFrom, address])
      const recipient = recipientOf(player)
      if (recipient !== null) await mails.addressChanged(tx, recipient, address, inUse === null || inUse === address)
      await deps.onPayoutReady(tx, player.id)
    })
  }

  return { latest, usable, save }
}
