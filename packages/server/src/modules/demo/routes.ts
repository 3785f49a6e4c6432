import { calls } from '@fairball/contract/calls'
import type { FastifyInstance } from 'fastify'
import { route } from '../../http/route.ts'
import type { Demo } from './service.ts'

/** The demo's controls; `route` leaves calls of the access class `demo` out unless the app is a demo. */
export function demoRoutes(app: FastifyInstance, deps: { demo: Demo }): void {
  const { demo } = deps
  route(app, calls.getClock, () => demo.clock())
  route(app, calls.moveClock, ({ body }) => demo.moveClock(body))
  route(app, calls.payFromTestWallet, ({ body }) => demo.pay(body))
  route(app, calls.getMail, ({ query }) => demo.mails(query.to))
  route(app, calls.getTestWallet, () => demo.wallet())
}
