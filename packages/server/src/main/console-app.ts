import type { FastifyInstance } from 'fastify'
import type { ConsoleConfig } from '../config/console-config.ts'
import { newestMigration } from '../db/migrate.ts'
import type { Db } from '../db/pool.ts'
import { createHttpApp } from '../http/app.ts'
import { guardConsole } from '../http/console-edge.ts'
import { CONSOLE_BUILD, consolePages } from '../http/console-pages.ts'
import { healthRoutes } from '../http/operations-routes.ts'
import { Readiness } from '../http/readiness.ts'
import { followDemoClock } from '../modules/demo/clock.ts'
import { type ConsoleContext, relyingAt } from '../modules/console/context.ts'
import { countedFailures } from '../modules/console/failures.ts'
import { requireStaff } from '../modules/console/route.ts'
import { findConsoleSchema } from '../modules/console/health-queries.ts'
import { monthToLookAt } from '../modules/console/look.ts'
import { consoleRoutes } from '../modules/console/routes.ts'
import { siteNameOf } from '../modules/console/site-name.ts'
import { REQUESTS_CHANNEL } from '../modules/console/waiting-request.ts'
import { integrationRoutes } from '../modules/integrations/console-routes.ts'
import { ApiKeys } from '../modules/integrations/service.ts'
import { reportRoutes } from '../modules/reports/routes.ts'
import type { Runtime } from '../runtime/runtime.ts'

/** Connections of the console's process to the database, beside one that listens. */
export const CONSOLE_POOL_SIZE = 5
/** Time limit of one statement of it: reading a screen must not cost the players anything. */
export const CONSOLE_STATEMENT_MS = 5_000

interface ConsoleDeps {
  readonly config: ConsoleConfig
  readonly runtime: Runtime
  /** with the console's own login */
  readonly db: Db
  /** tests check every answer against the contract */
  readonly checksAnswers?: boolean
  /** the build of the pages; default: the one of this repository */
  readonly pagesFolder?: string
}

/** The console's process, assembled, without a port. */
interface ConsoleApp {
  readonly http: FastifyInstance
  /** The supervisor's application, for a port of its own; null if none is configured. */
  readonly monitor: FastifyInstance | null
  close(): Promise<void>
}

/**
 * Assembles the process of the operator's console: its calls under `/console/api/v1`, and its pages at every other
 * address. It serves nothing of the site.
 */
export async function createConsole(deps: ConsoleDeps): Promise<ConsoleApp> {
  const { config, runtime, db } = deps
  const stopping = new AbortController()
  const isStopping = (): boolean => stopping.signal.aborted
  const isDemo = config.mode === 'demo'
  const unfollow = isDemo ? await followDemoClock({ db, runtime }) : null
  const schema = await newestMigration()
  const readiness = readinessOf(deps, schema, isStopping)
  const edge = {
    runtime,
    authenticate: async () => null,
    isDemo,
    publicUrl: config.url,
    trustProxy: config.trustProxy.length === 0 ? false : [...config.trustProxy],
    checksAnswers: deps.checksAnswers ?? false,
    isStopping,
  }
  const http = createHttpApp(edge)
  guardConsole(http, { url: config.url, allow: config.allow, clock: runtime.clock })
  healthRoutes(http, readiness)
  moduleRoutes(http, deps, schema)
  await consolePages(http, deps.pagesFolder ?? CONSOLE_BUILD)
  const monitor = config.monitorPort === null ? null : createHttpApp(edge)
  if (monitor !== null) healthRoutes(monitor, readiness)
  return {
    http,
    monitor,
    async close() {
      stopping.abort()
      if (http.server.listening) await runtime.monotonic.sleep(config.drainSeconds * 1000)
      await http.close()
      await unfollow?.()
      await monitor?.close()
    },
  }
}

/** The calls of the modules, each behind the session of a person of the staff. */
function moduleRoutes(http: FastifyInstance, { config, runtime, db }: ConsoleDeps, schema: number): void {
  const keys = new ApiKeys({ db, runtime })
  const ctx: ConsoleContext = {
    db,
    keys,
    runtime,
    relying: relyingAt(config.url),
    publicUrl: config.publicUrl,
    siteName: () => siteNameOf(db, runtime.clock.now()),
    schema,
    failures: countedFailures(runtime.clock),
  }
  consoleRoutes(http, ctx)
  reportRoutes(http, {
    db,
    runtime,
    requireStaff: async (request, scope) =>
      (await keys.of(request.headers.authorization, scope)) ?? (await requireStaff(ctx, request)),
    noteMonth: (month) => db.notify(REQUESTS_CHANNEL, monthToLookAt(month)),
  })
  integrationRoutes(http, { db, requireStaff: (request) => requireStaff(ctx, request) })
}

function readinessOf({ db, runtime }: ConsoleDeps, schemaVersion: number, isStopping: () => boolean): Readiness {
  return new Readiness({
    db,
    log: runtime.log,
    schemaVersion,
    findVersion: findConsoleSchema,
    // It dates nothing that a worker does not check.
    slowestClockSeconds: 0,
    behindSeconds: async () => 0,
    isClockFast: () => false,
    isStopping,
    areJobsAlive: () => true,
  })
}
