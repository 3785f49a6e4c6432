import { viewOf } from './bytes.ts'
import type { Hash } from './hash.ts'
import { MAX_LINES_OF_PLAY, SECTION_LEAVES } from './numbers.ts'
import { isRevocationLeaf, LEAF, MASK_BYTES, PLAY_KIND, playLeafBytes, REVOCATION_KIND } from './plays.ts'
import type { Rules } from './rules.ts'
import { leavesOfSection } from './sections.ts'
import { foldPeaks, leafHash, TreeFolder } from './tree.ts'

/**
 * The plays of a draw, as a verifier reads them (sections 6 and 11): sections of leaves, kept as raw bytes. There is no
 * object per leaf or line, so that a million lines fit into a browser.
 */

/** An available section. */
export interface SectionLeaves {
  readonly section: number
  readonly count: number
  readonly root: Uint8Array
  /** the raw entries: `u16 length || data` each */
  readonly bytes: Uint8Array
  readonly view: DataView
  /** start of each leaf's data, and one more after the last leaf */
  readonly starts: Uint32Array
  /** perfect subtrees of the section's first leaves, by number of leaves, for the roots of batches */
  readonly peaks: ReadonlyMap<number, readonly Uint8Array[]>
}

const LENGTH_BYTES = 2
const PLAY_ID_BYTES = 16

/**
 * Reads the leaves of a section and computes their root.
 *
 * @param size of the whole tree
 * @param batches sizes of the tree whose roots will be asked for
 * @returns null if the bytes do not have that number of entries
 */
export function readSection(
  { section, leaves: bytes }: { readonly section: number; readonly leaves: Uint8Array },
  size: number,
  batches: readonly number[],
  hash: Hash,
): SectionLeaves | null {
  const count = leavesOfSection(section, size)
  const starts = startsOf(bytes, count)
  if (starts === null) return null
  const marks = new Set(batches.map((batch) => batch - section * SECTION_LEAVES))
  const peaks = new Map<number, readonly Uint8Array[]>()
  const folder = new TreeFolder(hash)
  for (let place = 0; place < count; place += 1) {
    folder.add(leafHash(hash, leafAt(bytes, starts, place)))
    if (marks.has(place + 1)) peaks.set(place + 1, [...folder.peaks])
  }
  return { section, count, root: folder.root(), bytes, view: viewOf(bytes), starts, peaks }
}

/** The root of a tree's first leaves, as many as one of `readSection`'s `batches`. All sections must be available. */
export function rootOfBatch(sections: readonly SectionLeaves[], batch: number, hash: Hash): Uint8Array {
  const whole = Math.floor(batch / SECTION_LEAVES)
  const outer = new TreeFolder(hash)
  for (const { root } of sections.slice(0, whole)) outer.add(root)
  return foldPeaks(hash, [...outer.peaks, ...(sections[whole]?.peaks.get(batch % SECTION_LEAVES) ?? [])])
}

/** A leaf of a section, as a view of its bytes. */
export function leafOf({ bytes, starts }: SectionLeaves, place: number): Uint8Array {
  return leafAt(bytes, starts, place)
}

/** The leaf with an index; null if its section is not available. */
export function leafWithIndex(sections: readonly SectionLeaves[], index: number): Uint8Array | null {
  const number = Math.floor(index / SECTION_LEAVES)
  const section = sections.find((it) => it.section === number)
  const place = index % SECTION_LEAVES
  return section === undefined || place >= section.count ? null : leafOf(section, place)
}

/** The fault of a leaf by the rules of its draw; null if it is valid (section 6). */
export function faultOfLeaf(
  { bytes, view, starts }: SectionLeaves,
  place: number,
  openHash: Uint8Array,
  rules: Rules,
): string | null {
  const start = starts[place] ?? 0
  const length = (starts[place + 1] ?? 0) - LENGTH_BYTES - start
  if (length < LEAF.masks || !isAt(bytes, start, openHash)) return 'it is of another draw'
  const kind = bytes[start + LEAF.kind]
  if (kind === REVOCATION_KIND) {
    return isRevocationLeaf(bytes.subarray(start, start + length)) ? null : 'it is no revocation'
  }
  const lines = view.getUint16(start + LEAF.lines)
  if (kind !== PLAY_KIND || length !== playLeafBytes(lines)) return 'it is neither play nor revocation'
  if (lines < 1 || lines > Math.min(rules.limit.play, MAX_LINES_OF_PLAY)) return `it has ${lines} lines`
  if (view.getUint16(start + LEAF.free) > lines) return 'it has more free lines than lines'
  for (let line = 0; line < lines; line += 1) {
    if (!isLine(view, start, line, rules)) return 'a line has not the numbers that the rules ask for'
  }
  return null
}

/** Whether a valid leaf is a play. */
export function isPlayLeaf({ bytes, starts }: SectionLeaves, place: number): boolean {
  return bytes[(starts[place] ?? 0) + LEAF.kind] === PLAY_KIND
}

