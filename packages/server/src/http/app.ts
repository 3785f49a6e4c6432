import type { Call, CallName } from '@fairball/contract/calls'
import { checkValue } from '@fairball/contract/check-input'
import fastify, { LogController, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { withLogContext } from '../runtime/log-context.ts'
import type { Runtime } from '../runtime/runtime.ts'
import type { Logger } from '../runtime/runtime.ts'
import type { SignedIn } from '../kernel/caller.ts'
import type { Authenticate } from './auth-hook.ts'
import { USUAL_BODY } from './body-limits.ts'
import { watchForgottenProxies } from './forgotten-proxy.ts'
import { installErrorHandler, malformedRequestAnswer, sendError, sendNotFound } from './errors.ts'
import { assertHost, hostsOfDemo } from './hosts.ts'
import { readJson } from './json.ts'
import { API_POLICY, commonHeaders } from './security-headers.ts'

/** Longer than the longest value of a path: an email address of 250 characters, percent-encoded. */
const LONGEST_PARAMETER = 2048
/** Time limit for the head and body of a request. */
const REQUEST_TIMEOUT_MS = 30_000
/** Time limit for its head alone; a silent connection is also closed after it. */
const HEAD_TIMEOUT_MS = 10_000
/** How long a connection may be idle after an answer. */
const KEEP_ALIVE_MS = 15_000
/** How often Node looks for connections that take too long. */
const LOOK_FOR_SLOW_MS = 2_000
/** Twice as many as may watch a draw. */
const MAX_CONNECTIONS = 20_000

/** What the routes share; the app carries it as `edge`. */
interface Edge {
  readonly log: Logger
  readonly isDemo: boolean
  readonly authenticate: Authenticate
  /** In tests every answer is checked against the contract's schema, which the fast writer does not do. */
  readonly checksAnswers: boolean
  /** @throws Error when an answer is not what the contract promises */
  checkAnswer(call: Call, answer: unknown): void
  /** The names of the calls registered so far. */
  readonly registered: Set<CallName>
}

declare module 'fastify' {
  interface FastifyInstance {
    edge: Edge
  }
  interface FastifyContextConfig {
    /** The answer lasts as long as the caller stays, so its duration is not a latency. */
    isStream?: boolean
  }
  interface FastifyRequest {
    signedIn: SignedIn | null
    bearerToken: string | null
  }
}

/** A sent answer, for the metrics. */
export interface MeasuredAnswer {
  readonly method: string
  /** The pattern of the route, never the address; `unknown` for none. */
  readonly route: string
  readonly status: number
  /** null for an answer that lasts as long as the caller stays */
  readonly seconds: number | null
}

/** What the HTTP layer needs. */
export interface HttpAppOptions {
  readonly runtime: Pick<Runtime, 'clock' | 'random' | 'log'>
  /** Finds the player of an access token: the accounts module's. */
  readonly authenticate: Authenticate
  /** Whether the demo's controls exist. */
  readonly isDemo: boolean
  /** The address under which the site is reached; https turns HSTS on. */
  readonly publicUrl: string
  /** Which proxies may report the caller's address; none by default (OWASP ASVS 4.1.3). */
  readonly trustProxy?: boolean | string | string[]
  /** Default false; tests set it. */
  readonly checksAnswers?: boolean
  /** Whether the process was told to stop: then every answer is the last on its connection. */
  readonly isStopping?: () => boolean
  /** Called for every answer that has left. */
  readonly onAnswer?: (answer: MeasuredAnswer) => void
  /** Called for every request in production that comes from a proxy which `trustProxy` does not name. */
  readonly onForgottenProxy?: () => void
}

/** What every answer has. */
type AnswerHeaders = Readonly<Record<string, string>>

/** Whether an address belongs to the API, whose errors are JSON and whose answers carry the system's time. */
export function isApiPath(url: string): boolean {
  return /^\/(api|healthz|readyz|metrics)([/?]|$)/.test(url)
}

/**
 * The same for a request: by the route it arrived at, since an address can be spelt in many ways (`/%61pi`), or by its
 * address if there is no route.
 */
function isApiRequest({ routeOptions, url }: FastifyRequest): boolean {
  const { url: route = '/*' } = routeOptions
  return isApiPath(route === '/*' ? url : route)
}

/** Proxies may send the whole address (RFC 9112, section 3.2.2). The host in it is ignored. */
function withoutOrigin(url = '/'): string {
  return url.replace(/^https?:\/\/[^/?#]*(?=\/)/i, '')
}

/**
 * Makes the HTTP application without any route: modules register theirs with `route`.
 *
 * Every answer has the security headers. Every answer of the API has the system's time in `X-Fairball-Now` (epoch
 * seconds), and is not cached unless its route says so. A query string is never logged, since it may contain keys.
 * Every request gets an id of ours, which each of its log lines and its answer carry (`X-Request-Id`); one sent by the
 * caller is ignored.
 */
export function createHttpApp(options: HttpAppOptions): FastifyInstance {
  const everyHeader = commonHeaders({ isHttps: options.publicUrl.startsWith('https:') })
  const app = bareApp(options, everyHeader)
  app.server.maxConnections = MAX_CONNECTIONS
  app.decorate('edge', edgeOf(options))
  app.decorateRequest('signedIn', null)
  app.decorateRequest('bearerToken', null)
  readOnlyJson(app)
  installErrorHandler(app)
  // Node would refuse an unknown expectation with an empty 417; a client that expects more than an answer gets the
  // answer (RFC 9110, 10.1.1).
  app.server.on('checkExpectation', (request, response) => app.routing(request, response))
  addHooks(app, options, everyHeader)
  app.setNotFoundHandler(async (_request, reply) => sendNotFound(reply))
  return app
}

/** An address of the console's calls. */
const CONSOLE_CALL = /^\/console\/api\//

function bareApp(options: HttpAppOptions, everyHeader: AnswerHeaders): FastifyInstance {
  const { runtime } = options
  return fastify({
    loggerInstance: runtime.log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: USUAL_BODY,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    routerOptions: { maxParamLength: LONGEST_PARAMETER },
    trustProxy: options.trustProxy ?? false,
    // Fastify's own refusal would have the shape of none of our errors.
    return503OnClosing: false,
    // Node would refuse a request without a host in its own words: `assertHost` does it instead.
    http: {
      requireHostHeader: false,
      headersTimeout: HEAD_TIMEOUT_MS,
      connectionsCheckingInterval: LOOK_FOR_SLOW_MS,
    },
    rewriteUrl: ({ url }) => withoutOrigin(url),
    requestIdHeader: false,
    genReqId: () => runtime.random.uuid(),
    frameworkErrors: (error, request, reply) => {
      setHeaders(options, everyHeader, request, reply)
      // An unreadable address of a page: the page for missing pages says so (spec section 2).
      if (
        error.code === 'FST_ERR_BAD_URL' &&
        request.method === 'GET' &&
        !isApiPath(request.url) &&
        !CONSOLE_CALL.test(request.url)
      )
        void reply.redirect('/page-not-found', 307)
      else void sendError(error, request, reply)
    },
    clientErrorHandler: (_error, socket) => {
      // Browsers open spare connections. On one that was silent for too long they take any answer for that of the
      // request they are about to send.
      const isSilent = socket.bytesRead === 0
      if (socket.writable && !isSilent) socket.end(malformedRequestAnswer(everyHeader))
      else socket.destroy()
    },
  })
}

function addHooks(app: FastifyInstance, options: HttpAppOptions, everyHeader: AnswerHeaders): void {
  const { runtime, isDemo, publicUrl, onForgottenProxy = () => undefined } = options
  const knownHosts = isDemo ? hostsOfDemo(publicUrl) : null
  const lookAtProxy = isDemo ? null : watchForgottenProxies(runtime, onForgottenProxy)
  app.addHook('onRequest', (request, reply, done) => {
    setHeaders(options, everyHeader, request, reply)
    lookAtProxy?.(request)
    assertHost(request.raw, knownHosts)
    withLogContext({ reqId: request.id }, done)
  })
  // Again once the body is there: reading it continues in the context of the connection.
  app.addHook('preValidation', (request, _reply, done) => withLogContext({ reqId: request.id }, done))
  app.addHook('onSend', async (request, reply) => {
    // Set when the answer leaves: a call that moves the clock and waits must not answer with the time before it.
    if (isApiRequest(request)) void reply.header('x-fairball-now', String(runtime.clock.now()))
  })
  app.addHook('onResponse', async (request, reply) => noteAnswer(options, request, reply))
}

function setHeaders(
  { isStopping, runtime }: HttpAppOptions,
  everyHeader: AnswerHeaders,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  void reply.header('x-request-id', reply.request.id)
  void reply.headers(everyHeader)
  if (isStopping?.() === true) void reply.header('connection', 'close')
  if (!isApiRequest(request)) return
  void reply
    .header('x-fairball-now', String(runtime.clock.now()))
    .header('cache-control', 'no-store')
    .header('content-security-policy', API_POLICY)
    .header('cross-origin-resource-policy', 'same-origin')
}

/** Measures an answer that has left, and logs it. */
function noteAnswer({ runtime, onAnswer }: HttpAppOptions, request: FastifyRequest, reply: FastifyReply): void {
  const { method } = request
  const { url: route = 'unknown', config } = request.routeOptions
  const { statusCode: status, elapsedTime } = reply
  onAnswer?.({ method, route, status, seconds: config.isStream === true ? null : elapsedTime / 1000 })
  const level = status >= 500 ? 'warn' : 'debug'
  runtime.log[level]({ reqId: request.id, method, route, status, ms: Math.round(elapsedTime) }, 'answered')
}

function edgeOf(options: HttpAppOptions): Edge {
  return {
    log: options.runtime.log,
    isDemo: options.isDemo,
    authenticate: options.authenticate,
    checksAnswers: options.checksAnswers ?? false,
    checkAnswer(call, answer) {
      const checked = checkValue(call.answer, answer, 'answer')
      if (!checked.ok)
        throw new Error(
          `the answer to ${call.method} ${call.path} breaks the contract: ${JSON.stringify(checked.fields)}`,
        )
    },
    registered: new Set(),
  }
}

/** Only JSON is read, by our own parser, and above all no forms. */
function readOnlyJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, readJson(String(body)))
    } catch (error) {
      done(error as Error)
    }
  })
}
