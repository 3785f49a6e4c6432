import { createDatabase, DatabaseUnavailable, type Db, type Statement } from '@fairball/server/testing/database'
import { TEST_BITCOIN } from '@fairball/server/testing/fixtures'
import type { SignedIn } from '@fairball/server/testing/http'
import {
  type Caller,
  checkMayPlay,
  beginLottery,
  createLottery,
  currentRates,
  endOtherSessions,
  endUncovered,
  type IdentityContext,
  type Lottery,
  lotteryJobs,
  openSession,
  type OperatorContext,
  Processes,
  refreshSession,
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
import { type Rewrite, steppedDb } from './stepped-db.ts'
import { POLICY } from './witnesses.ts'
import type { World } from './world.ts'

/** Connections of a process: few, so that its parts wait for one now and then. */
const CONNECTIONS = { web: 2, worker: 3 }
const SECRET_KEY = new Uint8Array(32).fill(7)
/** The settings of every lottery of a simulation. */
export const SETTINGS = {
  secretKey: SECRET_KEY,
  publicUrl: 'http://localhost:3000',
  supportEmail: null,
  isDemo: true,
  // A seed lasts two hours at most.
  returnSeconds: 600,
  partners: [],
  policy: POLICY,
  headFile: null,
  checkMayPlay: async (): Promise<void> => undefined,
} as const

/** What a process is put together from. */
interface ProcessDeps {
  readonly scheduler: Scheduler
  readonly world: World
  readonly url: string
  readonly seed: string
  readonly offsetSeconds: (name: string) => number
  /** whether processes hold their clocks against the database's */
  readonly comparesClocks: boolean
  /** above what a payout waits for approval, for a process that begins now; undefined where no process is ever set otherwise */
  readonly approvalSats: () => bigint | null | undefined
  readonly wrapRandom: (random: Runtime['random']) => Runtime['random']
  readonly rewrite: Rewrite
  readonly commitsBefore: string | null
  readonly onWork: (texts: readonly string[]) => void
  /** called with each line that a process logs */
  readonly onLog: (line: string) => void
}

/** The part of the accounts that matters here: sessions, without the logins that open them. */
type SimulatedSessions = ReturnType<typeof simulatedSessions>

function simulatedSessions(db: Db, runtime: Runtime, saferPlay: SaferPlayContext) {
  // Nothing else is asked of identity here. Nobody forges tokens: one is the session's id.
  const identity = {
    db,
    runtime,
    secrets: saferPlay.secrets,
    accessTokens: { sign: (id: string) => id, sessionOf: (token: string) => token },
    places: { of: async () => null },
  } as unknown as IdentityContext
  return {
    /** As a login that went well. @returns the refresh token */
    async openFor(playerId: bigint, caller: Caller): Promise<string> {
      return (await db.transaction((tx) => openSession(identity, tx, playerId, caller))).refreshToken
    },
    refresh: (token: string) => refreshSession(identity, token),
    /** A player who logs in and begins an exclusion. @param seconds how long it lasts */
    async exclude(playerId: bigint, caller: Caller, seconds: number): Promise<void> {
      const { sessionId } = await db.transaction((tx) => openSession(identity, tx, playerId, caller))
      const player = { id: playerId, sessionId, currencyId: 1 } as SignedIn // nothing else of it is read
      await saveLimits({ ...saferPlay, db: withoutAddresses(db) }, player, {
        excluded_until: runtime.clock.now() + seconds,
      })
    },
    /** Ends every session of a player, as a new password does. */
    logOut: (playerId: bigint) => db.transaction((tx) => endOtherSessions(identity, tx, playerId, null)),
  }
}

/** Statements about the email addresses that an exclusion holds for: players have none worth knowing here. */
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

/** What a process is asked through. */
interface Services {
  readonly lottery: Lottery
  readonly sessions: SimulatedSessions
  readonly desk: OperatorContext
  /** what holds a worker's settings against those of the newest one; null in a seed in which all are set alike */
  readonly settings: Processes | null
}

/** Begins first; what it does at its start needs to be done once. */
const FIRST = 'worker-1'

/** The process died while it was asked something, or is not there. */
class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'
}

