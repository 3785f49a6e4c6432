import type { Timers } from '@fairball/ui/timers.tsx'

/** Everything from the browser that a test needs to control. Nothing outside this file reads those globals. */
export interface Runtime extends Timers {
  /** Milliseconds since the epoch on this device. */
  nowMs(): number
  fetch: typeof fetch
  /** Bytes from the browser's secure random source. */
  randomBytes(count: number): Uint8Array<ArrayBuffer>
}

/** The browser's own runtime. */
export const runtime: Runtime = {
  nowMs: () => Date.now(),
  after(ms, call) {
    const timer = setTimeout(call, ms)
    return () => clearTimeout(timer)
  },
  fetch: (...request) => fetch(...request),
  randomBytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
}
