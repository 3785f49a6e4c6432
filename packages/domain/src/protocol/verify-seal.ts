import type { BundleDraw } from './bundle.ts'
import { fromHex, toHex } from './bytes.ts'
import type { Checkpoint } from './checkpoint.ts'
import { type Chain, roundDueAt, roundOf } from './chain.ts'
import type { Hash } from './hash.ts'
import type { KnownLog, Logged } from './known-log.ts'
import {
  COSIGNED_BEFORE_SECONDS,
  MAX_POSTPONEMENTS,
  POSTPONED_BY_SECONDS,
  SEALED_BEFORE_DUE_SECONDS,
} from './numbers.ts'
import { isMet } from './policy.ts'
import { type ReadRange, readSeal, readTail } from './ranges.ts'
import type { Checks } from './report.ts'
import { seedHash } from './sampler.ts'
import type { StatementOf } from './statements.ts'
import { type Close, dueOf, type Final, finalsOf, type PutOff, type Timeline, timelineOf } from './timeline.ts'
import type { Trust } from './trust.ts'
import type { OpenedDraw } from './verify-open.ts'

/** The checks of a seal (sections 7 and 11): `open.postponed` to `seal.seen`. */

/** The ranges of a draw that belong to this log. */
export interface DrawRanges {
  readonly sealed: ReadRange | string | null
  readonly tail: readonly Logged[] | string
}

/** A sealed draw and its course. */
export interface SealedDraw extends OpenedDraw {
  readonly timeline: Timeline
  readonly checkpoint: Checkpoint
  /** the close that is judged; null if the draw is void without one */
  readonly close: Close | null
}

/** Reads the ranges of a draw and adds their statements to the log. */
export function readRanges(log: KnownLog, draw: BundleDraw, hash: Hash): DrawRanges {
  const sealed = draw.seal === null ? null : readSeal(log, draw.seal, hash)
  if (sealed === null || typeof sealed === 'string') return { sealed, tail: [] }
  const tail = draw.tail === null ? [] : readTail(log, sealed, draw.tail, hash)
  for (const logged of [...sealed.statements, ...(typeof tail === 'string' ? [] : tail)]) log.add(logged)
  return { sealed, tail }
}

/** Checks the sealing of a draw. @returns null if the rest of the draw cannot be judged, or not yet */
export function verifySeal(
  log: KnownLog,
  opened: OpenedDraw,
  draw: BundleDraw,
  ranges: DrawRanges,
  { trust, hash, checks }: { readonly trust: Trust; readonly hash: Hash; readonly checks: Checks },
): SealedDraw | null {
  const finals = finalsOf(log, opened.open.hash)
  const statements = verifyRange(opened, ranges, finals, checks)
  if (statements === null || ranges.sealed === null || typeof ranges.sealed === 'string') return null
  const { checkpoint } = ranges.sealed
  const timeline = timelineOf(opened.open, statements, finals[0] ?? null)
  verifyPostponed(log, opened, draw, timeline, { trust, hash, checks })
  const close = judgedClose(timeline)
  if (timeline.final === null && timeline.standing === null) {
    checks.end('seal.range', 'wait', 'the draw is not sealed yet')
    return null
  }
  const sealed = { ...opened, timeline, checkpoint, close }
  // The draw is void and no close is in force: a postponed close is not judged.
  if (close === null) return sealed
  verifyOnce(log, opened, close, timeline, finals, checks)
  verifyClose(sealed, close, checks)
  verifySeen(sealed, close, trust, checks)
  return sealed
}

