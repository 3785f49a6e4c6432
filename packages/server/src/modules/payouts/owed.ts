import type { Balance, Payout } from '@fairball/contract/schemas/account'
import { parseBtcAddress } from '@fairball/domain/btc-address'
import { FINAL_CONFIRMATIONS } from '@fairball/domain/finality'
import type { Queries } from '../../db/pool.ts'
import type { RowOf } from '../../db/sql.ts'
import { amountOf, currentRates, drawRefOf, explorerLink } from '../payments/service.ts'
import type { PayoutsContext } from './context.ts'
import { RETURNED_SECONDS } from './lightning-booking.ts'
import { planLightning } from './lightning-making.ts'
import * as queries from './owed-queries.ts'

type OwedRow = RowOf<typeof queries.findOwedNow>
type Payee = RowOf<typeof queries.findPayee>

/** Prizes leave within this time of the moment from which nothing is in their way. */
const PRIZE_SECONDS = 3600
const MSAT = 1_000n

/** What reading a player's money needs. */
export type OwedContext = Pick<
  PayoutsContext,
  'db' | 'runtime' | 'network' | 'explorerUrl' | 'returnSeconds' | 'lightning'
>

/** What a player is owed, or was paid, for one cause. */
export interface OwedItem extends OwedRow {
  readonly payout: Payout
}

/** What is owed to a player and has not left, oldest first: the ledger's winnings of the player, and payouts in flight. */
async function owedNow(ctx: OwedContext, playerId: bigint): Promise<OwedItem[]> {
  return await withPayouts(ctx, playerId, await ctx.db.run(queries.findOwedNow, [playerId]))
}

/** The prizes of some plays of a player, those that have left too. */
export async function prizesOfPlays(
  ctx: OwedContext,
  playerId: bigint,
  playIds: readonly string[],
): Promise<OwedItem[]> {
  return await withPayouts(ctx, playerId, await ctx.db.run(queries.findPrizesOfPlays, [playerId, [...playIds]]))
}

/** The money of a player, as the page of the balance shows it. */
export async function balanceOfPlayer(ctx: OwedContext, playerId: bigint): Promise<Balance> {
  const { db, runtime } = ctx
  const [owed, paid, tickets, rates] = await Promise.all([
    owedNow(ctx, playerId),
    db.one(queries.sumPaid, [playerId]),
    db.run(queries.listFreeTickets, [playerId]),
    currentRates(db, runtime.clock.now()),
  ])
  const part = (items: readonly OwedItem[]): Balance['waiting'] => ({
    total: amountOf(
      items.reduce((sum, { sats }) => sum + sats, 0n),
      rates,
    ),
    items: items.map(balanceItem),
  })
  return {
    waiting: part(owed.filter((item) => !isInPayout(item))),
    on_its_way: part(owed.filter(isInPayout)),
    paid: { total: amountOf(paid.sats, rates), last_at: paid.lastAt },
    free_tickets: tickets.map(({ gameKey, count }) => ({ game_key: gameKey, count })),
  }
}

/** Whether it was taken up by a payout. */
function isInPayout({ state, lightning }: OwedItem): boolean {
  return state !== null || lightning !== null
}

const KINDS = { prize: 'PRIZE', refund: 'REFUND', excess: 'EXCESS' } as const

function balanceItem(item: OwedItem): Balance['waiting']['items'][number] {
  const { kind, gameKey, number, startAt, closesAt, playId, payout } = item
  const isOfDraw = number !== null && startAt !== null && closesAt !== null
  return {
    kind: KINDS[kind],
    game_key: gameKey,
    draw: isOfDraw ? drawRefOf({ number, startAt, closesAt }) : null,
    play_id: playId,
    amount: payout.amount,
    payout,
  }
}

async function withPayouts(ctx: OwedContext, playerId: bigint, rows: readonly OwedRow[]): Promise<OwedItem[]> {
  if (rows.length === 0) return []
  const at = ctx.runtime.clock.now()
  const [payee, rates] = await Promise.all([ctx.db.one(queries.findPayee, [at, playerId]), currentRates(ctx.db, at)])
  return rows.map((row) => ({ ...row, payout: payoutOf(ctx, row, { payee, rates, at }) }))
}

/** The state of one sum in the player's eyes. */
function payoutOf(
  ctx: OwedContext,
  row: OwedRow,
  { payee, rates, at }: { payee: Payee; rates: ReadonlyMap<string, bigint>; at: number },
): Payout {
  const amount = amountOf(row.sats, rates)
  if (row.lightning !== null) return { ...NOTHING, ...overLightning(row), amount }
  const way = row.state === null && row.sentAt === null ? lightningWay(ctx, row, { payee, at }) : null
  return { ...NOTHING, ...(way ?? overChain(ctx, row, { payee, at })), amount }
}

/** A payout before anything is known of it. */
const NOTHING = {
  status: 'WAITING',
  reason: null,
  leaves_by: null,
  sent_at: null,
  available_from: null,
  address: null,
  txid: null,
  link: null,
  confirmations: 0,
  network: 'ONCHAIN',
  receipt: null,
} as const
const OVER_LIGHTNING = { network: 'LIGHTNING' } as const

type Progress = Partial<Omit<Payout, 'amount'>>

