import { describe, expect, it } from 'vitest'
import { fromHex, toHex, u32 } from './bytes.ts'
import { countSection, countWinners, readPlays, stakeOfBatch, sumOf, sumOfWinners } from './count-plays.ts'
import { nobleHash } from './hash.ts'
import { TEST_RULES } from './operator-fixture.ts'
import {
  halvesOf,
  isPlayLeaf,
  leafOf,
  leafWithIndex,
  PlayIds,
  readSection,
  rootOfBatch,
  type SectionLeaves,
} from './play-tree.ts'
import { maskOf, stakeOf, writePlayLeaf, writeRevocationLeaf } from './plays.ts'
import { writeEntries } from './tiles.ts'
import { leafHash, rootOf } from './tree.ts'

const OPEN = new Uint8Array(32).fill(0xaa)
const RATE = 3000
const LINE = [1, 2, 3]

interface PlayOptions {
  readonly rate?: number
  readonly free?: number
  readonly lines?: readonly (readonly number[])[]
  readonly openHash?: Uint8Array
}

/** The id of the play with a number. */
const idOf = (number: number): Uint8Array => nobleHash(u32(number)).slice(0, 16)

function play(
  number: number,
  { rate = RATE, free = 0, lines = [LINE], openHash = OPEN }: PlayOptions = {},
): Uint8Array {
  const masks = lines.map(maskOf)
  return writePlayLeaf({ openHash, playId: idOf(number), rate, free, masks, ownerTag: new Uint8Array(32) })
}

function revocation(number: number, index: number): Uint8Array {
  return writeRevocationLeaf({ openHash: OPEN, playId: idOf(number), index, transaction: new Uint8Array(32) })
}

function sectionOf(leaves: readonly Uint8Array[], batches: readonly number[] = []): SectionLeaves {
  const section = readSection({ section: 0, leaves: writeEntries(leaves) }, leaves.length, batches, nobleHash)
  if (section === null) throw new Error('no section')
  return section
}

const read = (leaves: readonly Uint8Array[], rate = RATE) => readPlays([sectionOf(leaves)], OPEN, TEST_RULES, rate)

describe('the leaves of a section', () => {
  const leaves = [play(0), play(1, { lines: [LINE, LINE] }), play(2)]

  it('a section has its leaves, their root and the roots of its batches', () => {
    const section = sectionOf(leaves, [2, 3])
    expect(leaves.map((_, place) => toHex(leafOf(section, place)))).toEqual(leaves.map(toHex))
    const root = (count: number): string =>
      toHex(
        rootOf(
          nobleHash,
          leaves.slice(0, count).map((leaf) => leafHash(nobleHash, leaf)),
        ),
      )
    expect(toHex(section.root)).toBe(root(3))
    expect(toHex(rootOfBatch([section], 2, nobleHash))).toBe(root(2))
    expect(toHex(rootOfBatch([section], 3, nobleHash))).toBe(root(3))
    expect(toHex(rootOfBatch([section], 0, nobleHash))).toBe(root(0))
    expect([...section.peaks.keys()]).toEqual([2, 3])
  })

  it('bytes with fewer or more entries than the section has are none', () => {
    const bytes = writeEntries(leaves)
    const readBytes = (given: Uint8Array, size: number) =>
      readSection({ section: 0, leaves: given }, size, [], nobleHash)
    expect(readBytes(bytes, 3)).not.toBeNull()
    expect(readBytes(bytes, 2)).toBeNull()
    expect(readBytes(bytes, 4)).toBeNull()
    expect(readBytes(bytes.slice(0, -1), 3)).toBeNull()
    expect(readBytes(Uint8Array.of(...bytes, 0), 3)).toBeNull()
    expect(readBytes(Uint8Array.of(...bytes, 0), 4)).toBeNull()
    expect(readBytes(new Uint8Array(), 0)?.count).toBe(0)
  })

  it('a leaf is found by its index, if its section is here', () => {
    const section = sectionOf(leaves)
    expect(leafWithIndex([section], 2)).toEqual(leaves[2])
    expect(leafWithIndex([section], 3)).toBeNull()
    expect(leafWithIndex([section], 65_536)).toBeNull()
    expect(isPlayLeaf(section, 0)).toBe(true)
    expect(isPlayLeaf(sectionOf([play(0), revocation(0, 0)]), 1)).toBe(false)
  })

  it('plays are found by their ids, and each id is new once', () => {
    const many = Array.from({ length: 300 }, (_, number) => play(number))
    const section = { ...sectionOf(many), section: 2 }
    const ids = new PlayIds([section])
    for (let place = 0; place < 300; place += 1) expect(ids.add(0, place)).toBe(true)
    for (let place = 0; place < 300; place += 1) expect(ids.add(0, place)).toBe(false)
    expect(ids.add(1, 0)).toBe(false)
    for (const [place, leaf] of many.entries())
      expect(ids.find(idOf(place))).toEqual({ index: 2 * 65_536 + place, leaf })
    expect(ids.find(idOf(300))).toBeNull()
    expect(new PlayIds([]).find(idOf(0))).toBeNull()
  })
})

