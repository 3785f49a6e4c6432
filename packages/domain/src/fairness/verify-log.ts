import type { OwnRecord, Sight } from './bundle.ts'
import { countText, failed, type Finding, inputs, passed, StepChecks, timeText, unchecked } from './checks.ts'
import type { DrawRecord } from './draw-record.ts'
import { fromHex, toHex } from './bytes.ts'
import type { HashFunctions } from './hash.ts'
import { isSignedBy, type LogFault, readLogged, type VerifiedLog } from './log.ts'
import type { Step } from './report.ts'

/** The title of step 1, for a report that could not get so far as well. */
export const LOG_TITLE = 'The signed log'

const ASKED: readonly { readonly fault: LogFault; readonly id: string; readonly title: string; readonly ok: string }[] =
  [
    {
      fault: 'form',
      id: 'readable',
      title: 'Every statement has the exact form of the protocol',
      ok: 'Nothing is missing, doubled or written in another way.',
    },
    {
      fault: 'signature',
      id: 'signatures',
      title: 'Every statement is signed with the key of the operator',
      ok: 'Each signature belongs to its text and to the key that was in force.',
    },
    {
      fault: 'order',
      id: 'chain',
      title: 'The statements form one chain without gaps',
      ok: 'Each names the number and the hash that follow from the one before, and time never goes back.',
    },
    {
      fault: 'seed',
      id: 'seeds',
      title: 'No draw was opened with the seed of another',
      ok: 'Every seed hash in the log occurs once.',
    },
  ]

/** Step 1: signatures, order, keys, seeds, and whether the log is the one that was seen before (fairness section 10). */
export function verifyLogStep({
  log,
  record,
  own,
  claimed,
  hash,
}: {
  readonly log: VerifiedLog
  readonly record: DrawRecord | null
  readonly own: OwnRecord | null
  /** what the bundle says of the memory of who saved it */
  readonly claimed: OwnRecord | null
  readonly hash: HashFunctions
}): Step {
  const step = new StepChecks('log', LOG_TITLE)
  const [first, last] = [log.statements[0], log.statements.at(-1)]
  const values = inputs({
    'statements verified': log.statements.length,
    operator: log.head?.operator,
    'first statement, made': first && timeText(first.statement.time),
    'newest statement, made': last && timeText(last.statement.time),
    'hash of the newest statement': last?.hash,
  })
  for (const { fault, id, title, ok } of ASKED) step.add(id, title, findingOf(log, fault, ok), values)
  step.add(
    'key',
    'The key is the one that was seen first',
    keyFinding(log, own, claimed),
    keyInputs(log, own, claimed, hash),
  )
  step.add('fork', 'It is the same log that was seen before', forkFinding({ log, record, own, claimed }), [
    ...sightInputs(own, 'seen'),
    ...sightInputs(claimedBeside(own, claimed), 'seen, as the file says,'),
  ])
  return step.step()
}

/** SHA-256 of an operator's first key, hex: what people compare (fairness section 10). @param publicKey hex */
export function fingerprintOf(publicKey: string, hash: HashFunctions): string {
  return toHex(hash.sha256(fromHex(publicKey, 32)))
}

function findingOf({ problem, statements }: VerifiedLog, fault: LogFault, ok: string): Finding {
  if (problem === null) {
    return statements.length > 0 ? passed(ok) : failed('There is not a single statement.')
  }
  if (problem.fault === fault) return failed(`Statement ${problem.seq} ${problem.message}.`)
  return unchecked(`The log holds up to statement ${problem.seq}, which fails another check; nothing after it counts.`)
}

function keyFinding({ head }: VerifiedLog, own: OwnRecord | null, claimed: OwnRecord | null): Finding {
  const first = head?.keys[0]
  if (first === undefined) return unchecked('The log gives no key that holds.')
  if (own === null || own.key === null) return claimedKeyFinding(first.publicKey, claimed?.key ?? null)
  return own.key === first.publicKey
    ? passed('It is the first key that is on record for this operator.')
    : failed('Another first key is on record for this operator. One of the two logs is not genuine.')
}

function claimedKeyFinding(first: string, claimed: string | null): Finding {
  if (claimed === null) {
    return unchecked('This key is seen here for the first time. Compare its fingerprint with another source.')
  }
  return claimed === first
    ? unchecked(
        'The file says that this key was seen first: that is the word of whoever saved it. Compare its fingerprint with another source.',
      )
    : failed('The file says that another first key was seen of this operator. One of the two logs is not genuine.')
}

