import { calls } from '@fairball/contract/calls'
import { openApiDocument } from '@fairball/contract/openapi'
import { expect, it } from 'vitest'
import { API_POLICY } from '@fairball/server/testing/http'
import { casesOf, type HostileCase } from './cases.ts'
import { endpointsOf } from './endpoints.ts'
import { judge } from './judge.ts'
import { SchemaValues } from './schema-values.ts'
import { bytesOf, type WireAnswer } from './wire.ts'

const document = openApiDocument(calls, { serverUrl: 'http://localhost:3000', version: '1' })
const endpoints = endpointsOf(document)
const values = new SchemaValues(document.components.schemas, new Map())

function caseOf(name: string, changed: Partial<HostileCase> = {}): HostileCase {
  const endpoint = endpoints.find((one) => one.name === name)
  const [one] = endpoint === undefined ? [] : casesOf(endpoint, values, 1, 1)
  if (one === undefined) throw new Error(`there is no call ${name}`)
  return { ...one, ...changed }
}

const GOOD_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'x-frame-options': 'DENY',
  'content-security-policy': API_POLICY,
  'cache-control': 'no-store',
  'content-type': 'application/json; charset=utf-8',
}

function answerOf(status: number, body: unknown, headers: Record<string, string | null> = {}): WireAnswer {
  const all = Object.entries<string | null>({ ...GOOD_HEADERS, ...headers }).flatMap(([name, value]) =>
    value === null ? [] : [[name, [value]] as const],
  )
  return { status, headers: new Map(all), body: typeof body === 'string' ? body : JSON.stringify(body), ms: 1 }
}

const invalid = { error: { code: 'INVALID_PAYLOAD', message: 'No.', fields: { email: 'Is required.' } } }

it('finds nothing wrong with correct answers', () => {
  expect(judge(caseOf('register'), answerOf(400, invalid))).toEqual([])
  expect(judge(caseOf('getClock'), answerOf(200, { now: 1 }))).toEqual([])
  const unauthorized = { error: { code: 'ACCESS_DENIED', message: 'Log in.' } }
  expect(judge(caseOf('getProfile'), answerOf(401, unauthorized, { 'www-authenticate': 'Bearer' }))).toEqual([])
})

it.each<[what: string, name: string, answer: WireAnswer]>([
  ['an internal error', 'register', answerOf(500, { error: { code: 'INTERNAL_SERVER_ERROR', message: 'No.' } })],
  ['a code with the wrong status', 'register', answerOf(404, invalid)],
  ['an unknown code', 'register', answerOf(400, { error: { code: 'OOPS', message: 'No.' } })],
  [
    'a code that is not in the document',
    'getGames',
    answerOf(409, { error: { code: 'EMAIL_OCCUPIED', message: 'No.' } }),
  ],
  ['no message', 'register', answerOf(400, { error: { code: 'INVALID_EMAIL', message: '' } })],
  [
    'fields with a code that has none',
    'register',
    answerOf(400, { error: { ...invalid.error, code: 'INVALID_EMAIL' } }),
  ],
  ['fields that are not texts', 'register', answerOf(400, { error: { ...invalid.error, fields: { email: 1 } } })],
  ['an extra member', 'register', answerOf(400, { ...invalid, statusCode: 400 })],
  ['a stack trace', 'register', answerOf(400, { error: { code: 'INVALID_PAYLOAD', message: 'a\n    at f (/x:1:1)' } })],
  [
    'a message of the database',
    'register',
    answerOf(400, { error: { code: 'INVALID_PAYLOAD', message: 'column "x" does not exist' } }),
  ],
  ['an error that is not JSON', 'register', answerOf(400, 'Bad Request', { 'content-type': 'text/plain' })],
  ['a cacheable error', 'register', answerOf(400, invalid, { 'cache-control': null })],
  ['a cacheable answer to a player', 'getMyGames', answerOf(200, [], { 'cache-control': 'public, max-age=60' })],
  ['a missing content security policy', 'getClock', answerOf(200, { now: 1 }, { 'content-security-policy': null })],
  ['an injected header', 'getClock', answerOf(200, { now: 1 }, { 'x-injected': 'yes' })],
  ['an unexpected cookie', 'getClock', answerOf(200, { now: 1 }, { 'set-cookie': 'a=b' })],
  ['a good answer in the wrong shape', 'getClock', answerOf(200, { now: 'noon' })],
  ['a good answer that is not JSON', 'getClock', answerOf(200, 'now')],
  ['a 401 without WWW-Authenticate', 'getProfile', answerOf(401, { error: { code: 'ACCESS_DENIED', message: 'No.' } })],
  ['a 429 without Retry-After', 'login', answerOf(429, { error: { code: 'TOO_MANY_REQUESTS', message: 'No.' } })],
  ['a redirect to another site', 'getClock', answerOf(302, '', { location: 'https://evil.example' })],
])('finds %s', (_what, name, answer) => {
  expect(judge(caseOf(name), answer)).not.toEqual([])
})

it('makes cases that depend on the seed alone, and the same first ones whatever the count', () => {
  const [endpoint] = endpoints.filter(({ name }) => name === 'createPayment')
  if (endpoint === undefined) throw new Error('there is no such call')
  const texts = (seed: number, count: number): string[] =>
    casesOf(endpoint, values, seed, count).map((one) => bytesOf(one).toString('latin1'))
  expect(texts(7, 40)).toEqual(texts(7, 200).slice(0, 40))
  expect(texts(8, 40)).not.toEqual(texts(7, 40))
})

it('tries the limits of every field, the deepest and largest bodies, and every kind of flaw', () => {
  const flaws = endpoints
    .filter(({ body }) => body !== null)
    .flatMap((endpoint) => casesOf(endpoint, values, 1, 400).flatMap((one) => one.flaws))
    .join('\n')
  for (const what of [
    '10,000 levels of lists',
    '1 MiB and one',
    'with __proto__',
    'with constructor',
    'a field is twice',
    'the query has names as lists',
    'bad escapes',
    'the content type is',
    'a line end in a header',
    'the method is',
    'dots',
    'weeks at an end',
    'authorization is',
  ])
    expect(flaws).toContain(what)
})
