import type { CryptoAccountDetails, PayFirst } from '@fairball/contract/schemas/account'
import type { SignedIn } from '../../kernel/caller.ts'
import { lockSignedIn, type ProofInput, requireProofOfOwner } from '../identity/service.ts'
import type { PlayersContext } from './context.ts'
import { findLatestDestination, findLatestPayFirst } from './destination-queries.ts'
import { assertAddress, latestAddress, storeAddress } from './payout-address.ts'
import {
  checked,
  type CheckedDestination,
  readDestination,
  removeDestination,
  storeDestination,
  storePayFirst,
} from './payout-destination.ts'

/** What a player saves about being paid; what is missing stays. */
interface PayoutDetails {
  readonly btc_address?: string | null | undefined
  /** null removes the destination */
  readonly lightning?: string | null | undefined
  readonly pay_first?: PayFirst | null | undefined
}

/** Where and how a player is paid, as last saved. */
export async function payoutDetailsOf(ctx: PlayersContext, playerId: bigint): Promise<CryptoAccountDetails> {
  const [address, destination, choice] = await Promise.all([
    latestAddress(ctx, playerId),
    ctx.db.maybeOne(findLatestDestination, [playerId]),
    ctx.db.maybeOne(findLatestPayFirst, [playerId]),
  ])
  return {
    btc_address: address,
    lightning:
      destination === null
        ? null
        : { kind: destination.kind, value: destination.value, usable_from: destination.usableFrom },
    pay_first: choice?.payFirst ?? null,
    pay_first_from: choice?.usableFrom ?? null,
    lightning_kinds: ctx.payees === null ? [] : ctx.payees.takesOffers ? ['ADDRESS', 'OFFER'] : ['ADDRESS'],
  }
}

/**
 * Saves where and how a player is paid: all of it or nothing. What is wrong is found before the proof is looked at, and
 * no server is asked before it.
 *
 * If the account has a password, only the password is a proof; a social account shows a code.
 *
 * @throws LotteryError INVALID_BTC_ADDRESS, INVALID_LIGHTNING_DESTINATION, INVALID_PAYLOAD without a proof,
 *   INVALID_CREDENTIALS, INVALID_2FA_CODE, ACCESS_DENIED, TOO_MANY_REQUESTS
 * @throws Unauthorized if the session ended meanwhile: a change was stopped, or the account closed
 */
export async function savePayoutDetails(
  ctx: PlayersContext,
  player: SignedIn,
  details: PayoutDetails,
  proof: ProofInput,
): Promise<void> {
  const address = details.btc_address?.trim() ?? null
  if (address !== null) assertAddress(ctx, address)
  const wanted = details.lightning == null ? null : readDestination(ctx, details.lightning)
  await requireProofOfOwner(ctx, player, proof)
  const destination: CheckedDestination | null = wanted === null ? null : await checked(ctx, player.id, wanted)
  await ctx.db.transaction(async (tx) => {
    const locked = await lockSignedIn(tx, player) // of two concurrent changes, the second sees the first
    if (address !== null) await storeAddress(ctx, tx, locked, address)
    if (details.lightning === null) await removeDestination(ctx, tx, locked)
    if (destination !== null) await storeDestination(ctx, tx, locked, destination)
    if (details.pay_first != null) await storePayFirst(ctx, tx, locked, details.pay_first)
    await ctx.facts.record(tx, 'money.payable', { playerId: player.id })
  })
}
