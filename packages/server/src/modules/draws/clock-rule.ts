import { LotteryError } from '@fairball/domain/errors'
import { type Chain, roundDueAt } from '@fairball/domain/fairness/chain'
import { type Compared, type DatabaseClock, FAST_CLOCK_SECONDS } from '../../db/database-clock.ts'
import type { Db, Queries } from '../../db/pool.ts'
import type { Beacons, Round } from '../../ports/beacon/beacon.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { SLOW_CLOCK_SECONDS } from '../fairness/log.ts'
import * as queries from './queries.ts'

/** The beacon's newest round is asked for, and the clock looked at, this often. Real time: a jump of the demo's clock is no reason to ask. */
const LOOK_MS = 30_000
/** Our clock is held against the database's this often, in real time, whatever else holds it against that. */
const COMPARE_MS = 12_000
/** What a fast clock keeps from its work is looked at again after this, by whichever process. */
const FAST_WAIT_SECONDS = 10
/** A slow clock is an alarm in the log this often at most. */
const ALARM_PAUSE_MS = 60_000
/** What waits for the clock looks again after this at most. A clock that is set right jumps ahead, so nothing waits longer for it. */
const LONGEST_WAIT_SECONDS = 300

/** What the rule of the clock needs. */
export interface ClockRuleDeps {
  readonly db: Db
  readonly runtime: Runtime
  readonly databaseClock: DatabaseClock
  readonly beacons: Beacons
}

export type ClockRule = ReturnType<typeof createClockRule>

/**
 * The rule of the clock (fairness section 9): a verified round that is not due yet, or a statement of the log from a time
 * to come, shows that this process's clock is slow. The database's own clock shows that it is fast (decision 37). Then
 * nothing is sold, closed or drawn until it is right again. What is known lies in the database, so that all processes share
 * it, and one statement asks for all of it, in the transaction of whoever wants to know.
 */
export function createClockRule({ db, runtime, databaseClock, beacons }: ClockRuleDeps) {
  let lastAlarmMs: number | null = null
  const stopped = new AbortController()
  let looking: Promise<void> = Promise.resolve()
  let comparing: Promise<void> = Promise.resolve()

  /** What is known of the time; with it our clock is held against the database's. */
  function known(from: Queries): Promise<Compared<{ readonly proven_at: number | null }>> {
    return databaseClock.ask(() => from.one(queries.findProvenTime, []))
  }

  function behindBy({ row }: Awaited<ReturnType<typeof known>>): number {
    return Math.max(0, (row.proven_at ?? 0) - runtime.clock.now())
  }

  /** How far the clock stands behind what is proven, in seconds; 0 when it does not. */
  async function behindSeconds(from: Queries): Promise<number> {
    return behindBy(await known(from))
  }

  /** When to look again at what a clock keeps from its work that is wrong, epoch seconds; null when it is right. A wrong one is an alarm. */
  async function waitsUntil(from: Queries): Promise<number | null> {
    const found = await known(from)
    // By the right time, which the others have as well: by ours it would be looked at when the draw is long over.
    if (found.aheadSeconds > FAST_CLOCK_SECONDS) return databaseClock.right.now() + FAST_WAIT_SECONDS
    const seconds = behindBy(found)
    if (seconds <= SLOW_CLOCK_SECONDS) return null
    const nowMs = runtime.steady.nowMs()
    if (lastAlarmMs === null || nowMs - lastAlarmMs >= ALARM_PAUSE_MS) {
      lastAlarmMs = nowMs
      runtime.log.error(
        { behindSeconds: seconds },
        'the clock is slow: nothing is sold, closed or drawn until it is right',
      )
    }
    return runtime.clock.now() + Math.min(seconds - SLOW_CLOCK_SECONDS, LONGEST_WAIT_SECONDS)
  }

  /** Whether the clock is slow or fast. It is an alarm then. */
  async function isWrong(from: Queries): Promise<boolean> {
    return (await waitsUntil(from)) !== null
  }

  /** @throws LotteryError GAME_NOT_AVAILABLE while the clock is slow or fast */
  async function assertRight(from: Queries): Promise<void> {
    if (await isWrong(from)) throw new LotteryError('GAME_NOT_AVAILABLE')
  }

  /** The latest moment that is known to have come: by the clock, by a verified round, by the log. Epoch seconds. */
  async function provenNow(from: Queries): Promise<number> {
    return runtime.clock.now() + (await behindSeconds(from))
  }

  /** Keeps a verified round when it is the newest of its chain; true when it is. */
  async function learn(to: Queries, chain: Chain, { round, signature }: Round): Promise<boolean> {
    return (await to.execute(queries.keepNewestRound, [chain.hash, round, signature, roundDueAt(round, chain)])) === 1
  }

  /** Asks the beacon how late it is, and holds the clock against that. */
  async function look(): Promise<void> {
    const newest = await beacons.current.newestRound()
    if (newest !== null) await learn(db, beacons.current.chain, newest)
    await isWrong(db)
  }

  function failed(error: unknown): void {
    if (!stopped.signal.aborted) runtime.log.error({ err: error }, 'the clock could not be checked')
  }

  async function goOn(act: () => Promise<unknown>, pauseMs: number): Promise<void> {
    while (!stopped.signal.aborted) {
      await act().catch(failed)
      await runtime.steady.sleep(pauseMs, stopped.signal).catch(() => undefined) // stopped
    }
  }

  return {
    behindSeconds,
    waitsUntil,
    isWrong,
    assertRight,
    provenNow,
    learn,
    look,

    /** Whether the clock is fast, as far as that is known without asking. */
    isFast: databaseClock.isFast,
    /** How far it stands before the database's, as far as that is known. */
    aheadSeconds: databaseClock.aheadSeconds,

    /** Holds the clock against the database's until it is stopped: every process does. */
    startComparing(): void {
      comparing = goOn(() => isWrong(db), COMPARE_MS)
      databaseClock.onSuspicion(() => void isWrong(db).catch(failed))
    },
    /** Looks on until it is stopped. */
    start(): void {
      looking = goOn(look, LOOK_MS)
    },
    async stop(): Promise<void> {
      stopped.abort()
      await Promise.all([looking, comparing])
    },
  }
}
