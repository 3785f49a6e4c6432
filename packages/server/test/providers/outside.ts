import { testRuntime, type TestRuntime } from '../../src/runtime/test-runtime.ts'

/** The world of a test that talks to a stand-in: a separate clock, and separate seconds for time limits. */
interface Outside extends TestRuntime {
  /** Lets real time pass, as far as code that waits for an answer can tell. */
  pass(ms: number): void
}

/** A runtime that reaches servers on this computer. @param fetch how; default: the real one */
export function outside(fetch: typeof globalThis.fetch = globalThis.fetch): Outside {
  let monotonicMs = 0
  const sleepers: { readonly at: number; readonly wake: () => void }[] = []
  return {
    ...testRuntime({ fetch }),
    monotonic: {
      nowMs: () => monotonicMs,
      sleep: (ms, signal) =>
        new Promise((wake, refuse) => {
          signal?.addEventListener('abort', () => refuse(new Error('called off')))
          sleepers.push({ at: monotonicMs + ms, wake })
        }),
    },
    pass(ms) {
      monotonicMs += ms
      for (const { at, wake } of sleepers) if (at <= monotonicMs) wake()
    },
  }
}

/** Pseudo-random choices, the same in every run. @returns a number from 0, below `below` */
export function seededNumbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** A list in another order. */
export function shuffled<T>(list: readonly T[], number: (below: number) => number): T[] {
  const result = [...list]
  for (let place = result.length - 1; place > 0; place -= 1) {
    const other = number(place + 1)
    const [one, two] = [result[place], result[other]]
    if (one === undefined || two === undefined) throw new Error('both places are in the list')
    result[place] = two
    result[other] = one
  }
  return result
}
