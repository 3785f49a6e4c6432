import type { Errand } from './errands.ts'
import { type Fate, Stuck } from './scheduler.ts'

/**
 * A call of a process through a seam: a statement, the begin or end of a transaction, or a request to the outside
 * world.
 */
export interface Call {
  readonly process: string
  readonly label: string
  /** what it was made for; its name may only become known after the call */
  readonly errand: Errand | null
  /** the errand's name and labels up to this call; null while the errand has no name */
  readonly trail: string | null
}

/** A crash of a process: before a call, or after it with the reply lost. */
export interface Death {
  /** the number of the call in the story, from 0 */
  readonly call: number
  /** the call's label */
  readonly label: string
  readonly when: 'before' | 'after'
  /** identifies the call after an earlier crash has changed the numbers; null if nothing does */
  readonly trail: string | null
}

/** One player's story in place of a seed's own mixture: an order that wins, one that is refunded, and crashes. */
export interface Story {
  /** The first happens at its call number, later ones where their trails occur. */
  readonly deaths: readonly Death[]
}

/** Counts the calls of a story and decides which process crashes at which call. */
export class StoryCrashes {
  readonly #first: Death | undefined
  readonly #later: readonly Death[]
  readonly #calls: Call[] = []
  readonly #trails = new Map<Errand, string>()
  readonly #died = new Set<Death>()

  constructor({ deaths: [first, ...later] }: Story) {
    this.#first = first
    this.#later = later
  }

  /** Every call so far, in order. */
  get calls(): readonly Call[] {
    return this.#calls
  }

  /** The crashes that have happened. */
  get deaths(): readonly Death[] {
    return [...this.#died]
  }

  /** True until the first planned crash: the calls so far are those of the story without crashes. */
  isStillAsTold(): boolean {
    return this.#first !== undefined && this.#calls.length <= this.#first.call
  }

  /** What happens to a process at its next call. @throws Stuck if the first crash meets another call at its number */
  fateOf(process: string, label: string, errand: Errand | null): Fate {
    const trail = this.#trailOf(errand, label)
    const number = this.#calls.push({ process, label, errand, trail }) - 1
    const death = number === this.#first?.call ? this.#first : this.#laterAt(trail)
    if (death === undefined) return 'lives'
    if (death.label !== label)
      throw new Stuck(`call ${number} is ${label}, but was ${death.label}: the run depends on more than the seed`)
    this.#died.add(death)
    return death.when === 'before' ? 'dies-before' : 'dies-after'
  }

  #trailOf(errand: Errand | null, label: string): string | null {
    if (errand === null) return null
    const trail = `${this.#trails.get(errand) ?? ''} ${label}`
    this.#trails.set(errand, trail)
    return errand.name === null ? null : `${errand.name}:${trail}`
  }

  /** Trails count only after the first crash; until then calls are identified by their numbers. */
  #laterAt(trail: string | null): Death | undefined {
    if (trail === null || this.#died.size === 0) return undefined
    return this.#later.find((death) => death.trail === trail && !this.#died.has(death))
  }
}
