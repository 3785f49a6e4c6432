import type { LotteryDeps } from '../src/main/lottery.ts'
import type { TestRuntime } from '../src/runtime/test-runtime.ts'
import type { TestLottery } from './lottery.ts'

/** A process of a test's lottery beside the one with the right clock; the test sets how wrong its own clock is. */
export interface ClockedProcess {
  readonly lottery: TestLottery['lottery']
  /** Sets its clock ahead of the right time by this much; negative is behind. */
  set(aheadSeconds: number): void
  /** epoch seconds, by its own clock */
  now(): number
}

/**
 * The runtime of a process on a computer with a wrong clock, and what sets it. The demo's jumps are the same for both.
 */
export function wrongRuntime(right: TestRuntime): {
  runtime: LotteryDeps['runtime']
  set: (aheadSeconds: number) => void
} {
  let ahead = 0
  const { clock } = right
  return {
    runtime: {
      ...right,
      // The time that an answer takes on this computer is of no interest here.
      monotonic: { ...right.monotonic, nowMs: () => clock.nowMs() },
      clock: { ...clock, now: () => clock.now() + ahead, nowMs: () => clock.nowMs() + ahead * 1000 },
    },
    set: (aheadSeconds) => void (ahead = aheadSeconds),
  }
}

/** Another process of a test's lottery. Its clock is right until it is set. */
export async function clockedProcess({ runtime: right, beside }: TestLottery): Promise<ClockedProcess> {
  const { runtime, set } = wrongRuntime(right)
  return { lottery: await beside({ runtime }), set, now: () => runtime.clock.now() }
}
