import { type Bundle, readBundle, readEvidence } from '@fairball/domain/protocol/bundle'
import { JsonError } from '@fairball/domain/protocol/json'
import { ShapeError } from '@fairball/domain/protocol/shapes'
import type { VerifyStep } from '@fairball/domain/protocol/verify'
import { prove } from './prove.ts'
import type { WorkerMessage, WorkerTask } from './verifier.ts'

/** The part of a dedicated worker's scope that is used here; the page's types lack the scope of workers. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<WorkerTask>) => void) | null
  postMessage: (message: WorkerMessage, transfer?: Transferable[]) => void
}

const scope = globalThis as unknown as WorkerScope

// Verifying takes seconds of pure arithmetic; in a separate thread it does not block the page.
scope.onmessage = ({ data: task }) => {
  try {
    const bundle = 'file' in task ? bundleOf(task.file) : task.bundle
    const onStep = (step: VerifyStep) => scope.postMessage({ kind: 'step', step })
    scope.postMessage({ kind: 'proof', proof: prove({ ...task, bundle }, { onStep }), bundle })
  } catch (error) {
    const isFileWrong = error instanceof JsonError || error instanceof ShapeError
    scope.postMessage({ kind: 'error', isFileWrong, message: error instanceof Error ? error.message : String(error) })
  }
}

/** The bundle in a file, which may be one or evidence. @throws JsonError or ShapeError for any other file */
function bundleOf(file: string): Bundle {
  if (!/^\s*\{\s*"format"\s*:\s*"fairball\/evidence\/v2"/.test(file)) return readBundle(file)
  const { bundle } = readEvidence(file)
  if (bundle === null)
    throw new ShapeError('This evidence shows two heads of the log and no draw. Check it with the verifier.')
  return bundle
}
