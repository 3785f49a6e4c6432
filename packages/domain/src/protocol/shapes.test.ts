import { describe, expect, it } from 'vitest'
import type { Json } from './json.ts'
import { refusalOf } from './refusal-fixture.ts'
import { base64, choice, hex, integer, listOf, objectOf, orNull, type Shape, text } from './shapes.ts'

const HEX = '0123456789abcdef'.repeat(4)
const PAIR: Shape<{ a: number; b: string }> = objectOf({ a: integer, b: text })

function object(entries: { readonly [key: string]: Json }): ReadonlyMap<string, Json> {
  return new Map(Object.entries(entries))
}

describe('the shapes of a file', () => {
  it.each<[Shape<unknown>, Json, unknown]>([
    [text, '', ''],
    [integer, 0, 0],
    [hex, HEX, HEX],
    [base64, 'AQI=', Uint8Array.of(1, 2)],
    [orNull(integer), null, null],
    [orNull(integer), 7, 7],
    [choice('one', 'other'), 'other', 'other'],
    [listOf(integer, 2), [], []],
    [listOf(integer, 2), [1, 2], [1, 2]],
    [listOf(integer, 2, 1), [1], [1]],
    [PAIR, object({ b: 'x', a: 1 }), { a: 1, b: 'x' }],
  ])('a value of the right shape is read: %#', (shape, value, read) => {
    expect(shape(value, 'It')).toEqual(read)
  })

  it.each<[Shape<unknown>, Json, string]>([
    [text, 1, 'It is not a text.'],
    [integer, '1', 'It is not a whole number.'],
    [hex, 1, 'It is not a text.'],
    [hex, HEX.slice(1), 'It is not 64 lowercase hex digits.'],
    [hex, `${HEX}0`, 'It is not 64 lowercase hex digits.'],
    [hex, `x${HEX}`, 'It is not 64 lowercase hex digits.'],
    [hex, HEX.toUpperCase(), 'It is not 64 lowercase hex digits.'],
    [base64, 'AQI', 'It is not base64.'],
    [base64, 1, 'It is not base64.'],
    [orNull(integer), 'x', 'It is not a whole number.'],
    [choice('one', 'other'), 'third', 'It is not one of: one, other.'],
    [listOf(integer, 2), object({}), 'It is not a list.'],
    [listOf(integer, 2), [1, 2, 3], 'It has 3 items; 0 to 2 are allowed.'],
    [listOf(integer, 2, 1), [], 'It has 0 items; 1 to 2 are allowed.'],
    [listOf(integer, 2), [1, 'x'], 'It, item 2 is not a whole number.'],
    [PAIR, ['a'], 'It is not an object.'],
    [PAIR, object({ a: 1, b: 'x', c: 2 }), 'It has the unknown key "c".'],
    [PAIR, object({ ['k'.repeat(41)]: 1 }), `It has the unknown key "${'k'.repeat(40)}".`],
    [PAIR, object({ a: 1 }), 'It lacks the key "b".'],
    [PAIR, object({ a: 1, b: 2 }), 'It, b is not a text.'],
  ])('a value of another shape is rejected, with its place: %#', (shape, value, why) => {
    expect(refusalOf(() => shape(value, 'It'))).toBe(`ShapeError: ${why}`)
  })
})
