import { EVENT_TYPES } from '@fairball/contract/console/integrations'
import type { Tx } from '../../db/pool.ts'
import type { Jobs } from '../../jobs/queue.ts'
import { Refused } from '../../kernel/errors.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { Renew, Seal } from '../../runtime/seal.ts'
import { deliverAt } from './events.ts'
import { problemOfUrl } from './receiver.ts'
import { secretText } from './signature.ts'
import * as queries from './webhook-queries.ts'

/** What making and changing webhooks needs. */
export interface WebhooksContext {
  readonly runtime: Pick<Runtime, 'clock' | 'random'>
  /** under the key for webhooks */
  readonly seal: Seal
  readonly isDemo: boolean
}

const SECRET_BYTES = 32
/** How long the secret before a change signs beside the new one. */
const BOTH_SIGN_SECONDS = 86_400
/** How long events and what became of them are kept. */
const KEPT_SECONDS = 90 * 86_400
/** What the secrets are sealed for. */
export const SECRET_PURPOSE = 'the secret of a webhook'

/**
 * Makes a webhook.
 *
 * @returns its id, and its secret, which is shown once and kept encrypted
 * @throws Refused
 */
export async function createWebhook(
  ctx: WebhooksContext,
  tx: Tx,
  { url, types }: { readonly url: string; readonly types: readonly string[] },
): Promise<{ id: bigint; secret: string }> {
  const problem = problemOfUrl(url, ctx.isDemo)
  if (problem !== null) throw new Refused(problem)
  const unknown = types.find((type) => !(EVENT_TYPES as readonly string[]).includes(type))
  if (unknown !== undefined) throw new Refused(`There is no event ${unknown}.`)
  if (types.length === 0) throw new Refused('Choose at least one event.')
  const secret = ctx.runtime.random.bytes(SECRET_BYTES)
  const sealed = ctx.seal.close(secret, SECRET_PURPOSE)
  const { id } = await tx.one(queries.insertWebhook, [ctx.runtime.clock.now(), url, [...new Set(types)], sealed])
  return { id, secret: secretText(secret) }
}

/** Gives a webhook a new secret; the one before signs too for 24 hours. @returns the new one @throws Refused */
export async function rotateWebhookSecret(ctx: WebhooksContext, tx: Tx, id: bigint): Promise<string> {
  const secret = ctx.runtime.random.bytes(SECRET_BYTES)
  const sealed = ctx.seal.close(secret, SECRET_PURPOSE)
  const until = ctx.runtime.clock.now() + BOTH_SIGN_SECONDS
  if ((await tx.execute(queries.rotateSecret, [id, sealed, until])) === 0)
    throw new Refused(`There is no webhook ${id}, or it is revoked.`)
  return secretText(secret)
}

/** Ends a webhook: it gets no more messages. @throws Refused */
export async function revokeWebhook({ runtime }: Pick<WebhooksContext, 'runtime'>, tx: Tx, id: bigint): Promise<void> {
  if ((await tx.execute(queries.revokeWebhook, [id, runtime.clock.now()])) === 0)
    throw new Refused(`There is no webhook ${id}, or it is revoked.`)
}

/** Tries a delivery again that was made or given up, under the same id of its event. @throws Refused */
export async function redeliver(
  { runtime, jobs }: Pick<WebhooksContext, 'runtime'> & { readonly jobs: Pick<Jobs, 'add'> },
  tx: Tx,
  deliveryId: bigint,
): Promise<void> {
  const now = runtime.clock.now()
  if ((await tx.execute(queries.tryAgain, [deliveryId, now])) === 0)
    throw new Refused('There is no such delivery, it still waits, or its webhook is disabled or revoked.')
  await deliverAt(jobs, tx, deliveryId, 0, now)
}

/** Removes events that are older than 90 days. @param nowAt epoch seconds */
export async function removeOldEvents(tx: Tx, nowAt: number): Promise<void> {
  await tx.execute(queries.removeOldEvents, [nowAt - KEPT_SECONDS])
}

/** Encrypts the secrets again. */
export async function renewWebhookSeals(tx: Tx, renew: Renew): Promise<void> {
  for (const { id, sealed, earlierSealed } of await tx.run(queries.listSealed, [])) {
    const fresh = renew(sealed, SECRET_PURPOSE) ?? sealed
    const earlier = earlierSealed === null ? null : (renew(earlierSealed, SECRET_PURPOSE) ?? earlierSealed)
    await tx.execute(queries.replaceSealed, [id, fresh, earlier])
  }
}
