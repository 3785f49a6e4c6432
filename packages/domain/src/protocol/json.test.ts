import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { JsonError, readJson } from './json.ts'
import { refusalOf } from './refusal-fixture.ts'

const STRICT = 'JsonError: The file is not strict JSON:'
const NO_NUMBER = `${STRICT} a value is no whole number from 0 to 2^53 − 1`

describe('strict JSON', () => {
  it('strict JSON reads its values as JSON.parse does', () => {
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 3 },
        fc.string(),
        fc.maxSafeNat(),
        fc.constant(null),
        fc.array(tie('any'), { maxLength: 4 }),
        fc.dictionary(fc.string(), tie('any'), { maxKeys: 4 }),
      ),
    })).any
    fc.assert(
      fc.property(value, (json) => {
        const text = JSON.stringify(json)
        if (!text.isWellFormed() || /\\ud[89a-f]/.test(text)) return
        expect(plain(readJson(text))).toEqual(JSON.parse(text))
      }),
    )
  })

  it.each([
    ['0', 0],
    ['9007199254740991', 2 ** 53 - 1],
    [' \t\n\r[ 1 , true , false , null ] \n', [1, true, false, null]],
    ['[ ]', []],
    [' { } ', {}],
    ['{ "b" : [ [ ] ] , "" : 10 }', { b: [[]], '': 10 }],
    ['""', ''],
    ['"\\"\\\\\\/\\b\\f\\n\\r\\t"', '"\\/\b\f\n\r\t'],
    ['"a\\u00e9b\\u20ACc\\ud83d\\ude00d"', 'aéb€c😀d'],
    ['"\\u12345"', '\u12345'],
    [nested(16), JSON.parse(nested(16))],
    [nestedObjects(15), JSON.parse(nestedObjects(15))],
  ])('%j is read', (text, value) => {
    expect(plain(readJson(text))).toEqual(value)
  })

  it.each([
    ['', `${NO_NUMBER}, at character 0.`],
    ['[1,]', `${NO_NUMBER}, at character 3.`],
    ['[,1]', `${NO_NUMBER}, at character 1.`],
    ['1.0', `${NO_NUMBER}, at character 0.`],
    ['1e2', `${NO_NUMBER}, at character 0.`],
    ['1E2', `${NO_NUMBER}, at character 0.`],
    ['-1', `${NO_NUMBER}, at character 0.`],
    ['+1', `${NO_NUMBER}, at character 0.`],
    ['1-', `${NO_NUMBER}, at character 0.`],
    ['01', `${NO_NUMBER}, at character 0.`],
    ['nul', `${NO_NUMBER}, at character 0.`],
    ['9007199254740992', `${NO_NUMBER}, at character 16.`],
    ['10000000000000000', `${NO_NUMBER}, at character 0.`],
    ['1 2', `${STRICT} something follows the value, at character 2.`],
    ['truex', `${STRICT} something follows the value, at character 4.`],
    ['[]\ufeff', `${STRICT} something follows the value, at character 2.`],
    ['{,}', `${STRICT} a text was expected, at character 1.`],
    ['{1:2}', `${STRICT} a text was expected, at character 1.`],
    ['{"a":1,}', `${STRICT} a text was expected, at character 7.`],
    ['{a":1}', `${STRICT} a text was expected, at character 1.`],
    ['{"a" 1}', `${STRICT} ":" was expected, at character 5.`],
    ['{"a":1', `${STRICT} "}" was expected, at character 6.`],
    ['[1 2]', `${STRICT} "]" was expected, at character 3.`],
    ['[', `${NO_NUMBER}, at character 1.`],
    ['"a', `${STRICT} a text does not end, at character 2.`],
    ['"a\tb"', `${STRICT} a text does not end, at character 2.`],
    ['"a\u0000"', `${STRICT} a text does not end, at character 2.`],
    ['"\u001f"', `${STRICT} a text does not end, at character 1.`],
    ['"\\', `${STRICT} an escape is not valid, at character 1.`],
    ['"\\x"', `${STRICT} an escape is not valid, at character 1.`],
    ['"\\u123"', `${STRICT} an escape is not valid, at character 1.`],
    ['"\\u12g4"', `${STRICT} an escape is not valid, at character 1.`],
    ['"\\U1234"', `${STRICT} an escape is not valid, at character 1.`],
    ['"\\ud800"', `${STRICT} a text has half a character, at character 8.`],
    ['"\\udc00\\ud800"', `${STRICT} a text has half a character, at character 14.`],
    ['{"a":1,"a":2}', 'JsonError: The file has the key "a" twice in one object.'],
    ['{"a":1,"\\u0061":2}', 'JsonError: The file has the key "a" twice in one object.'],
    [
      `{"${'k'.repeat(41)}":1,"${'k'.repeat(41)}":2}`,
      `JsonError: The file has the key "${'k'.repeat(40)}" twice in one object.`,
    ],
    ['\ufeff[]', 'JsonError: The file begins with a byte order mark.'],
    [nested(17), 'JsonError: The file is nested too deeply.'],
    [nestedObjects(17), 'JsonError: The file is nested too deeply.'],
  ])('%j is rejected', (text, why) => {
    expect(() => readJson(text)).toThrow(JsonError)
    expect(refusalOf(() => readJson(text))).toBe(why)
  })

  it('a text has at most 2^28 characters', () => {
    expect(refusalOf(() => readJson('1'.repeat(2 ** 28 + 1)))).toBe('JsonError: The file is too large.')
  })

  it('keys with a meaning in JavaScript are ordinary keys', () => {
    expect(readJson('{"__proto__":{"a":1}}')).toEqual(new Map([['__proto__', new Map([['a', 1]])]]))
  })
})

function nested(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth)
}

function nestedObjects(depth: number): string {
  return `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
}

function plain(value: unknown): unknown {
  if (value instanceof Map)
    return Object.fromEntries([...(value as Map<string, unknown>)].map(([key, item]) => [key, plain(item)]))
  return Array.isArray(value) ? value.map(plain) : value
}
