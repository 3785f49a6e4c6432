import type { Bundle, Sight } from '@fairball/domain/fairness/bundle'
import { BundleError, evidenceText } from '@fairball/domain/fairness/bundle-file'
import type { Report } from '@fairball/domain/fairness/report'
import type { Suspicion } from './alarms.ts'
import type { WatchedDraw } from './draw-book.ts'
import type { KeptLog } from './kept-log.ts'
import { OperatorProblem } from './operator-connection.ts'
import { failedChecks, verifyEndedDraw } from './verify-draws.ts'
import type { WitnessShared } from './witness-deps.ts'

/** Draws verified in one round: each costs the operator a download. */
const MOST_DRAWS_A_ROUND = 5
/** How long a finished draw's entries may stay unavailable. */
const WITHHELD_AFTER_SECONDS = 3600

type Shared = Pick<WitnessShared, 'client' | 'now' | 'log' | 'verified' | 'teller' | 'book' | 'raise'>

/**
 * Verifies draws that have ended (fairness section 10), behind the rounds: an operator who answers slowly must not keep a
 * witness from looking.
 */
export class DrawVerifier {
  readonly #shared: Shared
  /** when verifying a draw was last tried, by its open hash */
  readonly #tried = new Map<string, number>()
  #running: Promise<void> | null = null
  #failure: { readonly error: unknown } | null = null

  constructor(shared: Shared) {
    this.#shared = shared
  }

  /** Begins with the draws that wait, unless it is still at some. */
  begin(): void {
    this.#running ??= this.#run()
  }

  /** Waits for what was begun. Never rejects: `throwFailure` does. */
  async finished(): Promise<void> {
    await this.#running
  }

  /** Throws what kept the own folder from being written; what an operator does is no failure. */
  throwFailure(): void {
    if (this.#failure !== null) throw this.#failure.error
  }

  async #run(): Promise<void> {
    try {
      await this.#verifyWaiting()
    } catch (error) {
      this.#failure = { error } // of the own folder: the next round throws it
    }
    this.#running = null
  }

  /** Those that were tried last come last, so that one that cannot be had does not keep others waiting. */
  async #verifyWaiting(): Promise<void> {
    const { verified, book } = this.#shared
    const waiting = [...book.draws.values()]
      .filter(({ open, endSeenAt }) => endSeenAt !== null && !verified.outcomes.has(open.hash))
      .toSorted((one, other) => (this.#tried.get(one.open.hash) ?? 0) - (this.#tried.get(other.open.hash) ?? 0))
    for (const draw of waiting.slice(0, MOST_DRAWS_A_ROUND)) await this.#verify(draw)
  }

  async #verify(draw: WatchedDraw): Promise<void> {
    const { client, log, now, raise } = this.#shared
    const nowAt = now()
    this.#tried.set(draw.open.hash, nowAt)
    const sights = sightsOf(draw, log)
    const found = await verifyEndedDraw(draw, { client, log: log.verified(), sights, nowAt }).catch(
      (error: unknown) => {
        if (error instanceof OperatorProblem || error instanceof BundleError) return error.message
        throw error
      },
    )
    if (typeof found !== 'string') await this.#judge(draw, found, nowAt)
    else if (draw.endSeenAt !== null && nowAt - draw.endSeenAt >= WITHHELD_AFTER_SECONDS) {
      await raise(withheld(draw, found))
    }
  }

  async #judge(draw: WatchedDraw, found: { report: Report; bundle: Bundle }, at: number): Promise<void> {
    const { verified, teller, raise } = this.#shared
    const { report } = found
    const isFailed = failedChecks(report).length > 0
    if (isFailed) await raise(falseResult(draw, found))
    verified.keep(draw, report, at)
    const text = isFailed
      ? 'does not verify'
      : `${draw.state === 'void' ? 'ended void' : 'is drawn'}; all that can be checked here holds`
    teller.say('verified', `${draw.title} ${text}.`, { outcome: report.outcome, open: draw.open.hash })
  }
}

/** The closes of a draw as this witness first saw them. */
function sightsOf({ open }: WatchedDraw, { notes }: KeptLog): Sight[] {
  return notes
    .filter(({ logged: { statement } }) => statement.type === 'close' && statement.open === open.hash)
    .map(({ logged, seenAt }) => ({ hash: logged.hash, seenAt }))
}

function falseResult({ open, title }: WatchedDraw, { report, bundle }: { report: Report; bundle: Bundle }): Suspicion {
  const failures = failedChecks(report).map((check) => `${check.title}: ${check.detail}`)
  return {
    kind: 'result',
    key: `result:${open.hash}`,
    text: `${title} does not verify: ${failures.join(' ')}`,
    duration: 'once',
    seq: open.statement.seq,
    evidence: { fork: null, notes: [], file: evidenceText(report, bundle) },
  }
}

function withheld({ open, title }: WatchedDraw, message: string): Suspicion {
  return {
    kind: 'withheld',
    key: `withheld:${open.hash}`,
    text: `${title} has ended, but what it takes to verify it cannot be had: ${message}`,
    duration: 'once',
    seq: open.statement.seq,
    evidence: null,
  }
}
