import { FINAL_CONFIRMATIONS } from '@fairball/domain/finality'
import type { Queries, Tx } from '../../db/pool.ts'
import type { MovedOutput, Movement, Movements } from '../../ports/wallet/movements.ts'
import { networkFees, wallet } from '../ledger/accounts.ts'
import { postTransfer } from '../ledger/service.ts'
import type { NodeMovement } from '../../ports/lightning/lightning-node.ts'
import type { TreasuryContext } from './context.ts'
import { bookFromNode, bookToNode, movedByNode } from './lightning-moves.ts'
import * as queries from './queries.ts'

// Follows what moves coins of the wallets and is neither a payment nor a payout. What arrives in the payout wallet goes
// to suspense. What moves between our wallets costs its fee and nothing else. What leaves to someone else waits until
// the operator says what it was, unless all of it reached the Lightning node. All of it is booked only six blocks deep, and each transaction once: its row, its
// postings and the cursor are one database transaction.

/** Block rewards checked again in one go, longest waiting first. */
const MAX_IMMATURE = 200n

/** Books what became final since the last time. @throws when the wallets cannot be read; nothing is booked then */
export async function followWallets(ctx: TreasuryContext, movements: Movements): Promise<void> {
  const cursor = await cursorOf(ctx.db)
  const list = await movements.list(cursor)
  const known = new Set((await ctx.db.run(queries.findKnown, [[...list.final]])).map((row) => row.txid))
  const found: (readonly [Movement, NodeMovement])[] = []
  for (const txid of list.final) {
    if (known.has(txid)) continue
    const movement = await movements.find(txid)
    // If it were passed over now, it would never be checked again.
    if (movement === null || movement.confirmations < FINAL_CONFIRMATIONS)
      throw new Error(`${txid} was six blocks deep and is no more`)
    found.push([movement, await movedByNode(ctx, movement)])
  }
  const rewards: (readonly [string, Movement | null])[] = []
  for (const { txid } of await ctx.db.run(queries.listImmature, [MAX_IMMATURE]))
    rewards.push([txid, await movements.find(txid)])
  await ctx.db.transaction(async (tx) => {
    await tx.run(queries.lockFollowing, [])
    if ((await cursorOf(tx)) !== cursor) return // another process was faster
    for (const [movement, ofNode] of found) await noteMovement(ctx, tx, movement, ofNode)
    for (const [txid, reward] of rewards) await ripen(ctx, tx, txid, reward)
    await tx.execute(queries.storeCursor, [list.cursor])
  })
}

/** Notes a final transaction and books what needs no person. */
async function noteMovement(ctx: TreasuryContext, tx: Tx, movement: Movement, ofNode: NodeMovement): Promise<void> {
  const { txid } = movement
  if (movement.ownInSats === 0n) {
    const arrived = await strangeOutputs(tx, movement)
    if (arrived.length === 0) return
    const isMature = arrived.every((output) => output.counts)
    const isNew = await tx.maybeOne(queries.insertMovement, {
      txid,
      foundAt: ctx.runtime.clock.now(),
      paidSats: 0n,
      feeSats: 0n,
      kind: 'deposit',
      state: isMature ? 'BOOKED' : 'IMMATURE',
    })
    if (isNew === null || !isMature) return
    await (ofNode.isSpender ? bookFromNode(ctx, tx, movement) : bookArrived(ctx, tx, arrived))
    return
  }
  const { paidSats, feeSats, gainedSats } = await sharesOf(tx, movement)
  const isToNode = paidSats > 0n && ofNode.receivedSats === paidSats
  const isOurs = paidSats === 0n || isToNode
  const kind = isOurs ? 'transfer' : 'spend'
  const state = isOurs ? 'BOOKED' : 'UNBOOKED'
  const isNew = await tx.maybeOne(queries.insertMovement, {
    txid,
    foundAt: ctx.runtime.clock.now(),
    paidSats,
    feeSats,
    kind,
    state,
  })
  if (isNew === null) return
  if (!isOurs) {
    const facts = { txid, paidSats: String(paidSats), feeSats: String(feeSats) }
    ctx.runtime.log.error(facts, 'coins of ours left for somebody else, and no payout asked for it')
    return
  }
  if (isToNode) return await bookToNode(ctx, tx, { txid, sats: paidSats, feeSats })
  const moves = [{ from: networkFees, to: wallet, sats: feeSats }]
  await postTransfer(tx, { event: 'operator.transfer-fee', subject: txid, at: ctx.runtime.clock.now(), moves })
  const others = await bookedElsewhere(tx, movement)
  const first = movement.outputs.find(({ outpoint }) => !others.has(outpoint))
  if (gainedSats > 0n && first !== undefined)
    await bookArrived(ctx, tx, [{ ...first, sats: gainedSats, holder: 'payouts' }])
}

