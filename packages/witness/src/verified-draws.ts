import { join } from 'node:path'
import { type Evidence, writeEvidence } from '@fairball/domain/protocol/bundle'
import { toHex } from '@fairball/domain/protocol/bytes'
import { collectBundle } from '@fairball/domain/protocol/collect-bundle'
import { evidenceOfDraw } from '@fairball/domain/protocol/evidence'
import { type ReadDraw, titleOf } from '@fairball/domain/protocol/read-state'
import { type GetFile, RemoteError, RemoteLog } from '@fairball/domain/protocol/remote-log'
import type { Report } from '@fairball/domain/protocol/report'
import { NO_TRUST } from '@fairball/domain/protocol/trust'
import { verifyBundle, type VerifyOptions } from '@fairball/domain/protocol/verify'
import type { RoundCheck } from '@fairball/domain/protocol/verify-result'
import type { Alarms } from './alarms.ts'
import { ConnectionProblem } from './connection.ts'
import { Journal, numberOf, textOf } from './journal.ts'
import type { KeptLog } from './kept-log.ts'
import { nodeHash } from './node-hash.ts'
import type { Runtime } from './runtime.ts'

const DRAWS_FILE = 'draws.jsonl'
/** Time after the end of a draw within which its files must be available, in seconds. */
const PATIENCE_SECONDS = 3600

/** A draw that was verified completely. */
export interface VerifiedDraw {
  readonly open: string
  readonly outcome: string
  readonly at: number
}

/** The dependencies of verifying draws. */
interface VerifyDrawsDeps {
  readonly runtime: Pick<Runtime, 'files' | 'randomBytes'>
  readonly folder: string
  readonly get: GetFile
  readonly isRound: RoundCheck
}

/** Verifies each draw once when it is over: plays, numbers, winners and money (docs/fairness.md, section 11). */
export class VerifiedDraws {
  readonly #deps: VerifyDrawsDeps
  readonly #journal: Journal
  readonly #byOpen = new Map<string, VerifiedDraw>()

  /** Reads the draws verified before. @throws FolderError */
  constructor(deps: VerifyDrawsDeps, options: { isReadOnly?: boolean } = {}) {
    this.#deps = deps
    const { journal, rows } = Journal.open(deps.runtime.files, join(deps.folder, DRAWS_FILE), options)
    this.#journal = journal
    for (const row of rows) {
      const open = textOf(row, 'open')
      this.#byOpen.set(open, { open, outcome: textOf(row, 'outcome'), at: numberOf(row, 'at') })
    }
  }

  get all(): readonly VerifiedDraw[] {
    return [...this.#byOpen.values()]
  }

  /** Verifies a log's next draw that is over. Raises an alarm if it fails, or lacks files an hour after its end. */
  async verifyNext(kept: KeptLog, alarms: Alarms, at: number): Promise<void> {
    const draw = kept.reader.draws.find(({ end, open }) => end !== null && !this.#byOpen.has(open.hash))
    if (draw === undefined || kept.newest === null) return
    const { hash: open } = draw.open
    const key = `draw:${open}`
    const found = await this.#verify(kept.newest.note, open)
    if ('problem' in found) {
      const isLate = at > (draw.end?.statement.time ?? at) + PATIENCE_SECONDS
      const text = `${titleOf(draw)} is over and cannot be verified: ${found.problem}`
      if (isLate) await alarms.raise({ kind: 'draw', key, text, duration: 'while-so', evidence: null }, at)
      return
    }
    alarms.end(key, at)
    if (found.evidence !== null) await this.#raise(draw, found.evidence, alarms, at)
    this.#journal.add({ at, open, outcome: found.report.outcome })
    this.#byOpen.set(open, { open, outcome: found.report.outcome, at })
  }

  async #verify(
    head: string,
    open: string,
  ): Promise<{ report: Report; evidence: Evidence | null } | { problem: string }> {
    const { get, isRound } = this.#deps
    const log = new RemoteLog(get, head, nodeHash)
    const options: VerifyOptions = { hash: nodeHash, isRoundSigned: isRound }
    try {
      const random = (below: number) => this.#random(below)
      const bundle = await collectBundle({ get, draws: [open], random, log, hash: nodeHash })
      const report = verifyBundle(bundle, NO_TRUST, options)
      if (report.outcome === 'broken' || report.outcome === 'not yet') return { problem: problemOf(report) }
      return { report, evidence: evidenceOfDraw(bundle, options) }
    } catch (error) {
      if (error instanceof RemoteError || error instanceof ConnectionProblem) return { problem: error.message }
      throw error
    }
  }

  async #raise(draw: ReadDraw, evidence: Evidence, alarms: Alarms, at: number): Promise<void> {
    const text = `Fraud: ${titleOf(draw)} does not verify: ${evidence.failed.join(', ')}.`
    const file = { name: `draw-${draw.open.index}`, file: writeEvidence(evidence) }
    const key = `failed:${draw.open.hash}`
    await alarms.raise({ kind: 'draw', key, text, duration: 'for-good', evidence: file }, at)
  }

  /** A whole number below a limit, from the system's random bytes. */
  #random(below: number): number {
    return Number.parseInt(toHex(this.#deps.runtime.randomBytes(6)), 16) % below
  }
}

function problemOf({ outcome, broken, reasons }: Report): string {
  const why = [...broken, ...reasons].join('; ')
  return `what its operator serves of it is ${outcome === 'broken' ? 'not whole' : outcome}${why === '' ? '' : ` (${why})`}.`
}
