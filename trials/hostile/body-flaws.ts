import fc from 'fast-check'
import type { Change } from './draft.ts'
import { hostileJson, hostileName, jsonOf, JsonText, Members } from './hostile-values.ts'
import type { JsonValue } from './hostile-values.ts'

/** Size of the largest body that is read, in bytes, and the depth of a hostile one. */
const MIB = 2 ** 20
const DEEP = 10_000

/** Flaws of one field of the body at any depth: another value, a missing or repeated field, another name. */
export const fieldFlaw: fc.Arbitrary<Change> = fc
  .record({
    how: fc.constantFrom('other', 'other', 'other', 'other', 'none', 'renamed', 'twice', 'added', 'wrapped'),
    at: fc.nat(),
    value: hostileJson,
    name: hostileName,
  })
  .map(({ how, at, value, name }) => (draft) => {
    if (draft.json === undefined || draft.json instanceof Members) return
    draft.flaws.push(`a field is ${how}`)
    draft.json = changedAt(draft.json, at, (node, key) => {
      switch (how) {
        case 'none':
          return []
        case 'renamed':
          return [[name, node]]
        case 'twice':
          return [
            [key, value],
            [key, node],
          ]
        case 'added':
          return [
            [key, node],
            [name, value],
          ]
        case 'wrapped':
          return [[key, [node]]]
        case 'other':
          return [[key, value]]
      }
    })
  })

type Rewrite = (node: JsonValue, key: string) => (readonly [string, JsonValue])[]

/** The value with one of its members or items rewritten; `at` selects it and wraps around. */
function changedAt(json: JsonValue, at: number, rewrite: Rewrite): JsonValue | Members {
  if (json === null || typeof json !== 'object' || json instanceof JsonText)
    return rewrite(json, 'value')[0]?.[1] ?? null
  const entries = Object.entries(json)
  if (entries.length === 0) return new Members(rewrite(null, 'value'))
  const index = at % entries.length
  const [key = '', node = null] = entries[index] ?? []
  const isDeeper = node !== null && typeof node === 'object' && !(node instanceof JsonText) && at % 3 !== 0
  const inside = isDeeper ? changedAt(node, Math.floor(at / entries.length), rewrite) : null
  if (Array.isArray(json)) {
    if (inside instanceof Members) return json // an empty object among the items stays unchanged
    const put = inside === null ? rewrite(node, key).map(([, value]) => value) : [inside]
    return json.toSpliced(index, 1, ...put)
  }
  const put = inside === null ? rewrite(node, key) : [[key, inside] as const]
  return new Members(entries.toSpliced(index, 1, ...(put as [string, JsonValue][])))
}

/** Flaws of the whole body: another value, invalid JSON, too deep, too large. */
export const bodyFlaw: fc.Arbitrary<Change> = fc
  .oneof(
    { weight: 8, arbitrary: hostileJson.map((json) => ['another value', () => jsonOf(json)] as const) },
    {
      weight: 8,
      arbitrary: fc.constantFrom<readonly [string, (text: string) => string]>(
        ['empty', () => ''],
        ['spaces', () => ' \t\r\n '],
        ['cut off', (text) => text.slice(0, -1)],
        ['half', (text) => text.slice(0, text.length / 2)],
        ['twice', (text) => text + text],
        ['with a trailing comma', (text) => text.replace(/}$/, ',}')],
        ['with a byte order mark', (text) => `\uFEFF${text}`],
        ['in UTF-16', (text) => Buffer.from(text, 'utf16le').toString('latin1')],
        ['single quotes', (text) => text.replaceAll('"', "'")],
        ['a form', () => 'email=a%40example.org&password=x'],
        ['XML', () => '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'],
        ['with __proto__', (text) => text.replace('{', '{"__proto__":{"is_admin":true},')],
        ['with an escaped __proto__', (text) => text.replace('{', '{"\\u005f_proto__":{"is_admin":true},')],
        ['with constructor', (text) => text.replace('{', '{"constructor":{"prototype":{"is_admin":true}},')],
        ['with 10,000 unknown members', (text) => text.replace('{', `{${'"a":1,'.repeat(9_999)}`)],
        ['with many unknown members', (text) => text.replace('{', `{${manyMembers()}`)],
        ['a list of 50,000 nulls', () => `[${'null,'.repeat(50_000)}null]`],
        ['bytes that are not UTF-8', () => '{"key":"\u00ff\u00fe\u00c0\u00af"}'],
      ),
    },
    {
      // Rare, because they are expensive.
      weight: 1,
      arbitrary: fc.constantFrom<readonly [string, (text: string) => string]>(
        ['10,000 levels of lists', () => '['.repeat(DEEP) + ']'.repeat(DEEP)],
        ['10,000 levels of objects', () => `${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`],
        ['10,000 levels, never closed', () => '[{"a":'.repeat(DEEP)],
        ['1 MiB', (text) => text + ' '.repeat(MIB - Buffer.byteLength(text))],
        ['1 MiB and one', (text) => text + ' '.repeat(MIB + 1 - Buffer.byteLength(text))],
        ['a text of 1 MiB', () => `"${'a'.repeat(MIB - 2)}"`],
      ),
    },
  )
  .map(([what, write]) => (draft) => {
    draft.flaws.push(`the body is ${what}`)
    const text = draft.json === undefined ? '{}' : jsonOf(draft.json)
    const isLatin = what === 'in UTF-16' || what.startsWith('bytes')
    draft.text = Buffer.from(write(text), isLatin ? 'latin1' : 'utf8')
    draft.contentType ??= 'application/json'
  })

function manyMembers(): string {
  return Array.from({ length: 300 }, (_, index) => `"unknown${index}":${index},`).join('')
}