describe('the grammar of leaves', () => {
  const changed = (leaf: Uint8Array, at: number, value: number): Uint8Array => leaf.with(at, value)
  it.each<[Uint8Array, string]>([
    [play(0, { openHash: new Uint8Array(32).fill(0xab) }), 'it is of another draw'],
    [changed(play(0), 31, 0xab), 'it is of another draw'],
    [OPEN, 'it is of another draw'],
    [play(0).slice(0, 56), 'it is of another draw'],
    [play(0).slice(0, 57), 'it is neither play nor revocation'],
    [changed(play(0), 32, 3), 'it is neither play nor revocation'],
    [changed(play(0), 56, 2), 'it is neither play nor revocation'],
    [changed(revocation(0, 0), 57, 0), 'it is no revocation'],
    [revocation(0, 0).slice(0, -1), 'it is no revocation'],
    [changed(play(0), 56, 0).slice(0, 89), 'it has 0 lines'],
    [play(0, { lines: Array<number[]>(101).fill(LINE) }), 'it has 101 lines'],
    [changed(play(0), 54, 2), 'it has more free lines than lines'],
    [play(0, { lines: [LINE, [1, 2]] }), 'a line has not the numbers that the rules ask for'],
    [play(0, { lines: [[1, 2, 3, 4]] }), 'a line has not the numbers that the rules ask for'],
    [play(0, { lines: [[1, 2, 10]] }), 'a line has not the numbers that the rules ask for'],
    [play(0, { lines: [[1, 2, 33]] }), 'a line has not the numbers that the rules ask for'],
  ])('a leaf with a fault ends the count, with its index: %#', (leaf, why) => {
    const plays = read([play(1), leaf, play(2, { rate: 1 })])
    expect(plays.fault).toBe(`leaf 1: ${why}`)
    expect(plays.rateFault).toBeNull()
    const section = sectionOf([play(1)])
    const drawn = halvesOf(maskOf(LINE))
    expect(countSection(section, plays, 100)).toEqual({ lines: 0, free: 0, carried: 0, stake: 0n })
    expect(countWinners({ section, plays, tier: TEST_RULES.tier, drawn })).toEqual([0, 0, 0])
  })

  it('leaves at the limits of the rules are valid', () => {
    const lines = Array<number[]>(100).fill([7, 8, 9])
    const plays = read([play(0, { lines, free: 100 }), play(1, { rate: 0 }), revocation(0, 0)])
    expect(plays).toMatchObject({ fault: null, rateFault: null, revocationFault: null, hasRepeatedPlay: false })
  })

  it('lines may have numbers up to 64', () => {
    const rules = { ...TEST_RULES, pool: 64 }
    const plays = (line: number[]) => readPlays([sectionOf([play(0, { lines: [line] })])], OPEN, rules, RATE)
    expect(
      [
        [1, 32, 33],
        [62, 63, 64],
        [1, 2, 64],
      ].map((line) => plays(line).fault),
    ).toEqual([null, null, null])
    expect(
      readPlays([sectionOf([play(0, { lines: [[1, 2, 64]] })])], OPEN, { ...rules, pool: 63 }, RATE).fault,
    ).toMatch(/numbers/)
  })

  it('rules cannot allow more than 1000 lines', () => {
    const rules = { ...TEST_RULES, limit: { play: 2000, player: 2000 } }
    const line = fromHex('0000000000000007')
    const one = play(0)
    const leaf = Uint8Array.of(
      ...one.slice(0, 55),
      0x03,
      0xe9,
      ...Array.from({ length: 1001 }, () => [...line]).flat(),
      ...one.slice(-32),
    )
    expect(readPlays([sectionOf([leaf])], OPEN, rules, RATE).fault).toBe('leaf 0: it has 1001 lines')
  })

  it.each([
    [749, true],
    [750, false],
    [12_000, false],
    [12_001, true],
    [0, false],
  ])('the rate %i of a leaf is within a factor of 4 of the close’s, or 0: fault %s', (rate, isFault) => {
    expect(read([play(0), play(1, { rate })]).rateFault).toBe(isFault ? 'leaf 1: its rate is none of its time' : null)
  })

  it('a rate below 100 is none, whatever the close has', () => {
    expect(read([play(0, { rate: 99 })], 100).rateFault).toBe('leaf 0: its rate is none of its time')
    expect(read([play(0, { rate: 100 })], 100).rateFault).toBeNull()
  })

  it('the same play may not be sold twice', () => {
    expect(read([play(0), play(1), play(0)]).hasRepeatedPlay).toBe(true)
  })
})

