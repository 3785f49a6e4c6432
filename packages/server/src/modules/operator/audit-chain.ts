import { createHash } from 'node:crypto'
import { canonicalJson, type Json } from '@fairball/contract/console/canonical-json'
import type { Queries, Tx } from '../../db/pool.ts'
import type { RowOf } from '../../db/sql.ts'
import { findNextPlace, insertAction, listChain, lockAudit } from './audit-queries.ts'

// The audit log is a chain: each row's hash is over its canonical text, with the hash of the row before in it. To
// change a row, all that follow have to be changed too, and the head is public each day.

/** The people of the staff who asked for an action, why, and with which request. */
export interface ActingPeople {
  /** null for a command while nobody is enrolled */
  readonly staffId: bigint | null
  readonly approverId: bigint | null
  readonly reason: string
  /** null for a command */
  readonly request: { readonly id: string; readonly kind: string; readonly args: Json } | null
}

/** What a row says, before it has its place. */
interface NewAction {
  readonly at: number
  readonly actor: string
  readonly action: string
  readonly subject: string
  readonly detail: string
  /** null for an action of the program */
  readonly people: ActingPeople | null
}

/** What the canonical text is made of; null is written as `-`. */
interface CanonicalAction {
  readonly id: bigint
  readonly at: number
  readonly kind: string
  readonly staffId: bigint | null
  readonly approverId: bigint | null
  readonly requestId: string | null
  readonly reason: string | null
  readonly args: Json
  readonly actor: string
  readonly subject: string
  readonly detail: string
  readonly prevHash: Uint8Array
}

/** The hash before the first row's. */
const NO_HASH: Uint8Array = new Uint8Array(32)

/** The result of checking the chain. */
interface ChainCheck {
  /** number of rows of the chain */
  readonly rows: number
  /** the first row that is not what its hash says, or does not follow the one before; null for none */
  readonly firstBad: bigint | null
  /** the hash of the last row, of 32 bytes; zeros for an empty chain */
  readonly head: Uint8Array
}

const ROWS_AT_ONCE = 1000

/** Appends a row to the audit log, in the transaction of what it is about. */
export async function appendAction(tx: Tx, { people, ...line }: NewAction): Promise<void> {
  await tx.one(lockAudit, [])
  const place = await tx.one(findNextPlace, [])
  const request = people?.request ?? null
  const row = {
    id: place.id,
    at: line.at,
    kind: request?.kind ?? line.action,
    staffId: people?.staffId ?? null,
    approverId: people?.approverId ?? null,
    requestId: request?.id ?? null,
    reason: people?.reason ?? null,
    args: request?.args ?? null,
    actor: line.actor,
    subject: line.subject,
    detail: line.detail,
    prevHash: place.prevHash ?? NO_HASH,
  }
  await tx.execute(insertAction, { ...row, action: line.action, hash: hashOf(row) })
}

/** Recomputes the chain from its first row. Rows that are older than the chain are passed over. */
export async function checkChain(from: Queries): Promise<ChainCheck> {
  let rows = 0
  let head = NO_HASH
  let lastId = 0n
  for (;;) {
    const part = await from.run(listChain, [lastId, ROWS_AT_ONCE])
    for (const row of part) {
      if (row.hash === null && rows === 0) continue
      if (!isNext(row, head)) return { rows, firstBad: row.id, head }
      head = row.hash ?? NO_HASH
      rows += 1
    }
    const last = part.at(-1)
    if (last === undefined || part.length < ROWS_AT_ONCE) return { rows, firstBad: null, head }
    lastId = last.id
  }
}

function isNext(row: RowOf<typeof listChain>, head: Uint8Array): boolean {
  const { hash, prevHash, kind } = row
  if (hash === null || prevHash === null || kind === null) return false
  return isEqual(prevHash, head) && isEqual(hash, hashOf({ ...row, kind, prevHash }))
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0
}

/** What a row says in the form that `detail` of `GET /audit` has. */
export function detailOf({ actor, subject, detail }: Pick<CanonicalAction, 'actor' | 'subject' | 'detail'>) {
  return { actor, subject, text: detail }
}

function hashOf(row: CanonicalAction): Uint8Array {
  const lines = [
    'fairball/audit/v1',
    row.id,
    row.at,
    row.kind,
    row.staffId ?? '-',
    row.approverId ?? '-',
    row.requestId ?? '-',
    row.reason ?? '-',
    row.args === null ? '-' : canonicalJson(row.args),
    canonicalJson(detailOf(row)),
    Buffer.from(row.prevHash).toString('hex'),
  ]
  return new Uint8Array(
    createHash('sha256')
      .update(`${lines.join('\n')}\n`)
      .digest(),
  )
}
