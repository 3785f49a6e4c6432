import { Readable } from 'node:stream'
import { checkInput, type CheckedInput } from '@fairball/contract/check-input'
import { calls, type AnswerOf, type Call, type CallName } from '@fairball/contract/calls'
import { pathOf, statusOf } from '@fairball/contract/paths'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LotteryError } from '@fairball/domain/errors'
import { type SignedIn } from '../kernel/caller.ts'
import { signIn } from './auth-hook.ts'
import { largestBody } from './body-limits.ts'
import { callerAddress } from './caller-address.ts'
import { deviceCookie, deviceTokenOf } from './device-cookie.ts'
import { hasTag } from './entity-tags.ts'
import { Unauthorized } from '../kernel/errors.ts'
import { hasNul } from './json.ts'
import { answerWriter } from './serializer.ts'
import { sendWritten, writtenOf, writtenOnce } from './written-once.ts'

/** How long others may cache an answer; without it an answer is never cached. */
interface CachePolicy {
  readonly seconds: number
  /** The address will never answer anything else. */
  readonly isImmutable?: boolean
  /** Only caches that visitors share may keep it: what a browser shows is never older than theirs. */
  readonly isForAll?: boolean
}

/**
 * For public answers that change by the second, above all around a draw: a shared cache asks once a second, and a
 * browser each time, with the tag of what it has.
 */
export const LIVE_CACHE = { seconds: 1, isForAll: true } as const satisfies CachePolicy

/** A route's additions to its call. */
interface RouteOptions {
  /** For public answers; ignored for a request with a bearer token, whose answer may be the player's own. */
  readonly cache?: CachePolicy
  /** The handler returns the same object to all visitors at one moment: it is serialised once. Only beside `cache`. */
  readonly isShared?: boolean
  /** Lets scripts of any site read the answer: the public records of fairness (fairness.md). */
  readonly isOpenToAllOrigins?: boolean
  /** Refuses a request before any of it is read, by its `Authorization`. @throws Unauthorized */
  readonly guard?: (authorization: string | undefined) => void
}

/** The logged-in player as the call's access class promises. */
type PlayerOf<C extends Call> = C['access'] extends 'player'
  ? SignedIn
  : C['access'] extends 'optional'
    ? SignedIn | null
    : null

/** A checked request, as a handler sees it. */
interface CallRequest<C extends Call> extends CheckedInput<C> {
  readonly player: PlayerOf<C>
  /** The bearer token as sent; null unless the access class of the call uses one. */
  readonly token: string | null
  /** The caller's network address, for rate limits and for naming sessions; for IPv6 the network. */
  readonly address: string
  /** The caller's own name; empty if it gives none. */
  readonly userAgent: string
  /** The device token in the caller's cookie; null for none. */
  readonly device: string | null
  readonly id: string
  /** Lets others cache this one answer, as `RouteOptions.cache` does for all of a route. */
  cacheFor(policy: CachePolicy): void
  /** Gives the caller's browser a device token, if the call succeeds. */
  keepDevice(token: string): void
}

/** What a handler may add to its answer. */
type AnswerHooks = Pick<CallRequest<Call>, 'cacheFor' | 'keepDevice'>

type RawBody = string | Uint8Array | Readable

/** An answer without the call's schema: a text or octets with a media type of its own. */
export class RawAnswer {
  /** a function if it is expensive to begin: called only when the body is really sent */
  readonly body: RawBody | (() => RawBody)
  readonly type: string
  readonly headers: Readonly<Record<string, string>>

  constructor(body: RawBody | (() => RawBody), type: string, headers: Readonly<Record<string, string>> = {}) {
    this.body = body
    this.type = type
    this.headers = headers
  }
}

/** Answers one call. Errors are thrown: LotteryError for what a caller can meet. */
type Handler<C extends Call> = (request: CallRequest<C>) => Promise<AnswerOf<C> | RawAnswer> | AnswerOf<C> | RawAnswer

/** Answers a call for as long as the caller stays: the handler writes to the raw reply. */
type StreamHandler<C extends Call> = (request: CallRequest<C>, reply: FastifyReply) => Promise<void> | void

/** The answer of a call that has done what was requested, and has nothing more to say. */
export const OK = { ok: true } as const

const PARAMETER = /\{(\w+)\}/g

/**
 * Registers a call of the contract: its path and method, its access, the check of the request (INVALID_PAYLOAD with
 * `fields`), and the writer of the answer.
 */
export function route<C extends Call>(
  app: FastifyInstance,
  call: C,
  handler: Handler<C>,
  options: RouteOptions = {},
): void {
  const write = call.produces === undefined ? answerWriter(call.answer) : String
  const type = call.produces === undefined ? 'application/json; charset=utf-8' : `${call.produces}; charset=utf-8`
  const status = statusOf(call)
  const shared = options.isShared === true ? writtenOnce(write) : null
  register(app, call, options, async (request, reply) => {
    const cache: { policy: CachePolicy | null } = { policy: options.cache ?? null }
    const kept: { device: string | null } = { device: null }
    const checked = checkedRequest(call, request, {
      cacheFor: (policy) => void (cache.policy = policy),
      keepDevice: (token) => void (kept.device = token),
    })
    const answer = await handler(checked)
    if (kept.device !== null) void reply.header('set-cookie', deviceCookie(kept.device))
    void reply.code(status)
    if (answer instanceof RawAnswer) return sendRaw(request, reply, answer, cache.policy)
    if (app.edge.checksAnswers) app.edge.checkAnswer(call, answer)
    void reply.type(type)
    const { policy } = cache
    if (policy === null || request.signedIn !== null) return reply.send(write(answer))
    void reply.header('cache-control', cacheControl(policy)).header('vary', 'authorization, accept-encoding')
    return sendWritten(request, reply, shared === null ? writtenOf(write(answer)) : shared(answer as object))
  })
}

