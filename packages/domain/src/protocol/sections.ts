import { assert } from '../assert.ts'
import { concatBytes, viewOf, writeU32, writeU64 } from './bytes.ts'
import { SECTION_LEAVES } from './numbers.ts'

/**
 * The sections file (section 9): totals for every 2^16 leaves of a draw, so that a section can be counted on its own.
 */

/** The totals of one section's plays in force. */
export interface SectionRecord {
  readonly section: number
  /** of its leaves, 32 bytes: a hash in a level-2 tile */
  readonly root: Uint8Array
  /** revocations among them */
  readonly leaves: number
  readonly lines: number
  readonly free: number
  readonly carried: number
  readonly stake: bigint
  /** by tier in the order of the rules */
  readonly winners: readonly number[]
}

const ROOT_BYTES = 32
const FIXED_BYTES = 4 + ROOT_BYTES + 4 + 4 * 8
const WINNERS_BYTES = 4

/** The number of sections for a number of leaves. */
export function sectionCount(leaves: number): number {
  return Math.ceil(leaves / SECTION_LEAVES)
}

/** The number of leaves in a section of a tree. */
export function leavesOfSection(section: number, size: number): number {
  return Math.min(size - section * SECTION_LEAVES, SECTION_LEAVES)
}

/** The file: all records in order. @throws RangeError if a value does not fit */
export function writeSections(records: readonly SectionRecord[]): Uint8Array {
  return concatBytes(...records.map(writeRecord))
}

/**
 * Reads the file of a draw.
 *
 * @param tiers number of tiers
 * @throws RangeError for an incomplete record, or sections out of order
 */
export function readSections(file: Uint8Array, tiers: number): SectionRecord[] {
  const length = FIXED_BYTES + WINNERS_BYTES * tiers
  assert(file.length % length === 0, 'the sections file has another length')
  const records = Array.from({ length: file.length / length }, (_, place) =>
    readRecord(file.subarray(place * length, (place + 1) * length), tiers),
  )
  assert(
    records.every(({ section }, place) => section === place),
    'the sections are not in order',
  )
  return records
}

function writeRecord(record: SectionRecord): Uint8Array {
  const bytes = new Uint8Array(FIXED_BYTES + WINNERS_BYTES * record.winners.length)
  writeU32(bytes, 0, record.section)
  bytes.set(record.root, 4)
  writeU32(bytes, 36, record.leaves)
  writeU64(bytes, 40, record.lines)
  writeU64(bytes, 48, record.free)
  writeU64(bytes, 56, record.carried)
  viewOf(bytes).setBigUint64(64, record.stake)
  for (const [place, winners] of record.winners.entries()) writeU32(bytes, FIXED_BYTES + WINNERS_BYTES * place, winners)
  return bytes
}

function readRecord(bytes: Uint8Array, tiers: number): SectionRecord {
  const view = viewOf(bytes)
  const large = (at: number): number => Number(view.getBigUint64(at))
  return {
    section: view.getUint32(0),
    root: bytes.slice(4, 4 + ROOT_BYTES),
    leaves: view.getUint32(36),
    lines: large(40),
    free: large(48),
    carried: large(56),
    stake: view.getBigUint64(64),
    winners: Array.from({ length: tiers }, (_, place) => view.getUint32(FIXED_BYTES + WINNERS_BYTES * place)),
  }
}
