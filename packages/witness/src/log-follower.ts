import type { AlarmKind, Suspicion } from './alarms.ts'
import { judgeFirstKey } from './first-key.ts'
import { type KeptLog, type KeptNote, MOST_LOG_BYTES } from './kept-log.ts'
import type { LogPage } from './operator-client.ts'
import { OperatorProblem } from './operator-connection.ts'
import { brokenBy, changeOf, shrunk } from './served-notes.ts'
import { sentenceOf } from './statement-sentence.ts'
import type { WitnessShared } from './witness-deps.ts'

/** Pages of the log taken in one round; the next round goes on. */
const MOST_PAGES_A_ROUND = 2000

type Shared = Pick<
  WitnessShared,
  'runtime' | 'client' | 'now' | 'log' | 'alarms' | 'teller' | 'options' | 'book' | 'status' | 'raise'
>

/** Takes what is new in an operator's log, and holds what is served again against what was kept (fairness section 3). */
export class LogFollower {
  readonly #shared: Shared

  constructor(shared: Shared) {
    this.#shared = shared
  }

  /**
   * Takes what is new, after holding the newest kept statement against the one served in its place.
   *
   * @throws OperatorProblem where the log is not served
   */
  async look(): Promise<void> {
    const { client, log, now, alarms, raise, teller, options } = this.#shared
    const { last } = log
    let askedAt = now()
    const first = await client.log(last?.logged.statement.seq ?? 0)
    const change =
      last === null ? judgeFirstKey(first.notes[0], { named: options.key, teller }) : this.#headProblem(last, first)
    if (change !== null) {
      await raise(change)
      return
    }
    if (last !== null) this.#endTrouble(['shrank', 'changed'], last.logged.statement.seq)
    if (last === null && first.notes.length === 0) throw new OperatorProblem('Its log is empty.')
    let page: LogPage = last === null ? first : { notes: first.notes.slice(1), next: first.next }
    for (let pages = 1; ; pages += 1) {
      if (!(await this.#take(page.notes)) || log.isFull) break
      if (page.next === null) {
        alarms.endOthers(['broken', 'key', 'full'], new Set(), now())
        await this.#looked(askedAt)
        return
      }
      if (pages === MOST_PAGES_A_ROUND) return
      askedAt = now()
      page = await client.log(page.next)
    }
    if (log.isFull) await raise(tooLarge(log))
  }

  /**
   * Holds a page of old statements, chosen so that no operator can know which, against what was kept.
   *
   * @throws OperatorProblem where the page is not served
   */
  async sample(): Promise<void> {
    const { client, log, runtime, status, raise } = this.#shared
    if (log.last === null) return
    // A page that was not served is asked for again until it is, so that leaving out a part of the log cannot go unseen.
    const owed = status.owedFrom
    const from = owed !== null && owed < log.notes.length ? owed : randomBelow(log.notes.length, runtime.randomBytes(6))
    status.owedFrom = from
    const { notes } = await client.log(from)
    status.owedFrom = null
    for (const [place, note] of notes.entries()) {
      const kept = log.notes[from + place]
      const change = kept === undefined ? null : changeOf(kept, note, log.publicKeys)
      if (change !== null) {
        await raise(change)
        return
      }
    }
    if (notes[0] === undefined) await raise(shrunk(log.notes[from] ?? log.last))
    else for (const seq of notes.keys()) this.#endTrouble(['changed', 'shrank'], from + seq)
  }

  /** @returns whether all of it followed */
  async #take(notes: readonly string[]): Promise<boolean> {
    const { log, now, book, status, raise } = this.#shared
    const before = log.last
    const { kept, broken } = log.take(notes, { seenAt: now(), lookedAt: status.lookedAt })
    for (const one of kept) {
      if (before !== null) this.#tell(one) // the first page of a log is its past, not news
      for (const suspicion of book.add(one)) await raise(suspicion)
    }
    if (broken === null) return true
    const { last, publicKeys, head } = log
    const operator = head?.operator ?? ''
    await raise(brokenBy(broken.note, broken.problem, { last, operator, publicKeys }))
    // A page that does not continue what was kept: perhaps another log is shown now. Its statement at the head tells.
    if (last !== null && broken.problem.fault === 'order') await this.#askHeadAgain(last)
    return false
  }

  async #askHeadAgain(last: KeptNote): Promise<void> {
    const { client, raise } = this.#shared
    const change = this.#headProblem(last, await client.log(last.logged.statement.seq))
    if (change !== null) await raise(change)
  }

  #headProblem(last: KeptNote, { notes }: LogPage): Suspicion | null {
    const [served] = notes
    return served === undefined ? shrunk(last) : changeOf(last, served, this.#shared.log.publicKeys)
  }

  /** Keeps that the whole log was looked at, and says what should have been in it by then. */
  async #looked(askedAt: number): Promise<void> {
    const { log, book, status, alarms, options, now, raise } = this.#shared
    status.keepLooked(askedAt)
    const found = book.overdue(askedAt, log.head?.time ?? 0, options.patienceSeconds)
    for (const suspicion of found) await raise(suspicion)
    alarms.endOthers(['silence'], new Set([...found.map(({ key }) => key), ...status.silenceKeys]), now())
  }

  /** Only the statement that made trouble can end it. */
  #endTrouble(kinds: readonly AlarmKind[], seq: number): void {
    const { alarms, now } = this.#shared
    for (const kind of kinds) alarms.end(`${kind}:${seq}`, now())
  }

  #tell({ logged, seenAt }: KeptNote): void {
    const { teller, book } = this.#shared
    const { statement, hash } = logged
    const text = sentenceOf(logged, book)
    if (text !== null) teller.say(statement.type, text, { seq: statement.seq, hash, seen_at: seenAt })
  }
}

function tooLarge({ head }: KeptLog): Suspicion {
  return {
    kind: 'full',
    key: 'full',
    text: `The log has grown beyond ${MOST_LOG_BYTES / 1024 / 1024} MiB. It is not followed any further.`,
    duration: 'for-good',
    seq: head?.seq ?? 0,
    evidence: null,
  }
}

/** A whole number from 0 to below a limit. With 48 random bits for places in a log there is no bias that matters. */
function randomBelow(limit: number, random: Uint8Array): number {
  return random.reduce((sum, byte) => sum * 256 + byte, 0) % limit
}
