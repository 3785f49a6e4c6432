import type { FastifyInstance } from 'fastify'
import { Unauthorized } from '../../http/errors.ts'
import type { Payments } from './service.ts'

/** The largest message that is read; those of providers have a few kilobytes. */
const LARGEST_MESSAGE = 64 * 1024

/**
 * Where a payment provider's messages arrive. The body is taken as the bytes it came in: signatures cover these. 401
 * for one that is not genuine, 200 once it is stored, and 503 while the database is away (see the error answers): the
 * provider then delivers it again.
 */
export function webhookRoute(
  app: FastifyInstance,
  deps: { payments: Pick<Payments, 'webhook' | 'takeMessage'> },
): void {
  const { payments } = deps
  const { webhook } = payments
  if (webhook === null) return
  // A scope of its own: everywhere else nothing but JSON is read.
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: LARGEST_MESSAGE }, (_request, body, done) =>
      done(null, body),
    )
    scope.post(webhook.path, { bodyLimit: LARGEST_MESSAGE }, async (request, reply) => {
      const body = request.body instanceof Uint8Array ? request.body : new Uint8Array()
      const hint = webhook.read(request.headers, body)
      if (hint === null) throw new Unauthorized()
      await payments.takeMessage(hint)
      return reply.header('cache-control', 'no-store').type('text/plain; charset=utf-8').send('ok')
    })
  })
}
