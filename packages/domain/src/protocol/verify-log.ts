import type { Bundle, BundleStatement } from './bundle.ts'
import { equalBytes, fromHex, toHex, utf8Bytes } from './bytes.ts'
import { type Checkpoint, readCheckpoint } from './checkpoint.ts'
import { type Hash, nobleHash } from './hash.ts'
import { isSignedAt, keyOf, KnownLog, type LogKey, type Logged } from './known-log.ts'
import { readOrNull } from './read-or-null.ts'
import type { Checks } from './report.ts'
import { type LogStatement, readLogStatement, type StatementOf } from './statements.ts'
import { isIncluded, leafHash } from './tree.ts'
import type { Trust } from './trust.ts'

/** The checks of a bundle's log (section 11): `log.head` to `log.remembered`. */

/** A leaf that leads to the head; its statement is null if it is not one of this protocol. */
interface Leaf {
  readonly index: number
  readonly text: string
  readonly hash: string
  readonly statement: LogStatement | null
}

interface KnownRoots {
  readonly hash: Hash
  /** the log's root at some sizes, as served; null if the log is shorter */
  readonly roots: ReadonlyMap<number, Uint8Array | null>
}

/**
 * Checks the log of a bundle.
 *
 * @returns its proven part; null if draws cannot be judged by it
 */
export function verifyLog(bundle: Bundle, trust: Trust, checks: Checks, known: KnownRoots): KnownLog | null {
  const { hash, roots } = known
  const head = readCheckpoint(bundle.head)
  if (head === null) {
    checks.end('log.head', 'broken', 'the head is no signed checkpoint')
    return null
  }
  const leaves = provenLeaves(head, bundle.statements, hash)
  const statements = leaves.flatMap((leaf) => (leaf.statement === null ? [] : [{ ...leaf, statement: leaf.statement }]))
  const keys = promisedKeys(statements)
  const isHead = verifyHead(bundle, head, keys.valid, checks)
  const areMembers = checks.hold(
    'log.member',
    leaves.length === bundle.statements.length && statements.every(({ statement }) => statement.log === head.origin),
    'broken',
    'a statement is not in the log, or is not of this log',
  )
  if (isHead) verifyOrder(leaves, checks)
  const areKeys = verifyKeys(head.origin, keys, trust, checks)
  if (!isHead) return null
  const log = new KnownLog(head.origin, head, keys.valid, statements)
  verifyRemembered(log, bundle, { heads: trust.heads, roots }, checks)
  return areMembers && areKeys ? log : null
}

function verifyHead(bundle: Bundle, head: Checkpoint, keys: readonly LogKey[], checks: Checks): boolean {
  if (bundle.draws.length === 0) checks.end('log.head', 'broken', 'the bundle has no draw')
  const isSigned = isSignedAt(keys, head.origin, head.note, head.size)
  return (
    checks.hold('log.head', isSigned, 'broken', 'the head is not signed by the key of the log') &&
    bundle.draws.length > 0
  )
}

/** The statements whose paths lead to the head, in the order of the log, without duplicates. */
function provenLeaves(head: Checkpoint, statements: readonly BundleStatement[], hash: Hash): Leaf[] {
  const indexes = new Set<number>()
  return statements
    .flatMap(({ index, text, path }): Leaf[] => {
      const data = utf8Bytes(text)
      const hashes = path.map((item) => fromHex(item))
      const isProven = isIncluded(hash, { index, ...head }, leafHash(hash, data), hashes)
      if (!isProven || indexes.has(index)) return []
      indexes.add(index)
      return [{ index, text, hash: toHex(hash(data)), statement: readOrNull(() => readLogStatement(text)) }]
    })
    .toSorted((one, other) => one.index - other.index)
}

/** Checks proven leaves. The operator logged them, so it is its fault if one is not a statement or appears twice. */
function verifyOrder(leaves: readonly Leaf[], checks: Checks): void {
  const times = leaves.flatMap(({ statement }) => statement?.time ?? [])
  const isRising = times.every((time, place) => place === 0 || time >= (times[place - 1] ?? 0))
  checks.hold('log.order', isRising, 'fail', 'times go down along the log')
  checks.hold(
    'log.order',
    leaves.every(({ statement }) => statement !== null),
    'fail',
    'a leaf of the log is no statement',
  )
  checks.hold(
    'log.order',
    new Set(leaves.map(({ hash }) => hash)).size === leaves.length,
    'fail',
    'a leaf stands twice',
  )
}

interface PromisedKeys {
  /** the key of the log and those after it, each promised by the one before */
  readonly valid: readonly LogKey[]
  /** whether leaf 0 is `log` and all keys were promised */
  readonly areAll: boolean
}

function promisedKeys(statements: readonly Logged[]): PromisedKeys {
  const first = statements[0]
  if (first === undefined || first.index !== 0 || first.statement.type !== 'log') return { valid: [], areAll: false }
  const valid = [keyOf(first as Logged<StatementOf<'log'>>)]
  let { next } = first.statement
  for (const logged of statements.slice(1)) {
    if (logged.statement.type === 'log') return { valid, areAll: false }
    if (logged.statement.type !== 'key') continue
    if (toHex(nobleHash(fromHex(logged.statement.key))) !== next) return { valid, areAll: false }
    valid.push(keyOf(logged as Logged<StatementOf<'key'>>))
    next = logged.statement.next
  }
  return { valid, areAll: true }
}

function verifyKeys(origin: string, { valid, areAll }: PromisedKeys, trust: Trust, checks: Checks): boolean {
  const named = (trust.policy?.logs ?? [])
    .filter(({ name }) => name === origin)
    .map(({ publicKey }) => toHex(publicKey))
  const known = trust.key === null ? named : [trust.key, ...named]
  const isKnown = known.length === 0 || valid.some(({ publicKey }) => known.includes(toHex(publicKey)))
  const arePromised = checks.hold('log.keys', areAll, 'broken', 'a key of the log was not promised by the one before')
  return checks.hold('log.keys', isKnown, 'broken', 'the key known here is not one of this log') && arePromised
}

/** Heads of one size with different roots are two logs of one name. One not signed by the log's key accuses no one. */
function verifyRemembered(
  log: KnownLog,
  bundle: Bundle,
  { heads, roots }: Pick<Trust, 'heads'> & Pick<KnownRoots, 'roots'>,
  checks: Checks,
): void {
  checks.end('log.remembered', 'pass')
  const seals = bundle.draws.flatMap(({ seal, postpones }) => (seal === null ? postpones : [seal, ...postpones]))
  const shown = [bundle.head, ...seals.map(({ checkpoint }) => checkpoint)]
    .map(readCheckpoint)
    .filter((checkpoint) => checkpoint !== null && log.isSigned(checkpoint))
  for (const kept of heads.map(readCheckpoint)) {
    if (kept === null || kept.origin !== log.origin) continue
    const served = roots.get(kept.size)
    const isShorter = served === null && log.isSigned(kept)
    if (isShorter) checks.end('log.remembered', 'unknown', 'the log that is served is shorter than a remembered head')
    const others = shown.filter((head) => head?.size === kept.size).map((head) => head?.root)
    const isOther = [...others, served].some((root) => root != null && !equalBytes(root, kept.root))
    if (!isOther) continue
    checks.end(
      'log.remembered',
      log.isSigned(kept) ? 'fail' : 'broken',
      'a head of this size that is remembered here has another root',
    )
  }
}
