import { join } from 'node:path'
import { equalBytes, toHex } from '@fairball/domain/protocol/bytes'
import { type Checkpoint, readCheckpoint } from '@fairball/domain/protocol/checkpoint'
import { TILE_WIDTH } from '@fairball/domain/protocol/numbers'
import { LogReader, textsNamedBy } from '@fairball/domain/protocol/read-log'
import type { Fault } from '@fairball/domain/protocol/read-state'
import { foldPeaks, leafHash, rootOf, TreeFolder, type TreeHead, type TreeNode } from '@fairball/domain/protocol/tree'
import type { RoundCheck } from '@fairball/domain/protocol/verify-result'
import { FolderError, Journal, numberOf, parseObject, textOf } from './journal.ts'
import { nameOfText, nodeHash } from './node-hash.ts'
import type { Files } from './runtime.ts'

/** File names in the folder of a log. */
const LEAVES_FILE = 'statements.jsonl'
const TEXTS_FILE = 'texts.jsonl'
const HEADS_FILE = 'heads.jsonl'
const COSIGNED_FILE = 'cosigned.json'
const COSIGNED_FORMAT = 'fairball/witness-cosigned/v2'

/** The location and options of a kept log. */
interface KeptLogPlace {
  readonly files: Files
  readonly folder: string
  readonly origin: string
  /** checks a beacon's signature */
  readonly isRound: RoundCheck
  /** changes nothing */
  readonly isReadOnly?: boolean
}

/** A head signed by the log's key. */
export interface KeptHead {
  readonly checkpoint: Checkpoint
  /** unchanged, as received */
  readonly note: string
}

/** The newest checkpoint that this witness cosigned. */
interface Cosigned extends TreeHead {
  /** the signed text, with the log's signatures; null before the first, for the empty tree */
  readonly note: string | null
  /** epoch seconds; 0 before the first */
  readonly at: number
}

/**
 * A log as the witness keeps it: signed heads, all their statements, the texts that statements name, and the last
 * cosigned head. When a method returns, its data is on the disk. A head is written before the statements that only it
 * vouches for.
 */
export class KeptLog {
  readonly reader: LogReader
  /** breaches and doubts, in the order of the log */
  readonly faults: Fault[] = []
  readonly #files: Files
  readonly #folder: string
  readonly #journals: Record<'leaves' | 'texts' | 'heads', Journal>
  readonly #texts = new Map<string, string>()
  readonly #heads = new Map<number, KeptHead>()
  readonly #leafHashes: Uint8Array[] = []
  /** one for each 256 leaves */
  readonly #tileRoots: Uint8Array[] = []
  #newest: KeptHead | null = null
  #cosigned: Cosigned

  private constructor({ files, folder, origin, isRound, isReadOnly = false }: KeptLogPlace) {
    const open = (file: string) => Journal.open(files, join(folder, file), { isReadOnly })
    const [leaves, texts, heads] = [open(LEAVES_FILE), open(TEXTS_FILE), open(HEADS_FILE)]
    this.#files = files
    this.#folder = folder
    this.#journals = { leaves: leaves.journal, texts: texts.journal, heads: heads.journal }
    this.reader = new LogReader(origin, isRound)
    for (const row of texts.rows) this.#texts.set(nameOfText(textOf(row, 'text')), textOf(row, 'text'))
    for (const row of heads.rows) this.#addHead(readHead(row, folder))
    for (const row of leaves.rows) {
      if (numberOf(row, 'index') !== this.size) throw new FolderError(`Statement ${this.size} is missing in ${folder}.`)
      this.#addLeaf(textOf(row, 'leaf'))
    }
    this.#cosigned = readCosigned(files, folder)
  }

