import type { Errand } from './errands.ts'

/** A call through a seam that a process made: a statement, a begin or an end of a transaction, a question to the world. */
export interface Call {
  readonly process: string
  readonly label: string
  /** what it was made for; its name may come later than the call */
  readonly errand: Errand | null
  /** the errand's name and labels up to this call; null while the errand has no name */
  readonly trail: string | null
}

/** Where a process dies: instead of a call, or after it, when the answer does not reach it any more. */
export interface Death {
  /** the how manieth call of the story, from 0 */
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