/** Registers a call that streams. What the handler throws before it has begun is an ordinary error answer. */
export function stream<C extends Call>(
  app: FastifyInstance,
  call: C,
  handler: StreamHandler<C>,
  options: RouteOptions = {},
): void {
  register(app, call, { ...options, isStream: true }, async (request, reply) => {
    const hooks = { cacheFor: () => undefined, keepDevice: () => undefined } // the answer's head is the handler's
    await handler(checkedRequest(call, request, hooks), reply)
    return reply
  })
}

function register(
  app: FastifyInstance,
  call: Call,
  options: RouteOptions & { isStream?: boolean },
  handler: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
): void {
  const { edge } = app
  edge.registered.add(nameOf(call))
  if (call.access === 'demo' && !edge.isDemo) return // the address does not exist then: 404 like any other
  app.route({
    method: call.method,
    url: pathOf(call).replaceAll(PARAMETER, ':$1'),
    bodyLimit: largestBody(call),
    config: { isStream: options.isStream === true },
    onRequest: async (request, reply) => {
      if (options.isOpenToAllOrigins === true)
        void reply.header('access-control-allow-origin', '*').header('cross-origin-resource-policy', 'cross-origin')
      options.guard?.(request.headers.authorization)
      const { player, token } = await signIn(request, call.access, edge.authenticate)
      request.signedIn = player
      request.bearerToken = token
    },
    handler,
  })
  if (call.method === 'POST' && options.isOpenToAllOrigins === true) answerPreflight(app, call)
}

/** Browsers ask for permission before they send JSON to another site. */
function answerPreflight(app: FastifyInstance, call: Call): void {
  app.options(pathOf(call), (_request, reply) =>
    reply
      .code(204)
      .header('access-control-allow-origin', '*')
      .header('access-control-allow-methods', call.method)
      .header('access-control-allow-headers', 'content-type')
      .header('access-control-max-age', '86400')
      .send(),
  )
}

function nameOf(call: Call): CallName {
  for (const [name, known] of Object.entries(calls)) if (known === (call as unknown)) return name as CallName
  throw new Error(`${call.method} ${call.path} is not in the contract`)
}

function checkedRequest<C extends Call>(call: C, request: FastifyRequest, hooks: AnswerHooks): CallRequest<C> {
  const params = request.params as Record<string, string> // the router's: names of the path, decoded texts
  // No row has such a name, and PostgreSQL would refuse the query.
  if (Object.values(params).some(hasNul)) throw new LotteryError('NOT_FOUND')
  const query = request.query as Record<string, unknown>
  assertSingleValues(query)
  const checked = checkInput(call, { params, query, headers: request.headers, body: request.body })
  if (call.access === 'player' && request.signedIn === null) throw new Unauthorized() // the hook has refused it before
  return {
    ...checked,
    player: request.signedIn as PlayerOf<C>, // the line above makes it so
    token: request.bearerToken,
    // Read before any wait: once the caller has hung up it is no longer known.
    address: callerAddress(request.ip),
    userAgent: request.headers['user-agent'] ?? '',
    device: deviceTokenOf(request.headers.cookie),
    id: request.id,
    ...hooks,
  }
}

/** A name given twice could be read as either value, or as a list, by a proxy in between. */
function assertSingleValues(query: Record<string, unknown>): void {
  const fields: Record<string, string> = {}
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value)) fields[name.slice(0, 100)] = 'Must be given once.'
    else if (hasNul(name) || (typeof value === 'string' && hasNul(value)))
      fields[name.replaceAll('\0', '').slice(0, 100)] = 'Must not contain a NUL character.'
  }
  if (Object.keys(fields).length > 0) throw new LotteryError('INVALID_PAYLOAD', undefined, { fields })
}

function sendRaw(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, type, headers }: RawAnswer,
  policy: CachePolicy | null,
): FastifyReply {
  const tag = headers['etag']
  if (policy !== null && request.signedIn === null) void reply.header('cache-control', cacheControl(policy))
  if (tag !== undefined && hasTag(request.headers['if-none-match'], tag))
    return reply.code(304).header('etag', tag).send()
  void reply.type(type).headers(headers)
  if (typeof body !== 'function') return reply.send(body)
  return reply.send(request.method === 'HEAD' ? Readable.from([]) : body())
}

function cacheControl({ seconds, isImmutable = false, isForAll = false }: CachePolicy): string {
  if (isForAll) return `public, max-age=0, s-maxage=${seconds}`
  return `public, max-age=${seconds}${isImmutable ? ', immutable' : ''}`
}
