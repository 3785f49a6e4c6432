import { describe, expect, it } from 'vitest'
import { fromHex, toHex } from './bytes.ts'
import { refusalOf } from './refusal-fixture.ts'
import { leavesOfSection, readSections, sectionCount, type SectionRecord, writeSections } from './sections.ts'

const record = (section: number): SectionRecord => ({
  section,
  root: new Uint8Array(32).fill(0xa0 + section),
  leaves: 0x0101,
  lines: 0x0202,
  free: 0x0303,
  carried: 0x0404,
  stake: 2_099_999_999_999_999n,
  winners: [0x0505, 0x0606],
})
const totals = `00000101000000000000020200000000000003030000000000000404000775f05a073fff0000050500000606`
const FILE = `00000000${'a0'.repeat(32)}${totals}00000001${'a1'.repeat(32)}${totals}`

describe('sections', () => {
  it.each([
    [0, 0],
    [1, 1],
    [65_536, 1],
    [65_537, 2],
    [131_072, 2],
    [131_073, 3],
  ])('%i leaves make %i sections of 65,536', (leaves, count) => {
    expect(sectionCount(leaves)).toBe(count)
  })

  it.each([
    [0, 5, 5],
    [0, 65_537, 65_536],
    [1, 65_537, 1],
    [1, 131_072, 65_536],
    [2, 131_073, 1],
  ])('section %i of %i leaves has %i of them', (section, size, leaves) => {
    expect(leavesOfSection(section, size)).toBe(leaves)
  })
})

describe('the sections file', () => {
  it('a record has section, root, leaves, lines, free, carried, stake and winners by tier, in this order', () => {
    expect(toHex(writeSections([record(0), record(1)]))).toBe(FILE)
    expect(toHex(writeSections([]))).toBe('')
  })

  it('the file is read back as written', () => {
    expect(readSections(fromHex(FILE), 2)).toEqual([record(0), record(1)])
    expect(readSections(fromHex(''), 2)).toEqual([])
    const large = { ...record(0), lines: 2 ** 53 - 1, free: 2 ** 52, winners: [2 ** 32 - 1] }
    expect(readSections(writeSections([large]), 1)).toEqual([large])
  })

  it('a file with an incomplete record, or for another number of tiers, is rejected', () => {
    const why = 'RangeError: the sections file has another length'
    expect(refusalOf(() => readSections(fromHex(FILE.slice(2)), 2))).toBe(why)
    expect(refusalOf(() => readSections(fromHex(`${FILE}00`), 2))).toBe(why)
    expect(refusalOf(() => readSections(fromHex(FILE), 1))).toBe(why)
    expect(refusalOf(() => readSections(fromHex(FILE), 3))).toBe(why)
  })

  it('a file whose sections are not counted from 0 is rejected', () => {
    const why = 'RangeError: the sections are not in order'
    for (const sections of [[1], [0, 0], [1, 0], [0, 2]])
      expect(refusalOf(() => readSections(writeSections(sections.map(record)), 2))).toBe(why)
  })
})
