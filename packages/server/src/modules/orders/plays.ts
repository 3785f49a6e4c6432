import { firstOpenDrawNotIn } from '@fairball/domain/calendar'
import { fromHex } from '@fairball/domain/protocol/bytes'
import { ownerTag, playId, playSecret } from '@fairball/domain/protocol/plays'
import type { Tx } from '../../db/pool.ts'
import type { RowOf } from '../../db/sql.ts'
import type { MovedEntries } from '../../kernel/facts.ts'
import { bankroll, stakesHeld, winnings } from '../ledger/accounts.ts'
import { balanceOf, lockAccount, postTransfer } from '../ledger/service.ts'
import type { OrdersContext } from './context.ts'
import { type LockedOrder, sharesOf, standingPlays, type StandingPlays } from './locked-order.ts'
import * as queries from './queries.ts'

/** No draw of a game is open at the moment, though more will follow: the job is retried. */
const NO_DRAW_LEFT = 'no open draw is left to move plays to'

/** What ties a play in one draw to its order (fairness section 6). */
interface PlayTags {
  /** 16 bytes */
  readonly playId: Uint8Array
  /** 32 bytes */
  readonly ownerTag: Uint8Array
}

/** A play that an order is to get. */
interface NewPlay extends PlayTags {
  readonly id: string
  readonly drawId: bigint
  /** when the last batch of the draw was logged */
  readonly lastBatchAt: number | null
  /** sats */
  readonly stakeSats: bigint
  /** the draw that the order named, if its lines join a later one */
  readonly movedFrom: bigint | null
  readonly place: number
  readonly freeCount: number
  /** of a line in the draw that the order named, in hundredths of its currency */
  readonly priceMinor: bigint
}

/**
 * The plays of an order that becomes PAID, one per draw; their draws are kept from closing until the transaction ends.
 * If a draw closed before the payment was confirmed, its lines join the first later open draw of the game that the
 * order is not yet in (decisions section 4); they keep free tickets and stake.
 *
 * @param standing the plays the order already has: of draws that closed before its payment was reversed for a time
 */
export async function placePlays(
  ctx: OrdersContext,
  tx: Tx,
  order: LockedOrder,
  now: number,
  standing: StandingPlays,
): Promise<{ plays: NewPlay[]; moves: MovedEntries[] }> {
  const [inTime, wanted] = await Promise.all([
    tx.run(queries.shareDraws, { drawIds: order.drawIds, now }),
    tx.run(queries.findDrawTimes, [order.drawIds]),
  ])
  const openById = new Map(inTime.map((draw) => [draw.id, draw]))
  const named = wanted.map((draw, place) => ({ draw, place })).filter(({ place }) => !standing.places.has(place))
  const namedIfOpen = (drawId: bigint) => (standing.drawIds.has(drawId) ? undefined : openById.get(drawId))
  // A game has many open draws, and an order rarely needs one that it did not name: only then are all of them locked.
  const needsOther = named.some(({ draw }) => namedIfOpen(draw.id) === undefined)
  const open = needsOther ? await tx.run(queries.shareOpenDraws, { gameKey: order.gameKey, now }) : inTime
  const taken = new Set([
    ...named.filter(({ draw }) => openById.has(draw.id)).map(({ draw }) => draw.number),
    ...open.filter((draw) => standing.drawIds.has(draw.id)).map((draw) => draw.number),
  ])
  const moves: MovedEntries[] = []
  const { stakes, free } = sharesOf(order)
  const plays = named.map(({ draw, place }): NewPlay => {
    const joined = namedIfOpen(draw.id) ?? firstOpenDraw(open, taken, now)
    const isMoved = joined.id !== draw.id
    if (isMoved) {
      moves.push({ from: draw.number, to: joined.number, toStartAt: joined.startAt })
      taken.add(joined.number)
    }
    return {
      id: ctx.runtime.random.uuid(),
      drawId: joined.id,
      lastBatchAt: joined.lastBatchAt,
      stakeSats: stakes[place] ?? 0n,
      movedFrom: isMoved ? draw.id : null,
      place,
      freeCount: free[place] ?? 0,
      priceMinor: order.drawPricesMinor[place] ?? 0n,
      ...tagsOf(order, joined.openHash),
    }
  })
  return { plays, moves }
}

/**
 * Writes the plays of an order that becomes PAID, for the next batches of their draws. Plays whose payment was reversed
 * and returned before the close already have a leaf.
 */
export async function insertPlays(
  ctx: OrdersContext,
  tx: Tx,
  order: LockedOrder,
  now: number,
  plays: readonly NewPlay[],
): Promise<void> {
  const inserted = tx.execute(queries.insertPlays, {
    orderId: order.id,
    playerId: order.playerId,
    now,
    lineCount: order.lineCount,
    ids: plays.map((play) => play.id),
    drawIds: plays.map((play) => play.drawId),
    stakesSats: plays.map((play) => play.stakeSats),
    movedFrom: plays.map((play) => play.movedFrom ?? 0n),
    places: plays.map((play) => play.place),
    freeCounts: plays.map((play) => play.freeCount),
    pricesMinor: plays.map((play) => play.priceMinor),
    rateSats: order.rateSats,
    playIds: plays.map((play) => play.playId),
    ownerTags: plays.map((play) => play.ownerTag),
    moveReason: order.timesReversed > 0 ? 'reorg' : 'late',
  })
  await Promise.all([inserted, ctx.appendSoon(tx, plays)])
  if (order.timesReversed > 0) await tx.execute(queries.takeLeavesAgain, [order.id])
}

