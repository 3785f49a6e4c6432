import { join } from 'node:path'
import { BundleError, evidenceText } from '@fairball/domain/fairness/bundle-file'
import { lengthText, timeText } from '@fairball/domain/fairness/checks'
import { type LoggedNote, readLogged } from '@fairball/domain/fairness/log'
import type { AlarmKind, Alarms, Suspicion } from './alarms.ts'
import { DrawBook, type WatchedDraw } from './draw-book.ts'
import { FolderError, parseObject } from './journal.ts'
import { type KeptLog, type KeptNote, MOST_LOG_BYTES } from './kept-log.ts'
import { fingerprintOfKey, matchesKey } from './operator-key.ts'
import { type LogPage, type OperatorClient, OperatorProblem } from './operator-client.ts'
import type { Runtime } from './runtime.ts'
import { brokenBy, changeOf, shrunk } from './served-notes.ts'
import type { Signatures } from './signatures.ts'
import { clockText, type Teller } from './teller.ts'
import { failedChecks, type VerifiedDraws, verifyEndedDraw } from './verify-draws.ts'

/** What a witness is made of. */
export interface WitnessDeps {
  readonly runtime: Pick<Runtime, 'files' | 'randomBytes'>
  readonly folder: string
  readonly client: OperatorClient
  /** the clock that sights and signatures are dated by, epoch seconds */
  readonly now: () => number
  readonly log: KeptLog
  readonly alarms: Alarms
  readonly signatures: Signatures
  readonly verified: VerifiedDraws
  readonly teller: Teller
  readonly options: WitnessOptions
}

/** How a witness watches. */
export interface WitnessOptions {
  /** the operator's address, as evidence says it */
  readonly url: string
  /** the first public key the log must have, hex, or its fingerprint; null takes what is seen first */
  readonly key: string | null
  /** hands signatures over to operators who ask for them */
  readonly posts: boolean
  /** verifies draws once they have ended */
  readonly verifies: boolean
  /** how long there may be no answer, or nothing new when a close is due */
  readonly patienceSeconds: number
}

/** How a round went: `unreached` when the operator gave nothing that could be used. */
export type RoundOutcome = 'well' | 'alarm' | 'unreached'

export const STATUS_FILE = 'status.json'
/** So far may the operator's clock be ahead of ours. */
const CLOCK_TOLERANCE_SECONDS = 30
/** Pages of the log taken in one round; the next round goes on. */
const MOST_PAGES_A_ROUND = 2000
/** Draws verified in one round: each costs the operator a download. */
const MOST_DRAWS_A_ROUND = 5
/** How long entries of a draw that has ended may not be had. */
const WITHHELD_AFTER_SECONDS = 3600
/** While one of these stands nothing is signed: either it is not one log, or the clocks disagree. */
const KEEPS_FROM_SIGNING: readonly AlarmKind[] = ['fork', 'changed', 'shrank', 'broken', 'key', 'clock']

/** Follows one operator's log: looks, compares, keeps, signs, alarms (fairness sections 3, 5, 7 and 10). */
export class Witness {
  readonly #deps: WitnessDeps
  readonly #book = new DrawBook()
  readonly #status: Status
  /** found while the kept log was read again: a crash may have kept it from being told */
  readonly #recalled: Suspicion[] = []
  /** when verifying a draw was last tried, by its open hash */
  readonly #tried = new Map<string, number>()
  #verifying: Promise<void> | null = null
  #failure: { readonly error: unknown } | null = null
  /** what the operator last said to a signature, by close hash */
  readonly #refusals = new Map<string, string>()

  constructor(deps: WitnessDeps) {
    this.#deps = deps
    this.#status = readStatus(deps)
    for (const kept of deps.log.notes) this.#recalled.push(...this.#book.add(kept))
  }

  /** What is known of the draws. */
  get book(): DrawBook {
    return this.#book
  }

