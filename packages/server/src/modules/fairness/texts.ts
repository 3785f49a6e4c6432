import { textHash } from '@fairball/domain/protocol/hash'
import type { Queries, Tx } from '../../db/pool.ts'
import * as queries from './queries.ts'

/** Stores a text that statements name by its hash: rules, a policy, reserves. @returns its hash, hex */
export async function keepText(tx: Tx, text: string): Promise<string> {
  const hash = textHash(text)
  await tx.execute(queries.insertText, [hash, text])
  return hash
}

/** The text with a hash; null for none. */
export async function textOf(from: Queries, hash: string): Promise<string | null> {
  return (await from.maybeOne(queries.findText, [hash]))?.text ?? null
}
