import { lineMask } from '../lines.ts'
import type { OwnReceipt, OwnRecord } from './bundle.ts'
import { fromHex } from './bytes.ts'
import { attempt, countText, failed, type Finding, inputs, passed, StepChecks, timeText, unchecked } from './checks.ts'
import type { DrawRecord } from './draw-record.ts'
import { leafHash, ownerTag, type PublishedEntry } from './entry.ts'
import type { HashFunctions } from './hash.ts'
import { readLogged, type VerifiedLog } from './log.ts'
import { type ReadReceipt, readReceipt, receiptSigner } from './receipt-signature.ts'
import type { Step } from './report.ts'
import { isPublishedAs } from './sealed-entries.ts'
import type { ReceiptEntry, StatementOf } from './statements.ts'
import { verifyInclusion } from './tree.ts'

/** The title of step 7, for a report that could not get so far as well. */
export const RECEIPTS_TITLE = 'Your own receipts'

/** What step 7 looks at. */
export interface Receipts {
  readonly log: VerifiedLog
  readonly record: DrawRecord
  readonly own: OwnRecord | null
  /** the published entries, if they are those that were sealed and in order; null where they are not, or not here */
  readonly sealedEntries: Uint8Array | null
}

/** Step 7: each receipt is genuine, the player's own, and inside of the seal (fairness section 10). */
export function verifyReceiptsStep(all: Receipts, hash: HashFunctions): Step {
  const step = new StepChecks('receipts', RECEIPTS_TITLE)
  const sent = all.own?.receipts ?? []
  if (sent.length === 0) {
    step.add(
      'found',
      'There are receipts',
      unchecked('No receipts were given. Without them the draw is checked, not your part in it.'),
    )
    return step.step()
  }
  const read = sent.map(readReceipt)
  const whole = read.filter((one) => one !== null)
  const own = whole.filter(({ receipt }) => receipt.open === all.record.open.hash)
  step.add(
    'found',
    'The receipts are of this draw',
    foundFinding({ sent, whole, own, all }),
    whole.flatMap(receiptInputs),
  )
  if (own.length === 0) return step.step()
  step.add(
    'signature',
    'The operator signed them',
    eachFinding(own, (one) => signatureFinding(one, all.log)),
  )
  step.add(
    'owner',
    'They are yours',
    eachFinding(own, (one) => ownerFinding(one, all.own?.username ?? null)),
    [...inputs({ 'your username': all.own?.username })],
  )
  step.add(
    'lines',
    'Their entries are lines of this game',
    eachFinding(own, (one) => linesFinding(one, all.record)),
  )
  step.add('once', 'No entry stands in two receipts', onceFinding(own))
  step.add(
    'close',
    'They came with the seal that is in the log',
    eachFinding(own, (one) => closeFinding(one, all)),
  )
  step.add(
    'sealed',
    'All of their entries were sealed, as yours',
    eachFinding(own, (one) => sealedFinding(one, all, hash)),
    inputs({ 'root in the seal': all.record.close?.statement.root }),
  )
  return step.step()
}

function receiptInputs({ receipt }: ReadReceipt) {
  const lines = receipt.entries.map(({ id, kind, numbers }) => ({
    name: `entry ${id}`,
    value: `${numbers.join(', ')} (${kind === 1 ? 'free ticket' : 'paid'})`,
  }))
  return [
    ...inputs({
      order: receipt.order,
      player: receipt.player,
      'receipt made': timeText(receipt.time),
      'of the draw': receipt.open,
    }),
    ...lines,
  ]
}

/** What is found of several receipts together: a failure before what cannot be told, and that before success. */
function eachFinding(receipts: readonly ReadReceipt[], find: (one: ReadReceipt) => Finding): Finding {
  const findings = receipts.map((one) => ({ ...find(one), order: one.receipt.order }))
  const worst =
    findings.find(({ outcome }) => outcome === 'failed') ??
    findings.find(({ outcome }) => outcome === 'unchecked') ??
    findings[0]
  if (worst === undefined) return unchecked('There is no receipt of this draw.')
  const detail =
    receipts.length > 1 && worst.outcome !== 'passed' ? `Order ${worst.order}: ${worst.detail}` : worst.detail
  return { outcome: worst.outcome, detail }
}

function foundFinding({
  sent,
  whole,
  own,
  all,
}: {
  readonly sent: readonly OwnReceipt[]
  readonly whole: readonly ReadReceipt[]
  readonly own: readonly ReadReceipt[]
  readonly all: Receipts
}): Finding {
  if (whole.length < sent.length)
    return failed(`${countText(sent.length - whole.length, 'of them is', 'of them are')} no receipt.`)
  const opened = new Set(all.log.statements.map(({ hash }) => hash))
  const newest = all.log.head?.time ?? 0
  for (const one of whole) {
    const { receipt } = one
    if (opened.has(receipt.open)) continue
    if (receiptSigner(one, all.log) === 'log' && receipt.time <= newest && all.log.problem === null) {
      return failed(`The receipt of order ${receipt.order} is signed, but of a draw that this log never opened.`)
    }
  }
  if (own.length === 0)
    return unchecked('They belong to other draws. Entries that moved have a new receipt for their new draw.')
  const others = whole.length - own.length
  const ofOthers =
    others === 0 ? '' : ` ${countText(others, 'other is', 'others are')} of another draw and not looked at.`
  return passed(`${countText(own.length, 'receipt', 'receipts')} of this draw.${ofOthers}`)
}

