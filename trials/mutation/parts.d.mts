/** What is mutated, and which tests must notice it. */
interface Part {
  /** files, relative to the repository */
  readonly mutate: string[]
  /** test files; each mutant runs those that reach it */
  readonly tests: string[]
  /** tests left out; mutants that only they would find count as survived */
  readonly slow?: string[]
  /** other files that the tests need */
  readonly copied: string[]
  /** whether the tests run on a real PostgreSQL */
  readonly onDatabase?: boolean
}

/** The share of mutants that the tests of each part must find, in percent. */
export declare const LEAST_SCORE: number
export declare const PARTS: Readonly<Record<string, Part>>
