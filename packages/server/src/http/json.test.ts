import { describe, expect, it } from 'vitest'
import { DEEPEST_JSON, MAX_JSON_PARTS, readJson, UnreadableJson } from './json.ts'

const MIB = 2 ** 20
/** Processor time is counted in ticks. */
const TICKS_MS = 10

describe('the JSON of a request', () => {
  it('JSON is read by its standard, with an empty text as no body at all', () => {
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
    ['a member __proto__ that is half escaped', '{"_\\u005F\\u0070ro\\u0074o__":1}'],
    ['a member __proto__ beside many values', `[${'0,'.repeat(9000)}{"__proto__":1}]`],
    ['U+0000 under 30 lists', `${'['.repeat(30)}"\\u0000"${']'.repeat(30)}`],
    ['more values than any call could mean', `[${'0,'.repeat(MAX_JSON_PARTS)}0]`],
    ['more lists than any call could mean', `[${'[],'.repeat(MAX_JSON_PARTS / 2)}[]]`],
  ])('JSON is refused: %s', (_, text) => {
    expect(() => readJson(text)).toThrow(UnreadableJson)
  })

  it.each([
    ['a text __proto__', '["__proto__"]'],
    ['a name that holds it', '{"a__proto__":1}'],
    ['an escape that is none', '["\\\\u0000"]'],
    ['other escapes', '["\\u0070\\u00e9\\u2028"]'],
  ])('JSON may contain what only looks dangerous: %s', (_, text) => {
    expect(readJson(text)).toEqual(JSON.parse(text))
  })

  it.each([
    ['1 MiB of numbers', listOf('0', MIB)],
    ['1 MiB of objects', listOf('{}', MIB)],
    ['1 MiB of members with a danger', listOf('{"a":"__proto__ \\u0000"}', MIB)],
    ['as many numbers as are read', listOf('0', 2 * MAX_JSON_PARTS)],
  ])('%s cost no more than three times what plain parsing costs', (_, text) => {
    const plainMs = processorMs(() => JSON.parse(text))
    expect(processorMs(() => triedToRead(text))).toBeLessThan(3 * plainMs + TICKS_MS)
  })
})

/** A list of one part repeated to this many bytes. */
function listOf(part: string, bytes: number): string {
  return `[${Array.from({ length: Math.floor(bytes / (part.length + 1)) - 1 }, () => part).join()}]`
}

function triedToRead(text: string): unknown {
  try {
    return readJson(text)
  } catch (error) {
    return error
  }
}

/** The processor time of this thread for ten times, in ms. */
function processorMs(work: () => unknown): number {
  const before = process.threadCpuUsage()
  for (let time = 0; time < 10; time += 1) work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}
