import { isIP } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Config } from './config.ts'
import { newestMigration } from './db/migrate.ts'
import type { Db } from './db/pool.ts'
import { createHttpApp } from './http/app.ts'
import { metricsRoutes } from './http/metrics-routes.ts'
import { healthRoutes, referenceRoutes } from './http/operations-routes.ts'
import { pages } from './http/pages.ts'
import { createRateLimits } from './http/rate-limits.ts'
import { createReadiness } from './http/readiness.ts'
import { createLottery } from './lottery.ts'
import { createProcessMetrics } from './metrics/process-metrics.ts'
import { accountsJobs } from './modules/accounts/jobs.ts'
import { accountsRoutes } from './modules/accounts/routes.ts'
import { type Accounts, createAccounts } from './modules/accounts/service.ts'
import { imageRoutes } from './modules/content/image-routes.ts'
import { contentRoutes } from './modules/content/routes.ts'
import { type Content, createContent } from './modules/content/service.ts'
import { createDemoClock } from './modules/demo/clock.ts'
import { demoRoutes } from './modules/demo/routes.ts'
import { createDemo } from './modules/demo/service.ts'
import { beaconRoutes } from './modules/draws/beacon-routes.ts'
import { DRAWS_CHANNEL } from './modules/draws/service.ts'
import { headFileIn } from './modules/fairness/head-file.ts'
import { SLOW_CLOCK_SECONDS } from './modules/fairness/log.ts'
import { fairnessRoutes } from './modules/fairness/routes.ts'
import { createNumbers } from './modules/games/numbers.ts'
import { gamesRoutes } from './modules/games/routes.ts'
import { messagesRoutes } from './modules/messages/routes.ts'
import { ordersRoutes } from './modules/orders/routes.ts'
import { currentRates } from './modules/payments/rates.ts'
import { paymentsRoutes } from './modules/payments/routes.ts'
import { treasuryRoutes } from './modules/treasury/routes.ts'
import { resultsRoutes } from './modules/results/routes.ts'
import { createWatchTicker } from './modules/results/watch-ticker.ts'
import { localOutbox } from './ports/mail/local-outbox.ts'
import type { Mailbox } from './ports/mail/mailer.ts'
import { smtpMailer } from './ports/mail/smtp-mailer.ts'
import { fixedRates } from './ports/rates/fixed-rates.ts'
import { createLiveRates } from './ports/rates/live-rates.ts'
import type { Rates } from './ports/rates/rates.ts'
import { configuredProviders } from './ports/social-login/configured-providers.ts'
import type { Runtime } from './runtime/runtime.ts'
import { processVitals, type Vitals } from './runtime/vitals.ts'

/** The product's version, as the API's reference shows it. */
export const VERSION = '0.1.0'

/** The program, put together and begun, without a port. */
export interface Application {
  readonly http: FastifyInstance
  /** What only the monitor asks, for a port of its own; null where none is configured. */
  readonly monitor: FastifyInstance | null
  /** Begins the background work of this process. */
  startWork(): void
  /** Holds the clock of this process against the database's from now on. */
  startComparingClocks(): void
  close(): Promise<void>
}

export interface ApplicationDeps {
  readonly config: Config
  readonly runtime: Runtime
  readonly db: Db
  /** where the head of the fairness log is kept beside the database; tests may go without */
  readonly headFile?: string | null
  /** tests hold every answer against the contract */
  readonly checksAnswers?: boolean
  /** tests of the API need no pages */
  readonly withPages?: boolean
  /** How the process does. Default: the one this runs in. */
  readonly vitals?: Vitals
}

