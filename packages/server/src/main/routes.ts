import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/pool.ts'
import { metricsRoutes } from '../http/metrics-routes.ts'
import { docsRoutes } from '../http/docs/docs-routes.ts'
import { healthRoutes, referenceRoutes } from '../http/operations-routes.ts'
import type { Readiness } from '../http/readiness.ts'
import type { RateLimits } from '../kernel/limits.ts'
import { imageRoutes } from '../modules/content/image-routes.ts'
import { contentRoutes } from '../modules/content/routes.ts'
import { demoConsoleRoutes } from '../modules/console/demo-routes.ts'
import type { DemoClock } from '../modules/demo/service.ts'
import { answerPayRequest } from '../modules/demo/pay-request.ts'
import { payRequestRoutes } from '../modules/demo/pay-request-routes.ts'
import { demoRoutes } from '../modules/demo/routes.ts'
import { socialRoutes } from '../modules/demo/social-routes.ts'
import { beaconRoutes } from '../modules/draws/beacon-routes.ts'
import { operationsRoutes } from '../modules/console/operations-routes.ts'
import { fairnessRoutes } from '../modules/fairness/routes.ts'
import { gamesRoutes } from '../modules/games/routes.ts'
import { identityRoutes } from '../modules/identity/routes.ts'
import { publicIntegrationRoutes } from '../modules/integrations/public-routes.ts'
import { messagesRoutes } from '../modules/messages/routes.ts'
import type { MonitoringContext } from '../modules/monitoring/service.ts'
import { ordersRoutes } from '../modules/orders/routes.ts'
import { paymentsRoutes } from '../modules/payments/routes.ts'
import { payoutsRoutes } from '../modules/payouts/routes.ts'
import { playersRoutes } from '../modules/players/routes.ts'
import { privacyRoutes } from '../modules/privacy/routes.ts'
import { resultsRoutes } from '../modules/results/routes.ts'
import type { WatchTicker } from '../modules/results/watch-ticker.ts'
import { saferPlayRoutes } from '../modules/safer-play/routes.ts'
import { settingsRoutes } from '../modules/settings/routes.ts'
import type { Site } from '../modules/settings/service.ts'
import { treasuryRoutes } from '../modules/treasury/routes.ts'
import type { StandIn } from '../ports/social-login/stand-in.ts'
import type { Runtime } from '../runtime/runtime.ts'
import type { Accounts } from './accounts.ts'
import type { Lottery } from './lottery.ts'
import type { OwnAnswers } from './own-answers.ts'
import type { ProcessMetrics } from './process-metrics.ts'
import { VERSION } from './version.ts'
import { versionRoutes } from './version-routes.ts'

/** Registers every call that players and visitors make. */
export function siteRoutes(
  http: FastifyInstance,
  parts: {
    readonly config: Config
    readonly lottery: Lottery
    readonly accounts: Accounts
    readonly ticker: WatchTicker
    readonly db: Db
    readonly runtime: Runtime
    /** the site as it is now */
    readonly site: () => Site
  },
): void {
  const { config, lottery, accounts, ticker, db, runtime, site } = parts
  const { orders, payments, fairness, results } = lottery
  const { rateLimits } = accounts
  referenceRoutes(http, { publicUrl: config.publicUrl, version: VERSION })
  versionRoutes(http, config)
  docsRoutes(http, { publicUrl: config.publicUrl, version: VERSION, site })
  identityRoutes(http, accounts.identity)
  playersRoutes(http, accounts.players)
  saferPlayRoutes(http, accounts.saferPlay)
  privacyRoutes(http, accounts.privacy)
  messagesRoutes(http, lottery.messages)
  contentRoutes(http, accounts.content)
  imageRoutes(http, () => site().images)
  settingsRoutes(http, { db, runtime, read: new Map() })
  gamesRoutes(http, lottery.games)
  ordersRoutes(http, { orders, payments, limits: rateLimits })
  paymentsRoutes(http, payments)
  payoutsRoutes(http, lottery.payouts)
  fairnessRoutes(http, fairness)
  operationsRoutes(http, { db })
  beaconRoutes(http, lottery.draws, rateLimits)
  treasuryRoutes(http, lottery.treasury)
  resultsRoutes(http, { results, ticker, limits: rateLimits })
  publicIntegrationRoutes(http, {
    results,
    games: lottery.games,
    runtime,
    publicUrl: config.publicUrl,
    isDemo: config.mode === 'demo',
    siteName: () => site().name,
  })
}

/** Registers the demo's own controls. */
export function demoControls(
  http: FastifyInstance,
  parts: {
    readonly lottery: Lottery
    readonly clock: DemoClock
    readonly standIn: StandIn | null
    readonly own: OwnAnswers
    readonly rateLimits: RateLimits
    readonly publicUrl: string
    /** null if there is no console */
    readonly consoleUrl: string | null
    readonly db: Db
    readonly runtime: Runtime
  },
): void {
  const { lottery, clock, standIn, own, rateLimits: limits, publicUrl, consoleUrl, db, runtime } = parts
  const { payments, messages, queue, bitcoin } = lottery
  const lightning = lottery.lightning?.test ?? null
  if (standIn !== null) socialRoutes(http, standIn)
  if (lightning !== null) {
    const payRequests = { wallet: lightning, publicUrl }
    payRequestRoutes(http, { ...payRequests, limits })
    own.open((pathAndQuery) => answerPayRequest(payRequests, pathAndQuery))
  }
  const { testChain: chain } = bitcoin
  const settleDueWork = (): Promise<void> => queue.runDue()
  demoRoutes(http, { payments, messages, chain, lightning, clock, settleDueWork })
  if (consoleUrl !== null) demoConsoleRoutes(http, { db, runtime, consoleUrl, settleDueWork })
}

/** Registers the monitor's calls, at the players' port or at one of its own. */
export function monitorRoutes(
  app: FastifyInstance,
  parts: {
    readonly readiness: Readiness
    readonly process: ProcessMetrics
    readonly monitoring: MonitoringContext
    readonly eventStreams: () => number
    readonly token: string | null
    readonly isOpen: boolean
  },
): void {
  healthRoutes(app, parts.readiness)
  metricsRoutes(app, parts)
}
