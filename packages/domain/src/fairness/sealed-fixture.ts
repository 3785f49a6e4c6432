import type { Bundle } from './bundle.ts'
import { concatBytes, fromHex } from './bytes.ts'
import { honestResult } from './draw-fixture.ts'
import { ENTRY_RECORD_BYTES } from './entry.ts'
import { resigned } from './resigned-fixture.ts'
import { readEntries } from './sealed-entries.ts'
import { parseStatementOf, statementHash, type StatementOf, statementText } from './statements.ts'

/** The published entries one by one. */
export function recordsOf(entries: Uint8Array): Uint8Array[] {
  return Array.from({ length: entries.length / ENTRY_RECORD_BYTES }, (_, place) =>
    entries.slice(place * ENTRY_RECORD_BYTES, (place + 1) * ENTRY_RECORD_BYTES),
  )
}

/** Published entries put together. */
export function combinedRecords(records: readonly Uint8Array[]): Uint8Array {
  return concatBytes(...records)
}

/** The bundle of an operator who seals other entries than it has, draws and settles by them, and signs everything anew. */
export function sealedWith(
  bundle: Bundle,
  operator: { readonly name: string; readonly keySeed: Uint8Array },
  entries: Uint8Array,
  counts: { readonly entries?: number; readonly free?: number },
): Bundle {
  const rules = parseStatementOf('rules', bundle.rules)
  const log = resigned(bundle.log, operator, (statement, before) => {
    const open = before.find((one): one is StatementOf<'open'> => one.type === 'open')
    if (open === undefined) return statement
    if (statement.type === 'close') {
      const shape = { openHash: fromHex(statementHash(statementText(open))), pick: open.pick, pool: open.pool }
      const { root, count, free } = readEntries(entries, shape)
      return { ...statement, root, entries: counts.entries ?? count, free: counts.free ?? free }
    }
    const close = before.find((one): one is StatementOf<'close'> => one.type === 'close')
    if (statement.type !== 'result' || close === undefined) return statement
    return { ...statement, ...honestResult({ open, close, rules, signature: statement.signature, entries }) }
  })
  return { ...bundle, log, entries }
}
