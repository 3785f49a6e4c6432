import { createHash } from 'node:crypto'
import type { Parameter } from '@fairball/contract/openapi'
import fc from 'fast-check'
import type { Endpoint } from './endpoints.ts'
import { hostileJson, hostileName, hostileText, INJECTED_HEADER, jsonOf, JsonText, Members } from './hostile-values.ts'
import type { JsonValue } from './hostile-values.ts'
import type { SchemaValues } from './schema-values.ts'

/** Whose token goes with a request, and what was done to it. */
export interface Bearer {
  readonly of: 'nobody' | 'player' | 'refresh'
  /** Makes another token of the one it is given. */
  readonly change: ((token: string) => string) | null
}

/** One hostile request, but for the token. */
export interface HostileCase {
  readonly endpoint: Endpoint
  readonly index: number
  /** What is wrong with it, in words; empty of one that is right. */
  readonly flaws: readonly string[]
  readonly bearer: Bearer
  readonly method: string
  readonly target: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Uint8Array | null
  /** It may arrive at another call, or at none: what the document says of this one does not bind the answer. */
  readonly isAstray: boolean
  readonly isUnfinished: boolean
}

/** A request in the making. */
interface Draft {
  bearer: Bearer
  method: string
  params: Record<string, string>
  query: [name: string, value: string][]
  /** Raw pieces that stand behind the query. */
  rawQuery: string[]
  headers: [string, string][]
  contentType: string | null
  json: JsonValue | Members | undefined
  /** In place of the JSON. */
  text: Uint8Array | null
  retarget: ((target: string) => string) | null
  isAstray: boolean
  isUnfinished: boolean
  flaws: string[]
}

type Change = (draft: Draft) => void

/** How large the largest body is that is read, and what a hostile one adds to it. */
const MIB = 2 ** 20
const DEEP = 10_000

/**
 * The case of a seed, a call and an index: the same whenever and however often it is asked for. The first ones are the request without a flaw
 * and the ends of every field.
 */
export function casesOf(endpoint: Endpoint, values: SchemaValues, seed: number, count: number): HostileCase[] {
  const arbitrary = caseOf(endpoint, values)
  const drafts = fc.sample(arbitrary, { seed: seedOf(seed, endpoint.name), numRuns: count })
  const edges = edgeChanges(endpoint, values)
  return drafts.map(({ draft, changes, edge }, index) => {
    // Each edge once, as far as the number of cases goes, beside a request that has no other flaw.
    const change = index >= 1 && index <= edges.length ? edges[index - 1] : undefined
    if (index > edges.length) for (const one of changes) one(draft)
    else change?.(draft)
    if (change === undefined && edge && index > edges.length) edges[index % Math.max(1, edges.length)]?.(draft)
    return finished(endpoint, draft, index)
  })
}

function seedOf(seed: number, name: string): number {
  return createHash('sha256').update(`${seed} ${name}`).digest().readInt32LE()
}

function caseOf(
  endpoint: Endpoint,
  values: SchemaValues,
): fc.Arbitrary<{ draft: Draft; changes: Change[]; edge: boolean }> {
  return fc.record({
    draft: draftOf(endpoint, values),
    changes: fc.oneof(
      { weight: 1, arbitrary: fc.constant<Change[]>([]) },
      { weight: 8, arbitrary: flawOf(endpoint).map((one) => [one]) },
      { weight: 3, arbitrary: fc.array(flawOf(endpoint), { minLength: 2, maxLength: 3 }) },
    ),
    edge: fc.integer({ min: 0, max: 19 }).map((one) => one === 0),
  })
}

function draftOf(endpoint: Endpoint, values: SchemaValues): fc.Arbitrary<Draft> {
  const of = (place: Parameter['in']): fc.Arbitrary<Record<string, JsonValue>> => {
    const parameters = endpoint.parameters.filter((one) => one.in === place)
    const requiredKeys = parameters.filter(({ required }) => required).map(({ name }) => name)
    const entries = parameters.map(({ name, schema }) => [name, values.of(schema, `${endpoint.name}.${name}`)])
    return fc.record(Object.fromEntries(entries) as Record<string, fc.Arbitrary<JsonValue>>, { requiredKeys })
  }
  const body = endpoint.body === null ? fc.constant(undefined) : values.of(endpoint.body, endpoint.name)
  return fc
    .record({ params: of('path'), query: of('query'), headers: of('header'), body, bearer: bearerOf(endpoint) })
    .map(({ params, query, headers, body: json, bearer }) => ({
      bearer,
      method: endpoint.method,
      params: texts(params),
      query: Object.entries(texts(query)),
      rawQuery: [],
      headers: Object.entries(texts(headers)),
      contentType: json === undefined ? null : 'application/json',
      json,
      text: null,
      retarget: null,
      isAstray: false,
      isUnfinished: false,
      flaws: [],
    }))
}

