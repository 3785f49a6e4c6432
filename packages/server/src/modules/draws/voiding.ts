import type { Tx } from '../../db/pool.ts'
import { bankroll, pot, prizePool, reserve } from '../ledger/accounts.ts'
import type { DrawsDeps } from './draws-deps.ts'
import type { Opening } from './opening.ts'
import * as queries from './queries.ts'
import type { DrawRow } from './queries.ts'

/** What declaring a draw void needs. */
export interface VoidingDeps extends Pick<DrawsDeps, 'runtime' | 'ledger' | 'fairness' | 'orders'> {
  readonly openDraws: Opening['openDraws']
}

export type Voiding = ReturnType<typeof createVoiding>

/** Declares draws void that will never have numbers; their entries go on to later draws (fairness section 9). */
export function createVoiding(deps: VoidingDeps) {
  const { runtime, fairness, openDraws, orders } = deps

  /** Void before the close: the entries move with their stakes, which never left `stakes held`. */
  async function voidOpen(tx: Tx, draw: DrawRow, provenAt: number): Promise<void> {
    const voidHash = await fairness.voidDraw(tx, { openHash: draw.open_hash, reason: 'outage', notBefore: provenAt })
    await tx.execute(queries.voidDraw, [draw.id, runtime.clock.now(), voidHash])
    await moveOn(tx, draw, false)
  }

  /**
   * Void after the close: what was set aside returns, and the entries move without a stake, as their money is in the
   * prize pool (decisions section 5). The caller holds game and draw, and has seen that it is closed.
   */
  async function voidSealed(tx: Tx, draw: DrawRow, reason: 'beacon' | 'outage'): Promise<void> {
    const now = await fairness.lockHead(tx)
    await returnMoney(tx, deps.ledger, draw, now)
    const voidHash = await fairness.voidDraw(tx, { openHash: draw.open_hash, reason })
    await tx.execute(queries.voidDraw, [draw.id, now, voidHash])
    await moveOn(tx, draw, true)
    runtime.log.warn({ drawId: draw.id, reason }, 'a sealed draw is void')
  }

  async function moveOn(tx: Tx, draw: DrawRow, wasClosed: boolean): Promise<void> {
    const { id, number, game_key: gameKey } = draw
    await openDraws(tx, gameKey)
    await orders.movePlaysOfVoidDraw(tx, { id, number, gameKey, wasClosed })
  }

  return { voidOpen, voidSealed }
}

/** What is left of a draw's pot and reserve goes back to the prize pool and the bankroll (decisions section 5, settle 5). */
export async function returnMoney(
  tx: Tx,
  ledger: DrawsDeps['ledger'],
  draw: Pick<DrawRow, 'id' | 'game_key'>,
  at: number,
): Promise<void> {
  const potLeftSats = await ledger.balance(tx, pot(draw.id))
  const reserveLeftSats = await ledger.balance(tx, reserve(draw.id))
  await ledger.post(tx, {
    event: 'draw.returned',
    subject: String(draw.id),
    at,
    moves: [
      { from: pot(draw.id), to: prizePool(draw.game_key), sats: potLeftSats },
      { from: reserve(draw.id), to: bankroll, sats: reserveLeftSats },
    ],
  })
}
