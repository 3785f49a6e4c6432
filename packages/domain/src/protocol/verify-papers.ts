import type { BundlePaper } from './bundle.ts'
import { equalBytes, fromHex, toHex, viewOf } from './bytes.ts'
import { linesCommitment, readLinesText } from './commitments.ts'
import { type Hash, nobleHash, textHash } from './hash.ts'
import type { KnownLog } from './known-log.ts'
import { readNote, type SignedNote } from './note.ts'
import { leafWithIndex } from './play-tree.ts'
import { LEAF, MASK_BYTES, maskOf, ownerTag, playId } from './plays.ts'
import { readOrNull } from './read-or-null.ts'
import type { Checks } from './report.ts'
import { NO_HASH } from './statement-codecs.ts'
import { type PromisedPlay, readStatement, type StatementOf } from './statements.ts'
import type { Close } from './timeline.ts'
import { isIncluded, leafHash } from './tree.ts'
import type { SealedPlays } from './verify-plays.ts'

/** The checks of promises and receipts (sections 10 and 11): `papers.form` to `promise.kept`. */

/** Possible player names. A paper may contain any text. */
const ASCII = /^[\x00-\x7f]*$/

interface PaperOf<T extends 'promise' | 'receipt'> {
  readonly paper: BundlePaper
  readonly note: SignedNote
  readonly statement: StatementOf<T>
  /** of the text without signatures, hex */
  readonly hash: string
}

type Receipt = PaperOf<'receipt'>
type PromisePaper = PaperOf<'promise'>

/** The papers of a bundle, for all draws. */
export interface Papers {
  readonly receipts: readonly Receipt[]
  readonly promises: readonly PromisePaper[]
}

/** The data that the papers of one draw are checked against. */
interface PaperContext {
  readonly log: KnownLog
  readonly papers: Papers
  /** hash of the draw's `open` */
  readonly open: string
  readonly hash: Hash
  readonly checks: Checks
}

/** Reads the papers of a bundle. Malformed ones break `papers.form`. */
export function readPapers(log: KnownLog, bundlePapers: readonly BundlePaper[], checks: Checks): Papers {
  const receipts: Receipt[] = []
  const promises: PromisePaper[] = []
  checks.end('papers.form', 'pass')
  for (const paper of bundlePapers) {
    const note = readNote(paper.note)
    const statement = note === null ? null : paperStatement(note.text)
    if (note === null || statement === null || statement.log !== log.origin) {
      checks.end('papers.form', 'broken', 'a paper is no promise or receipt of this operator')
    } else if (statement.type === 'receipt') {
      receipts.push({ paper, note, statement, hash: textHash(note.text) })
    } else {
      promises.push({ paper, note, statement, hash: textHash(note.text) })
    }
  }
  return { receipts, promises }
}

/** Checks that the operator signed the papers of a draw, which needs no data of the draw. */
export function verifySignatures({ log, papers, open, checks }: PaperContext): void {
  for (const { note, statement } of receiptsOf(papers, open)) {
    const isOwn = log.isSignedPaper(note, statement.time)
    checks.hold('receipt.signature', isOwn, 'broken', 'a receipt is not signed by the key of its time')
  }
  for (const { note, statement } of promisesOf(papers, open)) {
    const isOwn = log.isSignedPaper(note, statement.time)
    checks.hold('promise.signature', isOwn, 'broken', 'a promise is not signed by the key of its time')
  }
}

/** Checks that the operator also signed the papers of draws outside the bundle; others break it. */
export function verifyOtherPapers(log: KnownLog, papers: Papers, opens: readonly string[], checks: Checks): void {
  const isOther = (named: readonly string[]): boolean => named.every((open) => !opens.includes(open))
  for (const { note, statement } of papers.receipts) {
    if (isOther([statement.open]) && !log.isSignedPaper(note, statement.time)) {
      checks.end('receipt.signature', 'broken', 'a receipt is not signed by the key of its time')
    }
  }
  for (const { note, statement } of papers.promises) {
    if (isOther(statement.play.map(({ open }) => open)) && !log.isSignedPaper(note, statement.time)) {
      checks.end('promise.signature', 'broken', 'a promise is not signed by the key of its time')
    }
  }
}

