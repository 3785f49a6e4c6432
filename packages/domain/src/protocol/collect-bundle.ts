import { type Bundle, type BundleDraw, type BundlePaper, readServedSeal, type Seal } from './bundle.ts'
import { equalBytes, fromHex, toHex } from './bytes.ts'
import { QUICKNET } from './chain.ts'
import { type Checkpoint, logKey, readCheckpoint } from './checkpoint.ts'
import { collectPlays } from './collect-plays.ts'
import { type Hash, nobleHash, textHash } from './hash.ts'
import { JsonError } from './json.ts'
import { type Logged, StatementBook } from './known-log.ts'
import { chooseStatements, type DrawRequest, makeBundle, makeSeal } from './make-bundle.ts'
import { isSignedBy, keyId, LOG_KEY_TYPE } from './note.ts'
import { RANGE_STATEMENTS, TILE_WIDTH } from './numbers.ts'
import { partsOf } from './parts.ts'
import { type GetFile, MissingFile, RemoteError, RemoteLog, textFile } from './remote-log.ts'
import { ShapeError } from './shapes.ts'
import { NO_HASH } from './statement-codecs.ts'
import type { StatementOf } from './statements.ts'
import { type Close, type Final, finalsOf, isLogged } from './timeline.ts'

/**
 * Collects a bundle of draws from an operator's files (section 12), for a verifier's `--from` and for a proof page. The
 * files are not trusted: the collected bundle is verified like any other.
 */

/** A draw, by the hash of its `open` or by its game and number. */
export type DrawName = string | { readonly game: string; readonly draw: number }

/** The operator's hint where to look in a log (`GET /api/v1/fairness/draws/{game}/{number}`). Not trusted. */
export interface CollectHint {
  /** indexes of statements; what is no index of the log is left out */
  readonly statements: readonly number[]
}

export interface CollectRequest {
  readonly get: GetFile
  /** if empty, the newest draw that is over */
  readonly draws: readonly DrawName[]
  /** the player's own; of a large draw, the sections that their receipts name are fetched */
  readonly papers?: readonly BundlePaper[] | Promise<readonly BundlePaper[]>
  /** makes the search fast; if it is missing or not enough, the log is read from its newest statement backwards */
  readonly hint?: CollectHint | null
  /**
   * a draw with more sections than this (65,536 plays each) is fetched in part: the player's sections and a random one
   */
  readonly mostSections?: number
  /** a random whole number from 0 to `below` − 1 */
  readonly random: (below: number) => number
  /** the log, if its head has been fetched already */
  readonly log?: RemoteLog
  readonly hash?: Hash
}

/**
 * Makes a complete bundle of draws, with the player's papers.
 *
 * @throws RemoteError if files are missing or do not match the head, with a message for people; and any error of `get`
 */
export async function collectBundle(request: CollectRequest): Promise<Bundle> {
  const hash = request.hash ?? nobleHash
  const log = request.log ?? (await RemoteLog.open(request.get, hash))
  const known = new KnownStatements(log)
  const opens = await findDraws(known, request)
  const names = [...new Set(opens.flatMap(({ statement }) => [statement.rules, statement.policy]))]
  const [draws, texts] = await Promise.all([
    drawsOf(request, log, known.found, opens),
    Promise.all(names.map((name) => namedText(request.get, name))),
  ])
  const bundle = {
    statements: chooseStatements(
      known.all(),
      opens.map((open) => open.hash),
    ),
    texts,
    draws,
    papers: (await request.papers) ?? [],
  }
  return makeBundle(log, bundle, hash)
}

type Open = Logged<StatementOf<'open'>>

/** The statements of a log read so far: from the newest backwards, and at the indexes of a hint. */
class KnownStatements {
  readonly found = new StatementBook([])
  readonly head: Checkpoint
  readonly #log: RemoteLog
  readonly #tiles = new Map<number, readonly Logged[]>()
  /** an index of the newest file that `readOlder` has not read; negative after the oldest */
  #next: number

  constructor(log: RemoteLog) {
    this.head = log.checkpoint
    this.#log = log
    this.#next = log.size - 1
  }

