import { assert } from '../assert.ts'
import { concatBytes, equalBytes, toHex, utf8Text } from './bytes.ts'
import { type Checkpoint, readCheckpoint } from './checkpoint.ts'
import { type Hash, nobleHash } from './hash.ts'
import type { Logged } from './known-log.ts'
import type { LogSource } from './make-bundle.ts'
import { TILE_WIDTH } from './numbers.ts'
import { isStatementError, readLogStatement } from './statements.ts'
import { entriesPath, nodeFromTile, partialTiles, readEntries, type Tile, tileOfNode, tilePath } from './tiles.ts'
import { foldPeaks, leafHash, peakNodes, rootOf, TreeFolder, type TreeHead, type TreeNode } from './tree.ts'

/**
 * A log, or the plays of a draw, in the files that its operator serves (section 3). Every hash and entry is checked
 * against the head before it is used, so one head vouches for everything read.
 */

/**
 * Gets a file of an operator by its path below `<operator>/fairball/`, such as `checkpoint` or `tile/0/000.p/5`. Null
 * if there is no such file; other failures throw, and the error is passed on unchanged.
 */
export type GetFile = (path: string) => Promise<Uint8Array | null>

/** An operator's files do not match its head. The message is for people. */
export class RemoteError extends Error {
  override readonly name: string = 'RemoteError'
}

/** An operator does not serve a file. */
export class MissingFile extends RemoteError {
  override readonly name = 'MissingFile'

  constructor(path: string) {
    super(`The operator does not serve ${path}.`)
  }
}

const HASH_BYTES = 32
const TILE_HEIGHT = 8

/** Gets a required file as text. @throws MissingFile; RemoteError for bytes that are not UTF-8 */
export async function textFile(get: GetFile, path: string): Promise<string> {
  const bytes = await get(path)
  if (bytes === null) throw new MissingFile(path)
  try {
    return utf8Text(bytes)
  } catch {
    throw new RemoteError(`${path} is no text.`) // the decoder throws
  }
}

/** A tree served as tiles, at one head. It caches tiles but not entries. */
export class RemoteTree {
  readonly head: TreeHead
  readonly #get: GetFile
  readonly #folder: string
  readonly #hash: Hash
  readonly #tiles = new Map<string, Promise<Uint8Array>>()
  #edge: Promise<ReadonlyMap<number, Uint8Array>> | null = null

  /** @param folder of the tree, with a trailing slash: empty for the log, `draw/<open>/` for plays */
  constructor(get: GetFile, folder: string, head: TreeHead, hash: Hash = nobleHash) {
    this.#get = get
    this.#folder = folder
    this.head = head
    this.#hash = hash
  }