function texts(values: Record<string, JsonValue>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, plainText(value)]))
}

/** A value as an address carries it. */
function plainText(value: JsonValue): string {
  return typeof value === 'string' ? value : jsonOf(value)
}

function bearerOf({ access }: Endpoint): fc.Arbitrary<Bearer> {
  const as = (of: Bearer['of']): fc.Arbitrary<Bearer> => fc.constant({ of, change: null })
  const tampered = (of: Bearer['of']): fc.Arbitrary<Bearer> => changedToken.map((change) => ({ of, change }))
  const weighted = (nobody: number, good: number, bad: number, of: Bearer['of']): fc.Arbitrary<Bearer> =>
    fc.oneof(
      { weight: nobody, arbitrary: as('nobody') },
      { weight: good, arbitrary: as(of) },
      { weight: bad, arbitrary: tampered(of) },
    )
  switch (access) {
    case 'player':
      return weighted(1, 14, 2, 'player')
    case 'optional':
      return weighted(6, 6, 2, 'player')
    case 'refresh':
      return weighted(1, 2, 14, 'refresh')
    case 'anyone':
      return weighted(14, 2, 1, 'player')
  }
}

/** What makes another token of a good one. None of them may still be good. */
const changedToken: fc.Arbitrary<(token: string) => string> = fc.oneof(
  fc.nat().map((at) => (token: string) => flipped(token, at)),
  fc.nat().map((at) => (token: string) => token.slice(0, at % (token.length - 1))),
  fc.constantFrom(
    (token: string) => `${token}.`,
    (token: string) => token.split('.').toReversed().join('.'),
    (token: string) => token.replace(/^[^.]*/, Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')),
    (token: string) =>
      token.replace(/\.[^.]*\./, `.${Buffer.from('{"sub":"1","exp":9e9}').toString('base64url')}.`) + 'A',
    (token: string) => token.replace(/\.[^.]*$/, '.'),
    (token: string) => `${token}${'A'.repeat(6000)}`,
    () => 'null',
    () => 'undefined',
    () => '..',
    () => 'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.',
    () => `' or 1=1 --`,
  ),
  hostileText.map((text) => () => headerText(text).trim() || '-'),
)

function flipped(token: string, at: number): string {
  const bytes = Buffer.from(token, 'latin1')
  const index = at % bytes.length
  const letter = String.fromCharCode(bytes[index] ?? 0)
  // The last letter of a part may carry bits that nobody reads: two letters beside each other are changed.
  return `${token.slice(0, index)}${letter === 'A' ? 'B' : 'A'}${letter === 'x' ? 'y' : 'x'}${token.slice(index + 1)}`
}

/** The ends of every field of the call, each as one change. */
function edgeChanges(endpoint: Endpoint, values: SchemaValues): Change[] {
  const ofParameters = endpoint.parameters.flatMap(({ name, in: place, schema }) =>
    values.edgesOf(schema, `${endpoint.name}.${name}`).map((value): Change => (draft) => {
      setParameter(draft, place, name, plainText(value))
      draft.flaws.push(`${place} ${name} at an end`)
    }),
  )
  const ofFields = values.fieldsOf(endpoint.body ?? {}).flatMap(([name, schema]) =>
    values.edgesOf(schema, `${endpoint.name}.${name}`).map((value): Change => (draft) => {
      draft.json = { ...membersOf(draft.json), [name]: value }
      draft.flaws.push(`${name} at an end`)
    }),
  )
  return [...ofParameters, ...ofFields]
}

function setParameter(draft: Draft, place: Parameter['in'], name: string, value: string): void {
  if (place === 'path') draft.params = { ...draft.params, [name]: value }
  else if (place === 'query') draft.query = [...draft.query.filter(([one]) => one !== name), [name, value]]
  else draft.headers = [...draft.headers.filter(([one]) => one !== name), [name, headerText(value)]]
}

/** Bytes that a header can be sent with: those that end it are left to the flaws that mean to. */
function headerText(text: string): string {
  return Buffer.from(text, 'utf8')
    .toString('latin1')
    .replaceAll(/[\r\n\0]/g, '')
    .slice(0, 8000)
}

function membersOf(json: Draft['json']): { [name: string]: JsonValue } {
  const isObject = typeof json === 'object' && json !== null && !Array.isArray(json)
  return isObject && !(json instanceof Members) && !(json instanceof JsonText) ? json : {}
}

/** Any one thing that can be wrong with a request to a call. */
function flawOf(endpoint: Endpoint): fc.Arbitrary<Change> {
  const has = (place: Parameter['in']): boolean => endpoint.parameters.some((one) => one.in === place)
  return fc.oneof(
    ...(endpoint.body === null ? [] : [{ weight: 16, arbitrary: fieldFlaw }]),
    { weight: endpoint.body === null ? 1 : 5, arbitrary: bodyFlaw },
    { weight: endpoint.body === null ? 1 : 2, arbitrary: typeFlaw },
    ...(has('path') ? [{ weight: 8, arbitrary: parameterFlaw(endpoint, 'path') }] : []),
    ...(has('query') ? [{ weight: 8, arbitrary: parameterFlaw(endpoint, 'query') }] : []),
    ...(has('header') ? [{ weight: 3, arbitrary: parameterFlaw(endpoint, 'header') }] : []),
    { weight: 3, arbitrary: queryFlaw },
    { weight: 3, arbitrary: targetFlaw },
    { weight: 3, arbitrary: headerFlaw },
    { weight: 2, arbitrary: brokenHeaderFlaw },
    { weight: 1, arbitrary: methodFlaw },
    { weight: 1, arbitrary: authorizationFlaw },
  )
}

/** One field of the body, however deep: another value, none, another name, or twice. */
const fieldFlaw: fc.Arbitrary<Change> = fc
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

/** The value with one of its members or items rewritten: the `at`-th, counted around. */
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
    if (inside instanceof Members) return json // an empty object among the items: as it was
    const put = inside === null ? rewrite(node, key).map(([, value]) => value) : [inside]
    return json.toSpliced(index, 1, ...put)
  }
  const put = inside === null ? rewrite(node, key) : [[key, inside] as const]
  return new Members(entries.toSpliced(index, 1, ...(put as [string, JsonValue][])))
}

