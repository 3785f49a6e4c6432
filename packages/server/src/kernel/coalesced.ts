/**
 * Has some work follow each call, one run at a time: calls during a run are followed by one more, however many they are.
 *
 * @param onError called with what `work` throws
 */
export function coalesced(work: () => Promise<void>, onError: (error: unknown) => void): () => void {
  let isRunning = false
  let isAsked = false
  const run = async (): Promise<void> => {
    while (isAsked) {
      isAsked = false
      await work().catch(onError)
    }
    isRunning = false
  }
  return () => {
    isAsked = true
    if (isRunning) return
    isRunning = true
    void run()
  }
}

/** Has callers at one time wait for one run of some work. */
export function shared<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null
  return () => {
    running ??= work().finally(() => (running = null))
    return running
  }
}
