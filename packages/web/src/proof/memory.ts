import { toHex } from '@fairball/domain/protocol/bytes'
import { readCheckpoint } from '@fairball/domain/protocol/checkpoint'
import { textHash } from '@fairball/domain/protocol/hash'
import { readNote } from '@fairball/domain/protocol/note'
import { isStatementError, readStatement, type StatementOf } from '@fairball/domain/protocol/statements'
import type { PlayPapers } from '@fairball/contract/schemas/fairness'
import type { KeptPaper, KeptSeal } from './kept-records.ts'
import type { KeptStore } from './kept-store.ts'

/** The most heads that are kept: older ones make room. */
const HEADS_KEPT = 500
/** The most seals that are kept. */
const SEALS_KEPT = 200

/** A paper as its note says. Nothing of it is verified. */
type ReadPaper = StatementOf<'promise'> | StatementOf<'receipt'>

/** Reads a promise or receipt; null for a note that is none. */
export function readPaper(note: string): { readonly statement: ReadPaper; readonly hash: string } | null {
  const text = readNote(note)?.text
  if (text === undefined) return null
  try {
    const statement = readStatement(text)
    if (statement.type !== 'promise' && statement.type !== 'receipt') return null
    return { statement, hash: textHash(text) }
  } catch (error) {
    if (isStatementError(error)) return null
    throw error
  }
}

/** Keeps the head of a log that was verified. Every other head of its size is kept beside it: they are evidence. */
export async function rememberHead(store: KeptStore, note: string, seenAt: number): Promise<void> {
  const head = readCheckpoint(note)
  if (head === null) return
  const { origin, size } = head
  const root = toHex(head.root)
  const id = `${origin} ${size} ${root}`
  if ((await store.get('heads', id)) !== null) return
  await store.put('heads', { id, origin, size, root, note, seenAt })
  const heads = await store.all('heads')
  const oldest = heads.toSorted((one, other) => one.seenAt - other.seenAt)[0]
  if (heads.length > HEADS_KEPT && oldest !== undefined) await store.remove('heads', oldest.id)
}

/** Keeps the keys of a log that were verified. Those seen first stay first. */
export async function rememberKeys(
  store: KeptStore,
  { origin, keys, seenAt }: { readonly origin: string; readonly keys: readonly string[]; readonly seenAt: number },
): Promise<void> {
  const known = await store.get('logs', origin)
  if (known !== null && known.keys.length >= keys.length) return
  if (known !== null && known.keys.some((key, place) => key !== keys[place])) return
  await store.put('logs', { origin, keys, seenAt: known?.seenAt ?? seenAt, policy: known?.policy ?? null })
}

/** Keeps a seal at first sight, or how its check ended: hash, file and times stay as they were first seen. */
export async function rememberSeal(store: KeptStore, seal: KeptSeal): Promise<void> {
  const known = await store.get('seals', seal.id)
  const { lines, outcome, problem, evidence } = seal
  await store.put('seals', known === null ? seal : { ...known, lines, outcome, problem, evidence })
  const seals = await store.all('seals')
  const oldest = seals.toSorted((one, other) => one.seenAt - other.seenAt)[0]
  if (seals.length > SEALS_KEPT && oldest !== undefined) await store.remove('seals', oldest.id)
}

/** Keeps the papers of a play. Those that are kept already stay as they were first seen. */
export async function rememberPapers(
  store: KeptStore,
  papers: PlayPapers,
  { playId, player, lines, seenAt }: Pick<KeptPaper, 'playId' | 'player' | 'lines' | 'seenAt'>,
): Promise<void> {
  const { promise, secret, username, receipts } = papers
  for (const { note, path } of [{ note: promise, path: [] }, ...receipts]) {
    const paper = readPaper(note)
    if (paper === null || (await store.get('papers', paper.hash)) !== null) continue
    const { statement, hash } = paper
    const isPromise = statement.type === 'promise'
    await store.put('papers', {
      hash,
      type: statement.type,
      note,
      playId: isPromise ? null : playId,
      player,
      username,
      order: statement.order,
      opens: isPromise ? statement.play.map(({ open }) => open) : [statement.open],
      play: isPromise ? null : statement.play,
      secret,
      lines: isPromise ? lines : null,
      path,
      seenAt,
    })
  }
}

/** Something that the operator has said in two ways. */
export interface Contradiction {
  readonly kind: 'promise' | 'receipt'
  /** What was said first, then what was said later. */
  readonly notes: readonly string[]
}

/** Promises of one order that differ: the first one counts, and the others are held against it. */
export function otherPromises(papers: readonly KeptPaper[]): Contradiction[] {
  const byOrder = Map.groupBy(
    papers.filter(({ type }) => type === 'promise'),
    ({ order }) => order,
  )
  return [...byOrder.values()]
    .filter((promises) => promises.length > 1)
    .map((promises) => ({ kind: 'promise', notes: inOrder(promises) }))
}

/** Kept receipts of a play that are not among those given now. @param playId as the API names it */
export function goneReceipts(papers: readonly KeptPaper[], playId: string, now: PlayPapers): Contradiction[] {
  const given = new Set(now.receipts.map(({ note }) => readPaper(note)?.hash))
  const gone = papers.filter((paper) => paper.type === 'receipt' && paper.playId === playId && !given.has(paper.hash))
  return gone.length === 0 ? [] : [{ kind: 'receipt', notes: inOrder(gone) }]
}

/** Notes in the order in which they were first seen. */
function inOrder(records: readonly { readonly note: string; readonly seenAt: number }[]): string[] {
  return records.toSorted((one, other) => one.seenAt - other.seenAt).map(({ note }) => note)
}
