import { tooMany } from '../../kernel/limits.ts'
import type { Clock } from '../../runtime/runtime.ts'
import type { Failures } from './context.ts'

const MOST = 10
/** Sign-ins that an address may begin within the window: each is a row for a day. */
const BEGUN_MOST = 300
const WINDOW_SECONDS = 900
/** More addresses than this in one window are an attack: the oldest are forgotten. */
const ADDRESSES_MOST = 10_000

/** Counts failed sign-ins in this process: the console has one, and its login may not write the common counters. */
export function countedFailures(clock: Clock): Failures {
  const failed = counter(clock, MOST)
  const begun = counter(clock, BEGUN_MOST)
  return {
    check: failed.check,
    count: failed.count,
    begin(address) {
      begun.check(address)
      begun.count(address)
    },
  }
}

function counter(clock: Clock, most: number): Pick<Failures, 'check' | 'count'> {
  const windows = new Map<string, { startedAt: number; count: number }>()
  const windowOf = (address: string): { startedAt: number; count: number } => {
    const now = clock.now()
    const known = windows.get(address)
    if (known !== undefined && now < known.startedAt + WINDOW_SECONDS && now >= known.startedAt) return known
    return { startedAt: now, count: 0 }
  }
  return {
    check(address) {
      const { startedAt, count } = windowOf(address)
      if (count >= most) throw tooMany(startedAt + WINDOW_SECONDS - clock.now())
    },
    count(address) {
      const window = windowOf(address)
      windows.delete(address)
      windows.set(address, { ...window, count: window.count + 1 })
      const [oldest] = windows.keys()
      if (windows.size > ADDRESSES_MOST && oldest !== undefined) windows.delete(oldest)
    },
  }
}
