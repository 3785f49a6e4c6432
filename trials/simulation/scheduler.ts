import { createHash } from 'node:crypto'
import { currentErrand, type Errand } from './errands.ts'
import { createPrng, type Prng } from './prng.ts'

/** Turns a call into a step of the simulation. */
export type TakeStep = <T>(actor: Actor, label: string, act: () => Promise<T>) => Promise<T>

/** The source of a step: a process of the lottery, or someone outside. */
export interface Actor {
  readonly name: string
  /** false once its process has crashed: no answers reach it any more */
  isAlive: boolean
  /** the kinds of job that the latest request for the next job accepts */
  looksFor: readonly string[]
}

/** A call through a seam, until its answer is delivered. */
interface Step {
  readonly actor: Actor
  readonly label: string
  /** the errand it belongs to */
  readonly errand: Errand | null
  /** whether it may start now; a process has a limited number of connections */
  readonly isReady: () => boolean
  readonly act: () => Promise<unknown>
  readonly answer: (outcome: Outcome) => void
  /** whether its statement waits for others in the database, which delays the answer */
  isBlocked: boolean
}

type Outcome = { readonly value: unknown } | { readonly error: unknown }

/** How a sleeper wakes: `moment` advances the time; `poll` and `loop` check from time to time and do not advance it. */
type SleepKind = 'moment' | 'poll' | 'loop'

interface Sleeper {
  readonly actor: Actor
  readonly kind: SleepKind
  readonly dueMs: number
  /** for a poller: the kinds of job it takes */
  readonly looksFor: readonly string[]
  readonly wake: () => void
}

/** What the database reports to the scheduler, over a separate connection. */
interface Oracle {
  /** the number of the simulation's statements that wait for another transaction */
  countBlocked(): Promise<number>
  /** the next job, due in epoch ms by the furthest-ahead worker clock; null if there is no job or no worker */
  nextJob(): Promise<{ readonly ms: number; readonly kind: string } | null>
}

/** What may happen to a step: its actor crashes before it, or after it with the answer lost. */
export type Fate = 'lives' | 'dies-before' | 'dies-after'

interface SchedulerOptions {
  readonly seed: string
  readonly startMs: number
  /** the probability that time passes while steps are ready */
  readonly slip: () => number
  readonly oracle: Oracle
  readonly fateOf: (actor: Actor, label: string, errand: Errand | null) => Fate
  readonly kill: (actor: Actor) => Promise<void>
  /** called after each successful step, before its answer is delivered */
  readonly afterStep: (actor: Actor, label: string) => Promise<void>
  readonly trace?: (line: string) => void
}

/** More steps than any seed needs: beyond this, something loops. */
const MAX_STEPS = 60_000
/** Longest real time that a statement may take without waiting for another transaction, in ms. */
export const REAL_LIMIT_MS = 60_000
/** Real time after which the database is asked whether a statement waits, in ms; most statements are done before. */
const FIRST_WAIT_MS = 20
/** Longest time that may slip while steps are ready, in ms: longer than a lease. */
const LONGEST_SLIP_MS = 90_000

/** Share of the possible moments at which a `loop` sleeper wakes: most checks find nothing new. */
const LOOKS_AROUND = 0.01

/** The simulation cannot continue. */
export class Stuck extends Error {
  override readonly name = 'Stuck'
}

/**
 * Takes one step at a time, chosen by a seed. Anything a process asks of the world outside its own memory is pending
 * until it is chosen. Time stands still during steps, and moves when a sleeper is chosen. Only one SQL statement is in
 * flight at a time. The database reports whether it waits for another transaction, so the order depends on the seed
 * alone.
 */
export class Scheduler {
  nowMs: number
  /** how much of the time slipped during work */
  slippedMs = 0
  steps = 0
  readonly #options: SchedulerOptions
  readonly #prng: Prng
  readonly #hash = createHash('sha256')
  #pending: Step[] = []
  #sleepers: Sleeper[] = []
  /** started and unfinished, in start order; all but the newest wait in the database */
  #running = new Map<Step, Outcome | null>()
  #finished: () => void = () => undefined

  constructor(options: SchedulerOptions) {
    this.#options = options
    this.#prng = createPrng(`${options.seed} schedule`)
    this.nowMs = options.startMs
  }

