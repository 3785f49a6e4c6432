import { calls } from '@fairball/contract/calls'
import type { FastifyInstance } from 'fastify'
import { OK, route } from '../../http/route.ts'
import { closeAccount } from './closing.ts'
import type { PrivacyContext } from './context.ts'
import { exportPersonalData } from './personal-data.ts'

/** The calls that give players their data, and close their accounts. */
export function privacyRoutes(app: FastifyInstance, ctx: PrivacyContext): void {
  route(app, calls.getPersonalData, ({ player }) => exportPersonalData(ctx, player))
  route(app, calls.closeAccount, async ({ player, body }) => {
    await closeAccount(ctx, player, body)
    return OK
  })
}
