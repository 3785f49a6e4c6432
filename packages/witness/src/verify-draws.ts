import { join } from 'node:path'
import type { Bundle, Sight } from '@fairball/domain/fairness/bundle'
import { collectBundle } from '@fairball/domain/fairness/collect-bundle'
import type { VerifiedLog } from '@fairball/domain/fairness/log'
import type { Report } from '@fairball/domain/fairness/report'
import { verifyDraw } from '@fairball/domain/fairness/verify'
import type { WatchedDraw } from './draw-book.ts'
import { Journal, textOf } from './journal.ts'
import type { OperatorClient } from './operator-client.ts'
import type { Files } from './runtime.ts'

const RESULTS_FILE = 'results.jsonl'

/** Which draws were verified from one end to the other once they had ended. */
export class VerifiedDraws {
  readonly #journal: Journal
  readonly #outcomes = new Map<string, string>()

  private constructor(journal: Journal, rows: Record<string, unknown>[]) {
    this.#journal = journal
    for (const row of rows) this.#outcomes.set(textOf(row, 'open'), textOf(row, 'outcome'))
  }

  /** @throws FolderError */
  static open(files: Files, folder: string, options: { isReadOnly?: boolean } = {}): VerifiedDraws {
    const { journal, rows } = Journal.open(files, join(folder, RESULTS_FILE), options)
    return new VerifiedDraws(journal, rows)
  }

  /** open hash → `passed`, `failed` or `unchecked` */
  get outcomes(): ReadonlyMap<string, string> {
    return this.#outcomes
  }

  /** Keeps how a draw came out. */
  keep({ open, game, draw }: WatchedDraw, report: Report, at: number): void {
    const { outcome } = report
    this.#journal.add({ at, open: open.hash, game, draw, outcome, failed: failedChecks(report).map(({ id }) => id) })
    this.#outcomes.set(open.hash, outcome)
  }
}

/** The checks that failed. */
export function failedChecks({ steps }: Report) {
  return steps.flatMap(({ checks }) => checks.filter(({ outcome }) => outcome === 'failed'))
}

/**
 * Verifies a draw that has ended: numbers, prizes, entries and all (fairness section 10), by the log that was kept and what
 * the operator publishes beside it.
 *
 * @throws OperatorProblem or BundleError where something is not served
 */
export async function verifyEndedDraw(
  { game, draw }: WatchedDraw,
  { client, log, sights, nowAt }: Verifying,
): Promise<{ report: Report; bundle: Bundle }> {
  const notes = log.statements.map(({ note }) => note)
  // Statements come from the kept log alone: what a record of one draw says of others is nobody's promise.
  const source = { ...client, log: () => Promise.resolve({ notes: [], next: null }) }
  const own = { key: log.head?.keys[0]?.publicKey ?? null, username: null, sights, receipts: [] }
  const bundle = { ...(await collectBundle(source, game, draw, notes)), own }
  return { report: verifyDraw(bundle, log, { own, nowAt }), bundle }
}

/** What it takes to verify a draw. */
interface Verifying {
  readonly client: OperatorClient
  readonly log: VerifiedLog
  /** the closes of the draw as this witness first saw them */
  readonly sights: readonly Sight[]
  readonly nowAt: number
}
