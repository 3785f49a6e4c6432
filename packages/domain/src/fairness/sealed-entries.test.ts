import { describe, expect, it } from 'vitest'
import { lineMask } from '../lines.ts'
import { concatBytes, toHex } from './bytes.ts'
import { fixedBytes, publishedBytes, rootOf } from './draw-fixture.ts'
import { ENTRY_RECORD_BYTES, type PublishedEntry } from './entry.ts'
import { isPublishedAs, readEntries, winnersByMatches } from './sealed-entries.ts'

const openHash = fixedBytes('open')
const shape = { openHash, pick: 3, pool: 9 }

/** An entry whose id is this number, big-endian. */
function entry(id: number, change: Partial<PublishedEntry> = {}): PublishedEntry {
  const bytes = new Uint8Array(16)
  new DataView(bytes.buffer).setUint32(12, id)
  return { id: bytes, kind: 0, mask: lineMask([1, 2, 9]), ownerTag: fixedBytes(`owner ${id}`), ...change }
}

function read(entries: readonly PublishedEntry[], more = new Uint8Array()) {
  return readEntries(concatBytes(publishedBytes(entries), more), shape)
}

describe('the published entries of a draw', () => {
  it('are counted, those with a free ticket too, and have the root of their tree', () => {
    const entries = [entry(1), entry(2, { kind: 1 }), entry(300, { kind: 1 })]
    expect(read(entries)).toEqual({
      isWhole: true,
      count: 3,
      free: 2,
      disorderAt: null,
      badKindAt: null,
      badLineAt: null,
      root: rootOf(toHex(openHash), entries),
    })
    expect(read([])).toMatchObject({ isWhole: true, count: 0, free: 0, root: rootOf(toHex(openHash), []) })
  })

  it('without the last byte are not whole, and what is cut off is left out', () => {
    const whole = publishedBytes([entry(1), entry(2)])
    expect(readEntries(whole.subarray(0, -1), shape)).toMatchObject({
      isWhole: false,
      count: 1,
      root: rootOf(toHex(openHash), [entry(1)]),
    })
    expect(read([entry(1)], new Uint8Array(ENTRY_RECORD_BYTES - 1))).toMatchObject({ isWhole: false, count: 1 })
  })

  it('ascend strictly: the first that does not is named', () => {
    expect(read([entry(5), entry(256), entry(257)]).disorderAt).toBeNull()
    expect(read([entry(5), entry(5), entry(4)]).disorderAt).toBe(1)
    expect(read([entry(1), entry(3), entry(2), entry(1)]).disorderAt).toBe(2)
    expect(read([entry(256), entry(5)]).disorderAt).toBe(1)
  })

  it('are paid or free: the first that is neither is named', () => {
    // Any byte may come from elsewhere.
    const odd = { kind: 2 as 0 | 1 }
    expect(read([entry(1), entry(2, odd), entry(3, odd)])).toMatchObject({ badKindAt: 1, free: 0 })
    expect(read([entry(1, odd)]).badKindAt).toBe(0)
  })

  it('are lines of the game: the first that is none is named', () => {
    const mask = (...numbers: number[]) => ({ mask: lineMask(numbers) })
    expect(read([entry(1, mask(7, 8, 9)), entry(2, mask(1, 2, 3))]).badLineAt).toBeNull()
    expect(read([entry(1), entry(2, mask(1, 2)), entry(3, mask(1, 2))]).badLineAt).toBe(1)
    expect(read([entry(1, mask(1, 2, 3, 4))]).badLineAt).toBe(0)
    expect(read([entry(1, mask(1, 2, 10))]).badLineAt).toBe(0)
    expect(read([entry(1, mask(1, 2, 3, 64))]).badLineAt).toBe(0)
  })
})

describe('the winners among the published entries', () => {
  const entries = publishedBytes([
    entry(1, { mask: lineMask([1, 2, 3]) }),
    entry(2, { mask: lineMask([1, 2, 9]) }),
    entry(3, { mask: lineMask([3, 2, 8]) }),
    entry(4, { mask: lineMask([7, 8, 9]) }),
  ])

  it('are counted by their matches', () => {
    expect(winnersByMatches(entries, lineMask([1, 2, 3]))).toEqual(
      new Map([
        [3, 1],
        [2, 2],
        [0, 1],
      ]),
    )
    expect(winnersByMatches(new Uint8Array(), 7n)).toEqual(new Map())
  })

  it('do not include an entry that is cut off', () => {
    expect(winnersByMatches(entries.subarray(0, -1), lineMask([7, 8, 9]))).toEqual(
      new Map([
        [0, 1],
        [1, 2],
      ]),
    )
  })
})

describe('an entry is looked up among the published ones', () => {
  it('wherever it stands, and however many there are', () => {
    for (let count = 0; count <= 9; count += 1) {
      const all = Array.from({ length: count }, (_, place) => entry(2 * place + 1))
      const bytes = publishedBytes(all)
      for (const one of all) expect(isPublishedAs(bytes, one)).toBe(true)
      for (let place = 0; place <= count; place += 1) expect(isPublishedAs(bytes, entry(2 * place))).toBeNull()
    }
  })

  it('and is the same only with its kind, its numbers and its owner', () => {
    const bytes = publishedBytes([entry(1), entry(2), entry(3)])
    expect(isPublishedAs(bytes, entry(2, { kind: 1 }))).toBe(false)
    expect(isPublishedAs(bytes, entry(2, { mask: lineMask([1, 2, 8]) }))).toBe(false)
    expect(isPublishedAs(bytes, entry(2, { ownerTag: fixedBytes('owner 3') }))).toBe(false)
    expect(isPublishedAs(bytes, entry(2))).toBe(true)
  })
})
