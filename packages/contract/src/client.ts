/**
 * The typed client: one method for every call, used by the web and by tests. It imports addresses and error texts
 * only, no schema, so that a page's first load stays small; the types of the schemas are erased.
 */
import { ERROR_TEXTS, isErrorCode, LIMIT_REASONS } from '@fairball/domain/errors'
import type { ErrorCode, LimitReason } from '@fairball/domain/errors'
import type { AnswerOf, SentBodyOf, SentHeadersOf, SentParamsOf, SentQueryOf } from './calls.ts'
import { ADDRESSES, pathOf } from './paths.ts'
import type { Access, CallAddress, PageCallName } from './paths.ts'

/** Maximum number of characters of an answer; a longer one is not ours. */
const ANSWER_MAX_CHARACTERS = 32 * 1024 * 1024

/** The platform's AbortSignal if its types have one, otherwise the part used here. */
type Signal = typeof globalThis extends { AbortSignal: { prototype: infer S } } ? S : { readonly aborted: boolean }

/** The part of a response of `fetch` that the client needs. */
interface FetchedResponse {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  text(): Promise<string>
}

/** The options that the client passes to `fetch`. */
export interface FetchInit {
  readonly method: string
  readonly headers: Record<string, string>
  readonly body: string | null
  readonly signal: Signal | null
}

export interface ClientOptions {
  /** The origin of the server without a slash at the end, or empty for the page's own. */
  readonly baseUrl: string
  readonly fetch: (address: string, init: FetchInit) => Promise<FetchedResponse>
  /** Headers for a call, above all its bearer, which is only sent to calls that check one. */
  readonly getHeaders?: (call: { name: PageCallName; access: Access }) => Headers | Promise<Headers>
  /**
   * Called after a 401 for a call that sends the access token. Returns whether there is a new token: the call is then
   * repeated once. Many calls may arrive here together; refreshing only once for all is up to the caller.
   */
  readonly onUnauthorized?: (call: { name: PageCallName }) => Promise<boolean>
  /** Called with every response before it is read, for the server's clock in its headers. */
  readonly onResponse?: (response: FetchedResponse) => void
}

type Headers = Readonly<Record<string, string>>

/** A call that failed. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** The HTTP status; 0 without an answer. */
  readonly status: number
  /** A code of the catalogue, an unknown code, UNEXPECTED_ERROR or NETWORK_ERROR. */
  readonly code: string
  /** The server's message, if there is one; `message` is the catalogue's text for most known codes. */
  readonly serverMessage: string
  /** Field name to message; empty unless the code is INVALID_PAYLOAD. */
  readonly fields: Readonly<Record<string, string>>
  /** The limit that refused an order; null for every other error. */
  readonly reason: LimitReason | null
  /** Seconds to wait before the next try; null if unknown. */
  readonly retryAfterSeconds: number | null

  constructor(failure: {
    status: number
    code: string
    message: string
    fields?: Record<string, string>
    reason?: LimitReason | null
    retryAfterSeconds?: number | null
    cause?: unknown
  }) {
    super(textOf(failure) ?? failure.message, { cause: failure.cause })
    this.status = failure.status
    this.code = failure.code
    this.serverMessage = failure.message
    this.fields = failure.fields ?? {}
    this.reason = failure.reason ?? null
    this.retryAfterSeconds = failure.retryAfterSeconds ?? null
  }
}

/** Addresses consist of texts; numbers are accepted and converted. */
type Written<Part> = { [Key in keyof Part]: Part[Key] | number }
type PartOf<Name extends string, Part> = Part extends undefined
  ? unknown
  : Record<never, never> extends Part
    ? { readonly [N in Name]?: Part }
    : { readonly [N in Name]: Part }

/** The input of a call: each part of its contract, required if one of its fields is. */
export type CallInput<Name extends PageCallName> = PartOf<'params', Written<SentParamsOf<Name>>> &
  PartOf<'query', Written<SentQueryOf<Name>>> &
  PartOf<'headers', SentHeadersOf<Name>> &
  PartOf<'body', SentBodyOf<Name>> & {
    readonly signal?: Signal
    /** Asks as a visitor, even while a player is signed in, so that caches which visitors share can answer. */
    readonly isPublic?: boolean
  }

type InputArguments<Name extends PageCallName> =
  Record<never, never> extends CallInput<Name> ? [input?: CallInput<Name>] : [input: CallInput<Name>]

export interface Client {
  /**
   * Makes a call.
   *
   * @throws ApiError if the answer is an error, malformed (UNEXPECTED_ERROR) or missing (NETWORK_ERROR). A call aborted
   * by its signal throws the error of `fetch`.
   */
  call<Name extends PageCallName>(name: Name, ...input: InputArguments<Name>): Promise<AnswerOf<Name>>
  /** The address of a call with parameters and query filled in: for event streams and links. */
  address<Name extends PageCallName>(name: Name, ...input: InputArguments<Name>): string
}

/** The parts of a call's input, without the call's own types. */
interface AnyInput {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly body?: unknown
  readonly signal?: Signal
  readonly isPublic?: boolean
}

