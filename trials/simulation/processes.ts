import { createDatabase, DatabaseUnavailable, type Db, type Statement } from '@fairball/server/testing/database'
import { TEST_BITCOIN } from '@fairball/server/testing/fixtures'
import type { SignedIn } from '@fairball/server/testing/http'
import {
  type Caller,
  type CarryOutContext,
  checkMayPlay,
  beginLottery,
  createLottery,
  currentRates,
  type DeskContext,
  endOtherSessions,
  endUncovered,
  gamesDesk,
  type IdentityContext,
  type Lottery,
  lotteryJobs,
  openSession,
  type OperatorContext,
  Processes,
  refreshSession,
  relyingAt,
  type SaferPlayContext,
  saveLimits,
  Secrets,
  spentSince,
  startFollowing,
  startTreasury,
} from '@fairball/server/testing/lottery'
import { fixedRates } from '@fairball/server/testing/ports'
import {
  createLogger,
  deriveKey,
  type Logger,
  type Runtime,
  seededRandom,
  monotonicTime,
} from '@fairball/server/testing/runtime'
import { RELAYS } from './beacon-relays.ts'
import type { Actor, Scheduler } from './scheduler.ts'
import type { LentConnections, SharedConnections } from './shared-connections.ts'
import { type Rewrite, steppedDb } from './stepped-db.ts'
import { POLICY } from './witnesses.ts'
import type { World } from './world.ts'

/** Connections of a process: few, so that its parts sometimes wait for one. */
const CONNECTIONS = { web: 2, worker: 3 }
const SECRET_KEY = new Uint8Array(32).fill(7)
/** The address of the operator's console, which passkeys sign for. */
export const CONSOLE_URL = 'https://console.lottery.example'
/** Settings of every simulated lottery. */
export const SETTINGS = {
  secretKey: SECRET_KEY,
  publicUrl: 'http://localhost:3000',
  isDemo: true,
  // A seed lasts two hours at most.
  returnSeconds: 600,
  site: () => ({ name: 'Fairball', supportEmail: null, partners: [] }),
  policy: POLICY,
  headFile: null,
  checkMayPlay: async (): Promise<void> => undefined,
} as const

/** What a process is built from. */
interface ProcessDeps {
  readonly scheduler: Scheduler
  readonly world: World
  readonly url: string
  readonly connections: SharedConnections
  readonly seed: string
  readonly offsetSeconds: (name: string) => number
  /** whether processes compare their clocks with the database's */
  readonly comparesClocks: boolean
  /** the amount above which payouts of a process that starts now need approval; undefined if settings never change */
  readonly approvalSats: () => bigint | null | undefined
  /** lines of a part in which draws are settled; undefined if they are settled whole */
  readonly linesAPart: number | undefined
  /** how many shared transactions make orders at once in a process; undefined for as many as in the product */
  readonly portionsAtOnce: number | undefined
  readonly wrapRandom: (random: Runtime['random']) => Runtime['random']
  readonly rewrite: Rewrite
  readonly commitsBefore: string | null
  readonly onWork: (texts: readonly string[]) => void
  /** called with each line a process logs */
  readonly onLog: (line: string) => void
}

/** Players of the simulation name no servers. */
const NOBODY_OUTSIDE: Runtime['outbound'] = {
  resolve: async () => [],
  get: () => Promise.reject(new TypeError('nobody is outside')),
  post: () => Promise.reject(new TypeError('nobody is outside')),
}

/** The part of accounts that matters here: sessions, without the logins that open them. */
type SimulatedSessions = ReturnType<typeof simulatedSessions>

function simulatedSessions(db: Db, runtime: Runtime, saferPlay: SaferPlayContext) {
  // The simulation uses nothing else of identity. No one forges tokens, so a token is the session's id.
  const identity = {
    db,
    runtime,
    secrets: saferPlay.secrets,
    accessTokens: { sign: (id: string) => id, sessionOf: (token: string) => token },
    places: { of: async () => null },
  } as unknown as IdentityContext
  return {
    /** Opens a session, as a successful login does. @returns the refresh token */
    async openFor(playerId: bigint, caller: Caller): Promise<string> {
      return (await db.transaction((tx) => openSession(identity, tx, playerId, caller))).refreshToken
    },
    refresh: (token: string) => refreshSession(identity, token),
    /** Logs a player in and begins an exclusion. @param seconds how long it lasts */
    async exclude(playerId: bigint, caller: Caller, seconds: number): Promise<void> {
      const { sessionId } = await db.transaction((tx) => openSession(identity, tx, playerId, caller))
      const player = { id: playerId, sessionId, currencyId: 1 } as SignedIn // no other field is read
      await saveLimits({ ...saferPlay, db: withoutAddresses(db) }, player, {
        excluded_until: runtime.clock.now() + seconds,
      })
    },
    /** Ends every session of a player, as a password change does. */
    logOut: (playerId: bigint) => db.transaction((tx) => endOtherSessions(identity, tx, playerId, null)),
  }
}

