import type { FastifyInstance } from 'fastify'
import { Unauthorized } from '../../kernel/errors.ts'
import { type PaymentsContext, takeMessage } from './service.ts'

/** The largest message that is read; those of providers have a few kilobytes. */
const MAX_MESSAGE_BYTES = 64 * 1024

/**
 * Where a payment provider's messages arrive. The body is taken as raw bytes: signatures cover these. The answer is 401
 * for a message that is not genuine, 200 once it is stored, and 503 while the database is down (see the error answers):
 * then the provider delivers it again.
 */
export function webhookRoute(app: FastifyInstance, ctx: PaymentsContext): void {
  const { webhook } = ctx.provider
  if (webhook === undefined) return
  // A scope of its own: everywhere else only JSON is read.
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_MESSAGE_BYTES }, (_request, body, done) =>
      done(null, body),
    )
    scope.post(webhook.path, { bodyLimit: MAX_MESSAGE_BYTES }, async (request, reply) => {
      const body = request.body instanceof Uint8Array ? request.body : new Uint8Array()
      const hint = webhook.read(request.headers, body)
      if (hint === null) throw new Unauthorized()
      await takeMessage(ctx, hint)
      return reply.header('cache-control', 'no-store').type('text/plain; charset=utf-8').send('ok')
    })
  })
}
