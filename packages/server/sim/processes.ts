import { createDatabase } from '../src/db/pool.ts'
import { createLottery, type Lottery } from '../src/lottery.ts'
import { createSecrets } from '../src/modules/accounts/secrets.ts'
import { createSessions } from '../src/modules/accounts/sessions.ts'
import type { Db } from '../src/db/pool.ts'
import type { Caller } from '../src/modules/accounts/caller.ts'
import { fixedRates } from '../src/ports/rates/fixed-rates.ts'
import { createLogger } from '../src/runtime/logger.ts'
import type { Logger, Runtime } from '../src/runtime/runtime.ts'
import { steadyTime } from '../src/runtime/system-runtime.ts'
import { seededRandom } from '../src/runtime/test-runtime.ts'
import { TEST_BITCOIN } from '../test/lottery.ts'
import type { Actor, Scheduler } from './scheduler.ts'
import { type Rewrite, steppedDb } from './stepped-db.ts'
import { RELAYS, type World } from './world.ts'

/** Connections of a process: few, so that its parts wait for one now and then. */
const CONNECTIONS = { web: 2, worker: 3 }
const SECRET_KEY = new Uint8Array(32).fill(7)
/** What every lottery of a simulation is set to, whoever begins it. */
export const SETTINGS = {
  secretKey: SECRET_KEY,
  publicUrl: 'http://localhost:3000',
  supportEmail: null,
  isDemo: true,
  partners: [],
  witnesses: { required: 0, list: [] },
  headFile: null,
  checkMayPlay: async () => undefined,
  onPaid: async () => undefined,
} as const

/** What a process is put together from. */
export interface ProcessDeps {
  readonly scheduler: Scheduler
  readonly world: World
  readonly url: string
  readonly seed: string
  readonly offsetSeconds: (name: string) => number
  /** whether processes hold their clocks against the database's */
  readonly comparesClocks: boolean
  readonly rewrite: Rewrite
  readonly commitsBefore: string | null
  readonly onWork: (texts: readonly string[]) => void
  /** called with each line that a process logs */
  readonly onLog: (line: string) => void
}

/** The part of the accounts that matters here: sessions, without the logins that open them. */
export type SimulatedSessions = ReturnType<typeof simulatedSessions>

function simulatedSessions(db: Db, runtime: Runtime) {
  const sessions = createSessions({
    db,
    runtime,
    secrets: createSecrets({ secretKey: SECRET_KEY, random: runtime.random }),
    // Nobody forges tokens here: one is the session's id.
    accessTokens: { sign: (id) => id, sessionOf: (token) => token },
    loginAttempts: { rememberAddress: async () => undefined } as never, // nothing else is asked of it here
    placeOf: async () => null,
  })
  return {
    /** As a login that went well. @returns the refresh token */
    async openFor(playerId: bigint, caller: Caller): Promise<string> {
      return (await db.transaction((tx) => sessions.open(tx, playerId, caller))).refreshToken
    },
    refresh: sessions.refresh,
    /** Ends every session of a player, as a new password does. */
    logOut: (playerId: bigint) => db.transaction((tx) => sessions.endOthers(tx, playerId, null)),
  }
}

/** Begins first; what it does at its start needs to be done once. */
const FIRST = 'worker-1'

/** The process died while it was asked something, or is not there. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'
}

/** One process of the lottery. It can die at any step, and is begun again as another one of the same name. */
export class Process {
  readonly name: string
  readonly isWorker: boolean
  /** the present incarnation; null while it is down */
  actor: Actor | null = null
  /** ready for requests */
  isReady = false
  #incarnation = 0
  #lottery: Lottery | null = null
  #sessions: SimulatedSessions | null = null
  #die: (error: Error) => void = () => undefined
  #died: Promise<never> = Promise.reject(new ConnectionLost())
  readonly #deps: ProcessDeps

  constructor(name: string, deps: ProcessDeps) {
    this.name = name
    this.isWorker = name.startsWith('worker')
    this.#deps = deps
    this.#died.catch(() => undefined) // whoever asks hears of it
  }

  /** The name under which the database lists its connections. */
  get connectionsName(): string {
    return `${this.name}.${this.#incarnation}`
  }

