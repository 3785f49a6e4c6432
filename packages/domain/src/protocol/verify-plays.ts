import type { BundleDraw } from './bundle.ts'
import { fromHex, toHex } from './bytes.ts'
import { countSection, type ReadPlays, readPlays, stakeOfBatch, sumOf, type Tally } from './count-plays.ts'
import type { Hash } from './hash.ts'
import type { KnownLog, Logged } from './known-log.ts'
import { isRate } from './money.ts'
import { readSection, rootOfBatch, type SectionLeaves } from './play-tree.ts'
import { revokedSummary } from './plays.ts'
import type { Checks, Status } from './report.ts'
import { readSections, sectionCount, type SectionRecord } from './sections.ts'
import { NO_HASH } from './statement-codecs.ts'
import type { StatementOf } from './statements.ts'
import type { Close } from './timeline.ts'
import { TreeFolder } from './tree.ts'
import type { OpenedDraw } from './verify-open.ts'

/** The checks of a draw's plays (section 11): `plays.leaves` to `plays.rate`, and `money.stake`. */

/** The available plays of a draw. */
export interface SealedPlays extends ReadPlays {
  /** whether they are the sealed plays; if not, prizes and papers cannot be judged by them */
  readonly areSealed: boolean
  /** the draw's number of sections */
  readonly count: number
  /** whether all sections are available */
  readonly areAll: boolean
  /** whether the close counts revocations that are not among the available leaves */
  readonly isRevokedElsewhere: boolean
  /** the sections file, or null; its roots lead to the close */
  readonly file: { readonly bytes: Uint8Array; readonly records: readonly SectionRecord[] } | null
}

/** The given parts of a draw's tree. */
interface Parts {
  readonly sections: readonly SectionLeaves[]
  readonly file: SealedPlays['file']
}

/** Checks the plays of a draw. Parts that cannot be of this draw are ignored. */
export function verifyPlays(
  log: KnownLog,
  opened: OpenedDraw,
  close: Close,
  draw: BundleDraw,
  { hash, checks }: { readonly hash: Hash; readonly checks: Checks },
): SealedPlays {
  const { size, root, rate } = close.statement
  const sold = log.all('sold').filter(({ statement }) => statement.open === opened.open.hash)
  const parts = readParts(
    draw,
    size,
    opened,
    sold.map(({ statement }) => statement.size),
    hash,
  )
  const count = sectionCount(size)
  const folded = parts === null ? 'not these' : foldSections(parts, count, hash)
  const areSealed = folded === null || folded === root
  checks.hold('plays.root', areSealed, 'broken', 'these are not the plays that were sealed')
  // Sections whose roots do not lead to the close cannot be attributed to this draw.
  const sections = parts === null || folded === null ? [] : parts.sections
  const plays = readPlays(sections, fromHex(opened.open.hash), opened.rules, rate.value)
  const isRevokedElsewhere = plays.revocations.length !== close.statement.revoked.count
  const sealed = {
    ...plays,
    areSealed,
    count,
    areAll: sections.length === count,
    isRevokedElsewhere,
    file: parts?.file ?? null,
  }
  verifyLeaves(sealed, checks)
  verifyCounts(sealed, opened, close, checks)
  verifySold(sealed, sold, opened, close, { hash, checks })
  verifyRates(sealed, sold, checks)
  return sealed
}

/** The reason why plays are counted only in part. */
export function partWhy({ sections, count }: Pick<SealedPlays, 'sections' | 'count'>): string {
  return `only ${sections.length} of ${count} sections were counted here`
}

/** @returns null if a part, or the sections file, cannot be of this draw */
function readParts(
  { plays }: BundleDraw,
  size: number,
  { rules }: OpenedDraw,
  batches: readonly number[],
  hash: Hash,
): Parts | null {
  const count = sectionCount(size)
  const parts = (plays?.parts ?? []).toSorted((one, other) => one.section - other.section)
  const isRising = parts.every(({ section }, place) => section < count && section !== parts[place - 1]?.section)
  const sections = isRising ? parts.map((part) => readSection(part, size, batches, hash)) : [null]
  const records = plays?.sections == null ? [] : recordsOf(plays.sections, rules.tier.length)
  if (records === null || (plays?.sections != null && records.length !== count)) return null
  const file = plays?.sections == null ? null : { bytes: plays.sections, records }
  return sections.every((section) => section !== null) ? { sections, file } : null
}