/** The whole body: another value, no JSON at all, too deep, too large. */
const bodyFlaw: fc.Arbitrary<Change> = fc
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
        ['with a comma too many', (text) => text.replace(/}$/, ',}')],
        ['with a mark of order', (text) => `\uFEFF${text}`],
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
        ['bytes that are no UTF-8', () => '{"key":"\u00ff\u00fe\u00c0\u00af"}'],
      ),
    },
    {
      // They cost what they weigh.
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

/** Says that the body is something else, or in something else. */
const typeFlaw: fc.Arbitrary<Change> = fc
  .constantFrom(
    '',
    'text/plain',
    'text/plain; charset=utf-8',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'multipart/form-data; boundary=a',
    'application/xml',
    'text/html',
    'application/octet-stream',
    '*/*',
    'json',
    'application/json; charset=utf-16',
    'application/json; charset=latin1',
    'application/json;',
    'application/json,',
    'Application/JSON',
    'application/json+evil',
    'application/jsonp',
    'application/ld+json',
    'application /json',
    `application/json; a="${'b'.repeat(5000)}"`,
    'application/json; __proto__=1',
    '__proto__',
    'constructor',
    '/',
    ';',
    '\u00ff\u00fe',
    'application/json\tx',
    'image/png',
  )
  .map((type) => (draft) => {
    draft.flaws.push(`the content type is ${JSON.stringify(type)}`)
    draft.contentType = type
    draft.text ??= draft.json === undefined ? Buffer.from('{}') : null
  })

function parameterFlaw(endpoint: Endpoint, place: Parameter['in']): fc.Arbitrary<Change> {
  const names = endpoint.parameters.filter((one) => one.in === place).map(({ name }) => name)
  return fc.record({ name: fc.constantFrom(...names), value: hostileText }).map(({ name, value }) => (draft) => {
    draft.flaws.push(`${place} ${name} is ${JSON.stringify(value.slice(0, 80))}`)
    setParameter(draft, place, name, value)
  })
}

/** Of the query as a whole: names twice, as lists and objects, unknown, without a value. */
const queryFlaw: fc.Arbitrary<Change> = fc
  .oneof(
    fc.constantFrom<readonly [string, (draft: Draft) => string[]]>(
      ['each name twice', (draft) => draft.query.map(([name]) => `${encoded(name)}=1`)],
      ['names as lists', (draft) => draft.query.map(([name]) => `${encoded(name)}[]=1`)],
      ['names as objects', (draft) => draft.query.map(([name]) => `${encoded(name)}[a]=1`)],
      ['a page twice', () => ['_page=1', '_page=2']],
      ['a list of pages', () => ['_page[]=1']],
      ['a page of an object', () => ['_page[__proto__]=1']],
      ['__proto__', () => ['__proto__=1']],
      ['__proto__ as an object', () => ['__proto__[is_admin]=true', 'constructor[prototype][is_admin]=true']],
      ['no names', () => ['=1', '=', '&&&', '==']],
      ['no value', () => ['a']],
      ['a thousand names', () => Array.from({ length: 1000 }, (_, index) => `a${index}=1`)],
      ['bad escapes', () => ['a=%', 'b=%zz', '%=%', '%c0%af=1', 'c=%ff%fe', 'd=%u0041']],
      ['a NUL', () => ['a=%00', '%00=1']],
      ['line ends', () => [`a=%0d%0a${INJECTED_HEADER}:%20yes`]],
      ['another query', () => ['?a=1?b=2', ';c=3', '#d']],
    ),
    fc
      .tuple(hostileName, hostileText)
      .map(([name, value]) => ['unknown', () => [`${encoded(name)}=${encoded(value)}`.slice(0, 7000)]] as const),
  )
  .map(([what, piecesOf]) => (draft) => {
    draft.flaws.push(`the query has ${what}`)
    draft.rawQuery.push(...piecesOf(draft))
  })

/** The address: other spellings of it, and such as cannot be read. */
const targetFlaw: fc.Arbitrary<Change> = fc
  .record({
    at: fc.nat(),
    how: fc.constantFrom<readonly [string, (target: string, at: number) => string]>(
      ['a % in it', (target, at) => inserted(target, at, '%')],
      ['%zz in it', (target, at) => inserted(target, at, '%zz')],
      ['%00 in it', (target, at) => inserted(target, at, '%00')],
      ['an overlong slash in it', (target, at) => inserted(target, at, '%c0%af')],
      ['an overlong dot in it', (target, at) => inserted(target, at, '%c0%ae%c0%ae/')],
      ['bytes that are no UTF-8', (target, at) => inserted(target, at, '%ff%fe%80')],
      ['raw bytes above 127', (target, at) => inserted(target, at, '\u00ff\u00c3\u0028')],
      ['a raw NUL', (target, at) => inserted(target, at, '\0')],
      ['a raw space', (target, at) => inserted(target, at, ' ')],
      ['raw line ends', (target, at) => inserted(target, at, `\r\n${INJECTED_HEADER}: yes\r\n`)],
      ['escaped line ends', (target, at) => inserted(target, at, `%0d%0a${INJECTED_HEADER}:%20yes`)],
      ['a raw tab', (target, at) => inserted(target, at, '\t')],
      ['angle brackets', (target, at) => inserted(target, at, '<script>"\'`{}|^')],
      ['a backslash', (target, at) => inserted(target, at, '\\..\\')],
      ['dots', (target, at) => inserted(target, at, '/../../../../etc/passwd')],
      ['escaped dots', (target, at) => inserted(target, at, '%2e%2e%2f%2e%2e%2f')],
      ['twice escaped dots', (target, at) => inserted(target, at, '%252e%252e%252f')],
      ['two slashes', (target, at) => inserted(target, at, '//')],
      ['a slash at its end', (target) => `${target}/`],
      ['a semicolon', (target) => `${target};jsessionid=1`],
      ['a fragment', (target) => `${target}#a`],
      ['an escaped letter', (target) => target.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`)],
      ['escaped letters', (target) => target.replaceAll(/[a-z]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`)],
      ['large letters', (target) => target.toUpperCase()],
      ['a file’s ending', (target) => `${target}.json`],
      ['9,000 characters more', (target) => target + 'a'.repeat(9000)],
      ['20,000 characters more', (target) => target + 'a'.repeat(20_000)],
      ['another host in it', (target) => `http://evil.example${target}`],
      ['another host before it', (target) => `//evil.example${target}`],
      ['no slash before it', (target) => target.slice(1)],
      ['nothing', () => ''],
      ['an asterisk', () => '*'],
      ['a file of ours', () => '/api/v1/../../package.json'],
      ['a word of ours', () => '/api/v1/__proto__/constructor'],
    ),
  })
  .map(({ at, how: [what, change] }) => (draft) => {
    draft.flaws.push(`the address has ${what}`)
    draft.isAstray = true
    draft.retarget = (target) => change(target, at)
  })

