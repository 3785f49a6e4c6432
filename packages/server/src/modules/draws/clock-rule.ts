import { CLOCK_TOLERANCE_SECONDS } from '@fairball/domain/clock-tolerance'
import { LotteryError } from '@fairball/domain/errors'
import { type Chain, roundDueAt } from '@fairball/domain/protocol/chain'
import type { Compared, DatabaseClock } from '../../db/database-clock.ts'
import type { Db, Queries } from '../../db/pool.ts'
import type { Beacons, Round } from '../../ports/beacon/beacon.ts'
import { Loop } from '../../runtime/loop.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import * as queries from './queries.ts'

/**
 * How often the beacon's newest round is fetched and the clock checked. Real time: a jump of the demo's clock is no
 * reason to ask.
 */
const LOOK_MS = 30_000
/** How often our clock is compared with the database's, in real time, beside any other comparison. */
const COMPARE_MS = 12_000
/** Delay before any process retries work that a fast clock prevents. */
const FAST_WAIT_SECONDS = 10
/** Minimum time between two alarms in the log about a slow clock. */
const ALARM_PAUSE_MS = 60_000
/**
 * Longest time before work that waits for the clock checks again. A corrected clock jumps ahead, so nothing waits
 * longer for it.
 */
const LONGEST_WAIT_SECONDS = 300

/** What the clock rule checks. */
interface ClockRuleSettings {
  readonly db: Db
  readonly runtime: Runtime
  readonly databaseClock: DatabaseClock
  readonly beacons: Beacons
}

/** The latest moment that is proven to have come, in epoch seconds; null before any is. */
interface Proven {
  readonly provenAt: number | null
}

/**
 * The clock rule (fairness section 9). A verified round that is not due yet, or a statement of the log dated in the
 * future, shows that this process's clock is slow. The database's own clock shows that it is fast (decision 37).
 * Nothing is then sold, closed or drawn until it is right again. What is known is in the database, so all processes
 * share it, and one statement in the caller's transaction reads all of it.
 */
export class ClockRule {
  readonly #settings: ClockRuleSettings
  readonly #looking: Loop
  readonly #comparing: Loop
  #lastAlarmMs: number | null = null

  constructor(settings: ClockRuleSettings) {
    this.#settings = settings
    this.#looking = new Loop(settings.runtime.monotonic)
    this.#comparing = new Loop(settings.runtime.monotonic)
  }

  /** What is known of the time; our clock is compared with the database's at the same time. */
  #known(from: Queries): Promise<Compared<Proven>> {
    return this.#settings.databaseClock.ask(() => from.one(queries.findProvenTime, []))
  }

  #behindBy({ row }: Compared<Proven>): number {
    return Math.max(0, (row.provenAt ?? 0) - this.#settings.runtime.clock.now())
  }

  /** How far the clock is behind what is proven, in seconds; 0 if it is not. */
  async behindSeconds(from: Queries): Promise<number> {
    return this.#behindBy(await this.#known(from))
  }

  /**
   * When to retry what a wrong clock prevents, in epoch seconds; null if the clock is right. A wrong one raises an
   * alarm.
   */
  async waitsUntil(from: Queries): Promise<number | null> {
    const found = await this.#known(from)
    // By the right time, which the other processes have: by ours the retry would come long after the draw.
    if (found.aheadSeconds > CLOCK_TOLERANCE_SECONDS)
      return this.#settings.databaseClock.right.now() + FAST_WAIT_SECONDS
    const seconds = this.#behindBy(found)
    if (seconds <= CLOCK_TOLERANCE_SECONDS) return null
    const nowMs = this.#settings.runtime.monotonic.nowMs()
    if (this.#lastAlarmMs === null || nowMs - this.#lastAlarmMs >= ALARM_PAUSE_MS) {
      this.#lastAlarmMs = nowMs
      this.#settings.runtime.log.error(
        { behindSeconds: seconds },
        'the clock is slow: nothing is sold, closed or drawn until it is right',
      )
    }
    return this.#settings.runtime.clock.now() + Math.min(seconds - CLOCK_TOLERANCE_SECONDS, LONGEST_WAIT_SECONDS)
  }

  /** Whether the clock is slow or fast. If so, it raises an alarm. */
  async isWrong(from: Queries): Promise<boolean> {
    return (await this.waitsUntil(from)) !== null
  }

  /** @throws LotteryError GAME_NOT_AVAILABLE while the clock is slow or fast */
  async assertRight(from: Queries): Promise<void> {
    if (await this.isWrong(from)) throw new LotteryError('GAME_NOT_AVAILABLE')
  }

  /** The latest moment that is known to have come, by the clock, a verified round or the log. In epoch seconds. */
  async provenNow(from: Queries): Promise<number> {
    return this.#settings.runtime.clock.now() + (await this.behindSeconds(from))
  }

  /** Keeps a verified round if it is the newest of its chain. @returns whether it is */
  async learn(to: Queries, chain: Chain, { round, signature }: Round): Promise<boolean> {
    return (await to.execute(queries.keepNewestRound, [chain.hash, round, signature, roundDueAt(chain, round)])) === 1
  }

  /** Reads the beacon's newest round and compares the clock with it. */
  async look(): Promise<void> {
    const newest = await this.#settings.beacons.current.newestRound()
    if (newest !== null) await this.learn(this.#settings.db, this.#settings.beacons.current.chain, newest)
    await this.isWrong(this.#settings.db)
  }

  /** Whether the clock is fast, as far as that is known without a query. */
  isFast(): boolean {
    return this.#settings.databaseClock.isFast()
  }

  /** How far the clock is ahead of the database's, as far as that is known. */
  aheadSeconds(): number {
    return this.#settings.databaseClock.aheadSeconds()
  }

  /** Compares the clock with the database's until it is stopped, in every process. */
  startComparing(): void {
    const compare = () => this.isWrong(this.#settings.db).catch((error: unknown) => this.#failed(error))
    this.#comparing.start(compare, COMPARE_MS)
    this.#settings.databaseClock.onSuspicion(() => void compare())
  }

  /** Keeps checking until it is stopped. */
  start(): void {
    this.#looking.start(() => this.look().catch((error: unknown) => this.#failed(error)), LOOK_MS)
  }

  #failed(error: unknown): void {
    if (!this.#comparing.isStopped) this.#settings.runtime.log.error({ err: error }, 'the clock could not be checked')
  }

  async stop(): Promise<void> {
    await Promise.all([this.#looking.stop(), this.#comparing.stop()])
  }
}
