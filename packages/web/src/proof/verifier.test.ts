import type { Bundle } from '@fairball/domain/protocol/bundle'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Proof } from './prove.ts'
import type * as Verifier from './verifier.ts'
import type { WorkerMessage, WorkerTask } from './verifier.ts'

/** A worker whose answers the test controls. */
class WorkerStandIn {
  static made: WorkerStandIn[] = []
  onmessage: ((event: { data: WorkerMessage }) => void) | null = null
  onerror: (() => void) | null = null
  readonly tasks: WorkerTask[] = []
  isTerminated = false

  constructor() {
    WorkerStandIn.made.push(this)
  }

  postMessage(task: WorkerTask): void {
    this.tasks.push(task)
  }

  terminate(): void {
    this.isTerminated = true
  }

  answer(data: WorkerMessage): void {
    this.onmessage?.({ data })
  }
}

const BUNDLE = { head: 'a head' } as Bundle
const PROOF = { evidence: null } as Proof
const TRUST = { policy: null, key: null, sights: [], heads: [] }
const TASK = { bundle: BUNDLE, trust: TRUST, roots: new Map(), plays: [] }

let verifier: typeof Verifier
beforeEach(async () => {
  WorkerStandIn.made = []
  vi.stubGlobal('Worker', WorkerStandIn)
  vi.resetModules()
  verifier = await import('./verifier.ts')
})
afterEach(() => {
  vi.unstubAllGlobals()
})

const worker = (place = 0): WorkerStandIn => {
  const found = WorkerStandIn.made[place]
  if (found === undefined) throw new Error(`no worker ${place}`)
  return found
}

it('a worker returns the proof, and is kept for the next task', async () => {
  const first = verifier.proveInWorker(TASK)
  worker().answer({ kind: 'proof', proof: PROOF, bundle: BUNDLE })
  expect(await first).toEqual({ proof: PROOF, bundle: BUNDLE })
  const second = verifier.proveInWorker(TASK)
  worker().answer({ kind: 'proof', proof: PROOF, bundle: BUNDLE })
  await second
  expect(WorkerStandIn.made).toHaveLength(1)
  expect(worker().tasks).toEqual([TASK, TASK])
})

it('a worker tells the steps that it works on', async () => {
  const steps: string[] = []
  const proof = verifier.proveInWorker(TASK, { onStep: (step) => steps.push(step) })
  worker().answer({ kind: 'step', step: 'log' })
  worker().answer({ kind: 'step', step: 'open' })
  worker().answer({ kind: 'proof', proof: PROOF, bundle: BUNDLE })
  await proof
  expect(steps).toEqual(['log', 'open'])
})

it('a file gives the bundle that the worker read, or an error if it is not a bundle', async () => {
  const task = { file: '{}', trust: TRUST, roots: new Map(), plays: [] }
  const good = verifier.proveInWorker(task)
  worker().answer({ kind: 'proof', proof: PROOF, bundle: BUNDLE })
  expect(await good).toEqual({ proof: PROOF, bundle: BUNDLE })
  const bad = verifier.proveInWorker(task)
  worker().answer({ kind: 'error', isFileWrong: true, message: 'This file is not JSON.' })
  await expect(bad).rejects.toThrow(verifier.WrongFileError)
})

it('two simultaneous checks have two workers, one of which is kept', async () => {
  const both = [verifier.proveInWorker(TASK), verifier.proveInWorker(TASK)]
  worker(0).answer({ kind: 'proof', proof: PROOF, bundle: BUNDLE })
  worker(1).answer({ kind: 'proof', proof: PROOF, bundle: BUNDLE })
  await Promise.all(both)
  expect(WorkerStandIn.made.map(({ isTerminated }) => isTerminated).filter(Boolean)).toHaveLength(1)
})

it('a cancelled or failed worker is ended, and the next task gets a new one', async () => {
  const controller = new AbortController()
  const calledOff = verifier.proveInWorker(TASK, { signal: controller.signal })
  controller.abort()
  await expect(calledOff).rejects.toThrow('was cancelled')
  expect(worker(0).isTerminated).toBe(true)
  const failed = verifier.proveInWorker(TASK)
  worker(1).onerror?.()
  await expect(failed).rejects.toThrow('could not be run')
  expect(worker(1).isTerminated).toBe(true)
})

it('a worker can be started before its first task, unless it cannot be loaded', async () => {
  verifier.prepareVerifier()
  verifier.prepareVerifier()
  expect(WorkerStandIn.made).toHaveLength(1)
  worker(0).onerror?.()
  const proof = verifier.proveInWorker(TASK)
  worker(1).answer({ kind: 'proof', proof: PROOF, bundle: BUNDLE })
  await proof
})

it('a check fails if the browser allows no worker', async () => {
  vi.stubGlobal('Worker', () => {
    throw new TypeError('not allowed')
  })
  verifier.prepareVerifier()
  await expect(verifier.proveInWorker(TASK)).rejects.toThrow(TypeError)
})

it('the worker’s address is a trusted one if the browser requires that', async () => {
  const createPolicy = vi.fn((_name: string, rules: { createScriptURL: (address: string) => string }) => ({
    createScriptURL: (address: string) => rules.createScriptURL(address),
  }))
  vi.stubGlobal('trustedTypes', { createPolicy })
  verifier.prepareVerifier()
  expect(createPolicy).toHaveBeenCalledWith('fairball-worker', expect.anything())
})
