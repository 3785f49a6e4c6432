import type { Tx } from '../../db/pool.ts'
import { type Family, gauge, type Labels } from '../../metrics/registry.ts'
import { balancesByKind } from '../ledger/service.ts'
import type { MonitoringContext } from './context.ts'
import * as queries from './queries.ts'

/** Delay between counts of expensive metrics, in all processes together, however often they are requested. */
const READ_SECONDS = 55
/** Age from which a request counts again: no working process has done so. */
const OLDEST_SECONDS = 90
const LONGEST_STATEMENT_MS = 60_000
const NAME = 'business'

/** The values of each family, by its name; amounts as strings, because JSON has no bigints. */
type Stored = Readonly<Record<string, readonly (readonly [Labels, string])[]>>

const HELP = {
  fairball_orders: 'Orders ever made, by the state they are in.',
  fairball_entries_sold: 'Entries of paid orders ever, paid and with free tickets.',
  fairball_payments: 'Payments ever seen, by whether they are confirmed.',
  fairball_payments_sats: 'What these payments come to, in satoshis.',
  fairball_draws: 'Draws ever opened, by their state.',
  fairball_payables:
    'Prizes, refunds, excess payments and donations ever owed: those owed, those on their way, those paid.',
  fairball_payables_sats: 'What these come to, in satoshis.',
  fairball_beacon_rounds: 'Rounds of each beacon that draws have used, verified.',
  fairball_ledger_sats: 'Balance of all ledger accounts of a kind, in satoshis. Alarm: PlayedMoneyLost.',
} as const satisfies Record<string, string>

async function countReadings(tx: Tx): Promise<Stored> {
  const orders = await tx.run(queries.countOrders, [])
  const payments = await tx.run(queries.countPayments, [])
  const draws = await tx.run(queries.countDraws, [])
  const payables = await tx.run(queries.sumPayables, [])
  const rounds = await tx.run(queries.countRounds, [])
  const balances = await balancesByKind(tx)
  const paid = orders.find((row) => row.status === 'PAID')
  const stateOf = (isConfirmed: boolean): Labels => ({ state: isConfirmed ? 'confirmed' : 'seen' })
  return {
    fairball_orders: orders.map((row) => [{ status: row.status }, String(row.orders)]),
    fairball_entries_sold: [
      [{ kind: 'paid' }, String((paid?.entries ?? 0n) - (paid?.freeEntries ?? 0n))],
      [{ kind: 'free' }, String(paid?.freeEntries ?? 0n)],
    ],
    fairball_payments: payments.map((row) => [stateOf(row.isConfirmed), String(row.payments)]),
    fairball_payments_sats: payments.map((row) => [stateOf(row.isConfirmed), String(row.sats)]),
    fairball_draws: draws.map((row) => [{ status: row.status }, String(row.draws)]),
    fairball_payables: payables.map(({ kind, state, payables: some }) => [{ kind, state }, String(some)]),
    fairball_payables_sats: payables.map(({ kind, state, sats }) => [{ kind, state }, String(sats)]),
    fairball_beacon_rounds: rounds.map((row) => [{ chain: row.name }, String(row.rounds)]),
    fairball_ledger_sats: [...balances].map(([kind, sats]) => [{ kind }, String(sats)]),
  }
}

async function findStored(ctx: MonitoringContext): Promise<{ readAt: number; stored: Stored } | null> {
  const row = await ctx.db.maybeOne(queries.findReading, [NAME])
  return row === null ? null : { readAt: row.readAt, stored: row.content as Stored } // only `refresh` writes it
}

/** Counts again if the last count is old, unless another process is counting. */
export async function refreshReadings(ctx: MonitoringContext, oldestSeconds = READ_SECONDS): Promise<void> {
  const isNew = (row: { readAt: number } | null): boolean =>
    row !== null && Math.abs(ctx.runtime.clock.now() - row.readAt) < oldestSeconds
  if (isNew(await findStored(ctx))) return
  await ctx.db.transaction(
    async (tx) => {
      if (!(await tx.one(queries.tryLockReading, [])).isLocked) return
      await tx.execute(queries.storeReading, [NAME, ctx.runtime.clock.now(), await countReadings(tx)])
    },
    { statementTimeoutMs: LONGEST_STATEMENT_MS },
  )
}

/** The newest count; an old one is replaced first, if the database allows. */
export async function readingFamilies(ctx: MonitoringContext): Promise<Family[]> {
  await refreshReadings(ctx, OLDEST_SECONDS).catch((error: unknown) => {
    ctx.runtime.log.error({ err: error }, 'the figures could not be counted')
  })
  const row = await findStored(ctx)
  const named = Object.entries(HELP).map(([name, help]) =>
    gauge(
      name,
      help,
      (row?.stored[name] ?? []).map(([labels, value]) => [labels, BigInt(value)]),
    ),
  )
  const age = row === null ? [] : [[{}, Math.max(0, ctx.runtime.clock.now() - row.readAt)] as const]
  return [
    ...named,
    gauge('fairball_readings_age_seconds', 'How old the figures of the business are. Alarm: FiguresOld.', age),
  ]
}