/** What was asked came to nothing that the caller knows of: it may have been done. */
export function isLost(error: unknown): boolean {
  return error instanceof ConnectionLost || error instanceof DatabaseUnavailable
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
  #services: Services | null = null
  #die: (error: Error) => void = () => undefined
  #died: Promise<never> = Promise.reject(new ConnectionLost())
  readonly #deps: ProcessDeps

  constructor(name: string, deps: ProcessDeps) {
    this.name = name
    this.isWorker = name.startsWith('worker')
    this.#deps = deps
    this.#died.catch(() => undefined) // those who ask hear of it
  }

  /** The name under which the database lists its connections. */
  get connectionsName(): string {
    return `${this.name}.${this.#incarnation}`
  }

  /** Whether it leaves the jobs that move money to others, because it is set otherwise than the newest worker. */
  get holdsMoney(): boolean {
    return this.#services?.settings?.isHeld('payouts.make') ?? false
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
      runtime: { monotonic: monotonicTime, log: runtime.log },
      poolSize: connections,
      applicationName: this.connectionsName,
    })
    const db = steppedDb(real, { scheduler, actor, connections, rewrite, commitsBefore, onWork })
    void this.#begin(actor, { db, runtime, world }).catch((error: unknown) => {
      // As a process that ends at its start: its supervisor restarts it.
      scheduler.note(`${this.name} could not begin: ${String(error)}`)
      runtime.log.fatal({ err: error }, 'could not begin')
      this.isReady = false
    })
  }

  async #begin(
    actor: Actor,
    { db, runtime, world }: { db: ReturnType<typeof steppedDb>; runtime: Runtime; world: World },
  ): Promise<void> {
    const { approvalSats } = this.#deps
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
      checkMayPlay: (tx, playerId, priceMinor) => checkMayPlay(limits, tx, playerId, priceMinor),
      bitcoin: {
        ...TEST_BITCOIN,
        bitcoinConfirmations: world.requiredConfirmations,
        payoutApprovalSats: approvalSats() ?? null,
      },
      chooseBitcoin: async (asked) => world.bitcoinFor(actor, asked.isPayout),
      rateSource: world.hasLiveRates ? world.ratesFor(actor) : fixedRates,
      mailer: world.mailerFor(actor),
      beacon: { current: 'drand', relays: RELAYS, chain: world.beaconChain },
    })
    const saferPlay: SaferPlayContext = {
      ...limits,
      db,
      secrets: new Secrets({ keyFor: (use) => deriveKey(SECRET_KEY, use), random: runtime.random }),
      endUncovered: (tx, playerId, why, now) => endUncovered(lottery.orders, tx, playerId, why, now),
    }
    lottery.queue.register(lotteryJobs(lottery))
    // The database was begun already: of those that start together one looks after it.
    if (this.#incarnation > 1 || this.name === FIRST) await beginLottery(lottery)
    this.#services = {
      lottery,
      sessions: simulatedSessions(db, runtime, saferPlay),
      desk: { db, runtime, jobs: lottery.queue, actor: 'operator' },
      settings,
    }
    this.isReady = true
    if (!this.isWorker) return
    await settings?.compare()
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
    return new Processes({ db, runtime, settings, secretKey: SECRET_KEY, isWorker: true })
  }

  /** Nothing of it continues; those who wait for it hear that the connection was lost. */
  kill(): void {
    if (this.actor !== null) this.actor.isAlive = false
    this.actor = null
    this.isReady = false
    this.#services = null
    this.#die(new ConnectionLost())
  }

  /** Asks the process something, as a request does. @throws ConnectionLost when it dies meanwhile */
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
        // Only the job queue sleeps by the clock: it looks whether anything is due.
        sleep: (ms, signal) => scheduler.sleepUntil(actor, scheduler.nowMs + ms, 'poll', signal),
        offsetSeconds: () => 0,
        setOffsetSeconds: () => undefined,
      },
      monotonic: {
        nowMs: () => scheduler.nowMs,
        sleep: (ms, signal) => scheduler.sleepUntil(actor, scheduler.nowMs + ms, 'loop', signal),
      },
      // By the right time, as the database keeps it: what it tells of the time that passes outside of the seed is put aside.
      readDatabaseClock: comparesClocks ? () => scheduler.nowMs : ownMs,
      random: wrapRandom(seededRandom(`${seed} ${this.name} ${this.#incarnation}`)),
      fetch: world.fetchFor(actor),
      log,
    }
  }
}
