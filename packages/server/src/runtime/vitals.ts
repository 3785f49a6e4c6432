import { monitorEventLoopDelay } from 'node:perf_hooks'

/** The state of the process itself, for a monitor. */
export interface Vitals {
  /** epoch seconds, of the computer's clock */
  readonly startedAt: number
  /** Seconds of processor time since the start. */
  cpuSeconds(): number
  /** Bytes. */
  memory(): { readonly resident: number; readonly heapUsed: number; readonly heapTotal: number }
  /**
   * How late the event loop was for due work, in seconds, over the last minute or since the start. Every caller sees
   * each delay at least once, however many ask.
   */
  eventLoopDelay(): { readonly p50: number; readonly p99: number; readonly max: number }
  /** Ends the measuring. */
  stop(): void
}

const WINDOW_MS = 60_000
const RESOLUTION_MS = 20
const NS = 1e9

/** Measures this process. */
export function processVitals(): Vitals {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  let sinceMs = performance.now()
  return {
    startedAt: Math.floor((Date.now() - performance.now()) / 1000),
    cpuSeconds: () => {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1e6
    },
    memory: () => {
      const { rss, heapUsed, heapTotal } = process.memoryUsage()
      return { resident: rss, heapUsed, heapTotal }
    },
    eventLoopDelay() {
      const read = delaysOf(delay)
      // Restarted only after a report: a delay at the end of a minute is not lost between two requests.
      if (performance.now() - sinceMs > WINDOW_MS) {
        delay.reset()
        sinceMs = performance.now()
      }
      return read
    },
    stop: () => void delay.disable(),
  }
}

/** The timer includes its own resolution: only what exceeds it is delay. */
function delaysOf(delay: ReturnType<typeof monitorEventLoopDelay>): { p50: number; p99: number; max: number } {
  if (delay.count === 0) return { p50: 0, p99: 0, max: 0 }
  const beyond = (ns: number): number => Math.max(0, ns / NS - RESOLUTION_MS / 1000)
  return { p50: beyond(delay.percentile(50)), p99: beyond(delay.percentile(99)), max: beyond(delay.max) }
}
