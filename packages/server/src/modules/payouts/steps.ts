import type { Db, Tx } from '../../db/pool.ts'
import type { RowOf } from '../../db/sql.ts'
import type { JobPayload } from '../../jobs/job.ts'
import type { Jobs } from '../../jobs/queue.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { PayoutsContext } from './context.ts'
import * as queries from './queries.ts'

/** Interval between checks of a payout that is not final. */
const LOOK_SECONDS = 600
/** Interval between checks of the whole wallet. */
export const RECONCILE_SECONDS = 60
/**
 * Delay before signing is retried for want of funds: often it is only change of the batch before that waits for its
 * block.
 */
export const FUNDS_SECONDS = 60
/** Delay before signing is retried if the network's fees are out of proportion to what is paid. */
const FEE_SECONDS = 300
/** Delay before bytes that the node cannot take yet are sent again. */
export const RESEND_SECONDS = 30
/** Age from which an unconfirmed batch is worth waking someone. */
export const LATE_SECONDS = 45 * 60

/** The log's word for a batch that is larger than what the wallet can pay with. */
export const WAITS_FOR_FUNDS = 'payouts wait for funds in the hot wallet'

export type BatchState = RowOf<typeof queries.findBatch>['state']
type StepKind = 'payouts.sign' | 'payouts.send' | 'payouts.confirm' | 'payouts.cancel'

/**
 * Schedules the payment of owed prizes for the commit of this transaction, and of returns for their next time. Called
 * wherever money becomes payable.
 */
export async function schedulePayouts({ jobs }: Pick<PayoutsContext, 'jobs'>, tx: Tx): Promise<void> {
  await jobs.add(tx, 'payouts.make', {}, { key: 'payouts.make' })
}

/** The same at a later time, in epoch seconds, when something ends that payouts wait for. */
export async function schedulePayoutsAt(
  { jobs }: Pick<PayoutsContext, 'jobs'>,
  tx: Tx,
  { at, name }: { readonly at: number; readonly name: string },
): Promise<void> {
  await jobs.add(tx, 'payouts.make', {}, { key: `payouts.make:${name}`, runAt: at })
}

/** Schedules a step of a batch for now. */
export async function addStep(tx: Tx, jobs: Jobs, kind: StepKind, batchId: bigint): Promise<void> {
  await jobs.add(tx, kind, { batchId: String(batchId) }, { key: `${kind}:${batchId}` })
}

/**
 * Schedules the sending of a version for now. The key includes its number: the job that sends the one before it may
 * still be running.
 */
export async function addSend(tx: Tx, jobs: Jobs, batchId: bigint, version: number): Promise<void> {
  await jobs.add(
    tx,
    'payouts.send',
    { batchId: String(batchId) },
    { key: `payouts.send:${batchId}:version-${version}` },
  )
}

/** The key includes the moment, because a running job still holds its own key when it asks for the next one. */
export async function addStepAt(
  tx: Tx,
  jobs: Jobs,
  step: { kind: StepKind; batchId: bigint; runAt: number },
): Promise<void> {
  const { kind, batchId, runAt } = step
  await jobs.add(tx, kind, { batchId: String(batchId) }, { key: `${kind}:${batchId}:${runAt}`, runAt })
}

/** Has a batch wait for a person, if it is still in one of these states. */
export async function haltBatch(
  { db, runtime }: { readonly db: Db; readonly runtime: Pick<Runtime, 'log'> },
  { batchId, from, reason }: { batchId: bigint; from: BatchState[]; reason: string },
): Promise<void> {
  const halted = await db.execute(queries.haltBatch, [batchId, from, reason])
  if (halted > 0) runtime.log.error({ batchId: String(batchId), reason }, 'a payout batch is halted')
}

/** The next moment of the grid that all checks share: two requests become one. */
export function nextLookAt(now: number): number {
  return nextOf(now, LOOK_SECONDS)
}

/** The same for the wallet as a whole. */
export function nextReconcileAt(now: number): number {
  return nextOf(now, RECONCILE_SECONDS)
}

/** The same for batches that wait for lower fees. */
export function nextFeeLookAt(now: number): number {
  return nextOf(now, FEE_SECONDS)
}

function nextOf(now: number, seconds: number): number {
  return (Math.floor(now / seconds) + 1) * seconds
}

/** The step that takes a batch on from a state; null if it waits for a person, or is done. */
export function stepFrom(state: BatchState): StepKind | null {
  switch (state) {
    case 'BATCHED':
    case 'WAITING_FUNDS':
      return 'payouts.sign'
    case 'SIGNED':
      return 'payouts.send'
    case 'SENT':
    case 'CONFIRMED':
    case 'CANCELLING':
      return 'payouts.confirm'
    case 'WAITING_APPROVAL':
    case 'HALTED':
    case 'FINAL':
    case 'CANCELLED':
      return null
  }
}

/** Every job of a batch was added with its id, see above. */
export function batchIdOf(payload: JobPayload): bigint {
  return BigInt(payload['batchId'] as string)
}