  /**
   * Looks once. Never throws for what an operator does; only when the own folder cannot be written.
   *
   * @param waits until draws that have ended are verified. Without, that goes on behind the following rounds: an operator who
   *   answers slowly must not keep a witness from looking
   */
  async round({ waits }: { waits: boolean }): Promise<RoundOutcome> {
    const { alarms, options } = this.#deps
    const before = alarms.count
    this.#throwFailure()
    await alarms.tellUntold()
    for (const suspicion of this.#recalled.splice(0)) await this.#raise(suspicion)
    const isReached = await this.#reached('log', () => this.#look())
    if (isReached) {
      await this.#checkClock()
      await this.#sign()
      await this.#handOver()
      await this.#reached('old', () => this.#sample())
      if (options.verifies) this.#verifying ??= this.#verifyBehind()
      if (waits) await this.#verifying
      this.#throwFailure()
    }
    if (alarms.count > before || alarms.standing.length > 0) return 'alarm'
    return isReached ? 'well' : 'unreached'
  }

  /** Does what asks the operator, and keeps account of answers that do not come. */
  async #reached(part: Part, ask: () => Promise<void>): Promise<boolean> {
    const { now, teller, alarms, options } = this.#deps
    const failingSince = this.#status.failingSince[part]
    try {
      await ask()
    } catch (error) {
      if (!(error instanceof OperatorProblem)) throw error
      if (failingSince === null) {
        teller.warn('unreached', `The ${PARTS[part]} cannot be had from ${options.url}. ${error.message}`)
        this.#keepFailing(part, now())
      } else await this.#judgeSilence(part, failingSince, error.message)
      return false
    }
    if (failingSince !== null) {
      teller.say(
        'reached',
        `The ${PARTS[part]} is served again, after ${lengthText(Math.max(0, now() - failingSince))}.`,
      )
      alarms.end(`silence:${part}:${failingSince}`, now())
      this.#keepFailing(part, null)
    }
    return true
  }

