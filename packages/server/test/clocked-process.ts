import type { LotteryDeps } from '../src/main/lottery.ts'
import type { TestRuntime } from '../src/runtime/test-runtime.ts'
import type { TestLottery } from './lottery.ts'

/** A process of a test's lottery beside the one whose clock is right, with a clock that is as wrong as the test sets it. */
export interface ClockedProcess {
  readonly lottery: TestLottery['lottery']
  /** Sets its clock so far ahead of the right time; less than 0 is behind. */
  set(aheadSeconds: number): void
  /** epoch seconds, by its own clock */
  now(): number
}

/** The runtime of a process on a computer whose clock is wrong, and what sets it. The demo's jumps are the same for both. */
export function wrongRuntime(right: TestRuntime): {
  runtime: LotteryDeps['runtime']
  set: (aheadSeconds: number) => void
} {
  let ahead = 0
  const { clock } = right
  return {
    runtime: {
      ...right,
      // What an answer takes of the computer that tests run on is no business of theirs.
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
