import { parseNote } from '@fairball/domain/fairness/signed-note'
import { parseStatementOf } from '@fairball/domain/fairness/statements'
import type { StatementOf } from '@fairball/domain/fairness/statements'

/** The statement in the note of a receipt; null without one, which the proof reports. Its signature is not checked. */
export function readReceipt(note: string): StatementOf<'receipt'> | null {
  try {
    return parseStatementOf('receipt', parseNote(note)?.text ?? '')
  } catch {
    return null
  }
}
