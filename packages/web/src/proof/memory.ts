import { toHex } from '@fairball/domain/protocol/bytes'
import { readCheckpoint } from '@fairball/domain/protocol/checkpoint'
import { textHash } from '@fairball/domain/protocol/hash'
import { readNote } from '@fairball/domain/protocol/note'
import { isStatementError, readStatement, type StatementOf } from '@fairball/domain/protocol/statements'
import type { PlayPapers } from '@fairball/contract/schemas/fairness'
import type { KeptPaper, KeptSeal } from './kept-records.ts'
import type { KeptStore } from './kept-store.ts'

/** Maximum number of kept heads; older ones are dropped. */
const HEADS_KEPT = 500
/** Maximum number of kept seals. */
const SEALS_KEPT = 200

/** The content of a paper's note. Nothing is verified. */
type ReadPaper = StatementOf<'promise'> | StatementOf<'receipt'>

/** Reads a promise or receipt; null for any other note. */
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

/** Keeps the head of a verified log. Different heads of the same size are kept beside it, as evidence. */
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

/** Keeps the verified keys of a log. Those seen first stay first. */
export async function rememberKeys(
  store: KeptStore,
  { origin, keys, seenAt }: { readonly origin: string; readonly keys: readonly string[]; readonly seenAt: number },
): Promise<void> {
  const known = await store.get('logs', origin)
  if (known !== null && known.keys.length >= keys.length) return
  if (known !== null && known.keys.some((key, place) => key !== keys[place])) return
  await store.put('logs', { origin, keys, seenAt: known?.seenAt ?? seenAt, policy: known?.policy ?? null })
}

/** Keeps a seal at first sight, or the outcome of its check: hash, file and times stay as first seen. */
export async function rememberSeal(store: KeptStore, seal: KeptSeal): Promise<void> {
  const known = await store.get('seals', seal.id)
  const { lines, outcome, problem, evidence } = seal
  await store.put('seals', known === null ? seal : { ...known, lines, outcome, problem, evidence })
  const seals = await store.all('seals')
  const oldest = seals.toSorted((one, other) => one.seenAt - other.seenAt)[0]
  if (seals.length > SEALS_KEPT && oldest !== undefined) await store.remove('seals', oldest.id)
}

/** Keeps the papers of a play. Papers that are already kept stay as first seen. */
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

/** A contradiction of the operator. */
export interface Contradiction {
  readonly kind: 'promise' | 'receipt'
  /** The earlier statement, then the later one. */
  readonly notes: readonly string[]
}

/** Promises of one order that differ: the first one counts, and the others contradict it. */
export function otherPromises(papers: readonly KeptPaper[]): Contradiction[] {
  const byOrder = Map.groupBy(
    papers.filter(({ type }) => type === 'promise'),
    ({ order }) => order,
  )
  return [...byOrder.values()]
    .filter((promises) => promises.length > 1)
    .map((promises) => ({ kind: 'promise', notes: inOrder(promises) }))
}

/** Kept receipts of a play that the operator no longer provides. @param playId the play's id in the API */
export function goneReceipts(papers: readonly KeptPaper[], playId: string, now: PlayPapers): Contradiction[] {
  const given = new Set(now.receipts.map(({ note }) => readPaper(note)?.hash))
  const gone = papers.filter((paper) => paper.type === 'receipt' && paper.playId === playId && !given.has(paper.hash))
  return gone.length === 0 ? [] : [{ kind: 'receipt', notes: inOrder(gone) }]
}

/** Notes in the order in which they were first seen. */
function inOrder(records: readonly { readonly note: string; readonly seenAt: number }[]): string[] {
  return records.toSorted((one, other) => one.seenAt - other.seenAt).map(({ note }) => note)
}
