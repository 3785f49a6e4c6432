import type { Check, Outcome, Step, StepName } from './report.ts'

/** How one check ended, and why. */
export interface Finding {
  readonly outcome: Outcome
  /** plain words */
  readonly detail: string
}

/** It is so. */
export function passed(detail: string): Finding {
  return { outcome: 'passed', detail }
}

/** It is not so, and that can be shown to anybody. */
export function failed(detail: string): Finding {
  return { outcome: 'failed', detail }
}

/** It cannot be told here, or not yet; the detail says why. */
export function unchecked(detail: string): Finding {
  return { outcome: 'unchecked', detail }
}

/** A value that went into a check. */
export type Input = Check['inputs'][number]

/** Names the values that went into a check; those that are not there are left out. */
export function inputs(values: Readonly<Record<string, string | number | bigint | null | undefined>>): Input[] {
  return Object.entries(values).flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [{ name, value: String(value) }],
  )
}

/**
 * The checks that a step stands on: it has passed only once all of these have. A step without any has passed once something
 * in it has.
 */
const NEEDED: Readonly<Record<StepName, readonly string[]>> = {
  log: ['readable', 'signatures', 'chain', 'seeds'],
  open: ['once', 'chain', 'round', 'rules'],
  close: ['time', 'seed', 'order', 'count', 'lines', 'root'],
  beacon: ['signature'],
  numbers: ['derived', 'result'],
  prizes: ['tiers', 'free'],
  receipts: [],
}

/** Gathers the checks of one step (fairness section 10). */
export class StepChecks {
  readonly #name: StepName
  readonly #title: string
  readonly #checks: Check[] = []

  constructor(name: StepName, title: string) {
    this.#name = name
    this.#title = title
  }

  /**
   * Adds a check.
   *
   * @param id its name within the step: `root` becomes `close.root`
   * @param title what should be so, as a sentence
   */
  add(id: string, title: string, { outcome, detail }: Finding, values: readonly Input[] = []): Outcome {
    this.#checks.push({ id: `${this.#name}.${id}`, title, outcome, detail, inputs: values })
    return outcome
  }

  /** The step: failed if one check did, passed if all that it stands on did, otherwise unchecked. */
  step(): Step {
    return { name: this.#name, title: this.#title, outcome: this.#outcome(), checks: this.#checks }
  }

  #outcome(): Outcome {
    if (this.#checks.some(({ outcome }) => outcome === 'failed')) return 'failed'
    const passedIds = new Set(this.#checks.filter(({ outcome }) => outcome === 'passed').map(({ id }) => id))
    const stands = NEEDED[this.#name].every((id) => passedIds.has(`${this.#name}.${id}`))
    return stands && passedIds.size > 0 ? 'passed' : 'unchecked'
  }
}

const LAST_SHOWN_AT = 253_402_300_799

/** A time for people: `2026-08-31 18:05:13 UTC (1788199513)`. Never throws. @param at epoch seconds */
export function timeText(at: number): string {
  if (!Number.isSafeInteger(at) || at < 0 || at > LAST_SHOWN_AT) return `second ${at}`
  const text = new Date(at * 1000).toISOString()
  return `${text.slice(0, 10)} ${text.slice(11, 19)} UTC (${at})`
}

/** A length of time for people: `1 h 5 min`, `40 s`. @param seconds 0 or more */
export function lengthText(seconds: number): string {
  if (seconds < 120) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 120) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days`
}

/** A count with its word: `1 entry`, `2 entries`. */
export function countText(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`
}

/** What a function gives, or null where it refuses what it was given. For values that came from elsewhere. */
export function attempt<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError || error instanceof SyntaxError) return null
    throw error
  }
}