  /** Makes a call a step. The scheduler delivers its answer, or never does if the actor crashes first. */
  step<T>(actor: Actor, label: string, act: () => Promise<T>, isReady: () => boolean = () => true): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (!actor.isAlive) return // a crashed actor asks nothing
      const answer = (outcome: Outcome): void => {
        if ('error' in outcome) reject(outcome.error)
        else resolve(outcome.value as T) // the result of `act`
      }
      this.#pending.push({ actor, label, errand: currentErrand(), act, answer, isReady, isBlocked: false })
    })
  }

  /** Sleeps until a moment of the simulation, in epoch ms. */
  sleepUntil(actor: Actor, dueMs: number, kind: SleepKind, signal?: AbortSignal): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      if (!actor.isAlive) return
      if (signal?.aborted === true) return reject(signal.reason)
      const onAbort = (): void => {
        this.#sleepers = this.#sleepers.filter((one) => one !== sleeper)
        reject(signal?.reason)
      }
      const wake = (): void => {
        signal?.removeEventListener('abort', onAbort)
        resolve()
      }
      const sleeper: Sleeper = { actor, kind, dueMs, looksFor: actor.looksFor, wake }
      signal?.addEventListener('abort', onAbort, { once: true })
      this.#sleepers.push(sleeper)
    })
  }

  /** Drops everything an actor waits for. Its statements in flight end when its connections are cut. */
  drop(actor: Actor): void {
    this.#pending = this.#pending.filter((step) => step.actor !== actor)
    this.#sleepers = this.#sleepers.filter((sleeper) => sleeper.actor !== actor)
  }

  /** Records a fact of the world in the trace. */
  note(line: string): void {
    this.#say(`${line}`)
  }

  /** The hash of everything that happened: equal for equal seeds. */
  traceHash(): string {
    return this.#hash.copy().digest('hex')
  }

  /** Takes steps until `isOver`, which is checked after each. */
  async runUntil(isOver: () => boolean): Promise<void> {
    await settled()
    while (!isOver()) {
      this.steps += 1
      if (this.steps > MAX_STEPS) throw new Stuck(`more than ${MAX_STEPS} steps`)
      if (!(await this.#takeOne())) return
    }
  }

  async #takeOne(): Promise<boolean> {
    const ready = this.#pending.filter((step) => step.isReady())
    const awake = this.#sleepers.filter((one) => one.kind === 'moment' && one.dueMs <= this.nowMs)
    const choices = ready.length + awake.length
    if (choices === 0) return await this.#moveTime()
    if (this.#prng.chance(this.#options.slip()) && (await this.#slip())) return true
    const choice = this.#prng.between(0, choices - 1)
    const step = ready[choice]
    if (step === undefined) await this.#wake(awake[choice - ready.length])
    else await this.#take(step)
    return true
  }

  /** Lets time pass while there is work, so one sleeper may overtake another in the middle of something. */
  async #slip(): Promise<boolean> {
    const next = earliest(this.#sleepers.filter((one) => one.dueMs > this.nowMs))
    if (next === undefined || next.dueMs > this.nowMs + LONGEST_SLIP_MS) return false
    this.slippedMs += next.dueMs - this.nowMs
    this.nowMs = next.dueMs
    this.#say(`time ${this.nowMs}`)
    if (this.#prng.chance(0.5)) await this.#wake(next)
    return true
  }

  /** Nothing can be done now, so time moves to the next moment: a sleeper's, or that of a due job. */
  async #moveTime(): Promise<boolean> {
    const moment = earliest(this.#sleepers.filter((one) => one.kind === 'moment'))
    const job = await this.#options.oracle.nextJob()
    const jobMs = job?.ms ?? Infinity
    const pollers = this.#sleepers.filter(
      (one) => one.kind === 'poll' && job !== null && one.looksFor.includes(job.kind),
    )
    const canWork = pollers.length > 0
    if (moment === undefined && !canWork) return false
    const nextMs = Math.max(this.nowMs, Math.min(moment?.dueMs ?? Infinity, canWork ? jobMs : Infinity))
    if (nextMs > this.nowMs) {
      this.nowMs = nextMs
      this.#say(`time ${this.nowMs}`)
      for (const one of this.#sleepers.filter(({ kind, dueMs }) => kind === 'loop' && dueMs <= this.nowMs))
        if (this.#prng.chance(LOOKS_AROUND)) await this.#wake(one)
    }
    if (canWork && jobMs <= this.nowMs) {
      const poller = this.#prng.pick(pollers)
      this.nowMs = Math.max(this.nowMs, poller.dueMs)
      await this.#wake(poller)
    } else if (moment !== undefined && moment.dueMs <= this.nowMs) await this.#wake(moment)
    return true
  }

  async #wake(sleeper: Sleeper | undefined): Promise<void> {
    if (sleeper === undefined) return
    this.#sleepers = this.#sleepers.filter((one) => one !== sleeper)
    this.#say(`${sleeper.actor.name} wakes`)
    sleeper.wake()
    await settled()
  }

  async #take(step: Step): Promise<void> {
    const { actor, label } = step
    this.#pending = this.#pending.filter((one) => one !== step)
    const fate = this.#options.fateOf(actor, label, step.errand)
    if (fate === 'dies-before') {
      this.#say(`${actor.name} dies before ${label}`)
      return await this.#kill(actor)
    }
    this.#running.set(step, null)
    void step.act().then(
      (value) => this.#finish(step, { value }),
      (error: unknown) => this.#finish(step, { error }),
    )
    await this.#settle()
    if (fate === 'dies-after') {
      this.#say(`${actor.name} dies after ${label}`)
      await this.#kill(actor)
      await this.#settle()
    }
    await this.#answer()
    if (this.#running.has(step) && !step.isBlocked) {
      step.isBlocked = true
      this.#say(`${actor.name} ${label}: waits`)
    }
  }

  async #kill(actor: Actor): Promise<void> {
    actor.isAlive = false
    this.drop(actor)
    await this.#options.kill(actor)
    await settled()
  }

  #finish(step: Step, outcome: Outcome): void {
    this.#running.set(step, outcome)
    this.#finished()
  }

  /** Waits until every started step is done, or waits for another transaction according to the database. */
  async #settle(): Promise<void> {
    const isOpen = (): boolean => [...this.#running.values()].includes(null)
    const begunMs = performance.now()
    for (let waitMs = FIRST_WAIT_MS; isOpen(); waitMs = Math.min(waitMs * 2, 50)) {
      const done = await this.#anyFinished(waitMs)
      if (done) await settled()
      if (!isOpen()) return
      const open = [...this.#running].filter(([, outcome]) => outcome === null)
      // Only the end of a transaction frees others, so one count of the blocked statements is enough.
      if ((await this.#options.oracle.countBlocked()) === open.length) {
        if (open.every(([step]) => step.isBlocked)) return
        // Longer than `deadlock_timeout`: a transaction that closes a deadlock fails before any other continues.
        await new Promise((resolve) => setTimeout(resolve, 4))
        if (
          (await this.#options.oracle.countBlocked()) ===
          [...this.#running.values()].filter((one) => one === null).length
        )
          return
      }
      if (performance.now() - begunMs > REAL_LIMIT_MS)
        throw new Stuck(`unfinished: ${open.map(([step]) => `${step.actor.name} ${step.label}`).join(', ')}`)
    }
    await settled()
  }

  #anyFinished(limitMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), limitMs)
      this.#finished = () => {
        clearTimeout(timer)
        resolve(true)
      }
    })
  }

  /** Delivers the available answers in the order in which the steps were taken. */
  async #answer(): Promise<void> {
    for (const [step, outcome] of this.#running) {
      if (outcome === null) continue
      this.#running.delete(step)
      const { actor, label } = step
      if (!actor.isAlive) continue
      this.#say(`${actor.name} ${label}${'error' in outcome ? `: ${nameOf(outcome.error)}` : ''}`)
      if (!('error' in outcome)) await this.#options.afterStep(actor, label)
      step.answer(outcome)
      await settled()
    }
  }

  #say(line: string): void {
    this.#hash.update(`${line}\n`)
    this.#options.trace?.(line)
  }
}

function earliest(sleepers: readonly Sleeper[]): Sleeper | undefined {
  let first: Sleeper | undefined
  for (const one of sleepers) if (first === undefined || one.dueMs < first.dueMs) first = one
  return first
}

/** Waits until everything that follows from an answer in memory has happened: promises resolve before the next turn. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

function nameOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown }
  return typeof code === 'string' ? code : String(name)
}
