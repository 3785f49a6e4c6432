/**
 * Everything from the web's surroundings that a test needs to control: the time, timers, the network and randomness.
 * Nothing outside this file reads those globals.
 */
export interface Runtime {
  /** Milliseconds since the epoch on this device. It may be wrong: the product uses the server's clock, in clock.ts. */
  nowMs(): number
  /** Milliseconds since the browser began to load this document, by a clock that nobody sets. */
  sinceLoadMs(): number
  /** Calls once after `ms` milliseconds. @returns a function that cancels it, harmless when late */
  after(ms: number, call: () => void): () => void
  /** Calls every `ms` milliseconds. @returns a function that ends it */
  every(ms: number, call: () => void): () => void
  fetch: typeof fetch
  /** Whether the device has a network. Only false is certain. */
  isOnline(): boolean
  /** Opens a stream of server-sent events. The caller closes it. */
  openStream(address: string): EventSource
  /** Bytes from the browser's secure random source, for lucky dips. @param count at most 65,536 */
  randomBytes(count: number): Uint8Array
  /** A fresh random id, for idempotency keys. */
  randomId(): string
}

/** The browser's own runtime. */
export const runtime: Runtime = {
  nowMs: () => Date.now(),
  sinceLoadMs: () => performance.now(),
  after(ms, call) {
    const timer = setTimeout(call, ms)
    return () => clearTimeout(timer)
  },
  every(ms, call) {
    const timer = setInterval(call, ms)
    return () => clearInterval(timer)
  },
  fetch: (...request) => fetch(...request),
  isOnline: () => navigator.onLine,
  openStream: (address) => new EventSource(address),
  randomBytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
  // `crypto.randomUUID` is missing outside of secure contexts, where a demo in a local network may run.
  randomId: () =>
    Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(''),
}