/** The mask of a line, or of the numbers drawn, in two halves. */
export interface MaskHalves {
  readonly high: number
  readonly low: number
}

/** The halves of a mask. */
export function halvesOf(mask: bigint): MaskHalves {
  return { high: Number(mask >> 32n), low: Number(mask & 0xffff_ffffn) }
}

/** The number of matches of a line. @param start of its leaf */
export function matchesOf(view: DataView, start: number, line: number, drawn: MaskHalves): number {
  const at = start + LEAF.masks + MASK_BYTES * line
  return bitCount(view.getUint32(at) & drawn.high) + bitCount(view.getUint32(at + 4) & drawn.low)
}

/**
 * Finds plays by id and notices duplicate ids: a hash table with open addressing, without a string per id. Its values
 * are `position of the section in the list × 65,536 + place in it`.
 */
export class PlayIds {
  readonly #sections: readonly SectionLeaves[]
  readonly #slots: Uint32Array

  constructor(sections: readonly SectionLeaves[]) {
    this.#sections = sections
    const leaves = sections.reduce((sum, { count }) => sum + count, 0)
    this.#slots = new Uint32Array(2 ** Math.ceil(Math.log2(2 * leaves + 16)))
  }

  /** Adds the play at a place. @returns whether its id is new */
  add(position: number, place: number): boolean {
    const section = this.#sections[position]
    if (section === undefined) return false
    const slot = this.#slotOf(section.bytes, (section.starts[place] ?? 0) + LEAF.playId)
    if (this.#slots[slot] !== 0) return false
    this.#slots[slot] = position * SECTION_LEAVES + place + 1
    return true
  }

  /** The index and leaf of the play with an id; null if it is not available. */
  find(playId: Uint8Array): { readonly index: number; readonly leaf: Uint8Array } | null {
    const found = this.#slots[this.#slotOf(playId, 0)] ?? 0
    if (found === 0) return null
    const section = this.#sections[Math.floor((found - 1) / SECTION_LEAVES)]
    const place = (found - 1) % SECTION_LEAVES
    if (section === undefined) return null
    return { index: section.section * SECTION_LEAVES + place, leaf: leafOf(section, place) }
  }

  /** The slot of the id at an offset of some bytes, or the free slot for it. */
  #slotOf(bytes: Uint8Array, at: number): number {
    const last = this.#slots.length - 1
    let mixed = 0
    for (let place = at; place < at + PLAY_ID_BYTES; place += 1)
      mixed = Math.imul(mixed ^ (bytes[place] ?? 0), 0x0100_0193)
    let slot = (mixed ^ (mixed >>> 15)) & last
    for (let taken = this.#slots[slot] ?? 0; taken !== 0; taken = this.#slots[slot] ?? 0) {
      if (this.#isId(taken - 1, bytes, at)) return slot
      slot = (slot + 1) & last
    }
    return slot
  }

  #isId(ordinal: number, bytes: Uint8Array, at: number): boolean {
    const section = this.#sections[Math.floor(ordinal / SECTION_LEAVES)]
    if (section === undefined) return false
    const own = (section.starts[ordinal % SECTION_LEAVES] ?? 0) + LEAF.playId
    for (let place = 0; place < PLAY_ID_BYTES; place += 1) {
      if (section.bytes[own + place] !== bytes[at + place]) return false
    }
    return true
  }
}

function startsOf(bytes: Uint8Array, count: number): Uint32Array | null {
  const view = viewOf(bytes)
  const starts = new Uint32Array(count + 1)
  let at = 0
  for (let place = 0; place < count; place += 1) {
    if (at + LENGTH_BYTES > bytes.length) return null
    starts[place] = at + LENGTH_BYTES
    at += LENGTH_BYTES + view.getUint16(at)
  }
  starts[count] = at + LENGTH_BYTES
  return at === bytes.length ? starts : null
}

function leafAt(bytes: Uint8Array, starts: Uint32Array, place: number): Uint8Array {
  return bytes.subarray(starts[place], (starts[place + 1] ?? 0) - LENGTH_BYTES)
}

function isAt(bytes: Uint8Array, start: number, wanted: Uint8Array): boolean {
  for (let place = 0; place < wanted.length; place += 1) if (bytes[start + place] !== wanted[place]) return false
  return true
}

function isLine(view: DataView, start: number, line: number, { pick, pool }: Rules): boolean {
  const at = start + LEAF.masks + MASK_BYTES * line
  const high = view.getUint32(at)
  const low = view.getUint32(at + 4)
  return bitCount(high) + bitCount(low) === pick && highestBit(high, low) <= pool
}

/** The position of the highest bit, from 1; 0 if no bit is set. */
function highestBit(high: number, low: number): number {
  return high === 0 ? 32 - Math.clz32(low) : 64 - Math.clz32(high)
}

function bitCount(word: number): number {
  let bits = word - ((word >>> 1) & 0x5555_5555)
  bits = (bits & 0x3333_3333) + ((bits >>> 2) & 0x3333_3333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24
}
