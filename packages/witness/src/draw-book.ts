import { fromHex, toHex } from '@fairball/domain/fairness/bytes'
import type { Chain } from '@fairball/domain/fairness/chain'
import { lengthText, timeText } from '@fairball/domain/fairness/checks'
import { chainOf, dueAtOf } from '@fairball/domain/fairness/draw-record'
import { CLOSE_BEFORE_ROUND_SECONDS } from '@fairball/domain/fairness/protocol'
import type { LoggedNote, LoggedNoteOf } from '@fairball/domain/fairness/log'
import { seedHash } from '@fairball/domain/fairness/sampler'
import type { Witnesses } from '@fairball/domain/fairness/statements'
import type { AlarmKind, Suspicion } from './alarms.ts'
import type { KeptNote } from './kept-log.ts'

/** A draw as its log tells it so far. */
export interface WatchedDraw {
  /** `bitcoin-lotto, draw 17` */
  readonly title: string
  readonly game: string
  readonly draw: number
  readonly open: LoggedNoteOf<'open'>
  readonly witnesses: Witnesses
  /** null where the log does not describe it */
  readonly chain: Chain | null
  /** the round in force: as opened, or of the last postponement */
  readonly round: bigint
  /** when it is due, epoch seconds; null where that cannot be told */
  readonly dueAt: number | null
  /** a close has to be committed, and witnessed, by then (fairness section 7) */
  readonly deadlineAt: number | null
  /** from when on a close, or another postponement, is to be expected */
  readonly closeExpectedAt: number
  /** the close for the round in force, if there is one */
  readonly close: WatchedClose | null
  readonly state: 'open' | 'closed' | 'settled' | 'void'
  /** when the witness first saw the statement that ended it */
  readonly endSeenAt: number | null
}

/** A close as it was seen. */
interface WatchedClose {
  readonly kept: KeptNote
  readonly logged: LoggedNoteOf<'close'>
  /** whether nothing was wrong with it: only then is it signed */
  readonly isSound: boolean
}

/**
 * A close that was dated in time, but first served this long after its last moment, was served late: what is left for a
 * commit that takes a moment and for answers that are kept for a second.
 */
const SERVING_TOLERANCE_SECONDS = 5
/** How long after its last moment a close, a postponement or the end of the draw may be missing. */
const MISSING_CLOSE_SECONDS = 600
/** How long after the round was due a result may be missing: the balls take minutes, a late beacon longer. */
const MISSING_RESULT_SECONDS = 3600

/** Follows every draw of a log and says what is wrong with its statements. Pure: the same log gives the same answers. */
export class DrawBook {
  readonly #chains: LoggedNote[] = []
  readonly #draws = new Map<string, WatchedDraw>()
  readonly #active = new Map<string, WatchedDraw>()
  /** close hash → open hash */
  readonly #closes = new Map<string, string>()

  /** Every draw, by its open hash. */
  get draws(): ReadonlyMap<string, WatchedDraw> {
    return this.#draws
  }

  /** Those that have neither a result nor are void. */
  get active(): Iterable<WatchedDraw> {
    return this.#active.values()
  }

