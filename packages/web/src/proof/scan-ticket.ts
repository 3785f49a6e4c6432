import type { Bundle } from '@fairball/domain/protocol/bundle'
import { equalBytes, fromHex, toHex, viewOf } from '@fairball/domain/protocol/bytes'
import { nobleHash, textHash } from '@fairball/domain/protocol/hash'
import { TILE_WIDTH } from '@fairball/domain/protocol/numbers'
import { LEAF, ownerTag, PLAY_KIND, playId, playLeafBytes } from '@fairball/domain/protocol/plays'
import { type GetFile, MissingFile, RemoteError, RemoteTree } from '@fairball/domain/protocol/remote-log'
import { readLogStatement, type StatementOf } from '@fairball/domain/protocol/statements'
import type { Runtime } from '../shared/runtime.ts'
import { readLog } from './files.ts'
import { linesOf } from './leaf-lines.ts'
import type { ProvenDraw } from './prove.ts'
import type { TicketCode } from './ticket-code.ts'

/** What a ticket's code shows about the sealed list of its draw. */
export type Scan =
  /** Its lines are in the list; `isRevoked` if their payment was reversed before the close. */
  | { readonly kind: 'found'; readonly lines: readonly (readonly number[])[]; readonly isRevoked: boolean }
  /** The place in the list has another play, or is none. */
  | { readonly kind: 'absent' }
  /** The play is there under another name than the code's. */
  | { readonly kind: 'damaged' }

/** The list of a draw as its operator sealed it. */
interface SealedList {
  readonly open: string
  readonly close: StatementOf<'close'>
}

/** The sealed list of a checked draw; null before its close. */
export function sealedListOf(bundle: Bundle, { report: { open }, facts }: ProvenDraw): SealedList | null {
  const hash = facts.close?.hash
  if (hash === undefined) return null
  const seals = bundle.draws.flatMap(({ seal, tail }) => [...(seal?.statements ?? []), ...(tail?.statements ?? [])])
  const text = [...bundle.statements.map((one) => one.text), ...seals].find((one) => textHash(one) === hash)
  const close = text === undefined ? null : readLogStatement(text)
  return close?.type === 'close' ? { open, close } : null
}

/**
 * Looks a ticket up in the sealed list of its draw. It fetches the part of the list around the ticket's place, which
 * has to lead to the sealed root: nothing that is sent depends on the ticket's secret.
 *
 * @throws RemoteError if the operator's files do not lead to the root; and the error of a failed request
 */
export async function scanTicket(
  runtime: Pick<Runtime, 'fetch'>,
  { open, close }: SealedList,
  { index, ps, username }: TicketCode,
): Promise<Scan> {
  if (index >= close.size) return { kind: 'absent' }
  return await readLog(runtime, async (get) => {
    const folder = `draw/${open}/`
    const tree = new RemoteTree(get, folder, { size: close.size, root: fromHex(close.root, 32) })
    const leaf = (await tree.entries(Math.floor(index / TILE_WIDTH)))[index % TILE_WIDTH]
    const openHash = fromHex(open, 32)
    if (leaf === undefined || !isPlay(leaf, openHash, playId(ps))) return { kind: 'absent' }
    if (!equalBytes(leaf.subarray(-32), ownerTag(ps, openHash, username))) return { kind: 'damaged' }
    return { kind: 'found', lines: linesOf(leaf), isRevoked: await isRevoked(get, folder, close, index) }
  })
}

function isPlay(leaf: Uint8Array, openHash: Uint8Array, id: Uint8Array): boolean {
  return (
    leaf.length > LEAF.masks &&
    leaf[LEAF.kind] === PLAY_KIND &&
    leaf.length === playLeafBytes(viewOf(leaf).getUint16(LEAF.lines)) &&
    equalBytes(leaf.subarray(0, LEAF.kind), openHash) &&
    equalBytes(leaf.subarray(LEAF.playId, LEAF.rate), id)
  )
}

/** Whether the list of revoked plays, which the close names by its hash, has this place. */
async function isRevoked(
  get: GetFile,
  folder: string,
  { revoked }: SealedList['close'],
  index: number,
): Promise<boolean> {
  if (revoked.count === 0) return false
  const path = `${folder}revoked`
  const list = await get(path)
  if (list === null) throw new MissingFile(path)
  if (toHex(nobleHash(list)) !== revoked.list) throw new RemoteError(`${path} is not the list that the close names.`)
  const view = viewOf(list)
  return Array.from({ length: list.length / 16 }, (_, place) => Number(view.getBigUint64(16 * place))).includes(index)
}
