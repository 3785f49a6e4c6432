import type { Bundle } from '@fairball/domain/fairness/bundle'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { NOTHING_SEEN } from './memory.ts'
import type { Proof } from './prove.ts'
import type * as Verifier from './verifier.ts'
import type { WorkerMessage, WorkerTask } from './verifier.ts'

/** A worker that answers when the test says so. */
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

const BUNDLE = { game: 'bitcoin-hero', draw: 1 } as Bundle
const PROOF = { evidence: null } as Proof
const TASK = { bundle: BUNDLE, seen: NOTHING_SEEN, headNow: null, nowAt: 1, isSaved: false }
const step = { name: 'log', title: '', outcome: 'passed', checks: [] } as const
const nothing = () => undefined

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

it('hands on each step and gives the proof, and keeps the worker for the next task', async () => {
  const told = vi.fn()
  const first = verifier.proveInWorker(TASK, told)
  worker().answer({ kind: 'step', step })
  worker().answer({ kind: 'proof', proof: PROOF })
  expect(await first).toEqual({ proof: PROOF, bundle: BUNDLE })
  expect(told).toHaveBeenCalledWith(step)
  const second = verifier.proveInWorker(TASK, nothing)
  worker().answer({ kind: 'proof', proof: PROOF })
  await second
  expect(WorkerStandIn.made).toHaveLength(1)
  expect(worker().tasks).toEqual([TASK, TASK])
})

it('gives the bundle that the worker read from a file, or says that the file is none', async () => {
  const task = { file: '{}', seen: NOTHING_SEEN, headNow: null, nowAt: 1, isSaved: true }
  const good = verifier.proveInWorker(task, nothing)
  worker().answer({ kind: 'proof', proof: PROOF, bundle: BUNDLE })
  expect(await good).toEqual({ proof: PROOF, bundle: BUNDLE })
  const bad = verifier.proveInWorker(task, nothing)
  worker().answer({ kind: 'error', isFileWrong: true, message: 'This file is not JSON.' })
  await expect(bad).rejects.toThrow(verifier.WrongFileError)
})

it('has two workers for two checks at once, and keeps one of them', async () => {
  const both = [verifier.proveInWorker(TASK, nothing), verifier.proveInWorker(TASK, nothing)]
  worker(0).answer({ kind: 'proof', proof: PROOF })
  worker(1).answer({ kind: 'proof', proof: PROOF })
  await Promise.all(both)
  expect(WorkerStandIn.made.map(({ isTerminated }) => isTerminated).filter(Boolean)).toHaveLength(1)
})

it('ends a worker that is called off or fails, and begins with a new one', async () => {
  const controller = new AbortController()
  const calledOff = verifier.proveInWorker(TASK, nothing, controller.signal)
  controller.abort()
  await expect(calledOff).rejects.toThrow('called off')
  expect(worker(0).isTerminated).toBe(true)
  const failed = verifier.proveInWorker(TASK, nothing)
  worker(1).onerror?.()
  await expect(failed).rejects.toThrow('could not be run')
  expect(worker(1).isTerminated).toBe(true)
})

it('has a worker at hand before there is a task, unless it could not be loaded', async () => {
  verifier.prepareVerifier()
  verifier.prepareVerifier()
  expect(WorkerStandIn.made).toHaveLength(1)
  worker(0).onerror?.()
  const proof = verifier.proveInWorker(TASK, nothing)
  worker(1).answer({ kind: 'proof', proof: PROOF })
  await proof
})

it('says that it cannot run where the browser allows no worker', async () => {
  vi.stubGlobal('Worker', () => {
    throw new TypeError('not allowed')
  })
  verifier.prepareVerifier()
  await expect(verifier.proveInWorker(TASK, nothing)).rejects.toThrow(TypeError)
})

it('makes its address a trusted one where the browser asks for that', async () => {
  const createPolicy = vi.fn((_name: string, rules: { createScriptURL: (address: string) => string }) => ({
    createScriptURL: (address: string) => rules.createScriptURL(address),
  }))
  vi.stubGlobal('trustedTypes', { createPolicy })
  verifier.prepareVerifier()
  expect(createPolicy).toHaveBeenCalledWith('fairball-worker', expect.anything())
})