  async #judgeSilence(part: Part, failingSince: number, message: string): Promise<void> {
    const { options, log, now } = this.#deps
    if (now() - failingSince < options.patienceSeconds) return
    await this.#raise({
      kind: 'silence',
      key: `silence:${part}:${failingSince}`,
      text: `Silence: the ${PARTS[part]} has not come from ${options.url} since ${timeText(failingSince)}. ${message}`,
      duration: 'while-so',
      seq: log.head?.seq ?? 0,
      evidence: null,
    })
  }

  /** Takes what is new, after holding the newest kept statement against the one served in its place. */
  async #look(): Promise<void> {
    const { client, log, now, alarms } = this.#deps
    const { last } = log
    let askedAt = now()
    const first = await client.log(last?.logged.statement.seq ?? 0)
    const change = last === null ? await this.#keyProblem(first) : this.#headProblem(last, first)
    if (change !== null) {
      await this.#raise(change)
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
    if (log.isFull) await this.#raise(tooLarge(log))
  }

  /** @returns whether all of it followed */
  async #take(notes: readonly string[]): Promise<boolean> {
    const { log, now } = this.#deps
    const before = log.last
    const { kept, broken } = log.take(notes, { seenAt: now(), lookedAt: this.#status.lookedAt })
    for (const one of kept) {
      this.#tellKept(one, before === null)
      for (const suspicion of this.#book.add(one)) await this.#raise(suspicion)
    }
    if (broken === null) return true
    const { last, publicKeys, head } = log
    const operator = head?.operator ?? ''
    await this.#raise(brokenBy(broken.note, broken.problem, { last, operator, publicKeys }))
    // A page that does not continue what was kept: perhaps another log is shown now. Its statement at the head tells.
    if (last !== null && broken.problem.fault === 'order') await this.#askHeadAgain(last)
    return false
  }

  async #askHeadAgain(last: KeptNote): Promise<void> {
    const { client } = this.#deps
    const change = this.#headProblem(last, await client.log(last.logged.statement.seq))
    if (change !== null) await this.#raise(change)
  }

  #headProblem(last: KeptNote, { notes }: LogPage): Suspicion | null {
    const [served] = notes
    return served === undefined ? shrunk(last) : changeOf(last, served, this.#deps.log.publicKeys)
  }

  /** A log that begins with another key than the one that was named is not followed at all. */
  async #keyProblem({ notes: [note] }: LogPage): Promise<Suspicion | null> {
    const { options, teller } = this.#deps
    const first = note === undefined ? '' : readLogged(note)
    if (note === undefined || typeof first === 'string' || first.statement.type !== 'log') return null // not kept either
    const { key, operator } = first.statement
    const fingerprint = fingerprintOfKey(key)
    if (options.key !== null && !matchesKey(key, options.key)) {
      return {
        kind: 'key',
        key: `key:${key}`,
        text: `The log begins with another key than the one you named: ${key}, fingerprint ${fingerprint}.`,
        duration: 'while-so',
        seq: 0,
        evidence: { fork: null, notes: [note] },
      }
    }
    teller.say('operator', `The operator of this log is ${operator}, key ${key}, fingerprint ${fingerprint}.`)
    if (options.key === null) {
      teller.warn(
        'first-key',
        'The key is taken as it was served. Compare its fingerprint with another source, or name it with --key.',
      )
    }
    return null
  }

  async #looked(askedAt: number): Promise<void> {
    const { log, alarms, options, now } = this.#deps
    this.#status.lookedAt = askedAt
    this.#keepStatus()
    const found = this.#book.overdue(askedAt, log.head?.time ?? 0, options.patienceSeconds)
    for (const suspicion of found) await this.#raise(suspicion)
    const stillSo = new Set([...found.map(({ key }) => key), ...this.#silentParts()])
    alarms.endOthers(['silence'], stillSo, now())
  }

  #silentParts(): string[] {
    return Object.entries(this.#status.failingSince).map(([part, since]) => `silence:${part}:${since}`)
  }

  /** A page of old statements, chosen so that no operator can know which, is held against what was kept. */
  async #sample(): Promise<void> {
    const { client, log, runtime } = this.#deps
    if (log.last === null) return
    // A page that was not served is asked for again until it is, so that leaving out a part of the log cannot go unseen.
    const owed = this.#status.owedFrom
    const from = owed !== null && owed < log.notes.length ? owed : randomBelow(log.notes.length, runtime.randomBytes(6))
    this.#status.owedFrom = from
    const { notes } = await client.log(from)
    this.#status.owedFrom = null
    for (const [place, note] of notes.entries()) {
      const kept = log.notes[from + place]
      const change = kept === undefined ? null : changeOf(kept, note, log.publicKeys)
      if (change !== null) {
        await this.#raise(change)
        return
      }
    }
    if (notes[0] === undefined) await this.#raise(shrunk(log.notes[from] ?? log.last))
    else for (const seq of notes.keys()) this.#endTrouble(['changed', 'shrank'], from + seq)
  }

  /** Only the statement that made trouble can end it. */
  #endTrouble(kinds: readonly AlarmKind[], seq: number): void {
    for (const kind of kinds) this.#deps.alarms.end(`${kind}:${seq}`, this.#deps.now())
  }

  async #checkClock(): Promise<void> {
    const { log, now, alarms } = this.#deps
    const at = now()
    const ahead = (log.head?.time ?? 0) - at
    const back = newestSight(log) - at
    const found: Suspicion[] = []
    const about = { kind: 'clock', duration: 'while-so', seq: log.head?.seq ?? 0, evidence: null } as const
    if (ahead > CLOCK_TOLERANCE_SECONDS) {
      const text =
        `The operator's newest statement is dated ${timeText(log.head?.time ?? 0)}, ${lengthText(ahead)} ahead of this ` +
        'computer. One of the two clocks is wrong. Nothing is signed until they agree.'
      found.push({ ...about, key: 'clock:ahead', text })
    }
    if (back > CLOCK_TOLERANCE_SECONDS) {
      const text = `The clock of this computer went back by ${lengthText(back)}. Nothing is signed until it is right again.`
      found.push({ ...about, key: 'clock:back', text })
    }
    for (const suspicion of found) await this.#raise(suspicion)
    alarms.endOthers(['clock'], new Set(found.map(({ key }) => key)), at)
  }

  async #sign(): Promise<void> {
    const { alarms, signatures, log, now, teller, options } = this.#deps
    if (alarms.stands(...KEEPS_FROM_SIGNING)) return
    for (const draw of this.#book.active) {
      const signed = signatures.sign(draw, now(), log.publicKeys)
      if (signed === null) continue
      const what = signed.isNamed
        ? options.posts
          ? 'It is handed over to the operator.'
          : 'The draw asks for it; with --no-post it is kept only.'
        : 'The draw does not ask for this witness, so it is kept only.'
      teller.say('signed', `Signed the seal of ${draw.title} as seen ${clockText(signed.at)}. ${what}`, {
        close: signed.closeHash,
        signed_at: signed.at,
        named: signed.isNamed,
      })
    }
  }

  async #handOver(): Promise<void> {
    const { signatures, client, now, teller, options } = this.#deps
    if (!options.posts) return
    for (const signed of signatures.waiting) {
      const refusal = await client.handOver(signed.note).catch((error: unknown) => {
        if (error instanceof OperatorProblem) return error.message
        throw error
      })
      const at = now()
      if (refusal === null) {
        signatures.settle(signed, 'taken', at)
        teller.say('taken', `The operator took the signature of ${signed.title}.`, { close: signed.closeHash })
      } else if (at < signed.dueAt) {
        if (this.#refusals.get(signed.closeHash) !== refusal) {
          teller.warn('not-taken', `The operator does not take the signature of ${signed.title} yet: ${refusal}`)
        }
        this.#refusals.set(signed.closeHash, refusal)
      } else {
        signatures.settle(signed, 'given-up', at)
        await this.#raise({
          kind: 'not-taken',
          key: `not-taken:${signed.closeHash}`,
          text:
            `The operator did not take the signature of ${signed.title}, dated ${timeText(signed.at)}, before its round ` +
            `was due ${timeText(signed.dueAt)}: ${refusal}`,
          duration: 'once',
          seq: signed.seq,
          evidence: { fork: null, notes: [signed.note] },
        })
      }
    }
  }

  #throwFailure(): void {
    if (this.#failure !== null) throw this.#failure.error
  }

  async #verifyBehind(): Promise<void> {
    try {
      await this.#verifyDraws()
    } catch (error) {
      this.#failure = { error } // of the own folder: the next round throws it
    }
    this.#verifying = null
  }

  async #verifyDraws(): Promise<void> {
    const { verified } = this.#deps
    const waiting = [...this.#book.draws.values()]
      .filter(({ open, endSeenAt }) => endSeenAt !== null && !verified.outcomes.has(open.hash))
      .toSorted((one, other) => (this.#tried.get(one.open.hash) ?? 0) - (this.#tried.get(other.open.hash) ?? 0))
    for (const draw of waiting.slice(0, MOST_DRAWS_A_ROUND)) await this.#verifyDraw(draw)
  }

  async #verifyDraw(draw: WatchedDraw): Promise<void> {
    const { client, log, now, verified, teller } = this.#deps
    const nowAt = now()
    this.#tried.set(draw.open.hash, nowAt)
    const sights = log.notes
      .filter(({ logged: { statement } }) => statement.type === 'close' && statement.open === draw.open.hash)
      .map(({ logged, seenAt }) => ({ hash: logged.hash, seenAt }))
    const found = await verifyEndedDraw(draw, { client, log: log.verified(), sights, nowAt }).catch(
      (error: unknown) => {
        if (error instanceof OperatorProblem || error instanceof BundleError) return error.message
        throw error
      },
    )
    if (typeof found === 'string') {
      await this.#judgeWithheld(draw, found, nowAt)
      return
    }
    const { report, bundle } = found
    const failures = failedChecks(report)
    if (failures.length > 0) {
      await this.#raise({
        kind: 'result',
        key: `result:${draw.open.hash}`,
        text: `${draw.title} does not verify: ${failures.map(({ title, detail }) => `${title}: ${detail}`).join(' ')}`,
        duration: 'once',
        seq: draw.open.statement.seq,
        evidence: { fork: null, notes: [], file: evidenceText(report, bundle) },
      })
    }
    verified.keep(draw, report, nowAt)
    const text =
      failures.length > 0
        ? 'does not verify'
        : `${draw.state === 'void' ? 'ended void' : 'is drawn'}; all that can be checked here holds`
    teller.say('verified', `${draw.title} ${text}.`, { outcome: report.outcome, open: draw.open.hash })
  }

  async #judgeWithheld(draw: WatchedDraw, message: string, at: number): Promise<void> {
    if (draw.endSeenAt === null || at - draw.endSeenAt < WITHHELD_AFTER_SECONDS) return
    await this.#raise({
      kind: 'withheld',
      key: `withheld:${draw.open.hash}`,
      text: `${draw.title} has ended, but what it takes to verify it cannot be had: ${message}`,
      duration: 'once',
      seq: draw.open.statement.seq,
      evidence: null,
    })
  }

  async #raise(suspicion: Suspicion): Promise<void> {
    const { alarms, log, now, options } = this.#deps
    // Once there is proof of a fork, more of it from later in the same log is nothing new.
    const isKnownFork =
      suspicion.kind === 'fork' &&
      alarms.standing.some(({ kind, key }) => kind === 'fork' && seqOf(key) <= suspicion.seq)
    if (isKnownFork) return
    const { head } = log
    await alarms.raise(suspicion, now(), { url: options.url, operator: head?.operator ?? null, keys: log.publicKeys })
  }

  #tellKept({ logged, seenAt }: KeptNote, isCatchingUp: boolean): void {
    const { teller } = this.#deps
    const text = isCatchingUp ? null : sentenceOf(logged, this.#book)
    if (text !== null)
      teller.say(logged.statement.type, text, { seq: logged.statement.seq, hash: logged.hash, seen_at: seenAt })
  }

  #keepFailing(part: Part, since: number | null): void {
    this.#status.failingSince[part] = since
    this.#keepStatus()
  }

  #keepStatus(): void {
    const { lookedAt, failingSince, owedFrom } = this.#status
    const { runtime, folder, options } = this.#deps
    const content = {
      format: 'fairball/witness-status/v1',
      url: options.url,
      looked_at: lookedAt,
      log_since: failingSince.log,
      old_since: failingSince.old,
      old_from: owedFrom,
    }
    runtime.files.replace(join(folder, STATUS_FILE), `${JSON.stringify(content)}\n`)
  }
}