function signatureFinding(one: ReadReceipt, log: VerifiedLog): Finding {
  if (one.receipt.operator !== log.head?.operator) return failed('It names another operator.')
  const signer = receiptSigner(one, log)
  if (signer === 'log') return passed('Signed with the key of the log.')
  return signer === 'unknown'
    ? unchecked('It is signed with a key that this log does not hold; the log here may end too early.')
    : failed('It is not signed with a key of the log.')
}

/** Two orders with one entry, or with the secret it comes from, are two promises of which one is kept (fairness section 6). */
function onceFinding(receipts: readonly ReadReceipt[]): Finding {
  const owners = new Map<string, StatementOf<'receipt'>>()
  for (const { receipt } of receipts) {
    for (const part of [receipt.secret, ...receipt.entries.map(({ id }) => id)]) {
      const other = owners.get(part) ?? receipt
      owners.set(part, other)
      if (other.order === receipt.order && other.player === receipt.player) continue
      const what = part === receipt.secret ? 'The secret of an entry' : `Entry ${part}`
      return failed(`${what} stands in two receipts: of order ${other.order} and of order ${receipt.order}.`)
    }
  }
  return passed('Each belongs to one order.')
}

function ownerFinding({ receipt }: ReadReceipt, username: string | null): Finding {
  if (username === null) return unchecked('Whose they should be was not given.')
  return receipt.player === username ? passed(`They name ${username}.`) : failed(`It names ${receipt.player}.`)
}

function linesFinding({ receipt }: ReadReceipt, { open }: DrawRecord): Finding {
  const { pick, pool } = open.statement
  const ids = new Set(receipt.entries.map(({ id }) => id))
  if (ids.size < receipt.entries.length) return failed('It lists an entry twice.')
  const isLine = ({ numbers }: ReceiptEntry): boolean =>
    numbers.length === pick && numbers.every((number) => number <= pool)
  return receipt.entries.every(isLine)
    ? passed('Each has as many numbers as are drawn.')
    : failed('It has an entry that is no line of this game.')
}

function closeFinding({ sent }: ReadReceipt, { log, record }: Receipts): Finding {
  if (sent.close === null) return unchecked('It came before the draw was sealed.')
  const shown = readLogged(sent.close)
  if (typeof shown === 'string' || shown.statement.type !== 'close') return failed('What came with it is no seal.')
  if (record.closes.some(({ hash }) => hash === shown.hash)) return passed('It is the same seal.')
  const isNewer = shown.statement.open === record.open.hash && shown.statement.seq > (log.head?.seq ?? 0)
  const canBeSealedAgain = record.close === null || record.open.statement.witness.required > 0
  return isNewer && canBeSealedAgain
    ? unchecked('The seal that came with it is newer than this log.')
    : failed('The seal that came with it is not in the log.')
}

function sealedFinding(
  { sent, receipt }: ReadReceipt,
  { record, sealedEntries }: Receipts,
  hash: HashFunctions,
): Finding {
  const close = record.close?.statement
  if (close === undefined) {
    return unchecked(
      record.state === 'void' ? 'The draw is void; its entries move to another draw.' : 'The draw is not sealed yet.',
    )
  }
  const findings = receipt.entries.map((entry) => entryFinding({ entry, sent, receipt, close, sealedEntries }, hash))
  return (
    findings.find(({ outcome }) => outcome === 'failed') ??
    findings.find(({ outcome }) => outcome === 'unchecked') ??
    passed('Each is sealed with its numbers and with your owner tag.')
  )
}

interface EntryProof {
  readonly entry: ReceiptEntry
  readonly sent: OwnReceipt
  readonly receipt: StatementOf<'receipt'>
  readonly close: StatementOf<'close'>
  readonly sealedEntries: Uint8Array | null
}

function entryFinding({ entry, sent, receipt, close, sealedEntries }: EntryProof, hash: HashFunctions): Finding {
  const published = publishedOf(entry, receipt, hash)
  if (published === null) return failed(`Entry ${entry.id} cannot be sealed: its numbers are none.`)
  const proofs = sent.entries.filter(({ id }) => id === entry.id)
  for (const { index, size, path } of proofs) {
    const siblings = attempt(() => path.map((sibling) => fromHex(sibling, 32)))
    const proof = { index, size, path: siblings ?? [], root: fromHex(close.root) }
    const leaf = leafHash(fromHex(receipt.open), published, hash)
    const leads = siblings !== null && size === close.entries && verifyInclusion({ ...proof, leafHash: leaf }, hash)
    if (!leads) return failed(`The path of entry ${entry.id} does not lead to the root in the seal.`)
  }
  if (sealedEntries !== null) {
    const isSame = isPublishedAs(sealedEntries, published)
    if (isSame === null) return failed(`Entry ${entry.id} is not among the sealed ones.`)
    if (!isSame) return failed(`Entry ${entry.id} was sealed with other numbers, or as that of somebody else.`)
  }
  return proofs.length > 0 || sealedEntries !== null
    ? passed('')
    : unchecked('Neither a path nor the sealed entries are here.')
}

/** An entry of a receipt as it must have been published. Null where its numbers are no line. */
function publishedOf(entry: ReceiptEntry, receipt: StatementOf<'receipt'>, hash: HashFunctions): PublishedEntry | null {
  const id = fromHex(entry.id, 16)
  const tag = attempt(() => ownerTag(fromHex(receipt.secret, 32), fromHex(receipt.open, 32), id, receipt.player, hash))
  const mask = attempt(() => lineMask(entry.numbers))
  return tag === null || mask === null ? null : { id, kind: entry.kind, mask, ownerTag: tag }
}
