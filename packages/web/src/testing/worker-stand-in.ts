import { vi } from 'vitest'
import type { WorkerMessage, WorkerTask } from '../proof/verifier.ts'

/**
 * Stands in for the browser's workers: the verifier's own code in the page's thread, done as soon as it has its task.
 */
export async function standInForWorkers(): Promise<void> {
  await import('../proof/verify-worker.ts')
  // The worker's file listens on its own scope, which here is the page's.
  const { onmessage: verify } = globalThis as unknown as { onmessage: (event: { data: WorkerTask }) => void }
  class WorkerStandIn {
    onmessage: ((event: { data: WorkerMessage }) => void) | null = null
    onerror: (() => void) | null = null

    postMessage(task: WorkerTask): void {
      vi.stubGlobal('postMessage', (data: WorkerMessage) => this.onmessage?.({ data: structuredClone(data) }))
      verify({ data: structuredClone(task) })
    }

    terminate(): void {
      this.onmessage = null
    }
  }
  vi.stubGlobal('Worker', WorkerStandIn)
}
