import { createHash } from 'node:crypto'
import type { EventType } from '@fairball/contract/console/integrations'
import type { Tx } from '../../db/pool.ts'
import type { Jobs } from '../../jobs/queue.ts'
import * as queries from './webhook-queries.ts'

/** The kind of the job that tells one webhook of one event. */
export const DELIVER = 'webhooks.deliver'

/** What an event tells: ids, amounts in satoshis, times in epoch seconds. Never an address of mail or of bitcoin. */
type EventData = Readonly<Record<string, string | number | readonly number[] | readonly string[] | null>>

/** Something that happened. */
export interface OutgoingEvent {
  readonly type: EventType
  /** distinguishes it from others of its type: the same one is told once */
  readonly subject: string
  /** epoch seconds */
  readonly at: number
  readonly data: EventData
}

/**
 * Writes an event in the transaction of its fact, for every webhook that asks for it. Without such a webhook nothing is
 * written.
 */
export async function noteEvent(
  { jobs }: { readonly jobs: Pick<Jobs, 'add'> },
  tx: Tx,
  event: OutgoingEvent,
): Promise<void> {
  const { type, subject, at, data } = event
  const id = `msg_${createHash('sha256').update(`${type}:${subject}`).digest('hex').slice(0, 32)}`
  const body = JSON.stringify({ type, timestamp: new Date(at * 1000).toISOString().replace('.000', ''), data })
  for (const delivery of await tx.run(queries.insertEvent, { id, at, type, body }))
    await deliverAt(jobs, tx, delivery.id, 0, at)
}

/** Has a delivery tried at a moment. Each try is a job of its own: the one that runs still holds its key. */
export async function deliverAt(
  jobs: Pick<Jobs, 'add'>,
  tx: Tx,
  deliveryId: bigint,
  attempts: number,
  runAt: number,
): Promise<void> {
  const id = String(deliveryId)
  await jobs.add(tx, DELIVER, { delivery: id }, { key: `${DELIVER}:${id}:${attempts}:${runAt}`, runAt })
}
