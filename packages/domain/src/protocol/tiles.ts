import { assert } from '../assert.ts'
import { viewOf } from './bytes.ts'
import type { Hash } from './hash.ts'
import { TILE_WIDTH } from './numbers.ts'
import { foldPeaks, leafHash, TreeFolder, type TreeNode } from './tree.ts'

/** Trees as files (section 3): tiles of up to 256 hashes, of leaves or of full tiles below, and bundles of entries. */

const HASH_BYTES = 32
/** Tiles hold the hashes of every eighth level. */
const TILE_HEIGHT = 8
const ENTRY_LENGTH_BYTES = 2
const ENTRY_MAX_BYTES = 0xffff

/** A tile of a tree: the hashes of level `8 · level` from `index · 256` on. */
export interface Tile {
  /** 0 for hashes of leaves, 1 for roots of 256 leaves, 2 for roots of sections, … */
  readonly level: number
  readonly index: number
  /** 1 to 256; a tile of 256 never changes */
  readonly width: number
}

/** The path of a tile: `tile/0/x001/x234/067`, with `.p/<width>` while it is not full. */
export function tilePath({ level, index, width }: Tile): string {
  return `tile/${level}/${filePath(index, width)}`
}

/** The path of a bundle of up to 256 entries: `tile/entries/000.p/5`. */
export function entriesPath({ index, width }: Pick<Tile, 'index' | 'width'>): string {
  return `tile/entries/${filePath(index, width)}`
}

/** The path of a file of plays, below a draw's tree: sixteen full bundles of entries, one after the other. */
export function playsPath(index: number): string {
  return `plays/${index}`
}

/** The entries of a bundle, each preceded by its length in 2 bytes. @throws RangeError for a longer entry */
export function writeEntries(entries: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(entries.reduce((sum, entry) => sum + ENTRY_LENGTH_BYTES + entry.length, 0))
  const view = viewOf(bytes)
  let at = 0
  for (const entry of entries) {
    assert(entry.length <= ENTRY_MAX_BYTES, `an entry of ${entry.length} bytes is too long`)
    view.setUint16(at, entry.length)
    bytes.set(entry, at + ENTRY_LENGTH_BYTES)
    at += ENTRY_LENGTH_BYTES + entry.length
  }
  return bytes
}

/** Each entry of a bundle, as a view of its bytes. @throws RangeError if the bundle ends within an entry */
export function* readEntries(bundle: Uint8Array): Generator<Uint8Array, void> {
  const view = viewOf(bundle)
  let at = 0
  while (at < bundle.length) {
    const start = at + ENTRY_LENGTH_BYTES
    assert(start <= bundle.length, 'the entries end early')
    const end = start + view.getUint16(at)
    assert(end <= bundle.length, 'the entries end early')
    yield bundle.subarray(start, end)
    at = end
  }
}

/** The tiles of a tree that are not full at a size, which are named with that width and must be served. */
export function partialTiles(size: number): Tile[] {
  const tiles: Tile[] = []
  for (let level = 0, width = size; width > 0; level += 1, width = Math.floor(width / TILE_WIDTH)) {
    if (width % TILE_WIDTH > 0) tiles.push({ level, index: Math.floor(width / TILE_WIDTH), width: width % TILE_WIDTH })
  }
  return tiles
}

/** The tile with a node's hash, or with all hashes that determine it, at a size of the tree. */
export function tileOfNode({ level, index }: TreeNode, size: number): Tile {
  const tileLevel = Math.floor(level / TILE_HEIGHT)
  const first = index * 2 ** (level % TILE_HEIGHT)
  const tileIndex = Math.floor(first / TILE_WIDTH)
  const hashes = Math.floor(size / TILE_WIDTH ** tileLevel)
  return { level: tileLevel, index: tileIndex, width: Math.min(hashes - tileIndex * TILE_WIDTH, TILE_WIDTH) }
}

/** The hash of a node, from the bytes of its tile. @throws RangeError if the tile does not hold all of it */
export function nodeFromTile(hash: Hash, { level, index }: TreeNode, tile: Uint8Array): Uint8Array {
  const count = 2 ** (level % TILE_HEIGHT)
  const first = (index * count) % TILE_WIDTH
  assert((first + count) * HASH_BYTES <= tile.length, 'the tile does not reach this node')
  const folder = new TreeFolder(hash)
  for (let place = first; place < first + count; place += 1) {
    folder.add(tile.slice(place * HASH_BYTES, (place + 1) * HASH_BYTES))
  }
  return folder.root()
}

