import { calls } from '@fairball/contract/calls'
import type { FastifyInstance } from 'fastify'
import { route } from '../../http/route.ts'
import {
  type DemoContext,
  moveClock,
  payFromTestWallet,
  readClock,
  readMails,
  readTestWallet,
  setLightning,
} from './service.ts'

/** The demo's controls; `route` leaves out calls of the access class `demo` unless the app is a demo. */
export function demoRoutes(app: FastifyInstance, demo: DemoContext): void {
  route(app, calls.getClock, () => readClock(demo))
  route(app, calls.moveClock, ({ body }) => moveClock(demo, body))
  route(app, calls.payFromTestWallet, ({ body }) => payFromTestWallet(demo, body))
  route(app, calls.getMail, ({ query }) => readMails(demo, query.to))
  route(app, calls.getTestWallet, () => readTestWallet(demo))
  route(app, calls.setLightning, ({ body }) => setLightning(demo, body))
}