/** Creates a client for one server. */
export function createClient(options: ClientOptions): Client {
  const { fetch, onResponse, onUnauthorized } = options

  const addressOf = (name: PageCallName, input: AnyInput): string =>
    `${options.baseUrl}${filledPath(pathOf(ADDRESSES[name]), input.params ?? {})}${queryText(input.query ?? {})}`

  const initOf = async (name: PageCallName, input: AnyInput): Promise<FetchInit> => {
    const { method, access } = ADDRESSES[name]
    const headers: Record<string, string> = { accept: 'application/json' }
    if (input.body !== undefined) headers['content-type'] = 'application/json'
    if (!input.isPublic) Object.assign(headers, await options.getHeaders?.({ name, access }))
    for (const [header, value] of Object.entries(input.headers ?? {})) if (value !== undefined) headers[header] = value
    const body = input.body === undefined ? null : JSON.stringify(input.body)
    return { method, headers, body, signal: input.signal ?? null }
  }

  const fetched = async (name: PageCallName, input: AnyInput): Promise<{ response: FetchedResponse; text: string }> => {
    const address = addressOf(name, input)
    const init = await initOf(name, input)
    try {
      const response = await fetch(address, init)
      onResponse?.(response)
      return { response, text: await response.text() }
    } catch (cause) {
      if (input.signal?.aborted) throw cause
      throw new ApiError({ status: 0, code: 'NETWORK_ERROR', message: NETWORK_ERROR_TEXT, cause })
    }
  }

  const made = async (name: PageCallName, input: AnyInput): Promise<unknown> => {
    const address: CallAddress = ADDRESSES[name]
    let { response, text } = await fetched(name, input)
    const sendsAccessToken = address.access === 'player' || address.access === 'optional'
    if (response.status === 401 && sendsAccessToken && (await onUnauthorized?.({ name }))) {
      ;({ response, text } = await fetched(name, input))
    }
    if (!isSuccess(address, response.status)) throw errorOf(response, text)
    return parsedAnswer(response.status, text)
  }

  return {
    // An answer is trusted to have the contract's type; the server's tests check that.
    call: (name, ...[input]) => made(name, input ?? {}) as Promise<never>,
    address: (name, ...[input]) => addressOf(name, input ?? {}),
  }
}

/** Shown if there was no answer. */
const NETWORK_ERROR_TEXT = 'The server cannot be reached. Please check your connection and try again.'
/** Shown for a malformed answer (spec, section 8). */
const UNEXPECTED_ERROR_TEXT = 'Unexpected error!'

/** Success is 200, and 201 for a POST; anything else is an error (spec, section 7). */
function isSuccess(address: CallAddress, status: number): boolean {
  return status === 200 || (status === 201 && address.method === 'POST')
}

function parsedAnswer(status: number, text: string): unknown {
  const answer = parsedJson(text)
  if (typeof answer !== 'object' || answer === null) throw unexpected(status)
  return answer
}

/** The error of an answer that is not a success. */
function errorOf(response: FetchedResponse, text: string): ApiError {
  const answer = parsedJson(text)
  const error = isRecord(answer) ? answer['error'] : undefined
  if (!isRecord(error)) return unexpected(response.status)
  const { code, message, fields, reason } = error
  if (typeof code !== 'string' || typeof message !== 'string') return unexpected(response.status)
  return new ApiError({
    status: response.status,
    code,
    message,
    fields: fieldsIn(fields),
    reason: LIMIT_REASONS.find((known) => known === reason) ?? null,
    retryAfterSeconds: secondsIn(response.headers.get('retry-after')),
  })
}

function unexpected(status: number): ApiError {
  return new ApiError({ status, code: 'UNEXPECTED_ERROR', message: UNEXPECTED_ERROR_TEXT })
}

function parsedJson(text: string): unknown {
  if (text.length > ANSWER_MAX_CHARACTERS) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function fieldsIn(fields: unknown): Record<string, string> {
  if (!isRecord(fields)) return {}
  const texts = Object.entries(fields).filter((field): field is [string, string] => typeof field[1] === 'string')
  return Object.fromEntries(texts)
}

/** `Retry-After` in seconds; our server never sends its other form, a date. */
function secondsIn(header: string | null): number | null {
  return header !== null && /^[0-9]{1,9}$/.test(header) ? Number(header) : null
}

/** Codes with details in the server’s message: a reason, a listed password, a limit and the rest of it, a pause and its end. */
const SAID_BY_THE_SERVER: readonly string[] = [
  'INVALID_LIGHTNING_DESTINATION',
  'INVALID_PASSWORD',
  'LIMIT_REACHED',
  'SELF_EXCLUDED',
] satisfies ErrorCode[]

/** The catalogue's text for a known code (spec, section 8), unless the server's message says more. */
function textOf({ code, reason = null }: { code: string; reason?: LimitReason | null }): string | undefined {
  const saysMore = reason !== null || SAID_BY_THE_SERVER.includes(code)
  return isErrorCode(code) && !saysMore ? ERROR_TEXTS[code] : undefined
}

function filledPath(path: string, params: Readonly<Record<string, unknown>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(params[name]).toWellFormed()
    // A path segment of dots would be resolved, and the request would reach another call.
    if (['', '.', '..'].includes(value)) {
      const fields = { [name]: 'Cannot be part of an address.' }
      throw new ApiError({ status: 400, code: 'INVALID_PAYLOAD', message: `Bad ${name}.`, fields })
    }
    return encodeURIComponent(value)
  })
}

function queryText(query: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined)
  const text = pairs
    .map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(String(value).toWellFormed())}`)
    .join('&')
  return text === '' ? '' : `?${text}`
}