/** @returns the statements of the range and its tail; null if they are not those of the log */
function verifyRange(
  { open }: OpenedDraw,
  { sealed, tail }: DrawRanges,
  finals: readonly Final[],
  checks: Checks,
): readonly Logged[] | null {
  const broken = (why: string): null => {
    checks.end('seal.range', 'broken', why)
    return null
  }
  if (sealed === null) {
    if (finals.length > 0) return broken('the statements up to the end of the draw are not here')
    checks.end('seal.range', 'wait', 'the draw is not sealed yet')
    return null
  }
  if (typeof sealed === 'string') return broken(sealed)
  if (typeof tail === 'string') return broken(tail)
  const statements = [...sealed.statements, ...tail]
  const first = statements[0]
  if (first === undefined || (first.index > 0 && first.statement.time >= open.statement.close)) {
    return broken('the statements do not go back to before the end of sales')
  }
  const final = finals[0]
  const isReached = final === undefined || statements.some(({ index }) => index === final.index)
  if (!isReached) return broken('the statements do not run on to the result')
  const isClosed = final?.statement.type !== 'result' || statements.some(({ hash }) => hash === closeHashOf(final))
  if (!isClosed) return broken('the close of the result is not among the statements')
  checks.end('seal.range', 'pass')
  return statements
}

/** The close that is judged: the one in force, or else the one used by the result. */
function judgedClose({ standing, closes, final }: Timeline): Close | null {
  if (standing !== null || final?.statement.type !== 'result') return standing
  return closes.find(({ close }) => close.hash === closeHashOf(final))?.close ?? null
}

function closeHashOf({ statement }: Final): string {
  return statement.close
}

function verifyPostponed(
  log: KnownLog,
  { chain }: OpenedDraw,
  draw: BundleDraw,
  { putOffs }: Timeline,
  { trust, hash, checks }: { readonly trust: Trust; readonly hash: Hash; readonly checks: Checks },
): void {
  if (putOffs.length === 0 && draw.postpones.length === 0) return
  const seals = draw.postpones.map((seal) => readSeal(log, seal, hash))
  const areOfDraw = seals.every(
    (seal) => typeof seal !== 'string' && putOffs.some(({ postpone }) => isSealOf(seal, postpone)),
  )
  checks.hold('open.postponed', areOfDraw, 'broken', 'a seal of a postponement is not of this draw')
  checks.hold('open.postponed', putOffs.length <= MAX_POSTPONEMENTS, 'fail', 'it was put off more than twice')
  for (const putOff of putOffs) {
    const { statement } = putOff.postpone
    verifyNewStart(chain, statement, checks)
    const dueAt = roundDueAt(chain, putOff.round)
    // If the new round is earlier, the decision had to precede it to be blind.
    const until = Math.min(dueAt, roundDueAt(chain, statement.round))
    const isSeen = seals.some((seal) => typeof seal !== 'string' && isSeenInTime(seal, putOff, until, trust))
    checks.hold('open.postponed', isSeen, 'unknown', putOffWhy(statement.time, dueAt))
  }
}

/** Checks the new start and round of a postponed draw. */
export function verifyNewStart(chain: Chain, statement: StatementOf<'postpone'>, checks: Checks): void {
  const earliest = Math.ceil((statement.time + POSTPONED_BY_SECONDS) / 60) * 60
  const isByRule =
    statement.start >= Math.max(earliest, chain.genesis) &&
    statement.start % 60 === 0 &&
    statement.round === roundOf(chain, statement.start)
  checks.hold('open.postponed', isByRule, 'fail', 'its new start or round is not that of the rule')
  // A later start is valid while an earlier draw is not settled, which only the whole log shows.
  const isFirst = statement.start === earliest
  checks.hold('open.postponed', isFirst, 'unknown', 'put off for longer than the rule asks for')
}

function isSealOf({ statements }: ReadRange, { hash }: Logged): boolean {
  return statements.at(-1)?.hash === hash
}

function isSeenInTime(seal: ReadRange, { postpone }: PutOff, until: number, { policy }: Trust): boolean {
  if (policy === null || !isSealOf(seal, postpone)) return false
  return isMet(policy, seal.checkpoint.note, postpone.statement.time - COSIGNED_BEFORE_SECONDS, until)
}

function putOffWhy(time: number, dueAt: number): string {
  return time > dueAt
    ? "put off after its round was known, by the operator's word"
    : 'put off, by the word of the operator'
}

