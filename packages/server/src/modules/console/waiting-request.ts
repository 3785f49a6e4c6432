import type { RequestState } from '@fairball/contract/console/requests'
import { CONSOLE_ERRORS, type ConsoleErrorCode } from '@fairball/contract/console/errors'
import type { Tx } from '../../db/pool.ts'
import type { ConsoleContext } from './context.ts'
import { refusal } from './refusal.ts'
import { findOutcome, type JsonObject } from './request-queries.ts'

// The console only writes down what people want. A worker hears of it, and does it; the waiting call reads the outcome.

/** The channel on which a worker hears of requests; the payload is a request's id. */
export const REQUESTS_CHANNEL = 'console_requests'
/** How long a draft can be signed, in seconds. */
export const DRAFT_SECONDS = 300
/** How long the second person may take once the first has signed. */
export const SECOND_PERSON_SECONDS = 24 * 3600
/** Longest time from a request's making to its end, and an hour for clocks that differ. */
export const REQUEST_SECONDS = DRAFT_SECONDS + SECOND_PERSON_SECONDS + 3600
/** How far the console's clock may be ahead of a worker's. */
export const SKEW_SECONDS = 60
/** How long a caller waits for the worker. */
const PATIENCE_MS = 5_000
const LOOK_MS = 50

/** What became of a request so far. */
export interface Outcome {
  readonly state: RequestState
  readonly result: JsonObject | null
}

/** Tells the workers of a request when the transaction commits. */
export async function noteRequest(tx: Tx, id: string): Promise<void> {
  await tx.notify(REQUESTS_CHANNEL, id)
}

/**
 * Waits until a worker has moved a request on from some states.
 *
 * @returns its state after five seconds at the latest, which may still be one of those
 * @throws CodedRefusal with the worker's code if it refused
 */
export async function awaitOutcome(
  { db, runtime }: Pick<ConsoleContext, 'db' | 'runtime'>,
  id: string,
  from: readonly RequestState[],
): Promise<Outcome> {
  const endMs = runtime.monotonic.nowMs() + PATIENCE_MS
  for (;;) {
    const outcome = await db.one(findOutcome, [id])
    if (!from.includes(outcome.state) || runtime.monotonic.nowMs() >= endMs) return thrownIfRefused(outcome)
    await runtime.monotonic.sleep(LOOK_MS)
  }
}

function thrownIfRefused(outcome: Outcome): Outcome {
  const { state, result } = outcome
  const code = result?.['code']
  if (state !== 'refused' || typeof code !== 'string' || !Object.hasOwn(CONSOLE_ERRORS, code)) return outcome
  const message = result?.['message']
  throw refusal(code as ConsoleErrorCode, typeof message === 'string' ? message : undefined)
}
