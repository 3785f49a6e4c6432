import {
  createApiKey,
  createWebhook,
  redeliver,
  revokeApiKey,
  revokeWebhook,
  rotateWebhookSecret,
  type WebhooksContext,
} from '../../integrations/service.ts'
import { act, actFor } from '../../operator/service.ts'
import { leaveFile } from '../files.ts'
import type { JsonObject } from '../request-queries.ts'
import { type Desk, type RequestKind, said, withoutFacts } from './kind.ts'

// Webhooks and keys for programs. A new secret is kept for the person who signed, and answered once.

export const addWebhook: RequestKind<'webhooks.create'> = {
  facts: withoutFacts,
  async carryOut(desk, { url, types }) {
    const { id, secret } = await actFor(desk.operator, 'webhooks-create', url, async (tx) => {
      const made = await createWebhook(webhooksOf(desk), tx, { url, types })
      return [made, `Webhook ${made.id} gets ${types.join(', ')}.`] as const
    })
    return { id: String(id), ...(await left(desk, `webhook-${id}.txt`, secret)) }
  },
}

export const rotateWebhook: RequestKind<'webhooks.rotate'> = {
  facts: withoutFacts,
  async carryOut(desk, { id }) {
    const secret = await actFor(desk.operator, 'webhooks-rotate', id, async (tx) => {
      const fresh = await rotateWebhookSecret(webhooksOf(desk), tx, BigInt(id))
      return [fresh, `Webhook ${id} has a new secret; both sign for 24 hours.`] as const
    })
    return { id, ...(await left(desk, `webhook-${id}.txt`, secret)) }
  },
}

export const endWebhook: RequestKind<'webhooks.revoke'> = {
  facts: withoutFacts,
  carryOut: ({ ctx, operator }, { id }) =>
    said(
      act(operator, 'webhooks-revoke', id, async (tx) => {
        await revokeWebhook(ctx, tx, BigInt(id))
        return `Webhook ${id} gets no more messages.`
      }),
    ),
}

export const deliverAgain: RequestKind<'webhooks.redeliver'> = {
  facts: withoutFacts,
  carryOut: ({ ctx, operator }, { id }) =>
    said(
      act(operator, 'webhooks-redeliver', id, async (tx) => {
        await redeliver({ runtime: ctx.runtime, jobs: ctx.jobs }, tx, BigInt(id))
        return `Delivery ${id} is tried again.`
      }),
    ),
}

export const addApiKey: RequestKind<'api-keys.create'> = {
  facts: withoutFacts,
  async carryOut(desk, { name, scopes, expires_at: expiresAt }) {
    const { id, key } = await actFor(desk.operator, 'api-keys-create', name, async (tx) => {
      const made = await createApiKey(desk.ctx, tx, { name, scopes, expiresAt })
      return [made, `API key ${made.id} reads ${scopes.join(', ')}.`] as const
    })
    return { id: String(id), ...(await left(desk, `api-key-${id}.txt`, key)) }
  },
}

export const endApiKey: RequestKind<'api-keys.revoke'> = {
  facts: withoutFacts,
  carryOut: ({ ctx, operator }, { id }) =>
    said(
      act(operator, 'api-keys-revoke', id, async (tx) => {
        await revokeApiKey(ctx, tx, BigInt(id))
        return `API key ${id} is revoked.`
      }),
    ),
}

function webhooksOf({ ctx: { webhooks, runtime } }: Desk): WebhooksContext {
  return { ...webhooks, runtime }
}

async function left(desk: Desk, name: string, content: string): Promise<JsonObject> {
  return { file: await leaveFile(desk, { name, type: 'text/plain', content, isOnce: true }) }
}
