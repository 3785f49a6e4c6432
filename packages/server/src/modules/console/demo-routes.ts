import type { FastifyInstance } from 'fastify'
import { demoInvites, type DemoPeopleContext } from './demo-people.ts'

/**
 * The demo's control for its console, `GET /api/v1/dev/console`. It is no call of the site's contract, whose pages know
 * nothing of the console.
 */
export function demoConsoleRoutes(
  app: FastifyInstance,
  ctx: DemoPeopleContext & { readonly settleDueWork: () => Promise<void> },
): void {
  app.get('/api/v1/dev/console', async () => {
    await ctx.settleDueWork()
    return { url: ctx.consoleUrl, invites: await demoInvites(ctx) }
  })
}
