import type { Tx } from '../../db/pool.ts'
import { Refused } from '../../kernel/errors.ts'
import { endOtherSessions, type IdentityContext, lockPlayer, mailVerification } from '../identity/service.ts'
import { blockPlayer, holdPayoutsOf, type HoldsContext, releasePayoutsOf, unblockPlayer } from '../players/service.ts'
import { closeForPlayer, personalDataOfPlayer, type PrivacyContext } from '../privacy/service.ts'
import { excludePlayer, type SaferPlayContext } from '../safer-play/service.ts'
import { act, actFor, type OperatorContext } from './action.ts'

// What the operator does about a player. Nobody plays, is paid or gives an address in a player's name here.

/** A player, and the request that something is done by. */
interface About {
  readonly playerId: bigint
  readonly requestId: string
  readonly reason: string
}

/** Keeps a player from buying, or from logging in too. @throws Refused */
export function block(
  ctx: OperatorContext,
  accounts: HoldsContext,
  about: About & { readonly what: 'buy' | 'sign-in'; readonly until: number | null },
): Promise<string> {
  return act(ctx, 'player-block', String(about.playerId), async (tx) => {
    const name = await blockPlayer(accounts, tx, about)
    const from = about.what === 'buy' ? 'buying' : 'buying and logging in'
    return `${name} is kept from ${from}${endOf(about.until)}. Paid plays stay in their draws, and wins are paid.`
  })
}

/** Lets a player buy and log in again. @throws Refused */
export function unblock(ctx: OperatorContext, accounts: HoldsContext, about: About): Promise<string> {
  return act(
    ctx,
    'player-unblock',
    String(about.playerId),
    async (tx) => `${await unblockPlayer(accounts, tx, about)} may buy and log in again.`,
  )
}

/** Keeps what is owed to a player out of payouts. @throws Refused */
export function holdPayouts(
  ctx: OperatorContext,
  accounts: HoldsContext,
  about: About & { readonly until: number; readonly isTold: boolean },
): Promise<string> {
  return act(ctx, 'player-hold-payouts', String(about.playerId), async (tx) => {
    const name = await holdPayoutsOf(accounts, tx, about)
    return `Nothing is paid out to ${name}${endOf(about.until)}. The player was ${about.isTold ? '' : 'not '}told.`
  })
}

/** Pays a player again. @throws Refused */
export function releasePayouts(ctx: OperatorContext, accounts: HoldsContext, about: About): Promise<string> {
  return act(
    ctx,
    'player-release-payouts',
    String(about.playerId),
    async (tx) => `${await releasePayoutsOf(accounts, tx, about)} is paid again.`,
  )
}

/** Excludes a player from playing, as the player could. @throws Refused */
export function exclude(
  ctx: OperatorContext,
  accounts: SaferPlayContext,
  about: Pick<About, 'playerId'> & { readonly until: number },
): Promise<string> {
  return act(ctx, 'player-exclude', String(about.playerId), async (tx) => {
    const name = await excludePlayer(accounts, tx, about)
    return `${name} is excluded${endOf(about.until)}, which nobody can make shorter.`
  })
}

/** Collects everything stored about a player. @throws Refused */
export function exportPlayer(
  ctx: OperatorContext,
  accounts: PrivacyContext,
  playerId: bigint,
): Promise<{ readonly username: string; readonly data: Record<string, unknown> }> {
  return actFor(ctx, 'player-export', String(playerId), async () => {
    const found = await personalDataOfPlayer(accounts, playerId)
    return [found, `What is stored about ${found.username} is in a file for whoever signed.`]
  })
}

/** Closes an account, and erases it once nothing is owed. @throws Refused */
export function erasePlayer(ctx: OperatorContext, accounts: PrivacyContext, playerId: bigint): Promise<string> {
  return act(ctx, 'player-erase', String(playerId), async (tx) => {
    const { username, isErased } = await closeForPlayer(accounts, tx, playerId)
    return isErased
      ? `The account ${playerId} is closed and erased.`
      : `The account of ${username} is closed; it is erased once what is owed has been paid.`
  })
}

/** Notes something about a player: the line of the audit log is the note. @throws Refused */
export function notePlayer(ctx: OperatorContext, playerId: bigint, text: string): Promise<string> {
  return act(ctx, 'player-note', String(playerId), async (tx) => {
    await openAccountOf(tx, playerId)
    return text
  })
}

/** Mails a player the link that verifies the address once more. @throws Refused */
export function resendVerification(ctx: OperatorContext, accounts: IdentityContext, playerId: bigint): Promise<string> {
  return act(ctx, 'player-resend-verification', String(playerId), async (tx) => {
    const player = await openAccountOf(tx, playerId)
    if (player.email === null || player.emailVerifiedAt !== null)
      throw new Refused(`${player.username} has no address that waits to be verified.`)
    await mailVerification(accounts, tx, player)
    return `The link was mailed to ${player.username} again.`
  })
}

/** Ends every session of a player. @throws Refused */
export function endPlayerSessions(ctx: OperatorContext, accounts: IdentityContext, playerId: bigint): Promise<string> {
  return act(ctx, 'player-end-sessions', String(playerId), async (tx) => {
    const { username } = await openAccountOf(tx, playerId)
    await endOtherSessions(accounts, tx, playerId, null)
    return `${username} is logged out everywhere.`
  })
}

async function openAccountOf(tx: Tx, playerId: bigint) {
  const player = await tx.maybeOne(lockPlayer, [playerId])
  if (player === null) throw new Refused(`There is no open account ${playerId}.`)
  return player
}

function endOf(until: number | null): string {
  return until === null ? ' until somebody ends it' : ` until ${new Date(until * 1000).toISOString()}`
}
