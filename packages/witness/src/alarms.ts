import { join } from 'node:path'
import { Journal, numberOf, textOf } from './journal.ts'
import type { Runtime } from './runtime.ts'
import type { Teller } from './teller.ts'

/** The kinds of problems with a log, explained in README.md. */
type AlarmKind = 'fork' | 'breach' | 'draw' | 'doubt' | 'late' | 'back-dated' | 'unreadable' | 'silence' | 'clock'

/**
 * The duration of an alarm: `for-good` if there is proof, `while-so` until the problem is over, `once` for an event of
 * one draw.
 */
type Duration = 'for-good' | 'while-so' | 'once'

/** A problem. */
export interface Suspicion {
  readonly kind: AlarmKind
  /** identifies the problem, however often it is found */
  readonly key: string
  /** one plain sentence */
  readonly text: string
  readonly duration: Duration
  /** a file that proves it to others, and the name that its file name is made from */
  readonly evidence: { readonly name: string; readonly file: string } | null
}

/** A raised alarm. */
interface RaisedAlarm {
  readonly at: number
  readonly key: string
  readonly kind: string
  readonly text: string
  readonly duration: string
  readonly evidence: string | null
}

const ALARMS_FILE = 'alarms.jsonl'
/** Time within which a problem that ended and returns is not reported again, in seconds. */
const REPEAT_AFTER_SECONDS = 3600
/** Maximum number of evidence files: more than a person can check. */
const MAX_EVIDENCE_FILES = 1000
const WEBHOOK_TIMEOUT_MS = 20_000

/** Raises each alarm once: first on the disk, then to people. */
export class Alarms {
  readonly #folder: string
  readonly #runtime: AlarmsDeps['runtime']
  readonly #journal: Journal
  readonly #teller: Teller
  readonly #command: string | null
  readonly #webhook: string | null
  readonly #raised = new Map<string, RaisedAlarm>()
  readonly #standing = new Set<string>()
  readonly #unreported = new Set<string>()

  private constructor(deps: AlarmsDeps, journal: Journal, rows: Record<string, unknown>[]) {
    this.#folder = deps.folder
    this.#runtime = deps.runtime
    this.#teller = deps.teller
    this.#command = deps.command
    this.#webhook = deps.webhook
    this.#journal = journal
    for (const row of rows) this.#recall(row)
  }

  /** Reads the alarms raised before. @throws FolderError */
  static open(deps: AlarmsDeps, options: { isReadOnly?: boolean } = {}): Alarms {
    const { journal, rows } = Journal.open(deps.runtime.files, join(deps.folder, ALARMS_FILE), options)
    return new Alarms(deps, journal, rows)
  }

  /** All alarms ever raised, in order; a repeated alarm has its latest position. */
  get raised(): RaisedAlarm[] {
    return [...this.#raised.values()]
  }

  /** The alarms that are still active. */
  get standing(): RaisedAlarm[] {
    return this.raised.filter(({ key }) => this.#standing.has(key))
  }

  /** Reports the alarms that a crash left unreported. */
  async reportUnreported(): Promise<void> {
    for (const alarm of this.raised) if (this.#unreported.has(alarm.key)) await this.#report(alarm)
  }

  /** Raises an alarm, once. @param at epoch seconds */
  async raise(suspicion: Suspicion, at: number): Promise<void> {
    const { key, kind, text, duration } = suspicion
    const before = this.#raised.get(key)
    if (this.#standing.has(key) || (before !== undefined && before.duration === 'once')) return
    if (before !== undefined && at - before.at < REPEAT_AFTER_SECONDS) {
      this.#standing.add(key)
      return
    }
    const alarm = { at, key, kind, text, duration, evidence: this.#keepEvidence(suspicion) }
    this.#journal.add(alarm)
    this.#recall(alarm)
    await this.#report(alarm)
  }

  /** Ends an alarm because its problem is over. */
  end(key: string, at: number): void {
    if (!this.#standing.has(key)) return
    this.#standing.delete(key)
    this.#journal.add({ at, ended: key })
    this.#teller.say('alarm-ended', `Over: ${this.#raised.get(key)?.text ?? key}`, { key })
  }

  /** Ends every active `while-so` alarm of these kinds, except those named. */
  endOthers(kinds: readonly AlarmKind[], keysThatStand: ReadonlySet<string>, at: number): void {
    for (const { key, kind, duration } of this.standing) {
      const isOfKind = kinds.some((one) => one === kind)
      if (isOfKind && duration === 'while-so' && !keysThatStand.has(key)) this.end(key, at)
    }
  }

  async #report(alarm: RaisedAlarm): Promise<void> {
    const where = alarm.evidence === null ? '' : ` Evidence: ${join(this.#folder, alarm.evidence)}`
    this.#teller.alarm(`${alarm.text}${where}`, { ...alarm })
    const text = `fairball-witness alarm (${alarm.kind}): ${alarm.text}${where}`
    const problems = [
      this.#command === null ? null : await this.#runtime.run(this.#command, text),
      this.#webhook === null ? null : await this.#post(this.#webhook, alarm, text),
    ]
    for (const problem of problems) {
      if (problem !== null) this.#teller.warn('alarm-way', `The alarm could not be passed on: ${problem}`)
    }
    this.#journal.add({ at: alarm.at, told: alarm.key })
    this.#unreported.delete(alarm.key)
  }

  #recall(row: object): void {
    const { told, ended } = row as { told?: unknown; ended?: unknown }
    if (typeof told === 'string') this.#unreported.delete(told)
    else if (typeof ended === 'string') this.#standing.delete(ended)
    else {
      const alarm = readAlarm({ ...row })
      this.#raised.delete(alarm.key) // so that it is last
      this.#raised.set(alarm.key, alarm)
      this.#unreported.add(alarm.key)
      if (alarm.duration !== 'once') this.#standing.add(alarm.key)
    }
  }

  /** @returns the problem, or null */
  async #post(url: string, { at, kind, key }: RaisedAlarm, text: string): Promise<string | null> {
    try {
      const { status } = await this.#runtime.fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ text, kind, key, at }),
        signal: AbortSignal.timeout(WEBHOOK_TIMEOUT_MS),
      })
      return status < 300 ? null : `the webhook answers with status ${status}`
    } catch {
      return 'the webhook does not answer' // for any failure of the connection
    }
  }

  #keepEvidence({ evidence }: Suspicion): string | null {
    if (evidence === null) return null
    for (let copy = 1; copy <= MAX_EVIDENCE_FILES; copy += 1) {
      const name = `evidence-${evidence.name}${copy === 1 ? '' : `-${copy}`}.json`
      if (this.#runtime.files.create(join(this.#folder, name), evidence.file)) return name
    }
    return null
  }
}

/** The dependencies of alarms. */
interface AlarmsDeps {
  readonly folder: string
  readonly runtime: Pick<Runtime, 'files' | 'run' | 'fetch'>
  readonly teller: Teller
  /** a program to run with the text of each alarm; null for none */
  readonly command: string | null
  /** an address to post each alarm to, as JSON; null for none */
  readonly webhook: string | null
}

function readAlarm(row: Record<string, unknown>): RaisedAlarm {
  return {
    at: numberOf(row, 'at'),
    key: textOf(row, 'key'),
    kind: textOf(row, 'kind'),
    text: textOf(row, 'text'),
    duration: textOf(row, 'duration'),
    evidence: row['evidence'] === null ? null : textOf(row, 'evidence'),
  }
}