/** Checks the papers of a draw against its sealed plays. @param plays null if they cannot be counted */
export function verifyPapers(context: PaperContext, close: Close, plays: SealedPlays | null): void {
  const { log, papers, open, checks } = context
  const receipts = receiptsOf(papers, open).filter(({ note, statement }) => log.isSignedPaper(note, statement.time))
  const promises = promisesOf(papers, open).filter(({ note, statement }) => log.isSignedPaper(note, statement.time))
  for (const receipt of receipts) {
    verifyMoved(receipt, receipts, papers, checks)
    if (plays !== null) verifyLeaf(context, receipt, close, plays)
    verifyOwner(receipt, plays, checks)
  }
  if (plays === null) return
  for (const promise of promises) verifyPromise(context, promise, plays)
}

function receiptsOf({ receipts }: Papers, open: string): Receipt[] {
  return receipts.filter(({ statement }) => statement.open === open)
}

function promisesOf({ promises }: Papers, open: string): PromisePaper[] {
  return promises.filter(({ statement }) => statement.play.some((play) => play.open === open))
}

function paperStatement(text: string): StatementOf<'promise'> | StatementOf<'receipt'> | null {
  const statement = readOrNull(() => readStatement(text))
  return statement?.type === 'promise' || statement?.type === 'receipt' ? statement : null
}

/**
 * Checks that a play in a draw that its promise does not name gives a reason, and that of two differing receipts one
 * supersedes the other.
 */
function verifyMoved({ statement, hash }: Receipt, receipts: readonly Receipt[], papers: Papers, checks: Checks): void {
  const promise = papers.promises.find((paper) => paper.hash === statement.promise)?.statement
  const isNamed = promise?.play.some(({ open, play }) => open === statement.open && play === statement.play) ?? true
  const isExplained = statement.supersedes !== NO_HASH && statement.reason !== 'none'
  checks.hold('receipt.moved', isNamed || isExplained, 'fail', 'a play was moved to this draw without a word')
  const others = receipts.filter((other) => {
    const isOfPlay = other.statement.play === statement.play
    return isOfPlay && (other.statement.index !== statement.index || other.statement.leaf !== statement.leaf)
  })
  const areOrdered = others.every((other) => other.statement.supersedes === hash || statement.supersedes === other.hash)
  checks.hold('receipt.moved', areOrdered, 'fail', 'two receipts give one play two places')
}

function verifyLeaf(
  { log, papers, hash, checks }: PaperContext,
  receipt: Receipt,
  close: Close,
  plays: SealedPlays,
): void {
  const { statement } = receipt
  const isSuperseded = papers.receipts.some((other) => other.statement.supersedes === receipt.hash)
  const leaf = leafWithIndex(plays.sections, statement.index)
  if (leaf === null && !plays.areAll) {
    const isShown = leadsToStatement(log, receipt, hash)
    const isPlaced = isShown && !isSuperseded
    return checks.end(
      'receipt.leaf',
      isPlaced ? 'pass' : 'unknown',
      isPlaced ? '' : 'its place in the draw is not here',
    )
  }
  const isThere = leaf !== null && toHex(leafHash(hash, leaf)) === statement.leaf
  if (!checks.hold('receipt.leaf', isThere, 'fail', `the place ${statement.index} of a receipt holds another play`))
    return
  if (isSuperseded) checks.end('receipt.leaf', 'unknown', 'a later receipt takes its place')
  const isRevoked = plays.inForce.some(({ index }) => index === statement.index)
  checks.hold('receipt.leaf', !isRevoked, 'warn', 'its payment left the chain, so it does not count')
  if (statement.index >= close.statement.size) checks.end('receipt.leaf', 'fail', 'its place is not in the draw')
}

/** Whether a receipt's path leads from its leaf to the root of the batch or close that it names. */
function leadsToStatement(log: KnownLog, { statement, paper }: Receipt, hash: Hash): boolean {
  const named = log.find('sold', statement.statement) ?? log.find('close', statement.statement)
  if (named?.statement.open !== statement.open) return false
  const { size, root } = named.statement
  const path = paper.path.map((item) => fromHex(item))
  return isIncluded(hash, { index: statement.index, size, root: fromHex(root) }, fromHex(statement.leaf), path)
}

