import { testRuntime } from '../src/runtime/test-runtime.ts'
import type { RandomSource } from '../src/runtime/runtime.ts'

/** Bytes that are the same in every run, for lines and amounts of tests. */
export function seededRandom(seed: string): RandomSource {
  return testRuntime({ seed }).random
}