  /**
   * The root of a perfect subtree that the head contains completely.
   *
   * @throws RemoteError if the tiles do not lead to the head
   */
  async node(node: TreeNode): Promise<Uint8Array> {
    assert((node.index + 1) * 2 ** node.level <= this.head.size, 'the tree does not hold this node whole')
    return nodeFromTile(this.#hash, node, await this.#tile(tileOfNode(node, this.head.size)))
  }

  /** The root of the tree at a smaller size. */
  async rootAt(size: number): Promise<Uint8Array> {
    const peaks = await Promise.all(peakNodes(0, size).map((node) => this.node(node)))
    return foldPeaks(this.#hash, peaks)
  }

  /**
   * The entries `256 · index` to `256 · index + 255`, or to the last of the tree.
   *
   * @throws RemoteError if they do not lead to the head
   */
  async entries(index: number): Promise<Uint8Array[]> {
    const width = Math.min(this.head.size - index * TILE_WIDTH, TILE_WIDTH)
    const path = entriesPath({ index, width })
    const isWhole = width === TILE_WIDTH
    const [bytes, known] = await Promise.all([
      this.#file(path, entriesPath({ index, width: TILE_WIDTH })),
      isWhole ? this.node({ level: TILE_HEIGHT, index }) : this.#tile({ level: 0, index, width }),
    ])
    const entries = entriesOf(bytes, path).slice(0, width)
    const hashes = entries.map((entry) => leafHash(this.#hash, entry))
    const isOfTree =
      entries.length === width && equalBytes(isWhole ? rootOf(this.#hash, hashes) : concatBytes(...hashes), known)
    if (!isOfTree) throw new RemoteError(`${this.#folder}${path} does not lead to the head.`)
    return entries
  }

  async #tile(tile: Tile): Promise<Uint8Array> {
    if (tile.width < TILE_WIDTH) {
      this.#edge ??= this.#readEdge()
      return (await this.#edge).get(tile.level) ?? new Uint8Array()
    }
    const path = tilePath(tile)
    const read = this.#tiles.get(path) ?? this.#readTile(tile)
    this.#tiles.set(path, read)
    return read
  }

  /** Reads a full tile: its root is a hash in the tile above. */
  async #readTile(tile: Tile): Promise<Uint8Array> {
    const bytes = await this.#hashes(tile)
    const above = await this.node({ level: TILE_HEIGHT * (tile.level + 1), index: tile.index })
    const root = rootOf(this.#hash, hashesOf(bytes))
    if (!equalBytes(root, above)) throw new RemoteError(`${this.#folder}${tilePath(tile)} does not lead to the head.`)
    return bytes
  }

  /** Reads the tiles that are not full, by level: together they determine the root. */
  async #readEdge(): Promise<ReadonlyMap<number, Uint8Array>> {
    const tiles = await Promise.all(
      partialTiles(this.head.size).map(async (tile) => ({ tile, bytes: await this.#hashes(tile) })),
    )
    const peaks = tiles.toReversed().flatMap(({ bytes }) => {
      const folder = new TreeFolder(this.#hash)
      for (const hash of hashesOf(bytes)) folder.add(hash)
      return folder.peaks
    })
    if (!equalBytes(foldPeaks(this.#hash, peaks), this.head.root)) {
      throw new RemoteError(`The tiles of ${this.#folder || 'the log'} do not lead to the head.`)
    }
    return new Map(tiles.map(({ tile, bytes }) => [tile.level, bytes]))
  }

  async #hashes(tile: Tile): Promise<Uint8Array> {
    const bytes = await this.#file(tilePath(tile), tilePath({ ...tile, width: TILE_WIDTH }))
    const length = tile.width * HASH_BYTES
    if (bytes.length < length) throw new RemoteError(`${this.#folder}${tilePath(tile)} is too short.`)
    return bytes.slice(0, length)
  }

  /** A file, or the full file that replaced it. */
  async #file(path: string, full: string): Promise<Uint8Array> {
    const bytes =
      (await this.#get(this.#folder + path)) ?? (path === full ? null : await this.#get(this.#folder + full))
    if (bytes === null) throw new MissingFile(this.#folder + path)
    return bytes
  }
}

/**
 * An operator's log at one head, statement by statement: a `LogSource` for `makeBundle` and `makeSeal`. The verifier
 * checks the head's signature.
 */
export class RemoteLog implements LogSource {
  /** the note of the checkpoint */
  readonly head: string
  readonly checkpoint: Checkpoint
  readonly tree: RemoteTree
  readonly #hash: Hash
  readonly #entries = new Map<number, Promise<Uint8Array[]>>()

  /** @param head note of a checkpoint @throws RemoteError if it is not one */
  constructor(get: GetFile, head: string, hash: Hash = nobleHash) {
    const checkpoint = readCheckpoint(head)
    if (checkpoint === null) throw new RemoteError('The operator serves no checkpoint of a log.')
    this.head = head
    this.checkpoint = checkpoint
    this.tree = new RemoteTree(get, '', checkpoint, hash)
    this.#hash = hash
  }

  /** Opens the log at the head that is served now. */
  static async open(get: GetFile, hash: Hash = nobleHash): Promise<RemoteLog> {
    return new RemoteLog(get, await textFile(get, 'checkpoint'), hash)
  }

  get size(): number {
    return this.checkpoint.size
  }

  node(node: TreeNode): Promise<Uint8Array> {
    return this.tree.node(node)
  }

  /** The text at an index. @throws RemoteError if the leaf is not text */
  async statement(index: number): Promise<string> {
    const entry = await this.#entry(index)
    try {
      return utf8Text(entry)
    } catch {
      throw new RemoteError(`Leaf ${index} of the log is no text.`)
    }
  }

  /** The statement at an index; null if the leaf is not a statement of this protocol. */
  async logged(index: number): Promise<Logged | null> {
    const entry = await this.#entry(index)
    try {
      const text = utf8Text(entry)
      return { index, text, hash: toHex(this.#hash(entry)), statement: readLogStatement(text) }
    } catch (error) {
      if (isStatementError(error) || error instanceof URIError) return null
      throw error
    }
  }

  /** The statements of one entry file, 256 at most, without leaves that are not statements. */
  async loggedOfTile(tile: number): Promise<Logged[]> {
    const first = tile * TILE_WIDTH
    const end = Math.min(first + TILE_WIDTH, this.size)
    const found: Logged[] = []
    for (let index = first; index < end; index += 1)
      found.push(...[await this.logged(index)].filter((it) => it !== null))
    return found
  }

  async #entry(index: number): Promise<Uint8Array> {
    assert(index >= 0 && index < this.size, `the log has no leaf ${index}`)
    const tile = Math.floor(index / TILE_WIDTH)
    const read = this.#entries.get(tile) ?? this.tree.entries(tile)
    this.#entries.set(tile, read)
    return (await read)[index % TILE_WIDTH] ?? new Uint8Array()
  }
}

/**
 * The roots of a log at the sizes of kept heads, for `verifyBundle`: a root that differs from the head's shows that the
 * log was rewritten. Null if the log is shorter.
 *
 * @param heads notes of checkpoints; those of other logs are ignored
 */
export async function rootsOfHeads(
  { tree, checkpoint }: RemoteLog,
  heads: readonly string[],
): Promise<Map<number, Uint8Array | null>> {
  const roots = new Map<number, Uint8Array | null>()
  for (const head of heads) {
    const kept = readCheckpoint(head)
    if (kept === null || kept.origin !== checkpoint.origin) continue
    roots.set(kept.size, kept.size > checkpoint.size ? null : await tree.rootAt(kept.size))
  }
  return roots
}

/** The entries of a bundle that was served. @throws RemoteError if it ends within an entry */
export function entriesOf(bytes: Uint8Array, path: string): Uint8Array[] {
  try {
    return [...readEntries(bytes)]
  } catch (error) {
    if (error instanceof RangeError) throw new RemoteError(`${path} ends early.`)
    throw error
  }
}

function hashesOf(tile: Uint8Array): Uint8Array[] {
  return Array.from({ length: tile.length / HASH_BYTES }, (_, place) =>
    tile.slice(place * HASH_BYTES, (place + 1) * HASH_BYTES),
  )
}