function verifyOwner({ statement, paper }: Receipt, plays: SealedPlays | null, checks: Checks): void {
  if (paper.secret === null) return checks.end('receipt.owner', 'unknown', 'the secret of the play is not here')
  const secret = fromHex(paper.secret)
  const isOwn = toHex(playId(secret)) === statement.play
  if (!checks.hold('receipt.owner', isOwn, 'broken', 'the secret is not that of the play')) return
  const leaf = plays === null ? null : leafWithIndex(plays.sections, statement.index)
  if (leaf === null || plays?.fault !== null || paper.username === null) {
    return checks.end('receipt.owner', 'unknown', 'the play, or the name of its owner, is not here')
  }
  const isNamed = ASCII.test(paper.username) && isOwnersLeaf(leaf, secret, statement.open, paper.username)
  checks.hold('receipt.owner', isNamed, 'unknown', 'the play was bought under another name')
}

function isOwnersLeaf(leaf: Uint8Array, secret: Uint8Array, open: string, username: string): boolean {
  const tag = ownerTag(secret, fromHex(open), username)
  return equalBytes(leaf.subarray(leaf.length - tag.length), tag)
}

function verifyPromise(context: PaperContext, promise: PromisePaper, plays: SealedPlays): void {
  const { checks, open } = context
  if (!plays.areAll || plays.fault !== null) {
    return checks.end('promise.kept', 'unknown', 'not all plays of the draw are here')
  }
  const isPaid = isShownPaid(promise)
  for (const [place, play] of promise.statement.play.entries()) {
    if (play.open !== open) continue
    const why = faultOfPlay(promise, play, place, plays)
    if (why === null) checks.hold('promise.kept', isPaid, 'unknown', 'nothing here shows that it was paid')
    else if (!isPaid) checks.end('promise.kept', 'unknown', 'nothing here shows that it was paid')
    else if (isMoved(context, promise, play)) checks.end('promise.kept', 'unknown', 'the play was moved')
    else checks.end('promise.kept', 'fail', why)
  }
}

/** Whether the paper itself proves payment: by the preimage of a Lightning invoice, or because nothing was due. */
function isShownPaid({ statement, paper }: PromisePaper): boolean {
  const preimage = paper.preimage
  const paid = preimage === null ? null : toHex(nobleHash(fromHex(preimage)))
  return statement.pay.some((pay) => pay.by === 'none' || (pay.by === 'lightning' && pay.hash === paid))
}

/** The reason why a play is not in the draw as promised; null if it is. */
function faultOfPlay(promise: PromisePaper, play: PromisedPlay, place: number, plays: SealedPlays): string | null {
  const found = plays.ids.find(fromHex(play.play))
  if (found === null) return 'a paid play is not in the draw'
  const { index, leaf } = found
  if (plays.inForce.some((revocation) => revocation.index === index)) return 'a paid play was revoked'
  const view = viewOf(leaf)
  const isSame =
    view.getUint16(LEAF.lines) === play.lines &&
    view.getUint16(LEAF.free) === play.free &&
    view.getUint32(LEAF.rate) === promise.statement.rate.value
  return isSame && hasLines(promise, place, view) ? null : 'a paid play has other lines, free tickets or rate'
}

/** Whether a leaf has the lines that the promise commits to, if the paper reveals them. */
function hasLines({ paper, statement }: PromisePaper, place: number, view: DataView): boolean {
  if (paper.lines === null || paper.secret === null) return true
  if (linesCommitment(fromHex(paper.secret), paper.lines) !== statement.lines) return true
  const lines = readLinesText(paper.lines)?.[place]
  if (lines === undefined || lines.length !== view.getUint16(LEAF.lines)) return false
  return lines.every((line, at) => {
    return isLineMask(line) && view.getBigUint64(LEAF.masks + MASK_BYTES * at) === maskOf(line)
  })
}

/** Whether a receipt for a draw that the promise does not name supersedes a promised play. */
function isMoved({ papers, open }: PaperContext, promise: PromisePaper, play: PromisedPlay): boolean {
  const own = papers.receipts.filter(
    ({ statement }) => statement.promise === promise.hash && statement.play === play.play,
  )
  const superseded = new Set([promise.hash, ...own.map(({ hash }) => hash)])
  return papers.receipts.some(
    ({ statement }) =>
      statement.promise === promise.hash && statement.open !== open && superseded.has(statement.supersedes),
  )
}

function isLineMask(line: readonly number[]): boolean {
  return new Set(line).size === line.length && line.every((number) => number >= 1 && number <= 64)
}