function verifyOnce(
  log: KnownLog,
  { open }: OpenedDraw,
  close: Close,
  { closes, round, final }: Timeline,
  finals: readonly Final[],
  checks: Checks,
): void {
  const all = log.all('close').filter(({ statement }) => statement.open === open.hash)
  checks.hold('seal.once', finals.length <= 1, 'fail', 'it has two results')
  const rounds = new Set(all.map(({ statement }) => statement.round))
  checks.hold('seal.once', rounds.size === all.length, 'fail', 'it was sealed twice for one round')
  const isSame = all.every(({ statement: { size, root, seed } }) => {
    return size === close.statement.size && root === close.statement.root && seed === close.statement.seed
  })
  checks.hold('seal.once', isSame, 'fail', 'it was sealed again with other plays, or another seed')
  const isLast = final === null || all.length === closes.length
  checks.hold('seal.once', isLast, 'fail', 'it was sealed outside its time')
  const areInRound = closes.every((placed) => placed.close.statement.round === placed.round)
  checks.hold('seal.once', areInRound, 'fail', 'it was sealed for a round that was not its own')
  const isOfLast = close.statement.round === round
  checks.hold('seal.once', isOfLast, 'fail', 'it was put off, and yet drawn')
  const isDrawn = final?.statement.type !== 'result' || closeHashOf(final) === close.hash
  checks.hold('seal.once', isDrawn, 'fail', 'its result is of another sealed list')
}

function verifyClose({ open, chain, policy, timeline, checkpoint }: SealedDraw, close: Close, checks: Checks): void {
  const { seed, time } = close.statement
  const isSeed = toHex(seedHash(fromHex(seed))) === open.statement.seedhash
  checks.hold('seal.seed', isSeed, 'fail', 'the seed is not the one that was promised')
  const until = dueOf(close, chain) - SEALED_BEFORE_DUE_SECONDS
  const isResult = timeline.final?.statement.type === 'result'
  checks.hold('seal.time', time >= open.statement.close, 'fail', 'it was sealed before the end of sales')
  checks.hold('seal.time', time <= until, isResult ? 'fail' : 'unknown', 'it was sealed too late for its round')
  if (policy !== null && policy.quorum === null) {
    checks.end('seal.witnesses', 'unknown', 'this draw asks for no witness')
    return
  }
  const isWitnessed =
    policy !== null &&
    checkpoint.size > close.index &&
    isMet(policy, checkpoint.note, time - COSIGNED_BEFORE_SECONDS, until)
  // A sealed draw that became void by outage lacks the cosignatures, so this is no fault.
  const isGivenUp = timeline.final?.statement.type === 'void' && timeline.final.statement.reason === 'outage'
  const otherwise = isGivenUp ? 'unknown' : 'broken'
  checks.hold('seal.witnesses', isWitnessed, otherwise, 'nothing here shows that its witnesses signed it in time')
}

function verifySeen(
  { open, chain, timeline, checkpoint }: SealedDraw,
  close: Close,
  trust: Trust,
  checks: Checks,
): void {
  const dueAt = dueOf(close, chain)
  const from = close.statement.time - COSIGNED_BEFORE_SECONDS
  const sights = trust.sights.filter((sight) => sight.open === open.hash && sight.at < dueAt)
  const isMine = sights.some(({ hash }) => hash === close.hash)
  const isTrusted =
    trust.policy !== null &&
    checkpoint.size > close.index &&
    isMet(trust.policy, checkpoint.note, from, dueAt - SEALED_BEFORE_DUE_SECONDS)
  checks.hold('seal.seen', isMine || isTrusted, 'unknown', 'nobody you trust saw it in time')
  // Without its end, the draw may have been sealed again after this range.
  const isOther = sights.some((sight) => timeline.closes.every((placed) => placed.close.hash !== sight.hash))
  if (isOther && timeline.final !== null)
    checks.end('seal.seen', 'fail', 'another sealed list was seen here before the draw')
}
