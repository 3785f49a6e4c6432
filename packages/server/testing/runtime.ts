// Clocks, randomness, logs and keys that a test or trial holds in its own hands. A public face of the package, for trials alone.
export { deriveKey } from '../src/runtime/keys.ts'
export { logContext } from '../src/runtime/log-context.ts'
export { createLogger } from '../src/runtime/logger.ts'
export type { AdjustableClock, Logger, Runtime } from '../src/runtime/runtime.ts'
export { sealUnder } from '../src/runtime/seal.ts'
export { monotonicTime, systemRuntime } from '../src/runtime/system-runtime.ts'
export { seededRandom, testRuntime } from '../src/runtime/test-runtime.ts'
