import fc from 'fast-check'

/** Literal JSON, including text that no JavaScript value would serialise to. */
export class JsonText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export type JsonValue = null | boolean | number | string | JsonText | JsonValue[] | { [name: string]: JsonValue }

/** An object as a list of members, which may repeat. */
export class Members {
  readonly list: readonly (readonly [string, JsonValue | Members])[]

  constructor(list: readonly (readonly [string, JsonValue | Members])[]) {
    this.list = list
  }
}

/** Serialises a value literally, including `__proto__` members and repeated ones. */
export function jsonOf(value: JsonValue | Members): string {
  if (value instanceof JsonText) return value.text
  if (value instanceof Members)
    return `{${value.list.map(([name, one]) => `${JSON.stringify(name)}:${jsonOf(one)}`).join(',')}}`
  if (Array.isArray(value)) return `[${value.map(jsonOf).join(',')}]`
  if (value !== null && typeof value === 'object')
    return `{${Object.entries(value)
      .map(([name, one]) => `${JSON.stringify(name)}:${jsonOf(one)}`)
      .join(',')}}`
  return JSON.stringify(value)
}

const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`

/** A header that a value tries to inject. The judge searches every answer for it. */
export const INJECTED_HEADER = 'x-injected'

/** Texts that have broken programs. Each is sent wherever a text is expected. */
const HOSTILE_TEXTS: readonly string[] = [
  '',
  ' ',
  '\t\n',
  '0',
  '-1',
  '+1',
  '01',
  '1.0',
  '1e3',
  '0x10',
  '1_000',
  ' 1',
  '1 ',
  '１',
  '٣',
  '999999999',
  '2147483648',
  '9007199254740993',
  '9223372036854775808',
  '1'.repeat(400),
  '-0',
  'NaN',
  'Infinity',
  'null',
  'undefined',
  'true',
  '[object Object]',
  '[]',
  '{}',
  '\0',
  'a\0b',
  '\u0001\u0002\u001f\u007f\u0080\u009f',
  `a\r\n${INJECTED_HEADER}: yes`,
  `a\n${INJECTED_HEADER}: yes\n\n<html>`,
  `a\r\nBcc: victim@example.org\r\n\r\nbody`,
  'a@example.org\r\nBcc: victim@example.org',
  '\u2028\u2029',
  '\u202Eevil\u202C',
  '\u200B\uFEFF\u00AD',
  '\uD800',
  '\uDFFF\uD800',
  '\u{1F9A2}\u{1F468}\u200D\u{1F469}\u200D\u{1F467}',
  'ﷺ'.repeat(60),
  'Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘G̴̻͈͍͔̹̑͗̎̅͛́Ǫ̵̹̻̝̳͂̌̌͘!͖̬̰̙̗̿̋ͥͥ̂ͣ̐́́͜͞',
  'İstanbul ß ﬁ ſ K',
  'é e\u0301',
  'a'.repeat(250),
  'a'.repeat(251),
  '\u{1F9A2}'.repeat(126),
  'a'.repeat(5000),
  `${'a'.repeat(4000)}!`,
  `${'a@'.repeat(1500)}`,
  `${'a.'.repeat(120)}@example.org`,
  `${'('.repeat(2000)}`,
  `a@${'b.'.repeat(100)}org`,
  '"quoted@local"@example.org',
  'a@[127.0.0.1]',
  'a@example.org,b@example.org',
  'a b@example.org',
  '<a@example.org>',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'valueOf',
  `'`,
  `"`,
  '`',
  '\\',
  `' or '1'='1`,
  `1' or '1'='1' -- `,
  `'; select pg_sleep(9); --`,
  `1); select pg_sleep(9)--`,
  `1 union select null,null--`,
  `%' and 1=1 --`,
  '$1',
  '$$',
  '%',
  '_',
  '%s%n%x',
  '\\x00',
  "E'\\\\x41'",
  '{{7*7}}',
  '${7*7}',
  '<%= 7*7 %>',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  'javascript:alert(1)',
  'data:text/html,<script>1</script>',
  '; sleep 9',
  '$(sleep 9)',
  '| id',
  '../../../../etc/passwd',
  '..\\..\\windows\\win.ini',
  'file:///etc/passwd',
  'http://127.0.0.1:1/',
  '//evil.example',
  '/\\evil.example',
  '*)(uid=*))(|(uid=*',
  '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '{00000000-0000-4000-8000-000000000000}',
  '00000000000040008000000000000000',
  '2025-02-30T25:61:61Z',
  '1.2.3.4',
  '::1',
  '000000',
  '0000000',
  '-00001',
  '0.000000001',
  '21000001',
  '99999999.99999999',
  '1,5',
  'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080',
  'BCRT1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KYGT080',
  'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt081',
  'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
  'd'.repeat(64),
  'ab'.repeat(48),
  'A'.repeat(43),
  '='.repeat(44),
  'eyJhbGciOiJub25lIn0.e30.',
]

