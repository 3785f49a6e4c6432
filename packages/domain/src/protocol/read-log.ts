import { asciiBytes, fromHex, toHex, utf8Bytes } from './bytes.ts'
import { isRoundSigned } from './beacon.ts'
import { roundDueAt } from './chain.ts'
import { nobleHash } from './hash.ts'
import { keyOf, type Logged, type LogKey } from './known-log.ts'
import { SEALED_BEFORE_DUE_SECONDS } from './numbers.ts'
import { gameOf, readClose, readOpen, readPostpone, readResult, readSold, readVoid } from './read-draws.ts'
import { type Fault, Faults, type ReadDraw, type ReadLog, titleOf } from './read-state.ts'
import { readOrNull } from './read-or-null.ts'
import { readRules } from './rules.ts'
import { type LogStatement, readLogStatement, type StatementOf } from './statements.ts'
import { isLogged } from './timeline.ts'
import { isChain, isInTime } from './verify-open.ts'
import type { RoundCheck } from './verify-result.ts'

/**
 * Reads a whole log, statement by statement, and reports breaches of the protocol (section 16). It checks what no
 * bundle shows: that times never decrease, that each game has one chain of states, and that no seed is reused. The
 * verifier checks leaves, winners and promises. The reader has no clock and uses no network.
 */

/** Time after the last moment for a close within which the log must show what happened to the draw, in seconds. */
const SEALING_PATIENCE_SECONDS = 600
/** Time after a round is due within which the result must be logged, in seconds. */
const RESULT_PATIENCE_SECONDS = 3600

/**
 * The hashes of the texts that reading a statement needs: rules and policy. Empty for a text that is not a statement.
 */
export function textsNamedBy(text: string): string[] {
  const statement = statementOf(text)
  if (statement?.type === 'open') return [statement.rules, statement.policy]
  return statement?.type === 'game' && statement.reason !== 'retire' ? [statement.rules] : []
}

export class LogReader {
  readonly #log: ReadLog

  /** @param isRound checks the signature of a round; null if a program cannot */
  constructor(origin: string, isRound: RoundCheck = isRoundSigned) {
    this.#log = {
      origin,
      isRound,
      size: 0,
      time: 0,
      hashes: new Set(),
      keys: [],
      nextKey: '',
      chains: [],
      games: new Map(),
      draws: new Map(),
      closes: new Map(),
      seedHashes: new Set(),
      paid: { size: 0, root: toHex(nobleHash()) },
    }
  }

  /** the number of statements read */
  get size(): number {
    return this.#log.size
  }

  /** the time of the newest statement, epoch seconds; 0 before the first */
  get time(): number {
    return this.#log.time
  }

  /** the keys of the log, in order */
  get keys(): readonly LogKey[] {
    return this.#log.keys
  }

  /** all draws, in the order of their announcements */
  get draws(): readonly ReadDraw[] {
    return [...this.#log.draws.values()]
  }

  /** the draw with a hash of `open`; null if it was not announced */
  draw(open: string): ReadDraw | null {
    return this.#log.draws.get(open) ?? null
  }

  /** the newest head of the tree of payments */
  get paid(): { readonly size: number; readonly root: string } {
    return this.#log.paid
  }

  /**
   * Reads the next leaf of the log.
   *
   * @param texts the texts that `textsNamedBy` names; the caller has checked their hashes
   * @returns its faults
   */
  add(text: string, texts: readonly string[]): Fault[] {
    const log = this.#log
    const index = log.size
    log.size += 1
    const faults = new Faults(index, `Statement ${index}`)
    const statement = statementOf(text)
    if (statement === null) {
      faults.hold(false, 'log.statement', 'it is no statement of the protocol')
      return faults.found
    }
    const logged = { index, text, hash: toHex(nobleHash(asciiBytes(text))), statement }
    faults.hold(statement.log === log.origin, 'log.member', 'it is of another log')
    faults.hold(statement.time >= log.time, 'log.time', 'it is dated before the statement ahead of it')
    faults.hold(!log.hashes.has(logged.hash), 'log.twice', 'it stands in the log twice')
    log.hashes.add(logged.hash)
    log.time = Math.max(log.time, statement.time)
    faults.hold((index === 0) === (statement.type === 'log'), 'log.keys', 'a log begins with its key, once')
    return [...faults.found, ...readByType(log, logged, texts)]
  }

  /** The draws whose next statement is overdue. @param now epoch seconds @returns doubts about their announcements */
  overdue(now: number): Fault[] {
    return this.draws.flatMap((draw) => (draw.end === null ? overdueOf(draw, now) : []))
  }
}

function statementOf(text: string): LogStatement | null {
  return readOrNull(() => readLogStatement(text))
}

function readByType(log: ReadLog, logged: Logged, texts: readonly string[]): readonly Fault[] {
  if (isLogged('log', logged) || isLogged('key', logged)) return readKey(log, logged)
  if (isLogged('chain', logged)) return readChain(log, logged)
  if (isLogged('game', logged)) return readGame(log, logged, texts)
  if (isLogged('paid', logged)) return readPaid(log, logged)
  return isLogged('open', logged) ? readOpen(log, logged, texts).found : readOfDraw(log, logged)
}

