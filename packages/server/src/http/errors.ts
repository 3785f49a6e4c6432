import { HTTP_STATUS, UNAUTHORIZED } from '@fairball/contract/http-status'
import { ERROR_TEXTS, isErrorCode, LotteryError, type ErrorCode, type LimitReason } from '@fairball/domain/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { CodedRefusal, Overloaded, Unauthorized, Unreachable } from '../kernel/errors.ts'
import { DatabaseUnavailable, isRetryable, sqlState } from '../db/database-errors.ts'
import { UnreadableJson } from './json.ts'
import { NotReady } from './readiness.ts'
import { API_POLICY } from './security-headers.ts'

/** The request is for a host that is not served here: 421 (RFC 9110, section 15.5.20). */
export class Misdirected extends Error {
  constructor() {
    super('This demo answers at localhost, at IP addresses and at PUBLIC_URL alone.')
    this.name = 'Misdirected'
  }
}

/** The body of every error answer, exactly (spec section 7, decisions section 2). */
interface ErrorBody {
  readonly error: {
    readonly code: string
    readonly message: string
    /** The limit that refused an order. */
    readonly reason?: LimitReason
    /** Field name to message, only with INVALID_PAYLOAD. */
    readonly fields?: Readonly<Record<string, string>>
  }
}

/** An error's answer, and how it is logged. */
interface ErrorAnswer {
  readonly status: number
  readonly body: ErrorBody
  readonly retryAfterSeconds?: number
  /** `fault`: our own, with its stack; `trouble`: something we depend on; `refusal`: the caller's. */
  readonly kind: 'fault' | 'trouble' | 'refusal'
}

/**
 * SQLSTATEs of a value that PostgreSQL cannot hold: a number out of range, a text that is no such type, a character
 * outside its encoding. The contract should have refused it, so it is logged; the caller reads that the input was bad.
 */
const BAD_VALUE_STATES = new Set(['22003', '22P02', '22021', '22P05'])
/** A statement that took too long, or a lock that was not available in time. */
const TIMED_OUT_STATES = new Set(['57014', '55P03'])
/**
 * The database has no room: its disk is full, it has no memory (class 53), or its files cannot be read or written now.
 * The statement did nothing, and there may be room later.
 */
const NO_ROOM_STATE = /^(53[0-9A-Z]{3}|58030)$/
const RETRY_AFTER_SECONDS = 2

/** Decides the answer to an error. It never contains a stack, a statement or a value of the database. */
function answerError(error: unknown, bodyLimit = 0): ErrorAnswer {
  if (error instanceof LotteryError) return answerLotteryError(error)
  if (error instanceof Unauthorized)
    return { status: UNAUTHORIZED.status, body: bodyOf(UNAUTHORIZED.code, error.message), kind: 'refusal' }
  if (error instanceof CodedRefusal)
    return { status: error.status, body: bodyOf(error.code, error.message), kind: 'refusal' }
  if (error instanceof Misdirected) return { ...refusal('INVALID_PAYLOAD', { host: error.message }), status: 421 }
  if (error instanceof UnreadableJson) return refusal('INVALID_PAYLOAD', { body: error.message })
  if (error instanceof Unreachable || error instanceof Overloaded || error instanceof NotReady) return unavailable()
  if (error instanceof DatabaseUnavailable || isRetryable(error)) return unavailable()

  const state = sqlState(error)
  if (state !== null && (TIMED_OUT_STATES.has(state) || NO_ROOM_STATE.test(state))) return unavailable()
  if (state !== null && BAD_VALUE_STATES.has(state)) return { ...refusal('INVALID_PAYLOAD'), kind: 'fault' }
  return answerFrameworkError(error, bodyLimit)
}

function answerLotteryError(error: LotteryError): ErrorAnswer {
  const code: ErrorCode = error.code
  const status = HTTP_STATUS[code]
  return {
    status,
    body: bodyOf(code, error.message, error),
    ...(error.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: error.retryAfterSeconds }),
    kind: status < 500 ? 'refusal' : 'trouble',
  }
}

/** Fastify's own refusals: an unknown media type, a body too large, a malformed address. Bad input is 400 here. */
function answerFrameworkError(error: unknown, bodyLimit: number): ErrorAnswer {
  const { statusCode, code } = (error ?? {}) as { statusCode?: unknown; code?: unknown }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return refusal('INVALID_PAYLOAD', { body: `The body is larger than ${bodyLimit / 1024} KiB.` })
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return refusal('INVALID_PAYLOAD', { body: 'The body must be JSON, with the media type application/json.' })
  if (statusCode === 404) return refusal('NOT_FOUND')
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) return refusal('INVALID_PAYLOAD')
  return { status: 500, body: bodyOf('INTERNAL_SERVER_ERROR'), kind: 'fault' }
}

function refusal(code: ErrorCode, fields?: Record<string, string>): ErrorAnswer {
  return {
    status: HTTP_STATUS[code],
    body: bodyOf(code, undefined, fields === undefined ? {} : { fields }),
    kind: 'refusal',
  }
}

function unavailable(): ErrorAnswer {
  return {
    status: 503,
    body: bodyOf('INTERNAL_SERVER_ERROR'),
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    kind: 'trouble',
  }
}

function bodyOf(
  code: string,
  message?: string,
  { reason, fields }: Pick<LotteryError, 'reason' | 'fields'> = {},
): ErrorBody {
  const said = message === undefined || message === '' ? textOf(code) : message
  return {
    error: {
      code,
      message: said,
      ...(reason === undefined ? {} : { reason }),
      ...(fields === undefined ? {} : { fields }),
    },
  }
}

function textOf(code: string): string {
  return isErrorCode(code) ? ERROR_TEXTS[code] : code
}

/** Sends an error answer and logs it with the request's id. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const answer = answerError(error, request.routeOptions.bodyLimit)
  const facts = { reqId: request.id, method: request.method, route: request.routeOptions.url, status: answer.status }
  if (answer.kind === 'fault') request.server.edge.log.error({ ...facts, err: error }, 'a request failed')
  if (answer.kind === 'trouble') request.server.edge.log.warn({ ...facts, err: error }, 'a request could not be served')

  if (answer.retryAfterSeconds !== undefined) void reply.header('retry-after', String(answer.retryAfterSeconds))
  if (answer.status === 401) void reply.header('www-authenticate', 'Bearer')
  return reply
    .code(answer.status)
    .headers(ERROR_HEADERS)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(answer.body))
}

/** The headers of an error at any address, even at one that is no call's: it is data, and is not cached. */
const ERROR_HEADERS = { 'cache-control': 'no-store', 'content-security-policy': API_POLICY } as const

/** Answers an unknown address. */
export function sendNotFound(reply: FastifyReply): FastifyReply {
  return reply
    .code(404)
    .headers(ERROR_HEADERS)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(bodyOf('NOT_FOUND')))
}

/**
 * The answer to something that is no HTTP, for which there is no request to reply to.
 *
 * @param headers those of every answer
 */
export function malformedRequestAnswer(headers: Readonly<Record<string, string>>): string {
  const body = JSON.stringify(bodyOf('INVALID_PAYLOAD'))
  const all = {
    ...headers,
    ...ERROR_HEADERS,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 400 Bad Request\r\n${lines.join('')}\r\n${body}`
}

/** Makes every failure of `app`'s routes the error answer of this product. */
export function installErrorHandler(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply))
}
