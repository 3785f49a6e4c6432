import { calls, type Call } from '@fairball/contract/calls'
import { checkValue } from '@fairball/contract/check-input'
import { HTTP_STATUS, UNAUTHORIZED } from '@fairball/contract/http-status'
import { ERROR_TEXTS, type ErrorCode, LIMIT_REASONS } from '@fairball/domain/errors'
import { API_POLICY, DEVICE_COOKIE } from '@fairball/server/testing/http'
import type { HostileCase } from './cases.ts'
import { LOG_FILES } from './endpoints.ts'
import { INJECTED_HEADER } from './hostile-values.ts'
import type { WireAnswer } from './wire.ts'

/** Longest allowed response time, in ms (trust.md section 3). */
export const LONGEST_MS = 2000

/** Signs of leaked internals: stacks, statements, database values, files. */
const INSIDES =
  /\n\s+at \S|node:internal|node_modules|\.ts:\d|file:\/\/\/(?!etc)|syntax error at|relation "|column "|violates|SQLSTATE|PostgreSQL|pg_catalog|\bFST_|ZodError|ECONN|TypeError|RangeError|Cannot read prop|is not a function/

const NO_FILE = 'There is no such file.\n'

/** Headers of every answer of a route. */
const SECURE: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'x-frame-options': 'DENY',
}

/** Good answers that were already checked: most of them repeat. */
const seen = new Map<string, string[]>()
const MAX_SEEN = 5000

/**
 * Lists everything wrong with an answer. A correct answer is no fault of ours, has the exact error shape, codes from
 * the document and the security headers, and reveals no internals; a good one matches its schema. Its duration is
 * judged separately.
 */
export function judge(one: HostileCase, answer: WireAnswer): string[] {
  const { status, headers, body } = answer
  const wrong: string[] = []
  if (!(status >= 200 && status < 600)) return [`the status is ${status}`]
  if (status >= 500) wrong.push(`the status is ${status}`)
  const header = (name: string): string | undefined => headers.get(name)?.[0]
  for (const [name, values] of headers)
    if (values.length > 1) wrong.push(`the header ${name} comes ${values.length} times`)
  for (const name of [INJECTED_HEADER, 'bcc', 'x-powered-by', 'server', 'access-control-allow-credentials'])
    if (headers.has(name)) wrong.push(`there is a header ${name}`)
  const cookies = headers.get('set-cookie') ?? []
  if (!cookies.every((cookie) => isOwnCookie(one, cookie))) wrong.push(`there are the cookies ${cookies.join(', ')}`)
  for (const [name, value] of Object.entries(SECURE))
    if (header(name) !== value) wrong.push(`the header ${name} is ${header(name)}`)
  const isPage = one.endpoint.produces === 'text/html' && status < 400
  if (!isPage && status !== 307 && header('content-security-policy') !== API_POLICY)
    wrong.push(`the policy is ${header('content-security-policy')}`)
  if (status >= 300) {
    const leak = INSIDES.exec(body.replaceAll('\\n', '\n').replaceAll('\\"', '"'))
    if (leak !== null) wrong.push(`it reveals internals: ${leak[0]}`)
  }

  if (status < 300 && one.endpoint.access === 'player' && header('cache-control') !== 'no-store')
    wrong.push(`a cacheable answer to a player: ${header('cache-control')}`)
  if (status === 204 || status === 304) return wrong
  if (status >= 400) return [...wrong, ...judgeError(one, answer)]
  if (status >= 300) {
    const isKnown = status === 307 && header('location') === '/page-not-found' && one.isAstray
    return isKnown ? wrong : [...wrong, `it leads to ${header('location')}`]
  }
  return [...wrong, ...judgeGood(one, answer)]
}

/**
 * Whether a cookie is the only allowed one: from a login or a reset, hidden from scripts and sent only to these
 * endpoints.
 */
function isOwnCookie({ endpoint }: HostileCase, cookie: string): boolean {
  const attributes = cookie.split('; ')
  const isOwn = /^[\w-]{43}$/.test(cookie.split(';')[0]?.replace(`${DEVICE_COOKIE}=`, '') ?? '')
  const isKept = ['Path=/api/v1/auth', 'HttpOnly', 'SameSite=Lax'].every((wanted) => attributes.includes(wanted))
  return endpoint.path.startsWith('/api/v1/auth/') && isOwn && isKept
}