describe('revocations', () => {
  it('a play is revoked once, by a later leaf that names it', () => {
    const plays = read([play(0), play(1), revocation(1, 1)])
    expect(plays.revocations).toEqual([{ index: 1, by: 2 }])
    expect(plays.inForce).toEqual([{ index: 1, by: 2 }])
    expect(plays.revocationFault).toBeNull()
  })

  it.each([
    [[play(0), revocation(0, 0), revocation(0, 0)], 'a play is revoked twice', [{ index: 0, by: 1 }]],
    [[play(0), revocation(0, 1)], 'leaf 1 revokes a play that comes after it', []],
    [[play(0), revocation(0, 2), play(1)], 'leaf 1 revokes a play that comes after it', []],
    [[play(0), play(1), revocation(0, 1)], 'leaf 2 revokes another play than it names', []],
    [[play(0), revocation(0, 0), revocation(0, 1)], 'leaf 2 revokes another play than it names', [{ index: 0, by: 1 }]],
  ])('a revocation with a fault does not count: %#', (leaves, why, inForce) => {
    const plays = read(leaves)
    expect(plays.revocationFault).toBe(why)
    expect(plays.inForce).toEqual(inForce)
  })

  it('a revocation of a play in a section that is not here counts', () => {
    const section = { ...sectionOf([revocation(0, 5)]), section: 1 }
    const plays = readPlays([section], OPEN, TEST_RULES, RATE)
    expect(plays).toMatchObject({ inForce: [{ index: 5, by: 65_536 }], revocationFault: null })
  })
})

describe('the count of plays', () => {
  const leaves = [
    play(0, { lines: [LINE, [1, 2, 4], [1, 5, 6]], free: 1 }),
    play(1, { lines: [LINE, LINE], rate: 0, free: 1 }),
    play(2, { lines: [[7, 8, 9]], rate: 3001 }),
    play(3, { lines: [LINE] }),
    revocation(3, 3),
  ]

  it('lines, free lines, lines carried over and stakes are those of the plays in force', () => {
    const section = sectionOf(leaves)
    const plays = read(leaves)
    expect(countSection(section, plays, 33)).toEqual({ lines: 6, free: 2, carried: 1, stake: 1980n + 991n })
  })

  it('the winners are the lines in force by their matches', () => {
    const section = sectionOf(leaves)
    const plays = read(leaves)
    const { tier } = TEST_RULES
    expect(countWinners({ section, plays, tier, drawn: halvesOf(maskOf(LINE)) })).toEqual([3, 1, 1])
    expect(countWinners({ section, plays, tier, drawn: halvesOf(maskOf([7, 8, 33])) })).toEqual([0, 1, 0])
    const [first] = tier
    expect(countWinners({ section, plays, tier: first ? [first] : [], drawn: halvesOf(maskOf(LINE)) })).toEqual([3])
  })

  it('the stake of a batch is that of its leaves less those revoked in it', () => {
    const plays = read(leaves)
    expect([0, 1, 2, 3, 4, 5].map((batch) => stakeOfBatch(plays, batch, 33))).toEqual([
      0n,
      1980n,
      1980n,
      2971n,
      3961n,
      2971n,
    ])
  })

  it('stakes beyond exact numbers are added to the satoshi', () => {
    const [rate, price] = [2 ** 32 - 1, 99_999]
    const lines = Array<number[]>(100).fill(LINE)
    const large = [play(0, { rate, lines }), play(1, { rate, lines }), play(2, { rate: 101 })]
    const sum = 2n * stakeOf(100, price, rate) + stakeOf(1, price, 101)
    expect(countSection(sectionOf(large), { inForce: [], fault: null }, price).stake).toBe(sum)
  })

  it('tallies and winners add up by column', () => {
    expect(
      sumOf([
        { lines: 1, free: 2, carried: 3, stake: 4n },
        { lines: 10, free: 20, carried: 30, stake: 40n },
      ]),
    ).toEqual({ lines: 11, free: 22, carried: 33, stake: 44n })
    expect(sumOf([])).toEqual({ lines: 0, free: 0, carried: 0, stake: 0n })
    expect(sumOfWinners([[1, 2], [10]], 2)).toEqual([11, 2])
    expect(sumOfWinners([], 3)).toEqual([0, 0, 0])
  })
})
