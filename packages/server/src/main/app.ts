import { isIP } from 'node:net'
import { CLOCK_TOLERANCE_SECONDS } from '@fairball/domain/clock-tolerance'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/config.ts'
import { findMayMore } from '../db/roles.ts'
import { newestMigration } from '../db/migrate.ts'
import type { Db } from '../db/pool.ts'
import { createHttpApp } from '../http/app.ts'
import { pages } from '../http/pages.ts'
import { Readiness } from '../http/readiness.ts'
import { createDemoClock, readDemoClock } from '../modules/demo/clock.ts'
import { DRAWS_CHANNEL } from '../modules/draws/service.ts'
import { headFileIn } from '../modules/fairness/head-file.ts'
import { type ServedCode, stateCode } from '../modules/fairness/service.ts'
import { dropGames } from '../modules/games/service.ts'
import { authenticate } from '../modules/identity/service.ts'
import { startMonitoring, stopMonitoring } from '../modules/monitoring/service.ts'
import { spentSince } from '../modules/orders/service.ts'
import { currentRates } from '../modules/payments/rates.ts'
import { startFollowing, stopFollowing } from '../modules/payments/service.ts'
import { scheduleCleanUp } from '../modules/privacy/service.ts'
import { Processes } from '../modules/processes/service.ts'
import { WatchTicker } from '../modules/results/watch-ticker.ts'
import { checkMayPlay, type LimitsContext } from '../modules/safer-play/service.ts'
import { LiveSettings } from '../modules/settings/service.ts'
import { startTreasury, stopTreasury } from '../modules/treasury/service.ts'
import type { Mailer } from '../ports/mail/mailer.ts'
import type { SocialLogins } from '../ports/social-login/social-login.ts'
import { StandIn } from '../ports/social-login/stand-in.ts'
import { deriveKey } from '../runtime/keys.ts'
import type { Runtime } from '../runtime/runtime.ts'
import { processVitals, type Vitals } from '../runtime/vitals.ts'
import { accountJobs, type Accounts, accountsOf } from './accounts.ts'
import { beginLottery, beginServing } from './begin-lottery.ts'
import { consoleWork } from './console-work.ts'
import { lotterySettings, lotterySite } from './lottery-settings.ts'
import { createLottery, type Lottery, type LotteryDeps, lotteryJobs } from './lottery.ts'
import { OwnAnswers } from './own-answers.ts'
import { ProcessMetrics } from './process-metrics.ts'
import { servedCode } from './served-code.ts'
import { demoControls, monitorRoutes, siteRoutes } from './routes.ts'
import { replacements, sharedSettings } from './shared-settings.ts'
import { accountSubscriptions } from './subscriptions.ts'
import { VERSION } from './version.ts'

export interface ApplicationDeps {
  readonly config: Config
  readonly runtime: Runtime
  readonly db: Db
  /** the file that keeps the head of the fairness log outside the database; tests may go without */
  readonly headFile?: string | null
  /** tests check every answer against the contract */
  readonly checksAnswers?: boolean
  /** tests of the API need no pages */
  readonly withPages?: boolean
  /** see `LotteryDeps` */
  readonly games?: NonNullable<LotteryDeps['games']>
  /** The vitals of the process. Default: those of this process. */
  readonly vitals?: Vitals
}

/** The parts of the program, without its ports. */
interface ApplicationParts extends Ports {
  readonly config: Config
  readonly runtime: Runtime
  readonly lottery: Lottery
  readonly processes: Processes
  readonly vitals: Vitals
  readonly mailer: Mailer
  readonly stopping: AbortController
  readonly site: { close(): Promise<void> } | null
  readonly live: LiveSettings
  readonly unlisten: () => Promise<void>
}

/** The application for requests. */
interface Ports {
  readonly http: FastifyInstance
  /** The monitor's application, for a port of its own; null if none is configured. */
  readonly monitor: FastifyInstance | null
}

/** The program, assembled and begun, without a port. */
export class Application {
  readonly #parts: ApplicationParts

  constructor(parts: ApplicationParts) {
    this.#parts = parts
  }

  get http(): FastifyInstance {
    return this.#parts.http
  }

  get monitor(): FastifyInstance | null {
    return this.#parts.monitor
  }