/** Statements about the email addresses an exclusion covers. Players here have no real ones. */
const OF_ADDRESSES = new Set(['accounts.list-former-emails', 'accounts.list-identities', 'accounts.exclude-email'])

function withoutAddresses(db: Db): Db {
  const transaction: Db['transaction'] = (work, options) =>
    db.transaction(
      (tx) =>
        work({
          ...tx,
          run: (async (statement: Statement, values: never) =>
            OF_ADDRESSES.has(statement.name) ? [] : await tx.run(statement, values)) as typeof tx.run,
          execute: async (statement: Statement, values: never) =>
            OF_ADDRESSES.has(statement.name) ? 0 : await tx.execute(statement, values),
        }),
      options,
    )
  return { ...db, transaction }
}

/** What a process can be asked. */
interface Services {
  readonly lottery: Lottery
  readonly sessions: SimulatedSessions
  readonly desk: OperatorContext
  readonly games: DeskContext
  /** what carries out what was signed in the console */
  readonly carryOut: CarryOutContext
  /** compares a worker's settings with those of the newest one; null in a seed in which all settings are the same */
  readonly settings: Processes | null
}

/** Starts first, and does the start-up work that is needed only once. */
const FIRST = 'worker-1'

/** The process crashed during a request, or is down. */
class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'
}

/** Whether the result of a request is unknown: it may have been carried out. */
export function isLost(error: unknown): boolean {
  return error instanceof ConnectionLost || error instanceof DatabaseUnavailable
}

/** One process of the lottery. It can crash at any step, and restarts as a new incarnation of the same name. */
export class Process {
  readonly name: string
  readonly isWorker: boolean
  /** the current incarnation; null while the process is down */
  actor: Actor | null = null
  /** ready for requests */
  isReady = false
  /** it ended at its start, which something outside prevented */
  hasExited = false
  #incarnation = 0
  #services: Services | null = null
  #die: (error: Error) => void = () => undefined
  #died: Promise<never> = Promise.reject(new ConnectionLost())
  /** the connections that it holds; a new incarnation begins with none */
  readonly connections: LentConnections
  readonly #deps: ProcessDeps

  constructor(name: string, deps: ProcessDeps) {
    this.connections = deps.connections.lend()
    this.name = name
    this.isWorker = name.startsWith('worker')
    this.#deps = deps
    this.#died.catch(() => undefined) // callers see the rejection
  }

  /** Whether it leaves jobs that move money to others, because its settings differ from the newest worker's. */
  get holdsMoney(): boolean {
    return this.#services?.settings?.isHeld('payouts.make') ?? false
  }

