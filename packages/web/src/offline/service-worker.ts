import { runtime } from '../shared/runtime.ts'
import { serveOffline } from './offline-worker.ts'
import type { WorkerFiles, WorkerScope } from './offline-worker.ts'

/** Replaced by the build (scripts/build-service-worker.mjs). */
declare const FILES: WorkerFiles

// The page's types lack the scope of workers.
serveOffline(globalThis as unknown as WorkerScope, FILES, () => Math.floor(runtime.nowMs() / 1000))