/** What an operator may stop serving: the log's end, or what was in it before. */
type Part = 'log' | 'old'
const PARTS: Readonly<Record<Part, string>> = { log: 'log', old: 'old part of the log' }

/** What changes from round to round. */
interface Status {
  /** when the whole log was last looked at: when its last page was asked for; null before */
  lookedAt: number | null
  /** since when it has not come; null while it does */
  readonly failingSince: Record<Part, number | null>
  /** the page of old statements that did not come when it was asked for; null for none */
  owedFrom: number | null
}

function readStatus({ runtime, folder }: Pick<WitnessDeps, 'runtime' | 'folder'>): Status {
  const bytes = runtime.files.read(join(folder, STATUS_FILE))
  if (bytes === null) return { lookedAt: null, failingSince: { log: null, old: null }, owedFrom: null }
  const row = parseObject(new TextDecoder().decode(bytes))
  if (row === null) throw new FolderError(`${STATUS_FILE} is damaged. Delete it: it is made again.`)
  const wholeOf = (value: unknown): number | null => (Number.isSafeInteger(value) ? Number(value) : null)
  return {
    lookedAt: wholeOf(row['looked_at']),
    failingSince: { log: wholeOf(row['log_since']), old: wholeOf(row['old_since']) },
    owedFrom: wholeOf(row['old_from']),
  }
}

function sentenceOf({ statement, hash }: LoggedNote, book: DrawBook): string | null {
  switch (statement.type) {
    case 'open':
      return `Opened: ${statement.game}, draw ${statement.draw}; it starts ${clockText(statement.start)}.`
    case 'close': {
      const title = book.draws.get(statement.open)?.title ?? 'a draw'
      return `Sealed: ${title}, ${statement.entries} entries, hash ${hash}.`
    }
    case 'postpone':
      return `Postponed: ${book.draws.get(statement.open)?.title ?? 'a draw'}, to ${clockText(statement.start)} (${statement.reason}).`
    case 'void':
      return `Void: ${book.draws.get(statement.open)?.title ?? 'a draw'} (${statement.reason}).`
    case 'result':
      return `Drawn: ${statement.numbers.join(', ')}.`
    case 'key':
      return `The operator changed its key to ${statement.key}; the old key signed it too.`
    case 'log':
    case 'chain':
      return null
  }
}

function newestSight(log: KeptLog): number {
  return log.last?.seenAt ?? 0
}

function seqOf(key: string): number {
  return Number(key.split(':')[1])
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