function readOfDraw(log: ReadLog, logged: Logged): readonly Fault[] {
  const draw = drawOf(log, logged.statement)
  if (draw === null) return []
  if (draw === undefined) {
    const faults = new Faults(logged.index, `Statement ${logged.index}`)
    faults.hold(false, 'open.form', 'it is of a draw that was never announced')
    return faults.found
  }
  if (isLogged('sold', logged)) return readSold(draw, logged).found
  if (isLogged('close', logged)) return readClose(log, draw, logged).found
  if (isLogged('postpone', logged)) return readPostpone(draw, logged).found
  if (isLogged('result', logged)) return readResult(log, draw, logged).found
  return isLogged('void', logged) ? readVoid(draw, logged).found : []
}

/** The draw of a statement; null if it is of no draw, undefined if the log did not announce the draw. */
function drawOf(log: ReadLog, statement: LogStatement): ReadDraw | null | undefined {
  if (statement.type === 'result') return log.closes.get(statement.close)
  return 'open' in statement ? log.draws.get(statement.open) : null
}

function readKey(log: ReadLog, logged: Logged<StatementOf<'log'> | StatementOf<'key'>>): readonly Fault[] {
  const faults = new Faults(logged.index, `Statement ${logged.index}`)
  const { type, key, next } = logged.statement
  const isFirst = type === 'log' && logged.index === 0
  const isPromised = isFirst || (type === 'key' && toHex(nobleHash(fromHex(key))) === log.nextKey)
  // A key that was not promised does not belong to this log, so its signatures are not the operator's.
  if (!faults.hold(isPromised, 'log.keys', 'its key was not promised by the one before')) return faults.found
  log.keys.push(keyOf(logged))
  log.nextKey = next
  return faults.found
}

function readChain(log: ReadLog, logged: Logged<StatementOf<'chain'>>): readonly Fault[] {
  const faults = new Faults(logged.index, `Statement ${logged.index}`)
  faults.hold(isChain(logged.statement), 'beacon.chain', 'its chain of random numbers is not what its name says')
  log.chains.push(logged)
  return faults.found
}

function readGame(log: ReadLog, logged: Logged<StatementOf<'game'>>, texts: readonly string[]): readonly Fault[] {
  const { statement, index } = logged
  const game = gameOf(log, statement.game)
  const faults = new Faults(index, `${statement.game}, rules ${statement.version}`)
  faults.hold(isInTime(statement), 'open.rules', 'they are announced too late')
  const newest = game.versions.at(-1)?.statement
  faults.hold(newest?.reason !== 'retire', 'game.announced', 'they are announced after the end of the game')
  if (statement.reason === 'retire') {
    faults.hold(newest !== undefined, 'game.announced', 'a game ends that never began')
  } else {
    const isLater = statement.version > (newest?.version ?? 0)
    faults.hold(isLater, 'game.announced', 'rules of that version were announced before')
    faults.hold(isOfGame(texts, statement), 'open.rules', 'their text is not of this game and version')
  }
  game.versions.push(logged)
  return faults.found
}

function isOfGame(texts: readonly string[], { game, version, rules }: StatementOf<'game'>): boolean {
  const text = texts.find((one) => toHex(nobleHash(utf8Bytes(one))) === rules)
  const read = text === undefined ? null : readOrNull(() => readRules(text))
  return read?.game === game && read.version === version
}

function readPaid(log: ReadLog, { statement, index }: Logged<StatementOf<'paid'>>): readonly Fault[] {
  const faults = new Faults(index, `Payments of statement ${index}`)
  const { size, root } = log.paid
  const isGrown = statement.size > size || (statement.size === size && statement.root === root)
  faults.hold(isGrown, 'paid.grows', 'they do not extend those before')
  log.paid = statement
  const named = new Set(statement.draw.map(({ open }) => open))
  faults.hold(named.size === statement.draw.length, 'paid.won', 'a draw stands twice')
  for (const { open, won, paid } of statement.draw) {
    const draw = log.draws.get(open)
    if (!faults.hold(draw?.won != null, 'paid.won', 'they name a draw without a result') || draw === undefined) continue
    const title = titleOf(draw)
    faults.hold(won === draw.won, 'paid.won', `of ${title}, ${draw.won} satoshis were won and not ${won}`)
    faults.hold(paid <= won, 'paid.won', `of ${title}, more was paid than won`)
    faults.hold(paid >= draw.paid, 'paid.grows', `of ${title}, less is paid than before`)
    draw.paid = paid
  }
  return faults.found
}

function overdueOf(draw: ReadDraw, now: number): Fault[] {
  const { opened, standing, round, open } = draw
  if (opened === null) return []
  const faults = new Faults(open.index, titleOf(draw))
  const dueAt = roundDueAt(opened.chain, round)
  const isSealed = standing !== null || now <= dueAt - SEALED_BEFORE_DUE_SECONDS + SEALING_PATIENCE_SECONDS
  faults.hold(isSealed, 'seal.time', 'ten minutes after its last moment it is not sealed, put off or void', 'doubt')
  const isDrawn = standing === null || now <= dueAt + RESULT_PATIENCE_SECONDS
  faults.hold(isDrawn, 'result.form', 'an hour after its random number was due it has no result', 'doubt')
  return faults.found
}
