import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { callerAddress } from '../../http/caller-address.ts'
import { API_POLICY } from '../../http/security-headers.ts'
import { LIMITS, type RateLimits } from '../../kernel/limits.ts'
import { answerPayRequest, INVOICE_PATH, PAY_REQUEST_PATH, type PayRequests, refusal } from './pay-request.ts'

/** Lets wallets pay the demo's Lightning addresses. Registered in a demo with a test node only. */
export function payRequestRoutes(
  app: FastifyInstance,
  requests: PayRequests & { readonly limits: Pick<RateLimits, 'allows'> },
): void {
  const answer = async (request: FastifyRequest, reply: FastifyReply, isAllowed: boolean): Promise<FastifyReply> => {
    const { status, body } = isAllowed
      ? await answerPayRequest(requests, request.url)
      : refusal(429, 'Too many invoices were asked for. Please wait a while.')
    return reply
      .code(status)
      .header('cache-control', 'no-store')
      .header('content-security-policy', API_POLICY)
      .header('cross-origin-resource-policy', 'same-origin')
      .send(body)
  }
  app.get(`${PAY_REQUEST_PATH}/:name`, (request, reply) => answer(request, reply, true))
  app.get(`${PAY_REQUEST_PATH}/:name/${INVOICE_PATH}`, async (request, reply) => {
    const address = callerAddress(request.ip)
    return await answer(request, reply, await requests.limits.allows(LIMITS.demoInvoicesOfAddress, address))
  })
}