function inserted(target: string, at: number, what: string): string {
  const index = 1 + (at % target.length)
  return target.slice(0, index) + what + target.slice(index)
}

/** Headers that others read, or that nobody should. */
const headerFlaw: fc.Arbitrary<Change> = fc
  .oneof(
    fc.constantFrom<readonly [string, string]>(
      ['host', 'evil.example'],
      ['host', ''],
      ['x-forwarded-host', 'evil.example'],
      ['x-forwarded-proto', 'javascript'],
      ['x-http-method-override', 'DELETE'],
      ['x-original-url', '/metrics'],
      ['x-request-id', "1'; drop table players; --"],
      ['origin', 'null'],
      ['origin', 'https://evil.example'],
      ['referer', 'https://evil.example/\u00ff'],
      ['accept', 'application/xml'],
      ['accept', '*/*;q=0'],
      ['accept-encoding', 'identity;q=0, *;q=0'],
      ['accept-encoding', `gzip${', br'.repeat(1500)}`],
      ['accept-language', `${'x-'.repeat(2000)}x`],
      ['accept-charset', 'utf-7'],
      ['if-none-match', '*'],
      ['if-none-match', `W/"${'a'.repeat(5000)}"`],
      ['if-none-match', '"'],
      ['if-modified-since', 'yesterday'],
      ['if-match', '"a"'],
      ['range', 'bytes=-1'],
      ['range', 'bytes=0-0,1-1,99999999999999999999-'],
      ['content-encoding', 'gzip'],
      ['cookie', `a=${'b'.repeat(4000)}; __proto__=1; ; =; "`],
      ['user-agent', ''],
      ['user-agent', 'a'.repeat(8000)],
      ['user-agent', '() { :; }; /bin/sleep 9'],
      ['user-agent', '${jndi:ldap://127.0.0.1/a}'],
      ['user-agent', '\u00f0\u009f\u00a6\u00a2<script>\u00ff'],
      ['cf-ipcountry', 'ZZ<script>'],
      ['last-event-id', '-1'],
      ['upgrade', 'websocket'],
      ['te', 'trailers, evil'],
      ['idempotency-key', ''],
      ['idempotency-key', 'a'.repeat(256)],
      ['idempotency-key', '\u00ff'],
      ['__proto__', '1'],
      ['constructor', '1'],
    ),
    fc.tuple(fc.constantFrom('user-agent', 'x-a', 'idempotency-key', 'accept', 'origin'), hostileText.map(headerText)),
  )
  .map(([name, value]) => (draft) => {
    draft.flaws.push(`${name}: ${JSON.stringify(value.slice(0, 60))}`)
    draft.headers = [...draft.headers.filter(([one]) => one !== name), [name, value]]
  })