/** One level of a growing tree: the hashes of its partial tile, and their perfect subtrees. */
interface Level {
  readonly bytes: Uint8Array
  folder: TreeFolder
  index: number
}

/**
 * A growing tree that emits each tile as soon as it is full. At any size it keeps one tile per level, and it hashes
 * nothing twice: the root of a full tile is a hash in the tile above, and a section is one hash of level 2.
 */
export class TileBuilder {
  readonly #hash: Hash
  readonly #onTile: (tile: Tile, bytes: Uint8Array) => void
  readonly #levels: Level[] = []
  #size = 0

  /** @param onTile called with each full tile; it may keep the bytes */
  constructor(hash: Hash, onTile: (tile: Tile, bytes: Uint8Array) => void = () => undefined) {
    this.#hash = hash
    this.#onTile = onTile
  }

  /**
   * Resumes from a tree of a size.
   *
   * @param read returns the bytes of a partial tile
   */
  static resume(
    hash: Hash,
    size: number,
    read: (tile: Tile) => Uint8Array,
    onTile: (tile: Tile, bytes: Uint8Array) => void = () => undefined,
  ): TileBuilder {
    const builder = new TileBuilder(hash, onTile)
    builder.#size = size
    for (let level = 0, count = size; count > 0; level += 1, count = Math.floor(count / TILE_WIDTH)) {
      const index = Math.floor(count / TILE_WIDTH)
      const width = count % TILE_WIDTH
      const bytes = width === 0 ? new Uint8Array() : read({ level, index, width })
      assert(bytes.length === width * HASH_BYTES, `tile ${index} of level ${level} has another length`)
      builder.#levels.push(levelOf(hash, index, bytes))
    }
    return builder
  }

  get size(): number {
    return this.#size
  }

  /** Adds the data of the next leaf and returns its hash. */
  add(data: Uint8Array): Uint8Array {
    const leaf = leafHash(this.#hash, data)
    this.addHash(leaf)
    return leaf
  }

  /** Adds the hash of the next leaf. */
  addHash(leaf: Uint8Array): void {
    this.#addAt(0, leaf)
    this.#size += 1
  }

  /** The roots of the perfect subtrees, largest first. */
  peaks(): Uint8Array[] {
    return this.#levels.toReversed().flatMap(({ folder }) => [...folder.peaks])
  }

  root(): Uint8Array {
    return foldPeaks(this.#hash, this.peaks())
  }

  /** The partial tiles, with copies of their bytes. */
  partial(): { readonly tile: Tile; readonly bytes: Uint8Array }[] {
    return this.#levels.flatMap(({ bytes, folder, index }, level) =>
      folder.size === 0
        ? []
        : [{ tile: { level, index, width: folder.size }, bytes: bytes.slice(0, folder.size * HASH_BYTES) }],
    )
  }

  #addAt(at: number, hash: Uint8Array): void {
    const level = (this.#levels[at] ??= levelOf(this.#hash, 0, new Uint8Array()))
    level.bytes.set(hash, level.folder.size * HASH_BYTES)
    level.folder.add(hash)
    if (level.folder.size < TILE_WIDTH) return
    const root = level.folder.root()
    this.#onTile({ level: at, index: level.index, width: TILE_WIDTH }, level.bytes.slice())
    level.folder = new TreeFolder(this.#hash)
    level.index += 1
    this.#addAt(at + 1, root)
  }
}

function levelOf(hash: Hash, index: number, hashes: Uint8Array): Level {
  const bytes = new Uint8Array(TILE_WIDTH * HASH_BYTES)
  bytes.set(hashes)
  const folder = new TreeFolder(hash)
  for (let at = 0; at < hashes.length; at += HASH_BYTES) folder.add(bytes.slice(at, at + HASH_BYTES))
  return { bytes, folder, index }
}

/** `001.p/5`, or `x001/x234/067`: the number in groups of three digits (C2SP tlog-tiles). */
function filePath(index: number, width: number): string {
  assert(Number.isSafeInteger(index) && index >= 0 && width >= 1 && width <= TILE_WIDTH, 'not a tile')
  let path = String(index % 1000).padStart(3, '0')
  for (let rest = Math.floor(index / 1000); rest > 0; rest = Math.floor(rest / 1000)) {
    path = `x${String(rest % 1000).padStart(3, '0')}/${path}`
  }
  return width === TILE_WIDTH ? path : `${path}.p/${width}`
}
