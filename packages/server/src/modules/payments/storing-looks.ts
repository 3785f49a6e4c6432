import type { Tx } from '../../db/pool.ts'
import type { SeenOutput } from '../../ports/payment-provider/payment-provider.ts'
import type { PaymentsContext } from './context.ts'
import { txidOf } from './explorer.ts'
import { addLook } from './looks.ts'
import { minedAtOf, MISSING_SECONDS, type PaymentChanges } from './order-payments.ts'
import { paymentsOf } from './payment-rows.ts'
import * as queries from './queries.ts'

/**
 * Stores what a check has changed in the payments of an order, all of it in one transaction.
 *
 * @returns the payments that begin to count with it, and all that the order has now
 */
export async function storeLook(
  ctx: PaymentsContext,
  tx: Tx,
  orderId: string,
  look: { readonly changes: PaymentChanges; readonly raw: unknown; readonly lookedAt: number },
) {
  const { appeared, earlier, mined, unmined, vanished, confirmed, final, found, missing } = look.changes
  // In this order: what has just appeared may count, and be final, immediately.
  const first = [
    storeWords(tx, orderId, look),
    insertPayments(tx, orderId, appeared, look.lookedAt),
    passOn(tx, orderId, earlier),
    markMined(tx, orderId, [...mined, ...unmined.map((outpoint) => ({ outpoint, at: 0 }))]),
    forgetPayments(ctx, tx, orderId, vanished),
  ]
  const counted =
    confirmed.length === 0
      ? []
      : tx.run(queries.confirmPayments, { orderId, outpoints: [...confirmed], now: ctx.runtime.clock.now() })
  const then = [
    final.length === 0
      ? null
      : tx.execute(queries.markFinal, { orderId, outpoints: [...final], now: ctx.runtime.clock.now() }),
    found.length === 0 ? null : tx.execute(queries.markFound, [orderId, [...found]]),
    doubtPayments(ctx, tx, orderId, missing),
  ]
  const payments = paymentsOf(tx, orderId)
  await Promise.all([...first, counted, ...then, payments])
  return { counted: await counted, payments: await payments }
}

/** Stores the provider's answer as given, if it gives any. */
export async function storeWords(
  tx: Tx,
  orderId: string,
  { raw, lookedAt }: { readonly raw: unknown; readonly lookedAt: number },
): Promise<void> {
  if (raw !== undefined) await tx.execute(queries.storeWords, { orderId, words: wordsOf(raw), at: lookedAt })
}

/**
 * A payment that counts and is in no block may be a stale answer: it is checked once more before anything is undone.
 */
async function doubtPayments(
  ctx: PaymentsContext,
  tx: Tx,
  orderId: string,
  outpoints: readonly string[],
): Promise<void> {
  if (outpoints.length === 0) return
  ctx.runtime.log.error({ orderId, outpoints }, 'payments that count are in no block: they are looked at once more')
  await Promise.all([
    tx.execute(queries.markMissing, [orderId, [...outpoints], ctx.runtime.clock.now()]),
    addLook(tx, ctx.jobs, orderId, ctx.runtime.clock.now() + MISSING_SECONDS),
  ])
}

/** What never counted is removed; what counted once stays as a row, so that it is known when it returns. */
async function forgetPayments(
  ctx: PaymentsContext,
  tx: Tx,
  orderId: string,
  outpoints: readonly string[],
): Promise<void> {
  if (outpoints.length === 0) return
  ctx.runtime.log.warn({ orderId, outpoints }, 'payments vanished before they were confirmed')
  await Promise.all([
    tx.execute(queries.deleteUnconfirmed, [orderId, [...outpoints]]),
    tx.execute(queries.markGone, [orderId, [...outpoints], ctx.runtime.clock.now()]),
  ])
}

async function passOn(tx: Tx, orderId: string, earlier: PaymentChanges['earlier']): Promise<void> {
  const stored = [...earlier].map(([outpoint, parts]) =>
    tx.execute(queries.passOn, [orderId, outpoint, parts.map(({ at }) => at), parts.map(({ sats }) => sats)]),
  )
  await Promise.all(stored)
}

async function markMined(tx: Tx, orderId: string, mined: PaymentChanges['mined']): Promise<void> {
  if (mined.length === 0) return
  await tx.execute(queries.markMined, [orderId, mined.map(({ outpoint }) => outpoint), mined.map(({ at }) => at)])
}

async function insertPayments(
  tx: Tx,
  orderId: string,
  outputs: readonly SeenOutput[],
  lookedAt: number,
): Promise<void> {
  if (outputs.length === 0) return
  // Each is locked while it is inserted, in one order everywhere.
  const sorted = outputs.toSorted((one, other) => (one.outpoint < other.outpoint ? -1 : 1))
  const first = new Set([...Map.groupBy(sorted, ({ outpoint }) => txidOf(outpoint)).values()].map(([one]) => one))
  await tx.execute(queries.insertPayments, {
    orderId,
    outpoints: sorted.map((output) => output.outpoint),
    sats: sorted.map((output) => output.sats),
    seenAt: sorted.map((output) => output.seenAt),
    networks: sorted.map((output) => output.network),
    minedAt: sorted.map((output) => minedAtOf(output, lookedAt) ?? 0),
    inputs: sorted.map((output) => (first.has(output) ? (output.inputs?.join(',') ?? '') : '')),
  })
}

/** Maximum part of a provider's answer that is stored for an invoice. */
const LONGEST_WORDS = 16_000

function wordsOf(raw: unknown): string {
  return JSON.stringify(raw).slice(0, LONGEST_WORDS)
}
