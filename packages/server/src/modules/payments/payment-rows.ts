import type { Queries } from '../../db/pool.ts'
import type { SeenPart } from './order-payments.ts'
import * as queries from './queries.ts'

/** A payment's row, with the earlier sightings of it as parts. */
export function withEarlier<Row extends { earlierAt: number[] | null; earlierSats: bigint[] | null }>(row: Row) {
  const { earlierAt: moments, earlierSats: sats, ...payment } = row
  const earlier = (moments ?? []).map((at, place): SeenPart => ({ at, sats: sats?.[place] ?? 0n }))
  return { ...payment, earlier }
}

/** The payments of an order that are in the chain or on their way, oldest first. */
export async function paymentsOf(from: Queries, orderId: string) {
  return (await from.run(queries.findPayments, [orderId])).map(withEarlier)
}