  /** Reads a kept log. @throws FolderError if its files are inconsistent, because something else changed them */
  static open(place: KeptLogPlace): KeptLog {
    const log = new KeptLog(place)
    for (const { checkpoint } of [...log.#heads.values(), ...log.#cosignedHead()]) {
      const isOf = checkpoint.size > log.size || equalBytes(log.rootAt(checkpoint.size), checkpoint.root)
      if (!isOf)
        throw new FolderError(`The files in ${place.folder} do not lead to the head of size ${checkpoint.size}.`)
    }
    return log
  }

  /** the number of statements read */
  get size(): number {
    return this.#leafHashes.length
  }

  get cosigned(): Cosigned {
    return this.#cosigned
  }

  /** the largest head that the log's key signed */
  get newest(): KeptHead | null {
    return this.#newest
  }

  /** The head of a size; null if none was seen. */
  headOf(size: number): KeptHead | null {
    return this.#heads.get(size) ?? null
  }

  /** The largest head seen up to a size; null if there is none. */
  headUpTo(size: number): KeptHead | null {
    const sizes = [...this.#heads.keys()].filter((one) => one <= size)
    return sizes.length === 0 ? null : this.headOf(sizes.reduce((one, other) => Math.max(one, other)))
  }

  /** The root of the first statements, for a size up to the number read. */
  rootAt(size: number): Uint8Array {
    const tiles = Math.floor(size / TILE_WIDTH)
    const outer = new TreeFolder(nodeHash)
    for (const root of this.#tileRoots.slice(0, tiles)) outer.add(root)
    const inner = new TreeFolder(nodeHash)
    for (const hash of this.#leafHashes.slice(tiles * TILE_WIDTH, size)) inner.add(hash)
    return foldPeaks(nodeHash, [...outer.peaks, ...inner.peaks])
  }

  /** The root of a perfect subtree of the statements read. */
  node({ level, index }: TreeNode): Uint8Array {
    return rootOf(nodeHash, this.#leafHashes.slice(index * 2 ** level, (index + 1) * 2 ** level))
  }

  hasText(hash: string): boolean {
    return this.#texts.has(hash)
  }

  /** Keeps a text that a statement names. */
  keepText(text: string): void {
    this.#journals.texts.add({ text })
    this.#texts.set(nameOfText(text), text)
  }

  /** Keeps a head signed by the log's key. Of two heads of one size, the first is kept. */
  keepHead(head: KeptHead, seenAt: number): void {
    if (this.#heads.has(head.checkpoint.size)) return
    this.#journals.heads.add({ seen_at: seenAt, note: head.note })
    this.#addHead(head)
  }

  /**
   * Keeps and reads the next statements, which a kept head vouches for.
   *
   * @returns their faults
   */
  take(leaves: readonly Uint8Array[], seenAt: number): Fault[] {
    const before = this.faults.length
    // One character per byte: statements are ASCII, and other leaves are kept unchanged.
    const texts = leaves.map((leaf) => Buffer.from(leaf).toString('latin1'))
    this.#journals.leaves.add(...texts.map((leaf, place) => ({ index: this.size + place, seen_at: seenAt, leaf })))
    for (const text of texts) this.#addLeaf(text)
    return this.faults.slice(before)
  }

  /** Keeps a head before it is cosigned. The disk has either the old state or the new one, never a mixture. */
  keepCosigned(checkpoint: Checkpoint, note: string, at: number): void {
    const content = { format: COSIGNED_FORMAT, size: checkpoint.size, root: toHex(checkpoint.root), note, at }
    this.#files.replace(join(this.#folder, COSIGNED_FILE), `${JSON.stringify(content)}\n`)
    this.#cosigned = { size: checkpoint.size, root: checkpoint.root, note, at }
  }

  #addHead(head: KeptHead): void {
    this.#heads.set(head.checkpoint.size, head)
    if (head.checkpoint.size >= (this.#newest?.checkpoint.size ?? 0)) this.#newest = head
  }

  #addLeaf(text: string): void {
    const texts = textsNamedBy(text).flatMap((hash) => this.#texts.get(hash) ?? [])
    this.#leafHashes.push(leafHash(nodeHash, Buffer.from(text, 'latin1')))
    if (this.size % TILE_WIDTH === 0) this.#tileRoots.push(rootOf(nodeHash, this.#leafHashes.slice(-TILE_WIDTH)))
    this.faults.push(...this.reader.add(text, texts))
  }

  #cosignedHead(): KeptHead[] {
    const { note } = this.#cosigned
    const checkpoint = note === null ? null : readCheckpoint(note)
    return note === null || checkpoint === null ? [] : [{ checkpoint, note }]
  }
}

function readHead(row: Record<string, unknown>, folder: string): KeptHead {
  const note = textOf(row, 'note')
  const checkpoint = readCheckpoint(note)
  if (checkpoint === null) throw new FolderError(`A line of ${join(folder, HEADS_FILE)} is no checkpoint.`)
  return { checkpoint, note }
}

function readCosigned(files: Files, folder: string): Cosigned {
  const path = join(folder, COSIGNED_FILE)
  const bytes = files.read(path)
  if (bytes === null) return { size: 0, root: nodeHash(), note: null, at: 0 }
  const row = parseObject(new TextDecoder().decode(bytes))
  const note = row === null || row['format'] !== COSIGNED_FORMAT ? null : textOf(row, 'note')
  const checkpoint = note === null ? null : readCheckpoint(note)
  if (row === null || checkpoint === null) {
    throw new FolderError(`${path} is damaged. Without it this witness may sign a fork: put back a copy of the folder.`)
  }
  return { size: checkpoint.size, root: checkpoint.root, note, at: numberOf(row, 'at') }
}
