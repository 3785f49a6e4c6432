import type { OwnReceipt } from './bundle.ts'
import { equalBytes, fromHex } from './bytes.ts'
import { isSignedBy, type VerifiedLog } from './log.ts'
import { keyId, parseNote } from './signed-note.ts'
import { parseStatementOf, type StatementOf } from './statements.ts'

/** A receipt and what was read of it. */
export interface ReadReceipt {
  readonly sent: OwnReceipt
  readonly receipt: StatementOf<'receipt'>
}

/** Reads a receipt; null for what is none. Nothing of it is verified. Never throws. */
export function readReceipt(sent: OwnReceipt): ReadReceipt | null {
  try {
    return { sent, receipt: parseStatementOf('receipt', parseNote(sent.receipt)?.text ?? '') }
  } catch {
    return null // not a receipt; the check of the receipts says so
  }
}

/**
 * Who signed a receipt (fairness section 6): a key of the log in force at its time, or one that came later. `unknown`: a key
 * that the log here does not hold.
 */
export type ReceiptSigner = 'log' | 'unknown' | 'nobody'

/** Holds the signature of a receipt against the keys of a log. Never throws. */
export function receiptSigner({ sent, receipt }: ReadReceipt, { head }: VerifiedLog): ReceiptSigner {
  const keys = head?.keys ?? []
  const inForce = keys.filter(({ untilAt }) => untilAt === null || untilAt >= receipt.time)
  if (inForce.some(({ publicKey }) => isSignedBy(sent.receipt, receipt.operator, publicKey))) return 'log'
  const own = (parseNote(sent.receipt)?.signatures ?? []).filter(({ name }) => name === receipt.operator)
  const known = keys.map(({ publicKey }) => keyId({ name: receipt.operator, publicKey: fromHex(publicKey, 32) }))
  const isOfLog = own.some((signature) => known.some((id) => equalBytes(id, signature.keyId)))
  return own.length === 0 || isOfLog ? 'nobody' : 'unknown'
}