/** These promise more than they send, or ask for another protocol. */
const UNFINISHED = [
  'a length too large',
  'a length larger than is read',
  'two lengths',
  'a length and pieces',
  'pieces that are none',
  'an unknown encoding',
  'a connection that changes',
]

/** Requests that are no HTTP, or leave open where they end. */
const brokenHeaderFlaw: fc.Arbitrary<Change> = fc
  .constantFrom<readonly [string, (draft: Draft) => void]>(
    ['a line end in a header', (draft) => draft.headers.push(['x-a', `b\r\n${INJECTED_HEADER}: yes`])],
    ['a lone line feed in a header', (draft) => draft.headers.push(['x-a', `b\n${INJECTED_HEADER}: yes`])],
    ['a NUL in a header', (draft) => draft.headers.push(['x-a', 'b\0c'])],
    ['a space in a header’s name', (draft) => draft.headers.push(['x a', 'b'])],
    ['a header without a name', (draft) => draft.headers.push(['', 'b'])],
    ['a header that goes on', (draft) => draft.headers.push(['x-a', 'b\r\n c'])],
    ['a header of 20,000 characters', (draft) => draft.headers.push(['x-a', 'b'.repeat(20_000)])],
    [
      'a thousand headers',
      (draft) => draft.headers.push(...Array.from({ length: 1000 }, (_, at) => [`x${at}`, 'b'] as [string, string])),
    ],
    ['two hosts', (draft) => draft.headers.push(['host', 'a.example'], ['Host', 'b.example'])],
    ['no host', (draft) => (draft.headers = [...draft.headers, ['host!', '']])],
    ['a length that is no number', (draft) => draft.headers.push(['content-length', 'ten'])],
    ['a length below zero', (draft) => draft.headers.push(['content-length', '-1'])],
    ['a length too large', (draft) => draft.headers.push(['content-length', '999999'])],
    ['a length larger than is read', (draft) => draft.headers.push(['content-length', '99999999999'])],
    ['a length too small', (draft) => draft.headers.push(['content-length', '1'])],
    ['two lengths', (draft) => draft.headers.push(['content-length', '2'], ['Content-Length', '3'])],
    ['a length and pieces', (draft) => draft.headers.push(['content-length', '5'], ['transfer-encoding', 'chunked'])],
    ['pieces that are none', (draft) => draft.headers.push(['transfer-encoding', 'chunked'])],
    ['an unknown encoding', (draft) => draft.headers.push(['transfer-encoding', 'evil, identity'])],
    ['an expectation', (draft) => draft.headers.push(['expect', '100-continue'])],
    ['an expectation of nobody', (draft) => draft.headers.push(['expect', 'evil'])],
    ['a connection that changes', (draft) => draft.headers.push(['connection', 'upgrade'], ['upgrade', 'h2c'])],
    ['a connection that names headers', (draft) => draft.headers.push(['connection', 'close, authorization, host'])],
  )
  .map(([what, change]) => (draft) => {
    draft.flaws.push(what)
    change(draft)
    draft.isAstray = true
    draft.isUnfinished ||= UNFINISHED.includes(what)
  })

