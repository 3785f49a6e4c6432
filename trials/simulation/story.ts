import type { Errand } from './errands.ts'
import { type Fate, Stuck } from './scheduler.ts'

/** A call through a seam that a process made: a statement, a begin or an end of a transaction, a question to the world. */
export interface Call {
  readonly process: string
  readonly label: string
  /** what it was made for; its name may come later than the call */
  readonly errand: Errand | null
  /** the errand's name and labels up to this call; null while the errand has no name */
  readonly trail: string | null
}

/** Where a process dies: instead of a call, or after it, with the reply lost. */
export interface Death {
  /** the call's number in the story, from 0 */
  readonly call: number
  /** what call that is */
  readonly label: string
  readonly when: 'before' | 'after'
  /** what recognises it after an earlier death, which changes the numbers of calls; null if nothing does */
  readonly trail: string | null
}

/** One player's story in place of a seed's own mixture: an order that wins, one that is refunded, and crashes. */
export interface Story {
  /** The first happens at the call of its number, later ones where their trails come. */
  readonly deaths: readonly Death[]
}

/** Counts the calls of a story and says which process dies at which of them. */
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

  /** The deaths that happened. */
  get deaths(): readonly Death[] {
    return [...this.#died]
  }

  /** Whether no death has happened although one will: the calls are those of the story without deaths. */
  isStillAsTold(): boolean {
    return this.#first !== undefined && this.#calls.length <= this.#first.call
  }

  /** What happens to a process at its next call. @throws Stuck if the first death finds another call at its number */
  fateOf(process: string, label: string, errand: Errand | null): Fate {
    const trail = this.#trailOf(errand, label)
    const number = this.#calls.push({ process, label, errand, trail }) - 1
    const death = number === this.#first?.call ? this.#first : this.#laterAt(trail)
    if (death === undefined) return 'lives'
    if (death.label !== label)
      throw new Stuck(`call ${number} is ${label}, and was ${death.label}: something but the seed decides`)
    this.#died.add(death)
    return death.when === 'before' ? 'dies-before' : 'dies-after'
  }

  #trailOf(errand: Errand | null, label: string): string | null {
    if (errand === null) return null
    const trail = `${this.#trails.get(errand) ?? ''} ${label}`
    this.#trails.set(errand, trail)
    return errand.name === null ? null : `${errand.name}:${trail}`
  }

  /** Trails count after the first death only: before it, the numbers must stay as they are. */
  #laterAt(trail: string | null): Death | undefined {
    if (trail === null || this.#died.size === 0) return undefined
    return this.#later.find((death) => death.trail === trail && !this.#died.has(death))
  }
}
