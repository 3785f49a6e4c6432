import { satsOfMinor } from '@fairball/domain/money'
import { isIntoPartners } from '@fairball/domain/standing-games'
import type { Tx } from '../../db/pool.ts'
import type { Jobs } from '../../jobs/queue.ts'
import { versionsOf } from '../catalogue/service.ts'
import { lockHead } from '../fairness/service.ts'
import { bankroll, donationPool, feeReserve, partner, prizePool, winnings } from '../ledger/accounts.ts'
import { balanceOf, lockAccount, type Move, postTransfer } from '../ledger/service.ts'
import { DRAWS_CHANNEL, type DrawsContext, type Partner } from './context.ts'
import * as queries from './queries.ts'
import { presentRate } from './rates.ts'
import * as retiringQueries from './retiring-queries.ts'

// The end of a game (games.md section 8): once its last draw is over, its pools go where its retirement says, the free
// tickets that are left are paid out, and it is retired.

/** The job that ends a game. */
export const FINISH_GAME = 'games.finish'
/** Delay before the next attempt to end a game that something still waits for. */
const TRY_AGAIN_SECONDS = 60
/** Most players whose free tickets are paid out in one transaction. */
const PLAYERS_AT_ONCE = 200

/** What a game has when its last draw is over. */
const POOLS = [prizePool, donationPool, feeReserve]

/** Schedules the end of a game. @param runAt epoch seconds */
export async function finishLater(ctx: { readonly jobs: Jobs }, tx: Tx, gameKey: string, runAt: number): Promise<void> {
  await ctx.jobs.add(tx, FINISH_GAME, { gameKey }, { key: `${FINISH_GAME}:${gameKey}:${runAt}`, runAt })
}

/**
 * Ends a game, or a part of it: what has to wait for a draw, an order, a rate, a partner or the bankroll is tried again
 * a minute later. Idempotent.
 */
export async function finishGame(ctx: DrawsContext, tx: Tx, gameKey: string): Promise<void> {
  await tx.one(queries.lockGame, [gameKey])
  const retiring = await tx.maybeOne(retiringQueries.findRetiring, [gameKey])
  if (retiring === null) return
  const { retiresInto: into, fromAt, hasDraws, hasOrders } = retiring
  const now = ctx.runtime.clock.now()
  if (into === null) throw new Error(`${gameKey} retires into nothing`)
  if (fromAt > now || hasDraws) return await finishLater(ctx, tx, gameKey, Math.max(fromAt, now + TRY_AGAIN_SECONDS))
  const at = await lockHead(ctx.fairness, tx)
  const areMoved = isIntoPartners(into)
    ? await givePools(tx, gameKey, ctx.partners(), at)
    : await movePools(tx, gameKey, into, at)
  if (!areMoved || hasOrders || !(await payTickets(ctx, tx, gameKey, at)))
    return await finishLater(ctx, tx, gameKey, now + TRY_AGAIN_SECONDS)
  await tx.execute(retiringQueries.markRetired, [gameKey, now])
  await tx.notify(DRAWS_CHANNEL, gameKey)
  ctx.runtime.log.info({ gameKey, into }, 'a game is retired')
}

/**
 * Takes the pools of games that have played their last draw into the game whose close this is: the protocol demands
 * their pots in the first close after (fairness section 4). The caller holds the log's head, so nothing else moves
 * them.
 *
 * @param at when the close is dated, epoch seconds
 */
export async function takeEndedPools(tx: Tx, into: string, at: number): Promise<void> {
  for (const { key } of await tx.run(retiringQueries.findEndedInto, [into, at])) await movePools(tx, key, into, at)
}

/** Moves every pool of a game to the same pool of another. @returns true: they are there */
async function movePools(tx: Tx, gameKey: string, into: string, at: number): Promise<true> {
  const moves: Move[] = []
  for (const pool of POOLS)
    moves.push({ from: pool(gameKey), to: pool(into), sats: await balanceOf(tx, pool(gameKey)) })
  await postTransfer(tx, { event: 'game.retired', subject: gameKey, at, moves })
  return true
}