  /** Begins the process, as main.ts does. What it begins with are steps already: it may die of them. */
  start(): void {
    const { scheduler, world, rewrite, commitsBefore, onWork, url } = this.#deps
    const connections = this.isWorker ? CONNECTIONS.worker : CONNECTIONS.web
    this.#incarnation += 1
    const actor: Actor = { name: this.name, isAlive: true, looksFor: [] }
    this.actor = actor
    this.#died = new Promise((_, reject) => (this.#die = reject))
    this.#died.catch(() => undefined)
    const runtime = this.#runtime(actor)
    const real = createDatabase({
      address: url,
      runtime: { steady: steadyTime, log: runtime.log },
      poolSize: connections,
      applicationName: this.connectionsName,
    })
    const db = steppedDb(real, { scheduler, actor, connections, rewrite, commitsBefore, onWork })
    void this.#begin(actor, { db, runtime, world }).catch((error: unknown) => {
      // As a process that ends at its start: whoever watches over it begins it again.
      scheduler.note(`${this.name} could not begin: ${String(error)}`)
      runtime.log.fatal({ err: error }, 'could not begin')
      this.isReady = false
    })
  }

  async #begin(
    actor: Actor,
    { db, runtime, world }: { db: ReturnType<typeof steppedDb>; runtime: Runtime; world: World },
  ): Promise<void> {
    const lottery = await createLottery({
      db,
      runtime,
      ...SETTINGS,
      bitcoin: { ...TEST_BITCOIN, bitcoinConfirmations: world.requiredConfirmations },
      chooseBitcoin: async () => world.bitcoinFor(actor),
      rateSource: world.hasLiveRates ? world.ratesFor(actor) : fixedRates,
      mailer: world.mailerFor(actor),
      beacon: { current: 'drand', relays: RELAYS, chain: world.beaconChain },
    })
    lottery.queue.register(lottery.jobs())
    // The database was begun already: of those that start together one looks after it.
    if (this.#incarnation > 1 || this.name === FIRST) await lottery.begin()
    this.#lottery = lottery
    this.#sessions = simulatedSessions(db, runtime)
    this.isReady = true
    if (!this.isWorker) return
    lottery.queue.start()
    lottery.clockRule.startComparing()
    lottery.clockRule.start()
    lottery.payments.startFollowing()
    lottery.treasury.start()
  }

  /** Nothing of it goes on; whoever waits for it hears that the connection was lost. */
  kill(): void {
    if (this.actor !== null) this.actor.isAlive = false
    this.actor = null
    this.isReady = false
    this.#lottery = null
    this.#sessions = null
    this.#die(new ConnectionLost())
  }

  /** Asks the process something, as a request does. @throws ConnectionLost when it dies meanwhile */
  async ask<T>(question: (services: { lottery: Lottery; sessions: SimulatedSessions }) => Promise<T>): Promise<T> {
    const lottery = this.#lottery
    const sessions = this.#sessions
    if (!this.isReady || lottery === null || sessions === null) throw new ConnectionLost()
    return await Promise.race([question({ lottery, sessions }), this.#died])
  }

  #runtime(actor: Actor): Runtime {
    const { scheduler, world, seed, offsetSeconds, comparesClocks, onLog } = this.#deps
    const ownMs = (): number => scheduler.nowMs + offsetSeconds(this.name) * 1000
    const log: Logger = createLogger({
      level: 'info',
      format: 'json',
      nowMs: ownMs,
      write: (line) => onLog(`${this.name} ${line}`),
    })
    return {
      clock: {
        now: () => Math.floor(ownMs() / 1000),
        nowMs: ownMs,
        // Only the job queue sleeps by the clock: it looks whether anything is due.
        sleep: (ms, signal) => scheduler.sleepUntil(actor, scheduler.nowMs + ms, 'poll', signal),
        offsetSeconds: () => 0,
        setOffsetSeconds: () => undefined,
      },
      steady: {
        nowMs: () => scheduler.nowMs,
        sleep: (ms, signal) => scheduler.sleepUntil(actor, scheduler.nowMs + ms, 'loop', signal),
      },
      // By the right time, as the database keeps it: what it tells of the time that passes outside of the seed is put aside.
      readDatabaseClock: comparesClocks ? () => scheduler.nowMs : ownMs,
      random: seededRandom(`${seed} ${this.name} ${this.#incarnation}`),
      fetch: world.fetchFor(actor),
      log,
    }
  }
}