  /** States in the log what is served from now on. */
  async stateCode(code: ServedCode): Promise<void> {
    await stateCode(this.#parts.lottery.fairness, code)
  }

  /** Begins the background jobs of this process. */
  startWork(): void {
    const { queue, clockRule, payments, treasury, monitoring } = this.#parts.lottery
    queue.start()
    clockRule.start()
    startFollowing(payments)
    startTreasury(treasury)
    startMonitoring(monitoring)
  }

  /** Compares the clock of this process with the database's from now on. */
  startComparing(): void {
    this.#parts.lottery.clockRule.startComparing()
    this.#parts.processes.start()
  }

  async close(): Promise<void> {
    const { config, runtime, http, monitor, lottery, site } = this.#parts
    this.#parts.stopping.abort()
    if (http.server.listening) await runtime.monotonic.sleep(config.drainSeconds * 1000)
    await http.close()
    await lottery.queue.stop()
    await this.#parts.processes.stop()
    await lottery.clockRule.stop()
    await stopFollowing(lottery.payments)
    await stopTreasury(lottery.treasury)
    await stopMonitoring(lottery.monitoring)
    this.#parts.mailer.close()
    await this.#parts.unlisten()
    await this.#parts.live.stop()
    await site?.close()
    await monitor?.close()
    this.#parts.vitals.stop()
  }
}

/** Assembles the whole program: the lottery, the accounts around it, and the routes of both. */
export async function createApplication(deps: ApplicationDeps): Promise<Application> {
  const { config, runtime, db, vitals = processVitals() } = deps
  const isDemo = config.mode === 'demo'
  const isWorker = config.role !== 'web'
  const measured = await metricsOf(deps, vitals)
  const standIn = isDemo ? standInOf(config, runtime) : null
  const socialLogins = withStandIn(config.socialLogins, standIn)
  const live = new LiveSettings({ db, runtime, defaults: config })
  const settings = lotterySettings(config, runtime, live)

  // Before the lottery checks the clock: the log of a demo that was moved is ahead of the computer's.
  if (isDemo) await readDemoClock({ db, runtime })
  const { secretKey } = config
  const limits: LimitsContext = { runtime, spentSince, rates: (from) => currentRates(from, runtime.clock.now()) }
  await live.start()
  const processes = new Processes({
    db,
    runtime,
    settings: sharedSettings(config),
    replacements: () => replacements(config, live),
    secretKey,
    isWorker,
    role: config.role,
    version: VERSION,
  })
  const own = new OwnAnswers()
  const lottery = await createLottery({
    db,
    runtime,
    secretKey,
    ...settings,
    site: () => lotterySite(live.site()),
    money: () => live.money(),
    headFile: deps.headFile ?? null,
    checkMayPlay: (tx, playerId, priceMinor, currency) => checkMayPlay(limits, tx, playerId, priceMinor, currency),
    onJobRun: (run) => measured.countJobRun(run),
    isHeld: (kind) => processes.isHeld(kind),
    settingsApart: () => processes.differences(),
    ...(isDemo ? { ownServer: own.get } : {}),
    ...(deps.games === undefined ? {} : { games: deps.games }),
  })
  const { queue, facts, games, results } = lottery
  const accounts = accountsOf({ config, lottery, limits, socialLogins, site: () => live.site() })
  facts.subscribe(accountSubscriptions(accounts, lottery.payouts))
  const forConsole = await consoleWork(config, { db, runtime, lottery, accounts, mailer: settings.mailer })
  queue.register([...lotteryJobs(lottery), ...accountJobs(accounts), ...forConsole.jobs])
  // Before any job is taken: a process with other settings leaves those that move money to the others.
  await processes.compare()
  const clock = isDemo ? await createDemoClock({ db, runtime, queue }) : null
  // No worker can reach an embedded database.
  if (isWorker || config.databaseUrl === null) {
    await beginLottery(lottery)
    await db.transaction((tx) => scheduleCleanUp(accounts.privacy, tx))
  } else await beginServing(lottery)
  const endCarryingOut = await forConsole.begin()

  const ticker = new WatchTicker({ runtime, results })
  const stopping = new AbortController()
  const ports = await portsOf(deps, { lottery, accounts, measured, ticker, isStopping: () => stopping.signal.aborted })
  const { http } = ports
  siteRoutes(http, { config, lottery, accounts, ticker, db, runtime, site: () => live.site() })
  if (clock !== null)
    demoControls(http, { ...config, lottery, clock, standIn, own, rateLimits: accounts.rateLimits, db, runtime })
  const unlisten = await followDraws(db, { games, ticker })
  const site = deps.withPages === false ? null : await pagesOf(http, deps, socialLogins, { live, lottery })
  const { mailer } = settings
  return new Application({
    ...ports,
    config,
    runtime,
    lottery,
    processes,
    vitals,
    mailer,
    stopping,
    site,
    live,
    unlisten: bothOf(unlisten, endCarryingOut),
  })
}

function followDraws(
  db: Db,
  { games, ticker }: { readonly games: Lottery['games']; readonly ticker: WatchTicker },
): Promise<() => Promise<void>> {
  const onChange = (): void => {
    dropGames(games)
    ticker.wake()
  }
  return db.listen(DRAWS_CHANNEL, onChange, onChange)
}

function bothOf(one: () => Promise<void>, other: () => Promise<void>): () => Promise<void> {
  return async () => void (await Promise.all([one(), other()]))
}

async function metricsOf({ config, db }: ApplicationDeps, vitals: Vitals): Promise<ProcessMetrics> {
  const isLogin = config.role === 'web' && config.databaseUrl !== null // an embedded database has one login
  return new ProcessMetrics({
    vitals,
    version: VERSION,
    role: config.role,
    isLoginDoubtful: isLogin && (await db.one(findMayMore, [])).may,
    poolUse: () => db.poolUse(),
  })
}

/** Makes the applications for players and for the monitor, with the monitor's routes. */
async function portsOf(
  deps: ApplicationDeps,
  parts: {
    readonly lottery: Lottery
    readonly accounts: Accounts
    readonly measured: ProcessMetrics
    readonly ticker: WatchTicker
    readonly isStopping: () => boolean
  },
): Promise<Ports> {
  const { config, runtime, db } = deps
  const { lottery, accounts, measured, ticker, isStopping } = parts
  const isDemo = config.mode === 'demo'
  const edge = {
    runtime,
    authenticate: (token: string) => authenticate(accounts.identity, token),
    isDemo,
    publicUrl: config.publicUrl,
    trustProxy: config.trustProxy.length === 0 ? false : [...config.trustProxy],
    checksAnswers: deps.checksAnswers ?? false,
  }
  const readiness = new Readiness({
    db,
    log: runtime.log,
    schemaVersion: await newestMigration(),
    slowestClockSeconds: CLOCK_TOLERANCE_SECONDS,
    behindSeconds: (from) => lottery.clockRule.behindSeconds(from),
    isClockFast: () => lottery.clockRule.isFast(),
    isStopping,
    areJobsAlive: () => lottery.queue.isAlive(),
  })
  const asked = {
    readiness,
    process: measured,
    monitoring: lottery.monitoring,
    eventStreams: () => ticker.watching(),
    token: config.metricsToken,
  }
  const http = createHttpApp({
    ...edge,
    onAnswer: (answer) => measured.countAnswer(answer),
    onForgottenProxy: () => measured.countForgottenProxy(),
    isStopping,
  })
  // Balances by account are not for players, who use this port.
  monitorRoutes(http, { ...asked, isOpen: isDemo })
  const monitor = config.monitorPort === null ? null : createHttpApp(edge)
  if (monitor !== null) monitorRoutes(monitor, { ...asked, isOpen: true })
  return { http, monitor }
}

function pagesOf(
  http: FastifyInstance,
  { config, runtime }: ApplicationDeps,
  socialLogins: SocialLogins,
  { live, lottery: { games } }: { readonly live: LiveSettings; readonly lottery: Pick<Lottery, 'games'> },
) {
  return pages(http, {
    runtime,
    publicUrl: config.publicUrl,
    network: config.bitcoinNetwork,
    isDemo: config.mode === 'demo',
    isDevelopment: config.isDevelopment,
    site: () => live.site(),
    comingTexts: () => live.comingTexts(),
    socialLogins,
    games: () => games.known.read(),
    version: VERSION,
  })
}

/** Starts the program in the role that the configuration gives this process. */
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
  // Sources that are being edited are not a build.
  const code = config.role === 'web' || config.isDevelopment ? null : await servedCode()
  if (code !== null) await application.stateCode(code)
  application.startComparing()
  if (config.role !== 'web') application.startWork()
  if (config.monitorPort !== null) await application.monitor?.listen({ port: config.monitorPort, host: config.host })
  if (config.role !== 'worker') await application.http.listen({ port: config.port, host: config.host })
  return { address: config.publicUrl, close: () => application.close() }
}

/** The demo's stand-in for social networks, which this server reaches at its own address. */
function standInOf({ secretKey, publicUrl, host, port }: Config, { clock }: Runtime): StandIn {
  const nearby = isIP(host) === 0 || host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return new StandIn({
    tokenKey: deriveKey(secretKey, 'standInTokens'),
    publicUrl,
    apiOrigin: `http://${isIP(nearby) === 6 ? `[${nearby}]` : nearby}:${port}`,
    now: () => clock.now(),
  })
}

/** In the demo a network that is not configured is simulated, except X: the specification has two buttons. */
function withStandIn(configured: SocialLogins, standIn: StandIn | null): SocialLogins {
  if (standIn === null) return configured
  const { google, facebook, twitter } = configured
  return { google: google ?? standIn.apps.google, facebook: facebook ?? standIn.apps.facebook, twitter }
}
