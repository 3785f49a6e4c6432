import type { Logged, LogKey } from './known-log.ts'
import type { CheckId, Checks, Finding } from './report.ts'
import type { GameState } from './statement-codecs.ts'
import type { StatementOf } from './statements.ts'
import type { Close, Final, PlacedClose } from './timeline.ts'
import type { OpenedDraw } from './verify-open.ts'
import type { RoundCheck } from './verify-result.ts'

/** What a reader of a whole log (section 16) knows of it, and what it finds wrong. */

/** What is wrong with a statement: a check of the verifier, or what only the whole log shows. */
type ReadRule =
  | CheckId
  | 'log.statement'
  | 'log.time'
  | 'log.twice'
  | 'game.announced'
  | 'open.number'
  | 'open.seed'
  | 'sold.extends'
  | 'pot.arrives'
  | 'paid.grows'

/** `breach`: the operator signed what the protocol forbids. `doubt`: it may be right, and people should look. */
type Grade = 'breach' | 'doubt'

export interface Fault {
  /** of the statement in the log */
  readonly index: number
  readonly rule: ReadRule
  readonly grade: Grade
  /** one plain sentence */
  readonly text: string
}

/** A draw as the log tells it so far. */
export interface ReadDraw {
  readonly open: Logged<StatementOf<'open'>>
  /** null where rules or chain are none: then nothing that follows from them is judged */
  readonly opened: OpenedDraw | null
  readonly game: ReadGame
  start: number
  round: number
  /** postponements so far */
  delays: number
  sold: Logged<StatementOf<'sold'>> | null
  readonly closes: PlacedClose[]
  /** the close that was not put off */
  standing: Close | null
  /** the state before that close */
  before: GameState
  /** what ended the draw */
  end: Final | null
  /** Σ winners × each of its result, satoshis; null before */
  won: bigint | null
  /** paid of that so far, by the newest `paid` */
  paid: bigint
}

/** A game as the log tells it so far. */
export interface ReadGame {
  readonly key: string
  readonly versions: Logged<StatementOf<'game'>>[]
  /** the number of its newest draw */
  opened: number
  /** the newest state, and the hash of the statement that says it */
  state: GameState
  last: string
  /** the draw whose close was put off and is not followed by a further one, or a void */
  putOff: ReadDraw | null
  /** whether the pot of the retired game has come into another */
  isPotMoved: boolean
}

/** A log as far as it was read. */
export interface ReadLog {
  readonly origin: string
  readonly isRound: RoundCheck
  size: number
  /** of the newest statement, epoch seconds */
  time: number
  readonly hashes: Set<string>
  readonly keys: LogKey[]
  /** the hash of the next key, hex */
  nextKey: string
  readonly chains: Logged<StatementOf<'chain'>>[]
  readonly games: Map<string, ReadGame>
  /** by the hash of `open` */
  readonly draws: Map<string, ReadDraw>
  /** the draw of each close, by its hash */
  readonly closes: Map<string, ReadDraw>
  readonly seedHashes: Set<string>
  paid: { readonly size: number; readonly root: string }
}

/** What a draw is called in sentences. */
export function titleOf({ open: { statement } }: Pick<ReadDraw, 'open'>): string {
  return `${statement.game}, draw ${statement.draw}`
}

/** Gathers what is wrong with one statement. */
export class Faults {
  readonly found: Fault[] = []
  readonly #index: number
  readonly #about: string

  /** @param about what the sentences begin with */
  constructor(index: number, about: string) {
    this.#index = index
    this.#about = about
  }

  /** Notes a fault where something is not so. @param why ends a sentence that began with what it is about */
  hold(isSo: boolean, rule: ReadRule, why: string, grade: Grade = 'breach'): boolean {
    if (!isSo) this.found.push({ index: this.#index, rule, grade, text: `${this.#about}: ${why}.` })
    return isSo
  }

  /**
   * Takes over what checks of the verifier found: what failed, or is not there, is a breach.
   *
   * @param usual checks whose warnings are of every honest day
   */
  take(checks: Checks, usual: readonly CheckId[] = []): void {
    for (const [id, { status, why }] of Object.entries(checks.findings()) as [CheckId, Finding][]) {
      if (status === 'fail' || status === 'broken') this.hold(false, id, why)
      if ((status === 'warn' || status === 'unknown') && !usual.includes(id)) this.hold(false, id, why, 'doubt')
    }
  }
}