/**
 * Gives the pools of the last game to its partners, in equal parts; the remainder goes to the first of them.
 *
 * @returns false if there is no partner
 */
async function givePools(tx: Tx, gameKey: string, partners: readonly Partner[], at: number): Promise<boolean> {
  const held = await Promise.all(
    POOLS.map(async (pool) => ({ account: pool(gameKey), sats: await balanceOf(tx, pool(gameKey)) })),
  )
  const totalSats = held.reduce((sum, { sats }) => sum + sats, 0n)
  if (totalSats === 0n) return true
  if (partners.length === 0) return false
  const equalSats = totalSats / BigInt(partners.length)
  const restSats = totalSats - equalSats * BigInt(partners.length)
  const shares = partners.map(({ id }, place) => ({ id, sats: place === 0 ? equalSats + restSats : equalSats }))
  await postTransfer(tx, { event: 'game.retired', subject: gameKey, at, moves: movesBetween(held, shares) })
  for (const { id, sats } of shares.filter((share) => share.sats > 0n)) {
    const source = `retired:${gameKey}:${id}`
    await tx.execute(queries.insertPayableOfPartner, { now: at, sats, partnerId: id, drawId: null, source })
  }
  return true
}

/** Empties the accounts one after the other into the partners' shares. Both sides have the same sum. */
function movesBetween(
  held: readonly { readonly account: Move['from']; readonly sats: bigint }[],
  shares: readonly { readonly id: string; readonly sats: bigint }[],
): Move[] {
  const moves: Move[] = []
  const left = held.map((one) => ({ ...one }))
  for (const { id, sats } of shares) {
    let neededSats = sats
    for (const pool of left) {
      const taken = pool.sats < neededSats ? pool.sats : neededSats
      moves.push({ from: pool.account, to: partner(id), sats: taken })
      pool.sats -= taken
      neededSats -= taken
    }
  }
  return moves
}

/**
 * Pays out free tickets from the bankroll, each at the price of the game's last draws and the present rate, and tells
 * their players.
 *
 * @returns whether none is left
 */
async function payTickets(ctx: DrawsContext, tx: Tx, gameKey: string, at: number): Promise<boolean> {
  const left = await tx.run(retiringQueries.findFreeTicketsLeft, [gameKey, BigInt(PLAYERS_AT_ONCE)])
  if (left.length === 0) return true
  const last = (await versionsOf(tx, gameKey)).find(({ rules }) => rules.drawTimes.length > 0)
  if (last === undefined) throw new Error(`${gameKey} has free tickets and was never played`)
  const rate = await presentRate(tx, last.rules.currency)
  const eachSats = satsOfMinor(last.rules.priceMinor, BigInt(rate.value))
  const totalSats = left.reduce((sum, { tickets }) => sum + BigInt(tickets) * eachSats, 0n)
  await lockAccount(tx, bankroll)
  const freeSats = await balanceOf(tx, bankroll)
  if (freeSats < totalSats) {
    ctx.runtime.log.error(
      { gameKey, freeSats, totalSats },
      'the bankroll cannot pay out the free tickets of a retired game',
    )
    return false
  }
  for (const { playerId, tickets } of left) {
    const sats = BigInt(tickets) * eachSats
    const subject = `${gameKey}:${playerId}`
    const moves = [{ from: bankroll, to: winnings(playerId), sats }]
    await postTransfer(tx, { event: 'game.free-tickets-paid', subject, at, moves })
    await tx.execute(retiringQueries.payFreeTickets, {
      gameKey,
      playerId,
      tickets,
      sats,
      now: at,
      source: `free-tickets:${subject}`,
    })
    await ctx.facts.record(tx, 'free-tickets.paid', { playerId, gameKey, tickets, sats })
  }
  await ctx.facts.record(tx, 'money.payable', { playerId: null })
  return left.length < PLAYERS_AT_ONCE
}
