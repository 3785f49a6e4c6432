import { blockPlayer, holdPayoutsOf, type HoldsContext, releasePayoutsOf, unblockPlayer } from '../players/service.ts'
import { excludePlayer, type SaferPlayContext } from '../safer-play/service.ts'
import { act, type OperatorContext } from './action.ts'

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
    return `${name} is kept from ${from}${endOf(about.until)}. Paid plays go on, and wins are paid.`
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

function endOf(until: number | null): string {
  return until === null ? ' until somebody ends it' : ` until ${new Date(until * 1000).toISOString()}`
}
