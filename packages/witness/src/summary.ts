import type { Alarms } from './alarms.ts'
import { DrawBook } from './draw-book.ts'
import type { KeptLog, KeptNote } from './kept-log.ts'
import { fingerprintOfKey } from './operator-key.ts'
import type { Signatures } from './signatures.ts'
import { clockText } from './teller.ts'
import type { VerifiedDraws } from './verify-draws.ts'

/** What a witness kept, summed up. Times are epoch seconds. */
interface Summary {
  readonly operator: string
  readonly key: string
  readonly fingerprint: string
  readonly keyChanges: number
  readonly statements: number
  readonly firstSeenAt: number
  readonly lastSeenAt: number
  readonly draws: Readonly<Record<'open' | 'closed' | 'settled' | 'void', number>>
  readonly verified: Readonly<Record<string, number>>
  /** every close with its first sight; `inTime` is null where its last moment cannot be told */
  readonly closes: readonly {
    readonly draw: string
    readonly hash: string
    readonly seenAt: number
    readonly deadlineAt: number | null
    readonly inTime: boolean | null
  }[]
  readonly signatures: Readonly<Record<'kept' | 'waiting' | 'taken' | 'given-up', number>>
  readonly alarms: readonly { readonly at: number; readonly text: string; readonly evidence: string | null }[]
}

/** Sums up a folder. Null where nothing was seen yet. */
export function summarise(kept: {
  readonly log: KeptLog
  readonly alarms: Alarms
  readonly signatures: Signatures | null
  readonly verified: VerifiedDraws
}): Summary | null {
  const { head, notes } = kept.log
  const [first, last, key] = [notes[0], notes.at(-1), head?.keys[0]?.publicKey]
  if (head === null || first === undefined || last === undefined || key === undefined) return null
  const { book, closes } = readCloses(notes)
  const draws = { open: 0, closed: 0, settled: 0, void: 0 }
  for (const { state } of book.draws.values()) draws[state] += 1
  const verified: Record<string, number> = {}
  for (const outcome of kept.verified.outcomes.values()) verified[outcome] = (verified[outcome] ?? 0) + 1
  const signatures = { kept: 0, waiting: 0, taken: 0, 'given-up': 0 }
  for (const signed of kept.signatures?.all ?? []) signatures[kept.signatures?.outcomeOf(signed) ?? 'kept'] += 1
  return {
    operator: head.operator,
    key,
    fingerprint: fingerprintOfKey(key),
    keyChanges: head.keys.length - 1,
    statements: notes.length,
    firstSeenAt: first.seenAt,
    lastSeenAt: last.seenAt,
    draws,
    verified,
    closes,
    signatures,
    alarms: kept.alarms.raised.map(({ at, text, evidence }) => ({ at, text, evidence })),
  }
}

/** The summary as lines for people. */
export function summaryLines(summary: Summary): string[] {
  const { draws, signatures, closes, alarms, verified } = summary
  const late = closes.filter(({ inTime }) => inTime === false).length
  return [
    `Operator ${summary.operator}, key ${summary.key}`,
    `Fingerprint ${summary.fingerprint}, ${summary.keyChanges} changes of the key since`,
    `${summary.statements} statements, all verified; seen from ${clockText(summary.firstSeenAt)} to ${clockText(summary.lastSeenAt)}`,
    `Draws: ${draws.settled} drawn, ${draws.void} void, ${draws.closed} sealed, ${draws.open} on sale`,
    `Draws verified from one end to the other: ${verified['passed'] ?? 0} hold, ${verified['unchecked'] ?? 0} without numbers, ${verified['failed'] ?? 0} failed`,
    `Seals: ${closes.length}, of which ${closes.length - late} were first seen in time and ${late} were not`,
    `Signatures: ${signatures.taken} taken by the operator, ${signatures.waiting} waiting, ${signatures['given-up']} not taken, ${signatures.kept} kept only`,
    alarms.length === 0 ? 'No alarms.' : `Alarms: ${alarms.length}`,
    ...alarms.map(
      ({ at, text, evidence }) => `  ${clockText(at)}  ${text}${evidence === null ? '' : ` (${evidence})`}`,
    ),
  ]
}

function readCloses(notes: readonly KeptNote[]) {
  const book = new DrawBook()
  const closes: Summary['closes'][number][] = []
  for (const kept of notes) {
    book.add(kept)
    const { statement, hash } = kept.logged
    if (statement.type !== 'close') continue
    const draw = book.draws.get(statement.open)
    const deadlineAt = draw?.deadlineAt ?? null
    const inTime = deadlineAt === null ? null : kept.seenAt < deadlineAt
    closes.push({ draw: draw?.title ?? 'unknown', hash, seenAt: kept.seenAt, deadlineAt, inTime })
  }
  return { book, closes }
}
