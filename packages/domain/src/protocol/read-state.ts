import type { Logged, LogKey } from './known-log.ts'
import type { CheckId, Checks, Finding } from './report.ts'
import type { GameState } from './statement-codecs.ts'
import type { StatementOf } from './statements.ts'
import type { Close, Final, PlacedClose } from './timeline.ts'
import type { OpenedDraw } from './verify-open.ts'
import type { RoundCheck } from './verify-result.ts'

/** The state of a reader of a whole log (section 16), and the faults it finds. */

/** The rule that a statement breaks: a check of the verifier, or a rule that only the whole log shows. */
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

/**
 * `breach`: the operator signed something that the protocol forbids. `doubt`: it may be honest; people should check.
 */
type Grade = 'breach' | 'doubt'

export interface Fault {
  /** of the statement in the log */
  readonly index: number
  readonly rule: ReadRule
  readonly grade: Grade
  /** one plain sentence */
  readonly text: string
}

/** A draw, by the log so far. */
export interface ReadDraw {
  readonly open: Logged<StatementOf<'open'>>
  /** null if its rules or chain are invalid: then everything that depends on them is not judged */
  readonly opened: OpenedDraw | null
  readonly game: ReadGame
  start: number
  round: number
  /** postponements so far */
  delays: number
  sold: Logged<StatementOf<'sold'>> | null
  readonly closes: PlacedClose[]
  /** the close that was not postponed */
  standing: Close | null
  /** the state before that close */
  before: GameState
  /** the draw's result or void */
  end: Final | null
  /** Σ winners × each of its result, satoshis; null before */
  won: bigint | null
  /** the part paid so far, by the newest `paid` */
  paid: bigint
}

/** A game, by the log so far. */
export interface ReadGame {
  readonly key: string
  readonly versions: Logged<StatementOf<'game'>>[]
  /** the number of its newest draw */
  opened: number
  /** the newest state, and the hash of its statement */
  state: GameState
  last: string
  /** the draw whose close was postponed and is not yet followed by a further close or a void */
  postponed: ReadDraw | null
  /** whether the retired game's pot was moved to another game */
  isPotMoved: boolean
}

/** The part of a log read so far. */
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

/** The name of a draw in sentences. */
export function titleOf({ open: { statement } }: Pick<ReadDraw, 'open'>): string {
  return `${statement.game}, draw ${statement.draw}`
}

/** Collects the faults of one statement. */
export class Faults {
  readonly found: Fault[] = []
  readonly #index: number
  readonly #about: string

  /** @param about beginning of each sentence */
  constructor(index: number, about: string) {
    this.#index = index
    this.#about = about
  }

  /** Records a fault unless a condition holds. @param why the rest of the sentence that `about` begins */
  hold(isSo: boolean, rule: ReadRule, why: string, grade: Grade = 'breach'): boolean {
    if (!isSo) this.found.push({ index: this.#index, rule, grade, text: `${this.#about}: ${why}.` })
    return isSo
  }

  /**
   * Takes over the findings of verifier checks: failed and broken ones are breaches.
   *
   * @param usual checks that can warn in an honest log
   */
  take(checks: Checks, usual: readonly CheckId[] = []): void {
    for (const [id, { status, why }] of Object.entries(checks.findings()) as [CheckId, Finding][]) {
      if (status === 'fail' || status === 'broken') this.hold(false, id, why)
      if ((status === 'warn' || status === 'unknown') && !usual.includes(id)) this.hold(false, id, why, 'doubt')
    }
  }
}
