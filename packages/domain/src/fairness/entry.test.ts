import { describe, expect, it } from 'vitest'
import { fromHex, toHex } from './bytes.ts'
import { ENTRY_RECORD_BYTES, entryId, leafData, leafHash, ownerTag, readEntryRecord } from './entry.ts'
import { NOBLE_HASH } from './hash.ts'

const secret = fromHex('11'.repeat(32))
const openHash = fromHex('22'.repeat(32))
const entry = {
  id: fromHex('33'.repeat(16)),
  kind: 1,
  mask: 2n ** 64n - 1n,
  ownerTag: fromHex('44'.repeat(32)),
} as const

describe('an entry', () => {
  it('has the first 16 bytes of a MAC over its draw and place as its id', () => {
    const message = fromHex(
      `${toHex(Uint8Array.from('fairball/entry/v1', (c) => c.charCodeAt(0)))}00${'22'.repeat(32)}0000002a`,
    )
    expect(toHex(entryId(secret, openHash, 42))).toBe(toHex(NOBLE_HASH.hmac(secret, message).subarray(0, 16)))
  })

  it('has another id for every place, draw and secret, and keeps it when more are made', () => {
    const first = entryId(secret, openHash, 0)
    const ids = [first, entryId(secret, openHash, 1), entryId(secret, secret, 0), entryId(openHash, openHash, 0)]
    expect(new Set(ids.map(toHex)).size).toBe(4)
    expect(entryId(secret, openHash, 0)).toEqual(first)
  })

  it('belongs to one username', () => {
    const tag = ownerTag(secret, openHash, entry.id, 'player-k3x9qd')
    expect(ownerTag(secret, openHash, entry.id, 'player-k3x9qe')).not.toEqual(tag)
    expect(
      ownerTag(
        secret,
        openHash,
        entry.id,
        Uint8Array.from('player-k3x9qd', (c) => c.charCodeAt(0)),
      ),
    ).toEqual(tag)
    expect(() => ownerTag(secret, openHash, entry.id, 'Zoë')).toThrow(RangeError)
  })

  it('uses the hash functions it is given', () => {
    const zeros = { sha256: () => new Uint8Array(32), hmac: () => new Uint8Array(32) }
    expect(entryId(secret, openHash, 0, zeros)).toEqual(new Uint8Array(16))
    expect(ownerTag(secret, openHash, entry.id, 'a', zeros)).toEqual(new Uint8Array(32))
    expect(leafHash(openHash, entry, zeros)).toEqual(new Uint8Array(32))
  })

  it('is read back from its published record', () => {
    const record = leafData(openHash, entry).subarray(32)
    expect(record.length).toBe(ENTRY_RECORD_BYTES)
    expect(readEntryRecord(record, 0)).toEqual(entry)
    const two = Uint8Array.of(...record, ...leafData(openHash, { ...entry, kind: 0, mask: 5n }).subarray(32))
    expect(readEntryRecord(two, ENTRY_RECORD_BYTES)).toEqual({ ...entry, kind: 0, mask: 5n })
  })

  it('is sealed as draw, id, kind, numbers and owner, in this order', () => {
    expect(toHex(leafData(openHash, { ...entry, mask: 5n }))).toBe(
      `${'22'.repeat(32)}${'33'.repeat(16)}01${'00'.repeat(7)}05${'44'.repeat(32)}`,
    )
    const leaf = NOBLE_HASH.sha256(Uint8Array.of(0, ...leafData(openHash, entry)))
    expect(leafHash(openHash, entry)).toEqual(leaf)
  })

  it('is refused with another kind or too few bytes', () => {
    const record = leafData(openHash, entry).slice(32)
    record[16] = 2
    expect(() => readEntryRecord(record, 0)).toThrow(RangeError)
    expect(() => readEntryRecord(record.subarray(1), 0)).toThrow(RangeError)
    const whole = leafData(openHash, entry).subarray(32)
    for (const at of [1, -1]) expect(() => readEntryRecord(whole, at)).toThrow('the entries end too early')
    expect(() => readEntryRecord(whole.subarray(0, -1), 0)).toThrow('the entries end too early')
    expect(() => entryId(secret.subarray(1), openHash, 0)).toThrow(RangeError)
    expect(() => entryId(secret, openHash.subarray(1), 0)).toThrow(RangeError)
    expect(() => entryId(secret, openHash, 2 ** 32)).toThrow(RangeError)
    expect(() => ownerTag(secret.subarray(1), openHash, entry.id, 'a')).toThrow(RangeError)
    expect(() => ownerTag(secret, openHash.subarray(1), entry.id, 'a')).toThrow(RangeError)
    expect(() => ownerTag(secret, openHash, entry.id.subarray(1), 'a')).toThrow(RangeError)
    expect(() => leafData(openHash.subarray(1), entry)).toThrow(RangeError)
    expect(() => leafData(openHash, { ...entry, id: entry.id.subarray(1) })).toThrow(RangeError)
    expect(() => leafData(openHash, { ...entry, ownerTag: entry.ownerTag.subarray(1) })).toThrow(RangeError)
    expect(() => leafHash(openHash, { ...entry, mask: 2n ** 64n })).toThrow(RangeError)
  })
})