/**
 * Whether every play that an order has yet to get finds a draw of its game, which opens no further ones. Nothing is
 * locked: a draw that closes meanwhile fails the placing, which is then tried again.
 */
export async function hasDrawsLeft(tx: Tx, order: LockedOrder, now: number): Promise<boolean> {
  const standing = await standingPlays(tx, order)
  const open = await tx.run(queries.findOpenDraws, [order.gameKey, now])
  const free = new Set(open.map(({ id }) => id).filter((id) => !standing.drawIds.has(id)))
  return free.size >= order.drawIds.length - standing.places.size
}

/** A draw that is void. */
interface VoidDraw {
  readonly id: bigint
  readonly number: number
  readonly gameKey: string
  /**
   * The stakes are in the game's pot already: its plays are carried over at rate 0 (fairness section 7), and what goes
   * back comes from the bankroll.
   */
  readonly wasClosed: boolean
}

/**
 * Moves every play of a void draw to the first later open draw that its order is not yet in. If its game has ended, and
 * no draw is left, its stake goes back.
 */
export async function movePlaysOfVoidDraw(ctx: OrdersContext, tx: Tx, draw: VoidDraw): Promise<number> {
  const now = ctx.runtime.clock.now()
  const plays = await tx.run(queries.findPlaysOfDraw, [draw.id])
  if (plays.length === 0) return 0
  const open = await tx.run(queries.shareOpenDraws, { gameKey: draw.gameKey, now })
  for (const play of plays) {
    const joined = new Set((await tx.run(queries.findDrawsOfOrder, [play.orderId])).map((row) => row.drawId))
    const taken = new Set(open.filter((candidate) => joined.has(candidate.id)).map((candidate) => candidate.number))
    const next = firstOpenDrawNotIn(open, taken, now)
    if (next === null) {
      const { isEnding } = await tx.one(queries.findIsEnding, [draw.gameKey])
      if (!isEnding) throw new Error(NO_DRAW_LEFT)
      await returnPlay(ctx, tx, draw, play)
      continue
    }
    const tags = tagsOf(play, next.openHash)
    await tx.execute(queries.movePlay, { id: play.id, drawId: next.id, ...tags, now, wasClosed: draw.wasClosed })
    await ctx.appendSoon(tx, [{ drawId: next.id, lastBatchAt: next.lastBatchAt }])
    await ctx.facts.record(tx, 'order.changed', {
      kind: 'moved',
      orderId: play.orderId,
      playerId: play.playerId,
      gameKey: draw.gameKey,
      timesReversed: 0,
      moves: [{ from: draw.number, to: next.number, toStartAt: next.startAt }],
      cause: 'draw-void',
    })
  }
  return plays.length
}

/**
 * Returns what a play cost, in whole, and its free tickets.
 *
 * @throws Error while the bankroll lacks what a sealed draw's pools keep: the draw is void once it has it
 */
async function returnPlay(
  ctx: OrdersContext,
  tx: Tx,
  { id: drawId, number, gameKey, wasClosed }: VoidDraw,
  play: RowOf<typeof queries.findPlaysOfDraw>,
): Promise<void> {
  const { id, orderId, playerId, freeCount } = play
  const now = ctx.runtime.clock.now()
  const sats = sharesOf({ ...play, freeCount: play.orderFreeCount }).stakes[play.place] ?? 0n
  const heldSats = wasClosed ? 0n : play.stakeSats
  if (sats > heldSats) {
    await lockAccount(tx, bankroll)
    if ((await balanceOf(tx, bankroll)) < sats - heldSats)
      throw new Error(`the bankroll cannot return the stake of play ${id}`)
  }
  const source = `play:${id}`
  await postTransfer(tx, {
    event: 'play.returned',
    subject: id,
    at: now,
    moves: [
      { from: stakesHeld(gameKey), to: winnings(playerId), sats: heldSats },
      { from: bankroll, to: winnings(playerId), sats: sats - heldSats },
    ],
  })
  await tx.execute(queries.returnPlay, { id, drawId, playerId, gameKey, now, sats, source, freeCount })
  const about = { orderId, playerId, gameKey, timesReversed: 0 }
  await ctx.facts.record(tx, 'order.changed', { ...about, kind: 'returned', drawNumber: number, sats, freeCount })
  if (sats > 0n) await ctx.facts.record(tx, 'money.payable', { playerId })
}

/** Id and owner's tag of an order's play in a draw. */
function tagsOf(order: { readonly secret: Uint8Array; readonly username: string }, openHash: string): PlayTags {
  const open = fromHex(openHash)
  const secret = playSecret(order.secret, open)
  return { playId: playId(secret), ownerTag: ownerTag(secret, open, order.username) }
}

function firstOpenDraw<D extends { number: number; closesAt: number }>(
  open: readonly D[],
  taken: ReadonlySet<number>,
  nowAt: number,
): D {
  const draw = firstOpenDrawNotIn(open, taken, nowAt)
  // Draws are opened beyond the last one an order can name, and an order of a game that ends is refunded instead.
  if (draw === null) throw new Error(NO_DRAW_LEFT)
  return draw
}