/** What arrived in a wallet from outside and is no one's payment. */
async function strangeOutputs(from: Queries, movement: Movement): Promise<MovedOutput[]> {
  const others = await bookedElsewhere(from, movement)
  return movement.outputs.filter(
    ({ outpoint, holder, sats }) =>
      // The payment provider reports what comes to the deposits, except for block rewards.
      (holder === 'payouts' || (holder === 'deposits' && movement.isCoinbase)) && sats > 0n && !others.has(outpoint),
  )
}

async function bookArrived(ctx: TreasuryContext, tx: Tx, outputs: readonly MovedOutput[]): Promise<void> {
  for (const { outpoint, sats, holder } of outputs) {
    const output = {
      outpoint,
      sats,
      confirmations: Number.MAX_SAFE_INTEGER,
      seenAt: ctx.runtime.clock.now(),
      network: 'ONCHAIN',
      isOperators: true, // no one else is given an address of these wallets
    } as const
    await ctx.bookUnknown(tx, output, holder ?? 'payouts')
  }
}

/** A block reward is booked once it can be spent. */
async function ripen(ctx: TreasuryContext, tx: Tx, txid: string, reward: Movement | null): Promise<void> {
  if (reward === null) {
    await tx.execute(queries.moveMovement, {
      txid,
      from: 'IMMATURE',
      to: 'GONE',
      at: ctx.runtime.clock.now(),
      paidFrom: null,
    })
    return
  }
  const arrived = await strangeOutputs(tx, reward)
  if (!arrived.every((output) => output.counts)) return
  const moved = await tx.execute(queries.moveMovement, {
    txid,
    from: 'IMMATURE',
    to: 'BOOKED',
    at: ctx.runtime.clock.now(),
    paidFrom: null,
  })
  if (moved > 0) await bookArrived(ctx, tx, arrived)
}

/**
 * What the ledger does not have yet and the wallets already show, or no longer show: all that is not final, and what
 * waits for the operator, including a payout that has left and is not booked yet. Below zero if more has left than
 * came.
 */
export async function pendingSats(ctx: TreasuryContext, movements: Movements): Promise<bigint> {
  const list = await movements.list(await cursorOf(ctx.db))
  const ids = [...new Set([...list.young, ...list.final])]
  const known = new Set((await ctx.db.run(queries.findKnown, [ids])).map((row) => row.txid))
  let pending = -(await ctx.db.one(queries.sumUnbooked, [])).sats
  for (const txid of ids) {
    if (known.has(txid)) continue
    const movement = await movements.find(txid)
    if (movement !== null) pending += await pendingOf(ctx, movement)
  }
  for (const { txid, sats } of await ctx.db.run(queries.findUnbookedPayouts, [ids]))
    if ((await movements.find(txid)) !== null) pending -= sats
  return pending
}

/** What a transaction changed in the wallets' reported balances, less what of it is in the ledger. */
async function pendingOf(ctx: TreasuryContext, movement: Movement): Promise<bigint> {
  const booked = await bookedElsewhere(ctx.db, movement)
  const isFromOutside = movement.ownInSats === 0n
  return movement.outputs.reduce((sum, { outpoint, holder, sats, counts }) => {
    // Money from outside at the deposits belongs to the payments module, counted where it is booked.
    if (holder === 'deposits' && isFromOutside && !movement.isCoinbase) return sum
    const shown = holder !== null && counts ? sats : 0n
    return sum + shown - (booked.get(outpoint) ?? 0n)
  }, -movement.ownInSats)
}

async function bookedElsewhere(from: Queries, { ownInSats, outputs }: Movement): Promise<ReadonlyMap<string, bigint>> {
  const ours = outputs.filter((output) => output.holder !== null)
  const outpoints = ours.map((output) => output.outpoint)
  const addresses = ours.map((output) => output.address ?? '')
  const rows = await from.run(queries.findBookedElsewhere, [outpoints, ownInSats === 0n ? addresses : []])
  return new Map(rows.map((row) => [row.outpoint, row.bookedSats]))
}

/**
 * How a spend of our coins divides into what others got, orders of our own players among them, and what the miner got.
 * If strangers' coins are spent together with ours, the fee cannot be told from the rest, so all of it counts as paid.
 */
async function sharesOf(from: Queries, movement: Movement) {
  const { ownInSats, inSats, outSats, outputs } = movement
  const others = await bookedElsewhere(from, movement)
  const keptSats = outputs
    .filter(({ outpoint, holder }) => holder !== null && !others.has(outpoint))
    .reduce((sum, output) => sum + output.sats, 0n)
  const goneSats = ownInSats - keptSats
  const feeSats = inSats === ownInSats ? ownInSats - outSats : 0n
  if (goneSats < 0n) return { paidSats: 0n, feeSats: 0n, gainedSats: -goneSats }
  return { paidSats: goneSats - feeSats, feeSats, gainedSats: 0n }
}

/** Whether a transaction is a payout of ours. */
export async function isPayout(db: Queries, txid: string): Promise<boolean> {
  return (await db.run(queries.findPayoutTxs, [[txid]])).length > 0
}

async function cursorOf(from: Queries): Promise<string | null> {
  return (await from.maybeOne(queries.findCursor, []))?.value ?? null
}