/** Values that are not texts, and texts in odd notation. */
const HOSTILE_JSON: readonly JsonValue[] = [
  null,
  true,
  false,
  0,
  -0,
  new JsonText('-0'),
  new JsonText('-0.0'),
  1,
  -1,
  0.1,
  1.5,
  1e-7,
  new JsonText('1.0'),
  new JsonText('1e0'),
  new JsonText('1E+2'),
  64,
  65,
  255,
  256,
  999_999,
  2_147_483_647,
  2_147_483_648,
  -2_147_483_648,
  -2_147_483_649,
  4_294_967_296,
  253_402_300_799,
  253_402_300_800,
  9_007_199_254_740_991,
  new JsonText('9007199254740993'),
  new JsonText('-9007199254740993'),
  new JsonText('9223372036854775807'),
  new JsonText('9223372036854775808'),
  new JsonText('18446744073709551616'),
  new JsonText('1e308'),
  new JsonText('1e309'),
  new JsonText('-1e309'),
  new JsonText('5e-324'),
  new JsonText('1e-400'),
  new JsonText(`0.${'0'.repeat(400)}1`),
  new JsonText('1'.repeat(1000)),
  new JsonText('NaN'),
  new JsonText('Infinity'),
  new JsonText('undefined'),
  new JsonText('01'),
  new JsonText('.5'),
  new JsonText('5.'),
  new JsonText('0x10'),
  new JsonText('+1'),
  new JsonText("'a'"),
  new JsonText('"\\ud800"'),
  new JsonText('"\\udc00\\ud800"'),
  new JsonText('"\\u0000"'),
  new JsonText('"\\u0061"'),
  new JsonText('"\\x41"'),
  new JsonText('"\n"'),
  new JsonText('"/* no comment */"'),
  new JsonText('1 /* a comment */'),
  new JsonText(nested(31)),
  new JsonText(nested(64)),
  new JsonText('{"__proto__":{"is_admin":true}}'),
  new JsonText('{"\\u005f_proto__":{"is_admin":true}}'),
  new JsonText('{"constructor":{"prototype":{"is_admin":true}}}'),
  new JsonText('{"toString":1,"valueOf":2,"hasOwnProperty":3}'),
  new JsonText('{"length":-1,"0":"a"}'),
  new JsonText('{"then":"a"}'),
  new JsonText('{"toJSON":null}'),
  [],
  [null],
  [[]],
  [{}],
  [1, 2, 3],
  ['a'],
  [1, '1', null, [], {}],
  Array.from({ length: 65 }, () => 1),
  Array.from({ length: 1001 }, () => 'a'),
  Array.from({ length: 5000 }, () => []),
  {},
  { a: 1 },
  { $gt: '' },
  { '': '' },
  { 'a.b': 1, 'a[b]': 2 },
]

/** A malicious text, or a random one. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...HOSTILE_TEXTS) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 300 }) },
)

/** A value that does not belong where it is put. */
export const hostileJson: fc.Arbitrary<JsonValue> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...HOSTILE_JSON) },
  { weight: 3, arbitrary: hostileText },
  { weight: 1, arbitrary: fc.jsonValue() as fc.Arbitrary<JsonValue> },
  { weight: 1, arbitrary: fc.double() },
  { weight: 1, arbitrary: fc.maxSafeInteger() },
)

/** The name of an unexpected member or parameter. */
export const hostileName: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'is_admin', 'id', 'player_id', '', ' ', 'a.b'),
  hostileText,
)
