import { equalBytes, fromHex } from '@fairball/domain/protocol/bytes'
import type { LogReader } from '@fairball/domain/protocol/read-log'
import { type GetFile, RemoteTree } from '@fairball/domain/protocol/remote-log'
import { isStatementError, type LogStatement, readLogStatement } from '@fairball/domain/protocol/statements'
import type { TreeHead } from '@fairball/domain/protocol/tree'
import { nodeHash } from './node-hash.ts'

/** Checks by their public tiles that the trees of plays and payments only grow (sections 6 and 10). */

/** A tree and its heads in statements, in the order of the log. */
interface NamedTree {
  /** `draw/<open_hash>/` or `paid/` */
  readonly folder: string
  readonly heads: TreeHead[]
}

/**
 * Checks each tree that statements name against its tiles: every smaller head must be a prefix of the largest.
 *
 * @param texts of the statements after those that the reader has read
 * @returns the folders of trees that break this rule
 * @throws RemoteError if tiles are missing or do not lead to the signed head
 */
export async function treesThatShrank(reader: LogReader, texts: readonly string[], get: GetFile): Promise<string[]> {
  const shrunk: string[] = []
  for (const { folder, heads } of namedTrees(reader, texts)) {
    const largest = heads.reduce((one, other) => (other.size > one.size ? other : one))
    const tree = new RemoteTree(get, folder, largest, nodeHash)
    for (const { size, root } of heads) {
      if (!equalBytes(await tree.rootAt(size), root)) {
        shrunk.push(folder)
        break
      }
    }
  }
  return shrunk
}

function namedTrees(reader: LogReader, texts: readonly string[]): NamedTree[] {
  const trees = new Map<string, NamedTree>()
  for (const text of texts) {
    const named = headIn(text)
    if (named === null) continue
    const tree = trees.get(named.folder) ?? { folder: named.folder, heads: headsBefore(reader, named.folder) }
    trees.set(named.folder, tree)
    tree.heads.push(named.head)
  }
  return [...trees.values()]
}

function headIn(text: string): { folder: string; head: TreeHead } | null {
  const statement = statementOf(text)
  if (statement?.type !== 'sold' && statement?.type !== 'close' && statement?.type !== 'paid') return null
  const folder = statement.type === 'paid' ? 'paid/' : `draw/${statement.open}/`
  return { folder, head: { size: statement.size, root: fromHex(statement.root) } }
}

/** The heads of a tree in earlier statements. */
function headsBefore(reader: LogReader, folder: string): TreeHead[] {
  const draw = reader.draw(folder.split('/')[1] ?? '')
  const before = folder === 'paid/' ? reader.paid : (draw?.closes.at(-1)?.close ?? draw?.sold)?.statement
  return before === undefined ? [] : [{ size: before.size, root: fromHex(before.root) }]
}

function statementOf(text: string): LogStatement | null {
  try {
    return readLogStatement(text)
  } catch (error) {
    if (isStatementError(error)) return null // the reader reports it
    throw error
  }
}
