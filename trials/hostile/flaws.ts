import type { Parameter } from '@fairball/contract/openapi'
import fc from 'fast-check'
import { bodyFlaw, fieldFlaw } from './body-flaws.ts'
import { encoded, headerText, setParameter } from './draft.ts'
import type { Change, Draft } from './draft.ts'
import type { Endpoint } from './endpoints.ts'
import { hostileName, hostileText, INJECTED_HEADER } from './hostile-values.ts'

/** A single flaw of any kind in a request to an endpoint. */
export function flawOf(endpoint: Endpoint): fc.Arbitrary<Change> {
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

/** Declares the body as another type or another encoding. */
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

/** Flaws of the whole query: repeated, unknown and valueless names, lists and objects. */
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

/** Flaws of the address: other spellings, and unreadable ones. */
const targetFlaw: fc.Arbitrary<Change> = fc
  .record({
    at: fc.nat(),
    how: fc.constantFrom<readonly [string, (target: string, at: number) => string]>(
      ['a % in it', (target, at) => inserted(target, at, '%')],
      ['%zz in it', (target, at) => inserted(target, at, '%zz')],
      ['%00 in it', (target, at) => inserted(target, at, '%00')],
      ['an overlong slash in it', (target, at) => inserted(target, at, '%c0%af')],
      ['an overlong dot in it', (target, at) => inserted(target, at, '%c0%ae%c0%ae/')],
      ['bytes that are not UTF-8', (target, at) => inserted(target, at, '%ff%fe%80')],
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
      ['a trailing slash', (target) => `${target}/`],
      ['a semicolon', (target) => `${target};jsessionid=1`],
      ['a fragment', (target) => `${target}#a`],
      ['an escaped letter', (target) => target.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`)],
      ['escaped letters', (target) => target.replaceAll(/[a-z]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`)],
      ['capital letters', (target) => target.toUpperCase()],
      ['a file extension', (target) => `${target}.json`],
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

/** Headers meant for others, and headers that must not be trusted. */
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

/** These announce more than they send, or ask for another protocol. */
const UNFINISHED = [
  'a length too large',
  'a length above the limit',
  'two lengths',
  'a length and chunks',
  'chunked without chunks',
  'an unknown encoding',
  'a connection upgrade',
]

/** Requests that are not HTTP, or that leave their end open. */
const brokenHeaderFlaw: fc.Arbitrary<Change> = fc
  .constantFrom<readonly [string, (draft: Draft) => void]>(
    ['a line end in a header', (draft) => draft.headers.push(['x-a', `b\r\n${INJECTED_HEADER}: yes`])],
    ['a lone line feed in a header', (draft) => draft.headers.push(['x-a', `b\n${INJECTED_HEADER}: yes`])],
    ['a NUL in a header', (draft) => draft.headers.push(['x-a', 'b\0c'])],
    ['a space in a header’s name', (draft) => draft.headers.push(['x a', 'b'])],
    ['a header without a name', (draft) => draft.headers.push(['', 'b'])],
    ['a header that continues on the next line', (draft) => draft.headers.push(['x-a', 'b\r\n c'])],
    ['a header of 20,000 characters', (draft) => draft.headers.push(['x-a', 'b'.repeat(20_000)])],
    [
      'a thousand headers',
      (draft) => draft.headers.push(...Array.from({ length: 1000 }, (_, at) => [`x${at}`, 'b'] as [string, string])),
    ],
    ['two hosts', (draft) => draft.headers.push(['host', 'a.example'], ['Host', 'b.example'])],
    ['no host', (draft) => (draft.headers = [...draft.headers, ['host!', '']])],
    ['a length that is not a number', (draft) => draft.headers.push(['content-length', 'ten'])],
    ['a length below zero', (draft) => draft.headers.push(['content-length', '-1'])],
    ['a length too large', (draft) => draft.headers.push(['content-length', '999999'])],
    ['a length above the limit', (draft) => draft.headers.push(['content-length', '99999999999'])],
    ['a length too small', (draft) => draft.headers.push(['content-length', '1'])],
    ['two lengths', (draft) => draft.headers.push(['content-length', '2'], ['Content-Length', '3'])],
    ['a length and chunks', (draft) => draft.headers.push(['content-length', '5'], ['transfer-encoding', 'chunked'])],
    ['chunked without chunks', (draft) => draft.headers.push(['transfer-encoding', 'chunked'])],
    ['an unknown encoding', (draft) => draft.headers.push(['transfer-encoding', 'evil, identity'])],
    ['an expectation', (draft) => draft.headers.push(['expect', '100-continue'])],
    ['an unknown expectation', (draft) => draft.headers.push(['expect', 'evil'])],
    ['a connection upgrade', (draft) => draft.headers.push(['connection', 'upgrade'], ['upgrade', 'h2c'])],
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

/** Replaces the bearer with other schemes and odd spellings. */
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
