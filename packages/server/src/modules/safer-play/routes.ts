import { calls } from '@fairball/contract/calls'
import type { FastifyInstance } from 'fastify'
import { route } from '../../http/route.ts'
import type { SaferPlayContext } from './context.ts'
import { limitsSettingOf, saveLimits } from './responsible-play.ts'

/** The calls about limits, time-outs and self-exclusion. */
export function saferPlayRoutes(app: FastifyInstance, ctx: SaferPlayContext): void {
  route(app, calls.getResponsiblePlay, ({ player }) => limitsSettingOf(ctx, player))
  route(app, calls.saveResponsiblePlay, ({ player, body }) => saveLimits(ctx, player, body))
}
