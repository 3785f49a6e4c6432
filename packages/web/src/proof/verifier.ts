import type { Bundle } from '@fairball/domain/protocol/bundle'
import type { VerifyStep } from '@fairball/domain/protocol/verify'
import type { Proof, ProofRequest } from './prove.ts'
// As an address, not as a worker: where trusted types are required, a worker's address has to be one.
// oxlint-disable-next-line import/default -- Vite makes this export.
import workerAddress from './verify-worker.ts?worker&url'

/** The input of the worker: a bundle, or the text of a file with a bundle or evidence. */
export type WorkerTask = ProofRequest | (Omit<ProofRequest, 'bundle'> & { readonly file: string })

/** A message of the worker: the step it works on, the proof with its bundle, or a failure. */
export type WorkerMessage =
  | { readonly kind: 'step'; readonly step: VerifyStep }
  | { readonly kind: 'proof'; readonly proof: Proof; readonly bundle: Bundle }
  | { readonly kind: 'error'; readonly isFileWrong: boolean; readonly message: string }

/** How a caller ends a verification early, and learns which step begins. */
interface Watch {
  readonly signal?: AbortSignal | undefined
  readonly onStep?: ((step: VerifyStep) => void) | undefined
}

/** A proof with its bundle. */
export interface ProvenBundle {
  readonly proof: Proof
  readonly bundle: Bundle
}

/** A file that is not a bundle; the message is a sentence for people. */
export class WrongFileError extends Error {
  override readonly name = 'WrongFileError'
}

/** The name of the policy that makes the worker's address a trusted one; the server's security headers allow it. */
const POLICY = 'fairball-worker'

/** The part of the browser's trusted types that is used here; not every browser has them. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: (address: string) => string },
  ): {
    createScriptURL(address: string): URL
  }
}

/** An idle worker. It is kept because its tables are computed, and it works offline. */
let waiting: Worker | null = null

/** Starts a worker before there is a task, so that the first check needs no connection. */
export function prepareVerifier(): void {
  if (waiting !== null) return
  try {
    const worker = started()
    waiting = worker
    worker.onerror = () => {
      if (waiting === worker) waiting = null
    }
  } catch {
    // A browser without workers: the check reports it.
  }
}

function started(): Worker {
  return new Worker(trustedAddress(), { type: 'module' })
}

/**
 * Verifies in a worker, beside the page.
 *
 * @throws WrongFileError for a file that is not a bundle; another Error when the worker cannot run, without a verdict
 *   on the draw
 */
export async function proveInWorker(task: WorkerTask, { signal, onStep }: Watch = {}): Promise<ProvenBundle> {
  signal?.throwIfAborted()
  const worker = waiting ?? started()
  waiting = null // two checks at once have two workers
  const { promise, resolve, reject } = Promise.withResolvers<ProvenBundle>()
  const giveUp = () => reject(new Error('The verification was cancelled.'))
  worker.onmessage = ({ data }: MessageEvent<WorkerMessage>) => {
    if (data.kind === 'step') onStep?.(data.step)
    else if (data.kind === 'proof') resolve({ proof: data.proof, bundle: data.bundle })
    else reject(data.isFileWrong ? new WrongFileError(data.message) : new Error(data.message))
  }
  worker.onerror = () => reject(new Error('The verification could not be run in this browser.'))
  signal?.addEventListener('abort', giveUp)
  try {
    worker.postMessage(task)
    const proven = await promise
    keep(worker)
    return proven
  } catch (error) {
    // It may still be running, or never have started.
    worker.terminate()
    throw error
  } finally {
    signal?.removeEventListener('abort', giveUp)
  }
}

function keep(worker: Worker): void {
  if (waiting === null) waiting = worker
  else worker.terminate()
}

let trusted: URL | string | null = null

/** A policy of one name can be created only once, and this one allows a single address. */
function trustedAddress(): URL | string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  trusted ??=
    trustedTypes?.createPolicy(POLICY, { createScriptURL: () => workerAddress }).createScriptURL('') ?? workerAddress
  return trusted
}