  /** Takes the next statement. @returns what is wrong with it */
  add(kept: KeptNote): Suspicion[] {
    const { logged } = kept
    const { statement } = logged
    switch (statement.type) {
      case 'chain':
        this.#chains.push(logged)
        return []
      case 'open':
        return this.#open({ ...logged, statement })
      case 'close':
        return this.#close(kept, { ...logged, statement })
      case 'postpone': {
        const draw = this.#active.get(statement.open)
        if (draw === undefined) return [strange(kept, 'postpones a draw that is not open')]
        this.#put({
          ...draw,
          ...timesOf(statement.round, draw.chain),
          closeExpectedAt: statement.time,
          close: null,
          state: 'open',
        })
        return []
      }
      case 'result':
        return this.#end(kept, this.#closes.get(statement.close), 'settled')
      case 'void':
        return this.#end(kept, statement.open, 'void')
      case 'log':
      case 'key':
        return []
    }
  }

  /**
   * What is overdue.
   *
   * @param lookedAt when the witness last looked at the whole log, epoch seconds
   * @param patienceSeconds how long the log may stay silent when a close is due
   */
  overdue(lookedAt: number, newestAt: number, patienceSeconds: number): Suspicion[] {
    return [...this.#active.values()].flatMap((draw) => [
      ...missingClose(draw, lookedAt),
      ...silentClose(draw, { lookedAt, newestAt, patienceSeconds }),
      ...missingResult(draw, lookedAt),
    ])
  }

  #open(open: LoggedNoteOf<'open'>): Suspicion[] {
    const { game, draw, round, close, witness } = open.statement
    const chain = chainOf(this.#chains, open.statement)?.chain ?? null
    this.#put({
      title: `${game}, draw ${draw}`,
      game,
      draw,
      open,
      witnesses: witness,
      chain,
      ...timesOf(round, chain),
      closeExpectedAt: close,
      close: null,
      state: 'open',
      endSeenAt: null,
    })
    return []
  }

  #close(kept: KeptNote, logged: LoggedNoteOf<'close'>): Suspicion[] {
    const draw = this.#active.get(logged.statement.open)
    if (draw === undefined) return [strange(kept, 'seals a draw that is not open')]
    this.#closes.set(logged.hash, draw.open.hash)
    const wrong = closeProblems(draw, kept, logged)
    // A second close for one round is fraud; the first stays the one in force here.
    if (draw.close === null) {
      const close = { kept, logged, isSound: wrong.length === 0 }
      this.#put({ ...draw, close, state: 'closed' })
    }
    return wrong
  }

  #end(kept: KeptNote, openHash: string | undefined, state: 'settled' | 'void'): Suspicion[] {
    const draw = openHash === undefined ? undefined : this.#active.get(openHash)
    if (draw === undefined) return [strange(kept, 'ends a draw that is not open')]
    this.#put({ ...draw, state, endSeenAt: kept.seenAt })
    return []
  }

  #put(draw: WatchedDraw): void {
    const { hash } = draw.open
    this.#draws.set(hash, draw)
    if (draw.state === 'open' || draw.state === 'closed') this.#active.set(hash, draw)
    else this.#active.delete(hash)
  }
}

function timesOf(round: bigint, chain: Chain | null) {
  const dueAt = chain === null ? null : dueAtOf(round, chain)
  return { round, dueAt, deadlineAt: dueAt === null ? null : dueAt - CLOSE_BEFORE_ROUND_SECONDS }
}

/** Everything that is wrong with a close (fairness section 7). */
function closeProblems(draw: WatchedDraw, kept: KeptNote, logged: LoggedNoteOf<'close'>): Suspicion[] {
  const { statement, hash } = logged
  const suspect = (kind: AlarmKind, text: string): Suspicion => ({
    kind,
    key: `${kind}:${hash}`,
    text: `${draw.title}: ${text}`,
    duration: 'once',
    seq: statement.seq,
    evidence: { fork: null, notes: [draw.open.note, logged.note] },
  })
  const found: Suspicion[] = []
  if (draw.close !== null) {
    found.push({
      ...suspect('bad-close', `statement ${statement.seq} seals it a second time for one round.`),
      evidence: { fork: null, notes: [draw.open.note, draw.close.logged.note, logged.note] },
    })
  }
  if (statement.round !== draw.round) {
    found.push(suspect('bad-close', `its seal names round ${statement.round}, but round ${draw.round} was in force.`))
  }
  if (toHex(seedHash(fromHex(statement.seed, 32))) !== draw.open.statement.seedhash) {
    found.push(suspect('bad-close', 'the seed in its seal is not the one that was fixed when the draw opened.'))
  }
  if (statement.time < draw.open.statement.close) {
    found.push(suspect('bad-close', `it was sealed ${timeText(statement.time)}, while its sales were open.`))
  }
  const late = latenessOf(draw, kept, statement.time)
  if (late !== null) found.push(suspect(late.kind, late.text))
  return found
}