function keyInputs({ head }: VerifiedLog, own: OwnRecord | null, claimed: OwnRecord | null, hash: HashFunctions) {
  const first = head?.keys[0]?.publicKey
  return inputs({
    'first key': first,
    'fingerprint (SHA-256 of the first key)': first === undefined ? null : fingerprintOf(first, hash),
    'key on record': own?.key,
    'key on record, as the file says': own?.key === claimed?.key ? null : claimed?.key,
    'changes of the key': head === null ? null : head.keys.length - 1,
    'key in force': head?.keys.at(-1)?.publicKey,
  })
}

function sightInputs(record: Pick<OwnRecord, 'sights'> | null, what: string) {
  return (record?.sights ?? []).map(({ hash, seenAt }) => ({ name: `${what} ${timeText(seenAt)}`, value: hash }))
}

/** The sights that only the bundle tells of. */
function claimedBeside(own: OwnRecord | null, claimed: OwnRecord | null): Pick<OwnRecord, 'sights'> {
  const known = new Set(own?.sights.map(({ hash }) => hash))
  return { sights: (claimed?.sights ?? []).filter(({ hash }) => !known.has(hash)) }
}

interface Seen {
  readonly log: VerifiedLog
  readonly record: DrawRecord | null
  readonly own: OwnRecord | null
  readonly claimed: OwnRecord | null
}

function forkFinding(seen: Seen): Finding {
  const { log, own, claimed } = seen
  const known = new Set(log.statements.map(({ hash }) => hash))
  const claims = claimedBeside(own, claimed).sights.map((sight) => claimFinding(sight, known, seen))
  const findings = [
    ...(own?.receipts ?? []).flatMap(({ close }) => (close === null ? [] : [noteFinding(close, known, seen)])),
    ...(own?.sights ?? []).map((sight) => sightFinding(sight, known, seen)),
  ].filter((finding) => finding !== null)
  const problem = [...findings, ...claims].find(({ outcome }) => outcome === 'failed')
  if (problem !== undefined) return problem
  if (findings.length === 0) return claims[0] ?? unchecked('Nothing of this draw was seen before.')
  return (
    findings.find(({ outcome }) => outcome === 'unchecked') ??
    passed(`${countText(findings.length, 'statement', 'statements')} seen before stand in it, unchanged.`)
  )
}

/** A signed close that came with a receipt: another one in its place is proof, whoever shows it. */
function noteFinding(note: string, known: ReadonlySet<string>, { log, record }: Seen): Finding | null {
  const shown = readLogged(note)
  if (typeof shown === 'string') return null // the check of the receipts says so
  if (known.has(shown.hash)) return passed('')
  const { operator, seq } = shown.statement
  const isSigned = log.head?.keys.some(({ publicKey }) => isSignedBy(note, operator, publicKey)) ?? false
  if (!isSigned) return null
  const other = log.statements.find(({ statement }) => statement.seq === seq)
  if (other !== undefined) {
    return failed(
      `The operator signed two different statements ${seq}: ${other.hash} in this log and ${shown.hash} with a receipt. This is proof of fraud.`,
    )
  }
  const isSecondSeal = shown.statement.type === 'close' && shown.statement.open === record?.open.hash
  return isSecondSeal && isSealedForGood(record)
    ? failed(`The operator signed another seal for this draw, ${shown.hash}, which is not in this log.`)
    : unchecked('A statement that came with a receipt is newer than this log.')
}

/** A hash that was remembered. Without its text it shows this log false to who remembered it, and to nobody else. */
function sightFinding({ hash, seenAt }: Sight, known: ReadonlySet<string>, seen: Seen): Finding {
  if (known.has(hash)) return passed('')
  const { log, record } = seen
  if (log.problem !== null) return unchecked('The log does not hold as far as the statement that was seen before.')
  const isOlder = log.head !== null && seenAt <= log.head.time
  if (isOlder || isSealedForGood(record)) {
    return failed(`The statement ${hash}, seen ${timeText(seenAt)}, is not in this log: another one was shown then.`)
  }
  return unchecked(`A statement seen ${timeText(seenAt)} is newer than this log.`)
}

/** The same of a hash that only the file tells of: it may show a log false, and never true. */
function claimFinding(sight: Sight, known: ReadonlySet<string>, seen: Seen): Finding {
  const finding = sightFinding(sight, known, seen)
  return finding.outcome === 'passed'
    ? unchecked(
        'The file says that this log was seen before: that is the word of whoever saved it, and nothing here shows it.',
      )
    : finding
}

/** Whether no other seal of the draw can follow: only one that lacked witnesses is made again (fairness section 9). */
function isSealedForGood(record: DrawRecord | null): boolean {
  return record !== null && record.close !== null && record.open.statement.witness.required === 0
}
