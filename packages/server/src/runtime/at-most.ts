/** Runs at most so many calls at the same time; the others wait in their order. */
export function atMost(most: number): <T>(call: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (call) => {
    if (running < most) running += 1
    else await new Promise<void>((resolve) => waiting.push(resolve)) // whose turn it was hands it over
    try {
      return await call()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
