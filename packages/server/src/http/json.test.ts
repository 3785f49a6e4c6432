import { describe, expect, it } from 'vitest'
import { DEEPEST_JSON, readJson, UnreadableJson } from './json.ts'

describe('the JSON of a request', () => {
  it('is read as JSON says, with an empty text as no body at all', () => {
    expect(readJson('{"a":[1,"x",null,true]}')).toEqual({ a: [1, 'x', null, true] })
    expect(readJson('')).toBeUndefined()
    expect(readJson(' \n')).toBeUndefined()
    expect(readJson('"[[[ \\" {"')).toBe('[[[ " {')
  })

  it.each([
    ['no JSON', '{'],
    ['two values', '1 2'],
    ['a member __proto__', '{"__proto__":{"isAdmin":true}}'],
    ['a member __proto__ further in', '{"a":[{"__proto__":null}]}'],
    ['an escaped member __proto__', '{"\\u005f_proto__":1}'],
    ['U+0000 in a text', '{"a":"x\\u0000"}'],
    ['U+0000 in a name', '{"\\u0000":1}'],
    ['10,000 levels', '['.repeat(10_000) + ']'.repeat(10_000)],
    ['one level too many', '['.repeat(DEEPEST_JSON + 1) + ']'.repeat(DEEPEST_JSON + 1)],
    ['10,000 levels that never close', '{"a":'.repeat(10_000)],
  ])('is refused: %s', (_, text) => {
    expect(() => readJson(text)).toThrow(UnreadableJson)
  })
})