  /** Starts the process, as main.ts does. Its start already consists of steps, so it may crash in one. */
  start(): void {
    const { scheduler, world, rewrite, commitsBefore, onWork, url } = this.#deps
    const connections = this.isWorker ? CONNECTIONS.worker : CONNECTIONS.web
    this.#incarnation += 1
    this.hasExited = false
    const actor: Actor = { name: this.name, isAlive: true, looksFor: [] }
    this.actor = actor
    this.#died = new Promise((_, reject) => (this.#die = reject))
    this.#died.catch(() => undefined)
    const runtime = this.#runtime(actor)
    const real = createDatabase({
      address: url,
      runtime: { monotonic: monotonicTime, log: runtime.log },
      connections: this.connections,
    })
    const db = steppedDb(real, { scheduler, actor, connections, rewrite, commitsBefore, onWork })
    void this.#begin(actor, { db, runtime, world }).catch((error: unknown) => {
      // Like a process that exits at its start: its supervisor restarts it.
      scheduler.note(`${this.name} could not begin: ${String(error)}`)
      runtime.log.fatal({ err: error }, 'could not begin')
      this.isReady = false
      this.hasExited = true
    })
  }

  async #begin(
    actor: Actor,
    { db, runtime, world }: { db: ReturnType<typeof steppedDb>; runtime: Runtime; world: World },
  ): Promise<void> {
    const { approvalSats, linesAPart, portionsAtOnce } = this.#deps
    const limits = {
      runtime,
      spentSince,
      rates: (from: Parameters<typeof currentRates>[0]) => currentRates(from, runtime.clock.now()),
    }
    const settings = this.#settings(db, runtime)
    const lottery: Lottery = await createLottery({
      db,
      runtime,
      ...SETTINGS,
      ...(settings === null ? {} : { isHeld: (kind) => settings.isHeld(kind) }),
      checkMayPlay: (tx, playerId, priceMinor, currency) => checkMayPlay(limits, tx, playerId, priceMinor, currency),
      bitcoin: {
        ...TEST_BITCOIN,
        bitcoinConfirmations: world.requiredConfirmations,
        payoutApprovalSats: approvalSats() ?? null,
      },
      chooseBitcoin: async (asked) => world.bitcoinFor(actor, asked.isPayout),
      ...world.overLightning(actor),
      rateSource: world.hasLiveRates ? world.ratesFor(actor) : fixedRates,
      mailer: world.mailerFor(actor),
      beacon: { current: 'drand', relays: RELAYS, chain: world.beaconChain },
      linesAPart,
      portionsAtOnce,
    })
    const saferPlay: SaferPlayContext = {
      ...limits,
      db,
      secrets: new Secrets({ keyFor: (use) => deriveKey(SECRET_KEY, use), random: runtime.random }),
      endUncovered: (tx, playerId, why, now) => endUncovered(lottery.orders, tx, playerId, why, now),
    }
    lottery.queue.register(lotteryJobs(lottery))
    // The database is already set up: of the processes that start together, only one needs to check it.
    if (this.#incarnation > 1 || this.name === FIRST) await beginLottery(lottery)
    this.#services = {
      lottery,
      sessions: simulatedSessions(db, runtime, saferPlay),
      desk: { db, runtime, jobs: lottery.queue, actor: 'operator' },
      games: gamesDesk({ db, runtime, jobs: lottery.queue }, lottery.fairness, async () => ({
        colors: null,
        partners: 0,
      })),
      // Approvals and goodwill ask for nothing else.
      carryOut: {
        db,
        runtime,
        jobs: lottery.queue,
        facts: lottery.orders.facts,
        relying: relyingAt(CONSOLE_URL),
      } as unknown as CarryOutContext,
      settings,
    }
    await settings?.compare()
    this.isReady = true
    if (!this.isWorker) return
    lottery.queue.start()
    lottery.clockRule.startComparing()
    lottery.clockRule.start()
    startFollowing(lottery.payments)
    startTreasury(lottery.treasury)
  }

  #settings(db: Db, runtime: Runtime): Processes | null {
    const approvalSats = this.#deps.approvalSats()
    if (approvalSats === undefined || !this.isWorker) return null
    const settings = { PAYOUT_APPROVAL_SATS: String(approvalSats) }
    return new Processes({ db, runtime, settings, secretKey: SECRET_KEY, isWorker: true, role: 'worker', version: '' })
  }

  /** Stops everything in it; pending callers get a lost connection. */
  kill(): void {
    if (this.actor !== null) this.actor.isAlive = false
    this.actor = null
    this.isReady = false
    this.#services = null
    this.#die(new ConnectionLost())
  }

  /** Asks the process something, as a request does. @throws ConnectionLost if it crashes meanwhile */
  async ask<T>(question: (services: Services) => Promise<T>): Promise<T> {
    if (!this.isReady || this.#services === null) throw new ConnectionLost()
    return await Promise.race([question(this.#services), this.#died])
  }

  #runtime(actor: Actor): Runtime {
    const { scheduler, world, seed, offsetSeconds, comparesClocks, wrapRandom, onLog } = this.#deps
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
        // Only the job queue sleeps by the clock, to check whether anything is due.
        sleep: (ms, signal) => scheduler.sleepUntil(actor, scheduler.nowMs + ms, 'poll', signal),
        offsetSeconds: () => 0,
        setOffsetSeconds: () => undefined,
      },
      monotonic: {
        nowMs: () => scheduler.nowMs,
        sleep: (ms, signal) => scheduler.sleepUntil(actor, scheduler.nowMs + ms, 'loop', signal),
      },
      // The right time, as the database keeps it. The real database's time is ignored, because it passes outside the
      // seed.
      readDatabaseClock: comparesClocks ? () => scheduler.nowMs : ownMs,
      random: wrapRandom(seededRandom(`${seed} ${this.name} ${this.#incarnation}`)),
      fetch: world.fetchFor(actor),
      outbound: NOBODY_OUTSIDE,
      log,
    }
  }
}