  /** Reads the file of 256 statements that contains an index; what is no index of the log reads nothing. */
  async readAt(index: number): Promise<void> {
    const tile = Math.floor(index / TILE_WIDTH)
    if (!(index >= 0) || this.#tiles.has(tile)) return
    const statements = await this.#log.loggedOfTile(tile)
    this.#tiles.set(tile, statements)
    for (const logged of statements) this.found.add(logged)
  }

  /** Reads statements older than all read before. @returns whether there are any */
  async readOlder(): Promise<boolean> {
    if (this.#next < 0) return false
    await this.readAt(this.#next)
    this.#next -= TILE_WIDTH
    return true
  }

  /** In the order of the log. */
  all(): Logged[] {
    return [...this.#tiles.values()].flat().toSorted((one, other) => one.index - other.index)
  }
}

/** Reads the log until every draw is found, with all that its bundle needs. */
async function findDraws(known: KnownStatements, { draws: named, hint }: CollectRequest): Promise<Open[]> {
  const draws = named.length > 0 ? named : [await newestDraw(known)]
  await known.readAt(0)
  for (const index of hint?.statements ?? []) await known.readAt(index)
  for (let isMore = true; isMore; isMore = await known.readOlder()) {
    const opens = draws.map((name) => findOpen(known.found, name)).filter((open) => open !== null)
    const areComplete = opens.length === draws.length && opens.every((open) => isComplete(known.found, open))
    if (areComplete && hasAllKeys(known)) return opens
  }
  // The log lacks something. Without a draw there is no bundle; anything else is for the verifier to report.
  return draws.map((name) => {
    const open = findOpen(known.found, name)
    if (open !== null) return open
    throw new RemoteError(`The log has no draw ${typeof name === 'string' ? name : `${name.game} ${name.draw}`}.`)
  })
}

/** The newest draw that is over, else the newest that was opened: the hash of its `open`. */
async function newestDraw(known: KnownStatements): Promise<string> {
  while (await known.readOlder()) {
    const newest = known.all().findLast((it) => isLogged('result', it) || isLogged('void', it))
    const open = newest === undefined ? null : openOfFinal(known.found, newest)
    if (open !== null) return open
  }
  const opened = known.all().findLast((it) => isLogged('open', it))
  if (opened === undefined) throw new RemoteError('The log has no draw yet.')
  return opened.hash
}

/** The draw that a statement ends; null if it has not been read. */
function openOfFinal(log: StatementBook, final: Logged): string | null {
  if (isLogged('void', final)) return final.statement.open
  return isLogged('result', final) ? (log.find('close', final.statement.close)?.statement.open ?? null) : null
}

function findOpen(log: StatementBook, name: DrawName): Open | null {
  if (typeof name === 'string') return log.find('open', name)
  const isNamed = ({ statement }: Open) => statement.game === name.game && statement.draw === name.draw
  return log.all('open').find(isNamed) ?? null
}

/**
 * Whether all keys that signed the head are known, from leaf 0 on. A missing one leaves an unknown line in the head.
 */
function hasAllKeys({ found, head: { origin, note } }: KnownStatements): boolean {
  const first = found.all('log').find(({ index }) => index === 0)
  if (first === undefined) return false
  let newest = logKey(origin, fromHex(first.statement.key))
  let promised = first.statement.next
  const keys = [newest]
  for (const { statement } of found.all('key')) {
    newest = logKey(origin, fromHex(statement.key))
    if (toHex(nobleHash(newest.publicKey)) !== promised) return false
    keys.push(newest)
    promised = statement.next
  }
  const ids = keys.map((key) => keyId(key, LOG_KEY_TYPE))
  return (
    isSignedBy(note, newest) &&
    note.signatures.every(({ name, keyId: id }) => name !== origin || ids.some((own) => equalBytes(own, id)))
  )
}

/** Whether everything that the statements of a draw name has been read. */
function isComplete(log: StatementBook, { hash, index, statement }: Open): boolean {
  const areRulesHere = log.all('game').some((game) => {
    const { game: name, version, rules } = game.statement
    return name === statement.game && version === statement.version && rules === statement.rules && game.index < index
  })
  const isChainHere =
    statement.chain === QUICKNET.hash || log.all('chain').some((it) => it.statement.chain === statement.chain)
  const closes = log.all('close').filter((close) => close.statement.open === hash)
  const states: readonly (Close | Final)[] = [...closes, ...finalsOf(log, hash)]
  return (
    areRulesHere &&
    isChainHere &&
    closes.every((close) => isKnown(log, close.statement.sold)) &&
    states.every((state) => isKnown(log, state.statement.last))
  )
}

/** Whether a statement has been read, with the statements that determine its game. */
function isKnown(log: StatementBook, name: string): boolean {
  const statement = log.named(name)?.statement
  if (statement === undefined) return name === NO_HASH
  if (statement.type === 'result') return isKnown(log, statement.close)
  return !('open' in statement) || log.named(statement.open) !== null
}

/** One after the other, since each may be large. */
async function drawsOf(
  request: CollectRequest,
  log: RemoteLog,
  found: StatementBook,
  opens: readonly Open[],
): Promise<DrawRequest[]> {
  const draws: DrawRequest[] = []
  for (const open of opens) draws.push(await drawOf(request, log, found, open))
  return draws
}

async function drawOf(request: CollectRequest, log: RemoteLog, found: StatementBook, open: Open): Promise<DrawRequest> {
  const { get } = request
  const closes = found.all('close').filter(({ statement }) => statement.open === open.hash)
  const putOffs = found.all('postpone').filter(({ statement }) => statement.open === open.hash)
  const final = finalsOf(found, open.hash)[0] ?? null
  const result = final !== null && isLogged('result', final) ? final : null
  const close = result === null ? null : found.find('close', result.statement.close)
  const newest = [...closes, ...putOffs].toSorted((one, other) => other.index - one.index)
  const names = [close, final, ...newest].filter((it) => it !== null)
  const judged = close ?? closes.at(-1) ?? null
  const [seals, seal, beacon, plays] = await Promise.all([
    Promise.all(putOffs.map(({ hash }) => servedSeal(get, hash, log))),
    firstSeal(get, names, log),
    // The beacon is served with the result.
    result === null ? null : servedBeacon(get, open),
    judged === null ? null : collectPlays(request, judged.statement),
  ])
  return {
    open: open.hash,
    postpones: seals.filter((it) => it !== null),
    seal: seal ?? (final === null ? null : await sealOfHead(log, open, final)),
    final: final?.index ?? null,
    beacon,
    plays,
  }
}

async function firstSeal(get: GetFile, of: readonly Logged[], log: RemoteLog): Promise<Seal | null> {
  for (const { hash } of of) {
    const seal = await servedSeal(get, hash, log)
    if (seal !== null) return seal
  }
  return null
}

/** The seal of a close or postponement; null if none is served. */
async function servedSeal(get: GetFile, name: string, log: RemoteLog): Promise<Seal | null> {
  const path = `seal/${name}`
  try {
    const seal = readServedSeal(await textFile(get, path))
    const size = readCheckpoint(seal.checkpoint)?.size
    if (size === undefined) throw new RemoteError(`${path} is no seal.`)
    if (size > log.size)
      throw new RemoteError('The head that is served is older than a seal: try again in some seconds.')
    return seal
  } catch (error) {
    if (error instanceof MissingFile) return null
    if (error instanceof JsonError || error instanceof ShapeError)
      throw new RemoteError(`${path} is no seal.`, { cause: error })
    throw error
  }
}

/** The range up to the head, for a void draw without a seal; null if that is too long. */
async function sealOfHead(log: RemoteLog, open: Open, final: Logged): Promise<Seal | null> {
  let start = final.index
  while (start > 0 && ((await log.logged(start))?.statement.time ?? Infinity) >= open.statement.close) start -= 1
  return log.size - start > RANGE_STATEMENTS ? null : makeSeal(log, log.head, start, nobleHash)
}

async function servedBeacon(get: GetFile, { hash }: Open): Promise<BundleDraw['beacon']> {
  const path = `draw/${hash}/beacon`
  try {
    const text = await textFile(get, path)
    const parts = partsOf<[string, string]>(/^(0|[1-9][0-9]{0,15}) ([0-9a-f]{96})\n$/, text)
    if (parts === null) throw new RemoteError(`${path} is no round with its signature.`)
    return { round: Number(parts[0]), signature: parts[1] }
  } catch (error) {
    if (error instanceof MissingFile) return null
    throw error
  }
}

async function namedText(get: GetFile, name: string): Promise<string> {
  const text = await textFile(get, `text/${name}`)
  if (textHash(text) !== name) throw new RemoteError(`text/${name} is another text.`)
  return text
}