function judgeError(one: HostileCase, { status, headers, body }: WireAnswer): string[] {
  if (one.method === 'HEAD') return []
  const type = headers.get('content-type')?.[0]
  if (one.endpoint === LOG_FILES && status === 404 && type === 'text/plain; charset=utf-8')
    return body === NO_FILE && headers.get('cache-control')?.[0] === 'no-store'
      ? []
      : [`no file, and ${body.slice(0, 200)}`]
  if (type !== 'application/json; charset=utf-8') return [`an error of the type ${type}: ${body.slice(0, 200)}`]
  const wrong: string[] = []
  const { error, ...others } = parsed(body)
  if (typeof error !== 'object' || error === null) return [`no error in ${body.slice(0, 200)}`]
  const { code, message, fields, reason, ...more } = error as Record<string, unknown>
  if (Object.keys(others).length + Object.keys(more).length > 0) wrong.push('the error has extra members')
  if (reason !== undefined && !LIMIT_REASONS.some((known) => known === reason))
    wrong.push(`the reason is ${JSON.stringify(reason)}`)
  if (typeof message !== 'string' || message === '') wrong.push('the error has no message')
  if (typeof code !== 'string' || !Object.hasOwn(ERROR_TEXTS, code)) return [...wrong, `the code is ${String(code)}`]

  const isUnauthorized = status === UNAUTHORIZED.status && code === UNAUTHORIZED.code
  // A demo only answers for its own host.
  const isMisdirected = status === 421 && code === 'INVALID_PAYLOAD'
  if (!isUnauthorized && !isMisdirected && HTTP_STATUS[code as ErrorCode] !== status)
    wrong.push(`${code} comes with ${status}`)
  if (isUnauthorized && headers.get('www-authenticate')?.[0] !== 'Bearer') wrong.push('401 without WWW-Authenticate')
  if (status === 429 && !/^[1-9]\d*$/.test(headers.get('retry-after')?.[0] ?? '')) wrong.push('429 without Retry-After')
  if (headers.get('cache-control')?.[0] !== 'no-store') wrong.push('a cacheable error')
  if (fields !== undefined) {
    const isMap = typeof fields === 'object' && fields !== null && !Array.isArray(fields)
    const said = isMap ? Object.values(fields) : []
    if (code !== 'INVALID_PAYLOAD' || said.length === 0 || said.some((text) => typeof text !== 'string' || text === ''))
      wrong.push('the fields are malformed')
  }
  const isNamed = one.endpoint.answers.get(status)?.has(code) === true
  const isOfAnyAddress = code === 'INVALID_PAYLOAD' || (code === 'NOT_FOUND' && one.endpoint.path.includes('{'))
  if (!one.isAstray && !isNamed && !isOfAnyAddress) wrong.push(`${status} ${code} is not in the document`)
  return wrong
}

function judgeGood({ endpoint, method, isAstray }: HostileCase, { status, headers, body }: WireAnswer): string[] {
  if (isAstray || method === 'HEAD') return []
  if (!endpoint.answers.has(status)) return [`the status ${status} is not in the document`]
  const type = headers.get('content-type')?.[0] ?? ''
  if (!type.startsWith(endpoint.produces)) return [`the type is ${type}`]
  if (endpoint.produces !== 'application/json') return []
  const key = `${endpoint.name} ${body}`
  const known = seen.get(key)
  if (known !== undefined) return known
  const call: Call | undefined = Object.entries(calls).find(([name]) => name === endpoint.name)?.[1]
  if (call === undefined) return [`the contract has no ${endpoint.name}`]
  const checked = checkValue(call.answer, parsed(body), 'answer')
  const wrong = checked.ok ? [] : [`the answer does not match its schema: ${JSON.stringify(checked.fields)}`]
  if (seen.size < MAX_SEEN) seen.set(key, wrong)
  return wrong
}

function parsed(body: string): Record<string, unknown> {
  try {
    return (JSON.parse(body) ?? {}) as Record<string, unknown> // fields are only read by name
  } catch {
    return {}
  }
}
