import { parseBundle } from '@fairball/domain/fairness/bundle-file'
import { prove } from './prove.ts'
import type { WorkerMessage, WorkerTask } from './verifier.ts'

/** The part of a dedicated worker's scope that is used here; the page's types know no workers from within. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<WorkerTask>) => void) | null
  postMessage: (message: WorkerMessage) => void
}

const scope = globalThis as unknown as WorkerScope

// Verifying takes seconds of pure arithmetic: in a thread of its own the page stays alive.
scope.onmessage = ({ data: task }) => {
  try {
    const bundle = 'file' in task ? parseBundle(task.file) : task.bundle
    const proof = prove({ ...task, bundle }, (step) => scope.postMessage({ kind: 'step', step }))
    scope.postMessage({ kind: 'proof', proof, ...('file' in task && { bundle }) })
  } catch (error) {
    const isFileWrong = error instanceof Error && error.name === 'BundleError'
    scope.postMessage({ kind: 'error', isFileWrong, message: error instanceof Error ? error.message : String(error) })
  }
}