function latenessOf(draw: WatchedDraw, { seenAt, lookedAt }: KeptNote, dated: number) {
  const { deadlineAt } = draw
  if (deadlineAt === null) return { kind: 'bad-close' as const, text: 'when its round is due cannot be told.' }
  if (dated > deadlineAt) {
    const text = `it was sealed ${timeText(dated)}, after the last moment for it, ${timeText(deadlineAt)}.`
    return { kind: 'late-close' as const, text }
  }
  if (lookedAt === null || lookedAt <= deadlineAt + SERVING_TOLERANCE_SECONDS) return null
  return {
    kind: 'late-served' as const,
    text:
      `its seal is dated ${timeText(dated)}, but was served only after ${timeText(lookedAt)}, when the whole log was ` +
      `looked at and it was not there. The last moment for it was ${timeText(deadlineAt)}; ` +
      `${SERVING_TOLERANCE_SECONDS} s are allowed for the way. First seen ${timeText(seenAt)}.`,
  }
}

function missingClose(draw: WatchedDraw, lookedAt: number): Suspicion[] {
  const { deadlineAt, close, round, title, open } = draw
  if (close !== null || deadlineAt === null || lookedAt <= deadlineAt + MISSING_CLOSE_SECONDS) return []
  const text =
    `${title}: ${lengthText(lookedAt - deadlineAt)} after the last moment for it, ${timeText(deadlineAt)}, the log holds ` +
    `no seal for round ${round}, and the draw is neither postponed nor void.`
  return [aboutDraw('late-close', draw, { key: `missing-close:${open.hash}:${round}`, text, duration: 'once' })]
}

function silentClose(
  draw: WatchedDraw,
  { lookedAt, newestAt, patienceSeconds }: { lookedAt: number; newestAt: number; patienceSeconds: number },
): Suspicion[] {
  const { close, closeExpectedAt, title, open, round } = draw
  const waited = lookedAt - closeExpectedAt
  if (close !== null || waited <= patienceSeconds || newestAt > closeExpectedAt) return []
  const text =
    `Silence: ${title} was to be sealed from ${timeText(closeExpectedAt)} on, and nothing at all was added to the log ` +
    `in ${lengthText(waited)}.`
  return [aboutDraw('silence', draw, { key: `silence:${open.hash}:${round}`, text, duration: 'while-so' })]
}

function missingResult(draw: WatchedDraw, lookedAt: number): Suspicion[] {
  const { dueAt, close, round, title, open } = draw
  if (close === null || dueAt === null || lookedAt <= dueAt + MISSING_RESULT_SECONDS) return []
  const text =
    `${title}: ${lengthText(lookedAt - dueAt)} after round ${round} was due, ${timeText(dueAt)}, there is no result. ` +
    'Either the beacon is late, or the operator withholds it: anybody can compute it from the round.'
  return [aboutDraw('no-result', draw, { key: `no-result:${open.hash}:${round}`, text, duration: 'once' })]
}

function aboutDraw(
  kind: AlarmKind,
  { open, close }: WatchedDraw,
  { key, text, duration }: Pick<Suspicion, 'key' | 'text' | 'duration'>,
): Suspicion {
  const notes = [open.note, ...(close === null ? [] : [close.logged.note])]
  return { kind, key, text, duration, seq: open.statement.seq, evidence: { fork: null, notes } }
}

function strange({ logged }: KeptNote, what: string): Suspicion {
  const { seq } = logged.statement
  return {
    kind: 'bad-close',
    key: `strange:${logged.hash}`,
    text: `Statement ${seq} ${what}.`,
    duration: 'once',
    seq,
    evidence: { fork: null, notes: [logged.note] },
  }
}