/** Puts the whole program together: the lottery, the accounts around it, and the routes of both. */
export async function createApplication(deps: ApplicationDeps): Promise<Application> {
  const { config, runtime, db } = deps
  const { publicUrl, bitcoinNetwork: network, secretKey } = config
  const isDemo = config.mode === 'demo'
  const vitals = deps.vitals ?? processVitals()
  const measured = createProcessMetrics({ vitals, version: VERSION, role: config.role, poolUse: () => db.poolUse() })
  const rateLimits = createRateLimits({ db, clock: runtime.clock })
  const mailer =
    config.smtpUrl === null
      ? localOutbox()
      : smtpMailer({ url: config.smtpUrl, from: config.mailFrom ?? senderAt(publicUrl), steady: runtime.steady })

  const lottery = await createLottery({
    db,
    runtime,
    secretKey,
    publicUrl,
    bitcoin: config,
    rateSource: rateSourceOf(config, runtime),
    isDemo,
    mailer,
    supportEmail: config.supportEmail,
    partners: config.content.partners,
    beacon: {
      current: config.beacon,
      relays: config.drandRelays,
      outsideNow: () => outsideNow(runtime),
    },
    witnesses: config.witnesses,
    headFile: deps.headFile ?? null,
    checkMayPlay: (tx, playerId, priceMinor) => accounts.responsiblePlay.checkMayPlay(tx, playerId, priceMinor),
    onPaid: (tx) => accounts.closing.scheduleFinish(tx),
    onJobRun: measured.onJobRun,
  })
  const { queue, messages, payouts, orders, payments, games, results, fairness, draws } = lottery
  const numbers = createNumbers({ db })
  const accounts: Accounts = createAccounts({
    db,
    runtime,
    jobs: queue,
    rateLimits,
    messages,
    social: configuredProviders(runtime, config.socialLogins),
    secretKey,
    publicUrl,
    network,
    hooks: {
      onPayoutReady: (tx) => payouts.schedule(tx),
      isHouseAddress: (tx, address) => payments.takesPaymentsAt(tx, address),
      openMoney: (tx, playerId) => payouts.openMoney(tx, playerId),
      canBePaid: (tx, playerId) => payouts.canBePaid(tx, playerId),
      forgetElsewhere: async (tx, playerId) => {
        await orders.forgetPlayer(tx, playerId)
        await numbers.forgetPlayer(tx, playerId)
        await content.forgetPlayer(tx, playerId)
      },
      otherPersonalData: async (playerId) => ({
        ...(await orders.personalData(playerId)),
        ...(await payouts.personalData(playerId)),
        saved_numbers: await numbers.personalData(playerId),
        contact_messages: await content.personalData(playerId),
      }),
      spentSince: (tx, playerId, sinceAt) => orders.spentSince(tx, playerId, sinceAt),
      rates: (from) => currentRates(from, runtime.clock.now()),
    },
  })
  const content: Content = createContent({
    db,
    runtime,
    rateLimits,
    mail: messages.mail,
    supportEmail: config.supportEmail,
    causes: config.content.causes,
    recentWins: results.shownWins,
  })
  queue.register([...lottery.jobs(), ...accountsJobs(accounts)])
  // The clock first: what follows reads it, and after a jump it is ahead of the computer's.
  const clock = isDemo ? await createDemoClock({ db, runtime, queue }) : null
  await lottery.begin()
  await db.transaction((tx) => accounts.scheduleCleanUp(tx))

  let isStopping = false
  const edge = {
    runtime,
    authenticate: accounts.authenticate,
    isDemo,
    publicUrl,
    trustProxy: config.trustProxy.length === 0 ? false : [...config.trustProxy],
    checksAnswers: deps.checksAnswers ?? false,
  }
  const http = createHttpApp({ ...edge, onAnswer: measured.onAnswer, isStopping: () => isStopping })
  const ticker = createWatchTicker({ runtime, results })
  const readiness = createReadiness({
    db,
    log: runtime.log,
    schemaVersion: await newestMigration(),
    slowestClockSeconds: SLOW_CLOCK_SECONDS,
    behindSeconds: (from) => lottery.clockRule.behindSeconds(from),
    isClockFast: () => lottery.clockRule.isFast(),
    isStopping: () => isStopping,
    areJobsAlive: () => queue.isAlive(),
  })
  /** What a monitor asks, here or at a port of its own. */
  const monitorRoutes = (app: FastifyInstance): void => {
    healthRoutes(app, readiness)
    metricsRoutes(app, {
      process: measured,
      monitoring: lottery.monitoring,
      readiness,
      eventStreams: ticker.watching,
      token: config.metricsToken,
    })
  }
  monitorRoutes(http)
  const monitor = config.monitorPort === null ? null : createHttpApp(edge)
  if (monitor !== null) monitorRoutes(monitor)
  referenceRoutes(http, { publicUrl, version: VERSION })
  accountsRoutes(http, accounts)
  messagesRoutes(http, messages)
  contentRoutes(http, content)
  imageRoutes(http, config.content.images)
  gamesRoutes(http, { games, numbers })
  ordersRoutes(http, { orders, payments })
  paymentsRoutes(http, { payments })
  fairnessRoutes(http, { fairness, limits: rateLimits })
  beaconRoutes(http, { draws, beacons: lottery.beacons, clock: runtime.clock, limits: rateLimits })
  treasuryRoutes(http, { treasury: lottery.treasury })
  resultsRoutes(http, { results, ticker, limits: rateLimits })
  if (clock !== null) {
    const { outbox } = messages
    const settleDueWork = () => queue.runDue()
    demoRoutes(http, { demo: createDemo({ payments, outbox, chain: lottery.testChain, clock, settleDueWork }) })
  }
  const drawsChanged = (): void => {
    games.drop()
    ticker.wake()
  }
  const unlisten = await db.listen(DRAWS_CHANNEL, drawsChanged, drawsChanged)
  const { isDevelopment, supportEmail, socialLogins, content: told } = config
  const site =
    deps.withPages === false
      ? null
      : await pages(http, {
          runtime,
          publicUrl,
          network,
          isDemo,
          isDevelopment,
          supportEmail,
          socialLogins,
          content: told,
          version: VERSION,
        })

  return {
    http,
    monitor,
    startWork() {
      queue.start()
      lottery.clockRule.start()
      payments.startFollowing()
      lottery.treasury.start()
      lottery.monitoring.start()
    },
    startComparingClocks: () => lottery.clockRule.startComparing(),
    async close() {
      isStopping = true
      if (http.server.listening) await runtime.steady.sleep(config.drainSeconds * 1000)
      await http.close()
      await queue.stop()
      await lottery.clockRule.stop()
      await payments.stopFollowing()
      await lottery.treasury.stop()
      await lottery.monitoring.stop()
      mailer.close()
      await unlisten()
      await site?.close()
      await monitor?.close()
      vitals.stop()
    },
  }
}