/** A payout over Lightning that was made. */
function overLightning({ lightning, nextAt, sentAt, destination, ...attempt }: OwedRow): Progress {
  const to = { ...OVER_LIGHTNING, address: destination }
  const { paymentHash, preimage, invoice } = attempt
  if (lightning === 'PAID' && paymentHash !== null && preimage !== null && invoice !== null)
    return { ...to, status: 'CONFIRMED', sent_at: sentAt, receipt: { payment_hash: paymentHash, preimage, invoice } }
  if (lightning === 'WAITING_APPROVAL' || lightning === 'HALTED') return { ...to, reason: 'ON_HOLD' }
  if (lightning === 'RETRY_AT') return { ...to, reason: 'NO_ANSWER', available_from: nextAt }
  return { ...to, status: 'SCHEDULED' }
}

/** What waits for a player who is paid over Lightning; null if it goes over the chain, or waits for that. */
function lightningWay(
  ctx: OwedContext,
  row: Pick<OwedRow, 'kind' | 'createdAt'>,
  { payee, at }: { payee: Payee; at: number },
): Progress | null {
  const { destination, minMsat, maxMsat, returnedAt, nextDestinationAt, address } = payee
  if (ctx.lightning === null) return null
  if (destination === null || minMsat === null || maxMsat === null) {
    const isComing = address === null && nextDestinationAt !== null
    return isComing ? { ...OVER_LIGHTNING, reason: 'ADDRESS_CHANGED', available_from: nextDestinationAt } : null
  }
  if (payee.payFirst !== 'LIGHTNING' || payee.isSetAside) return null
  const to = { ...OVER_LIGHTNING, address: destination }
  if (payee.verifiedAt === null) return address === null ? { ...to, reason: 'EMAIL_UNVERIFIED' } : null
  if (returnedAt !== null && returnedAt > at - RETURNED_SECONDS)
    return address === null ? { ...to, reason: 'NO_ANSWER', available_from: returnedAt + RETURNED_SECONDS } : null
  const { prizeSats, returnSats } = payee
  const { maxSats } = ctx.lightning.limits()
  const planned = planLightning({ prizeSats, returnSats, minMsat, maxMsat }, { maxSats })
  if (planned === null) {
    const isLarge = prizeSats + returnSats > maxSats || (prizeSats + returnSats) * MSAT > maxMsat
    return address === null ? { ...to, reason: isLarge ? 'TOO_LARGE' : 'BELOW_MINIMUM' } : null
  }
  if (row.kind !== 'prize' && planned.returnSats === 0n) return { ...to, reason: 'BELOW_MINIMUM' }
  const readyAt = Math.max(row.createdAt, payee.verifiedAt, payee.destinationUsableAt ?? 0)
  const leavesBy = readyAt + PRIZE_SECONDS
  return { ...to, status: 'SCHEDULED', leaves_by: leavesBy < at ? null : leavesBy }
}

/** Whether what waits for a player goes over Lightning now, however little it is. */
export async function goesOverLightning(ctx: OwedContext, from: Queries, playerId: bigint): Promise<boolean> {
  if (ctx.lightning === null) return false
  const at = ctx.runtime.clock.now()
  const payee = await from.maybeOne(queries.findPayee, [at, playerId])
  return payee !== null && lightningWay(ctx, { kind: 'prize', createdAt: at }, { payee, at })?.status === 'SCHEDULED'
}

/** What goes over the chain. */
function overChain(ctx: OwedContext, row: OwedRow, { payee, at }: { payee: Payee; at: number }): Progress {
  if (row.sentAt !== null) {
    const { state, txid } = row
    const isConfirmed = state === 'CONFIRMED' || state === 'FINAL'
    const link = txid === null ? null : explorerLink(ctx.network, ctx.explorerUrl, txid)
    const confirmations = state === 'FINAL' ? FINAL_CONFIRMATIONS : isConfirmed ? 1 : 0
    const status = isConfirmed ? 'CONFIRMED' : 'SENT'
    const { address, sentAt } = row
    return { status, sent_at: sentAt, address, txid, link, confirmations }
  }
  const reason = reasonOf(ctx, row, payee)
  if (reason !== null) {
    const available_from = reason === 'ADDRESS_CHANGED' ? payee.nextUsableAt : null
    return { reason, available_from }
  }
  const leavesBy = leavesByOf(ctx, row, payee)
  const address = row.address ?? payee.address
  return { status: 'SCHEDULED', address, leaves_by: leavesBy < at ? null : leavesBy }
}

function reasonOf({ network }: OwedContext, row: OwedRow, payee: Payee): Payout['reason'] {
  if (row.state === 'WAITING_APPROVAL' || row.state === 'HALTED') return 'ON_HOLD'
  if (row.state !== null) return null // in a batch that is on its way
  if (payee.isSetAside) return 'ON_HOLD'
  if (payee.address === null) return payee.nextUsableAt === null ? 'NO_ADDRESS' : 'ADDRESS_CHANGED'
  if (payee.verifiedAt === null) return 'EMAIL_UNVERIFIED'
  const waitingSats = row.kind === 'prize' ? payee.prizeSats : payee.returnSats
  return waitingSats < (parseBtcAddress(payee.address, network)?.dustSats ?? 0n) ? 'BELOW_MINIMUM' : null
}

/** When a sum has left at the latest, in epoch seconds: a prize within an hour, a return at its next time. */
function leavesByOf({ returnSeconds }: OwedContext, row: OwedRow, payee: Payee): number {
  const readyAt = Math.max(row.createdAt, payee.verifiedAt ?? 0, payee.usableAt ?? 0)
  if (row.kind === 'prize' || returnSeconds === 0) return readyAt + PRIZE_SECONDS
  return (Math.floor(readyAt / returnSeconds) + 1) * returnSeconds
}
