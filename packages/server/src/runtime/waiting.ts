/** The longest pause of one Node timer; a longer one is made of several. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/**
 * Runs `action` once, `ms` real milliseconds from now.
 *
 * @returns a function that cancels it
 */
export function after(ms: number, action: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>
  const arm = (leftMs: number): void => {
    const pieceMs = Math.min(Math.max(leftMs, 0), LONGEST_TIMER_MS)
    timer = setTimeout(() => (leftMs > pieceMs ? arm(leftMs - pieceMs) : action()), pieceMs)
  }
  arm(ms)
  return () => clearTimeout(timer)
}

/**
 * A promise that `start` resolves, and that an aborted `signal` rejects with its reason.
 *
 * @param start begins the wait and returns how to cancel it
 */
export function abortable(signal: AbortSignal | undefined, start: (wake: () => void) => () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const onAbort = (): void => {
      callOff()
      reject(signal?.reason)
    }
    const callOff = start(() => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    })
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}