/** Starts the program in the role the configuration gives this process. */
export async function startApplication(
  deps: ApplicationDeps & { readonly signal: AbortSignal },
): Promise<{ address: string; close(): Promise<void> }> {
  const { config } = deps
  const application = await createApplication({
    ...deps,
    headFile: headFileIn(config.dataDir),
    withPages: config.role !== 'worker',
  })
  deps.signal.throwIfAborted()
  application.startComparingClocks()
  if (config.role !== 'web') application.startWork()
  if (config.monitorPort !== null) await application.monitor?.listen({ port: config.monitorPort, host: config.host })
  if (config.role !== 'worker') await application.http.listen({ port: config.port, host: config.host })
  return { address: config.publicUrl, close: () => application.close() }
}

function rateSourceOf({ rates, rateSources }: Config, runtime: Runtime): Rates {
  if (rates === 'fixed') return fixedRates
  return createLiveRates(runtime, { sources: rateSources, outsideNow: () => outsideNow(runtime) })
}

/** The time others keep: the demo's clock may be ahead of it. Epoch seconds. */
function outsideNow({ clock }: Runtime): number {
  return clock.now() - clock.offsetSeconds()
}

function senderAt(publicUrl: string): Mailbox {
  const host = new URL(publicUrl).hostname
  // Without a name for the host, the address stands in brackets (RFC 5321, section 4.1.3).
  return { name: 'Fairball', address: `no-reply@${isIP(host) === 4 ? `[${host}]` : host.replace('[', '[IPv6:')}` }
}