const methodFlaw: fc.Arbitrary<Change> = fc
  .constantFrom(
    'HEAD',
    'OPTIONS',
    'PATCH',
    'TRACE',
    'CONNECT',
    'PROPFIND',
    'SEARCH',
    'PURGE',
    'QUERY',
    'GET',
    'POST',
    'PUT',
    'DELETE',
    'get',
    'EVIL',
    'G\u00cbT',
    'A'.repeat(300),
    '',
  )
  .map((method) => (draft) => {
    draft.flaws.push(`the method is ${method.slice(0, 20)}`)
    draft.method = method
    draft.isAstray = true
  })

/** In place of the bearer: other schemes and odd spellings. */
const authorizationFlaw: fc.Arbitrary<Change> = fc
  .oneof(
    fc.constantFrom('', 'Bearer', 'Bearer ', 'bearer x', 'Basic YTpi', 'Bearer a b', 'Bearer\ta', 'Digest a="b"'),
    hostileText.map((text) => `Bearer ${headerText(text)}`),
    hostileText.map(headerText),
  )
  .map((value) => (draft) => {
    draft.flaws.push(`authorization is ${JSON.stringify(value.slice(0, 60))}`)
    draft.bearer = { of: 'nobody', change: null }
    draft.headers.push(['authorization', value])
  })

/** Every byte that means something in an address is escaped, also of a text that is no Unicode. */
function encoded(text: string): string {
  let written = ''
  for (const byte of Buffer.from(text, 'utf8')) {
    const letter = String.fromCharCode(byte)
    written += /[\w.~-]/.test(letter) ? letter : `%${byte.toString(16).padStart(2, '0').toUpperCase()}`
  }
  return written
}

function finished(endpoint: Endpoint, draft: Draft, index: number): HostileCase {
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encoded(draft.params[name] ?? ''))
  const query = [...draft.query.map(([name, value]) => `${encoded(name)}=${encoded(value)}`), ...draft.rawQuery]
  const target = query.length === 0 ? path : `${path}?${query.join('&')}`
  const body = draft.text ?? (draft.json === undefined ? null : Buffer.from(jsonOf(draft.json)))
  const names = new Set(draft.headers.map(([name]) => name))
  const headers: [string, string][] = [
    ...(names.has('host') || names.has('host!') ? [] : [['host', 'localhost:3000'] as [string, string]]),
    ...(draft.contentType === null ? [] : [['content-type', draft.contentType] as [string, string]]),
    ...draft.headers.filter(([name]) => name !== 'host!'),
  ]
  return {
    endpoint,
    index,
    flaws: draft.flaws,
    bearer: draft.bearer,
    method: draft.method,
    target: draft.retarget?.(target) ?? target,
    headers,
    body,
    // What is longer than the head of a request may be, or than a parameter, never arrives.
    isAstray: draft.isAstray || target.length > 8000,
    isUnfinished: draft.isUnfinished,
  }
}