function recordsOf(bytes: Uint8Array, tiers: number): SectionRecord[] | null {
  try {
    return readSections(bytes, tiers)
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** The root of the sections, hex; null if one is missing, or the given parts contradict each other. */
function foldSections({ sections, file }: Parts, count: number, hash: Hash): string | null {
  const own = new Map(sections.map(({ section, root }) => [section, root]))
  const folder = new TreeFolder(hash)
  for (let section = 0; section < count; section += 1) {
    const claimed = file?.records[section]?.root
    const root = own.get(section) ?? claimed
    if (root === undefined) return null
    if (claimed !== undefined && toHex(claimed) !== toHex(root)) return 'another root than in the sections file'
    folder.add(root)
  }
  return toHex(folder.root())
}

function verifyLeaves(plays: SealedPlays, checks: Checks): void {
  const part = partWhy(plays)
  checks.hold('plays.leaves', plays.fault === null, 'fail', plays.fault ?? '')
  checks.hold('plays.leaves', !plays.hasRepeatedPlay, 'fail', 'a play stands twice')
  checks.hold('plays.leaves', plays.areAll, 'unknown', part)
  checks.hold('plays.root', plays.areAll, 'unknown', part)
}

function verifyCounts(plays: SealedPlays, { rules }: OpenedDraw, { statement }: Close, checks: Checks): void {
  const part = partWhy(plays)
  const { areAll } = plays
  checks.hold('plays.revoked', plays.revocationFault === null, 'fail', plays.revocationFault ?? '')
  const summary = revokedSummary(plays.fault === null ? plays.revocations : [])
  const isList = summary.count === statement.revoked.count && summary.list === statement.revoked.list
  checks.hold(
    'plays.revoked',
    areAll && isList,
    areAll ? 'fail' : 'unknown',
    areAll ? 'the revoked plays are others' : part,
  )
  const total = sumOf(plays.sections.map((section) => countSection(section, plays, rules.price.value)))
  const isCount =
    total.lines === statement.lines && total.free === statement.free && total.carried === statement.carried
  checks.hold('plays.counts', areAll && isCount, areAll ? 'fail' : 'unknown', areAll ? countWhy(total) : part)
  const isStake = total.stake === statement.stake
  const stakeWhy = `the stakes add up to ${total.stake}`
  checks.hold('money.stake', areAll && isStake, areAll ? 'fail' : 'unknown', areAll ? stakeWhy : part)
}

function countWhy({ lines, free, carried }: Tally): string {
  return `there are ${lines} lines, ${free} of them free, and ${carried} carried over`
}

/** Checks that each batch is a prefix of the sealed plays, and that the close names the last one. */
function verifySold(
  plays: SealedPlays,
  sold: readonly Logged<StatementOf<'sold'>>[],
  { rules }: OpenedDraw,
  close: Close,
  { hash, checks }: { readonly hash: Hash; readonly checks: Checks },
): void {
  const named = sold.find((batch) => batch.hash === close.statement.sold)
  const isHere = named !== undefined || close.statement.sold === NO_HASH
  checks.hold('plays.sold', isHere, 'broken', 'the last batch is not here')
  const last = sold.findLast(({ index }) => index < close.index)
  const isLast = !isHere || last === undefined || last.hash === close.statement.sold
  checks.hold('plays.sold', isLast, 'fail', 'the close does not name the last batch')
  const isSealed = sold.every(({ statement }) => statement.size <= close.statement.size)
  checks.hold('plays.sold', isSealed, 'fail', 'more was sold than was sealed')
  checks.hold('plays.sold', plays.areAll, 'unknown', partWhy(plays))
  if (!plays.areAll || !isSealed) return
  for (const { statement } of sold) {
    const isPrefix = toHex(rootOfBatch(plays.sections, statement.size, hash)) === statement.root
    checks.hold('plays.sold', isPrefix, 'fail', 'what was sealed does not continue what was sold')
    // If a leaf is invalid, or the batch has other plays, its stake cannot be judged.
    if (!isPrefix || plays.fault !== null) continue
    const isStake = stakeOfBatch(plays, statement.size, rules.price.value) === statement.stake
    checks.hold('plays.sold', isStake, 'fail', 'the stake of a batch is another')
  }
}

function verifyRates(plays: SealedPlays, sold: readonly Logged<StatementOf<'sold'>>[], checks: Checks): void {
  const areRates = sold.every(({ statement }) => isRate(statement.rate.value))
  const status: Status = plays.areAll ? 'pass' : 'unknown'
  checks.end('plays.rate', status, plays.areAll ? '' : partWhy(plays))
  checks.hold('plays.rate', plays.rateFault === null, 'fail', plays.rateFault ?? '')
  checks.hold('plays.rate', areRates, 'fail', 'a batch was sold at a rate that is none')
}
