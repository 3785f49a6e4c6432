import { LotteryError } from '@fairball/domain/errors'
import { type Chain, roundDueAt } from '@fairball/domain/fairness/chain'
import type { Db, Queries } from '../../db/pool.ts'
import type { Beacons, Round } from '../../ports/beacon/beacon.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { SLOW_CLOCK_SECONDS } from '../fairness/log.ts'
import * as queries from './queries.ts'

/** The beacon's newest round is asked for, and the clock looked at, this often. Real time: a jump of the demo's clock is no reason to ask. */
const LOOK_MS = 30_000
/** A slow clock is an alarm in the log this often at most. */
const ALARM_PAUSE_MS = 60_000
/** What waits for the clock looks again after this at most. A clock that is set right jumps ahead, so nothing waits longer for it. */
const LONGEST_WAIT_SECONDS = 300

export type ClockRule = ReturnType<typeof createClockRule>

/**
 * The rule of the clock (fairness section 9): a verified round that is not due yet, or a statement of the log from a time
 * to come, shows that this process's clock is slow. Then nothing is sold, closed or drawn until it is right again. What is
 * known lies in the database, so that all processes share it.
 */
export function createClockRule({ db, runtime, beacons }: { db: Db; runtime: Runtime; beacons: Beacons }) {
  let lastAlarmMs: number | null = null
  const stopped = new AbortController()
  let looking: Promise<void> = Promise.resolve()

  /** How far the clock stands behind what is proven, in seconds; 0 when it does not. */
  async function behindSeconds(from: Queries): Promise<number> {
    const { proven_at: provenAt } = await from.one(queries.findProvenTime, [])
    return Math.max(0, (provenAt ?? 0) - runtime.clock.now())
  }

  /** How long to wait for the clock, in its own seconds; 0 when it is right. A slow one is an alarm. */
  async function waitSeconds(from: Queries): Promise<number> {
    const seconds = await behindSeconds(from)
    if (seconds <= SLOW_CLOCK_SECONDS) return 0
    const nowMs = runtime.steady.nowMs()
    if (lastAlarmMs === null || nowMs - lastAlarmMs >= ALARM_PAUSE_MS) {
      lastAlarmMs = nowMs
      runtime.log.error(
        { behindSeconds: seconds },
        'the clock is slow: nothing is sold, closed or drawn until it is right',
      )
    }
    return Math.min(seconds - SLOW_CLOCK_SECONDS, LONGEST_WAIT_SECONDS)
  }

  /** Whether the clock is slow. It is an alarm then. */
  async function isSlow(from: Queries): Promise<boolean> {
    return (await waitSeconds(from)) > 0
  }

  /** @throws LotteryError GAME_NOT_AVAILABLE while the clock is slow */
  async function assertRight(from: Queries): Promise<void> {
    if (await isSlow(from)) throw new LotteryError('GAME_NOT_AVAILABLE')
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
    await isSlow(db)
  }

  async function lookOn(): Promise<void> {
    while (!stopped.signal.aborted) {
      await look().catch((error: unknown) => runtime.log.error({ err: error }, 'the clock could not be checked'))
      await runtime.steady.sleep(LOOK_MS, stopped.signal).catch(() => undefined) // stopped
    }
  }

  return {
    behindSeconds,
    waitSeconds,
    isSlow,
    assertRight,
    provenNow,
    learn,
    look,

    /** Looks on until it is stopped. */
    start(): void {
      looking = lookOn()
    },
    async stop(): Promise<void> {
      stopped.abort()
      await looking
    },
  }
}
