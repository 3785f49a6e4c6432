import { firstOpenDrawNotIn } from '@fairball/domain/calendar'
import type { Tx } from '../../db/pool.ts'
import type { MovedEntries } from '../../kernel/facts.ts'
import type { OrdersContext } from './context.ts'
import { type LockedOrder, sharesOf, type StandingPlays } from './locked-order.ts'
import * as queries from './queries.ts'

/** A play that an order is to have. */
interface NewPlay {
  readonly id: string
  readonly drawId: bigint
  /** sats */
  readonly stakeSats: bigint
  /** the draw that the order named, where the entries join a later one */
  readonly movedFrom: bigint | null
  readonly place: number
  readonly freeCount: number
  readonly secret: Uint8Array
}

/**
 * The plays of an order that becomes PAID, one per draw; their draws are kept from closing until the transaction ends.
 * Where a draw closed before the payment was confirmed, its entries join the first later open draw of the game that the
 * order is not yet in (decisions section 4); they keep kind and stake.
 *
 * @param standing the plays the order has already: of draws that closed before its money went away for a time
 */
export async function placePlays(
  ctx: OrdersContext,
  tx: Tx,
  order: LockedOrder,
  now: number,
  standing: StandingPlays,
): Promise<{ plays: NewPlay[]; moves: MovedEntries[] }> {
  const [inTime, wanted] = await Promise.all([
    tx.run(queries.shareDraws, [order.draw_ids, now]),
    tx.run(queries.findDrawTimes, [order.draw_ids]),
  ])
  const openById = new Map(inTime.map((draw) => [draw.id, draw]))
  const named = wanted.map((draw, place) => ({ draw, place })).filter(({ place }) => !standing.places.has(place))
  const canJoin = (drawId: bigint): boolean => openById.has(drawId) && !standing.drawIds.has(drawId)
  // A game has many open draws, and hardly an order needs another than it named: only then all of them are locked.
  const needsOther = named.some(({ draw }) => !canJoin(draw.id))
  const open = needsOther ? await tx.run(queries.shareOpenDraws, [order.game_key, now]) : inTime
  const taken = new Set([
    ...named.filter(({ draw }) => openById.has(draw.id)).map(({ draw }) => draw.number),
    ...open.filter((draw) => standing.drawIds.has(draw.id)).map((draw) => draw.number),
  ])
  const moves: MovedEntries[] = []
  const { freeAt, stakeAt } = sharesOf(order)
  const plays = named.map(({ draw, place }): NewPlay => {
    const freeCount = freeAt(place)
    const stakeSats = stakeAt(place)
    let drawId = draw.id
    let movedFrom: bigint | null = null
    if (!canJoin(draw.id)) {
      const next = firstOpenDraw(open, taken, now)
      moves.push({ from: draw.number, to: next.number, toStartAt: next.start_at })
      taken.add(next.number)
      drawId = next.id
      movedFrom = draw.id
    }
    return {
      id: ctx.runtime.random.uuid(),
      drawId,
      stakeSats,
      movedFrom,
      place,
      freeCount,
      secret: ctx.runtime.random.bytes(32),
    }
  })
  return { plays, moves }
}

/** Writes the plays of an order that becomes PAID. */
export async function insertPlays(tx: Tx, order: LockedOrder, now: number, plays: readonly NewPlay[]): Promise<void> {
  await tx.execute(queries.insertPlays, {
    orderId: order.id,
    playerId: order.player_id,
    now,
    lineCount: order.line_count,
    ids: plays.map((play) => play.id),
    drawIds: plays.map((play) => play.drawId),
    stakesSats: plays.map((play) => play.stakeSats),
    movedFrom: plays.map((play) => play.movedFrom ?? 0n),
    places: plays.map((play) => play.place),
    freeCounts: plays.map((play) => play.freeCount),
    secrets: plays.map((play) => play.secret),
  })
}

/**
 * Moves every play of a void draw to the first later open draw its order is not yet in.
 *
 * @param wasClosed the stakes are in the game's prize pool already: the entries go on with stake 0 (decisions section 5)
 */
export async function movePlaysOfVoidDraw(
  ctx: OrdersContext,
  tx: Tx,
  draw: { id: bigint; number: number; gameKey: string; wasClosed: boolean },
): Promise<number> {
  const now = ctx.runtime.clock.now()
  const plays = await tx.run(queries.findPlaysOfDraw, [draw.id])
  if (plays.length === 0) return 0
  const open = await tx.run(queries.shareOpenDraws, [draw.gameKey, now])
  for (const play of plays) {
    const joined = new Set((await tx.run(queries.findDrawsOfOrder, [play.order_id])).map((row) => row.draw_id))
    const taken = new Set(open.filter((candidate) => joined.has(candidate.id)).map((candidate) => candidate.number))
    const next = firstOpenDraw(open, taken, now)
    const secret = ctx.runtime.random.bytes(32)
    await tx.execute(queries.movePlay, { id: play.id, drawId: next.id, secret, now, wasClosed: draw.wasClosed })
    await ctx.facts.record(tx, 'order.changed', {
      kind: 'moved',
      orderId: play.order_id,
      playerId: play.player_id,
      gameKey: draw.gameKey,
      timesReversed: 0,
      moves: [{ from: draw.number, to: next.number, toStartAt: next.start_at }],
      cause: 'draw-void',
    })
  }
  return plays.length
}

function firstOpenDraw<D extends { number: number; weekday: number; start_at: number; closes_at: number }>(
  open: readonly D[],
  taken: ReadonlySet<number>,
  nowAt: number,
): D {
  const candidates = open.map((draw) => ({
    number: draw.number,
    weekday: draw.weekday,
    startAt: draw.start_at,
    closesAt: draw.closes_at,
  }))
  const number = firstOpenDrawNotIn(candidates, taken, nowAt)?.number
  const draw = open.find((candidate) => candidate.number === number)
  // Draws are opened ahead beyond the last one an order can name, so this is a broken installation, not a full one.
  if (draw === undefined) throw new Error('no open draw is left to move entries to')
  return draw
}
