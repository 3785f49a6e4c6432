import { checkValue } from '@fairball/contract/check-input'
import { CONSOLE_API, type ConsoleAnswerOf, type ConsoleCall, type ConsoleInput } from '@fairball/contract/console/call'
import { LotteryError } from '@fairball/domain/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { callerAddress } from '../../http/caller-address.ts'
import type { ConsoleContext } from './context.ts'
import { refusal } from './refusal.ts'
import { type SignedInStaff, staffOf } from './sessions.ts'

/** A checked request of the console, as a handler sees it. */
interface ConsoleRequest<C extends ConsoleCall> extends ConsoleInput<C> {
  /** who is signed in; null for a call that needs nobody, or may be a program's */
  readonly staff: C extends { readonly scope: string } ? null : C['access'] extends 'staff' ? SignedInStaff : null
  readonly address: string
  readonly userAgent: string
  /** Keeps a session in the caller's browser; null ends it there. */
  keepSession(cookie: string | null): void
}

/** Answers one call of the console. */
type ConsoleHandler<C extends ConsoleCall> = (
  request: ConsoleRequest<C>,
) => Promise<ConsoleAnswerOf<C>> | ConsoleAnswerOf<C>

/** A games file, a legal text or two pictures fit in it, however they are written: 2 MiB. */
const LARGEST_BODY = 2 * 1024 * 1024
const PARAMETER = /\{(\w+)\}/g

/**
 * Registers a call of the console: its address, who may call it, the check of the request, the session's cookie.
 *
 * @param admit refuses a person, if need be, before the body is checked
 */
export function consoleRoute<C extends ConsoleCall>(
  app: FastifyInstance,
  ctx: ConsoleContext,
  call: C,
  handler: ConsoleHandler<C>,
  admit?: (staff: SignedInStaff, body: unknown) => void,
): void {
  app.route({
    method: call.method,
    ...(call.access === 'staff' ? { bodyLimit: LARGEST_BODY } : {}),
    url: `${CONSOLE_API}${call.path.replaceAll(PARAMETER, ':$1')}`,
    handler: async (request, reply) => {
      const { scope } = call
      const key = scope === undefined ? null : await ctx.keys.of(request.headers.authorization, scope)
      const staff = call.access === 'staff' && key === null ? await requireStaff(ctx, request) : null
      if (staff !== null) admit?.(staff, request.body)
      const answer = await handler({
        ...checkedParts(call, request),
        staff: staff as ConsoleRequest<C>['staff'], // the lines above make it so
        address: callerAddress(request.ip),
        userAgent: request.headers['user-agent'] ?? '',
        keepSession: (cookie) => void reply.header('set-cookie', sessionCookie(ctx, cookie)),
      })
      return sendChecked(app, call, reply, answer)
    },
  })
}

/**
 * The person who makes a request.
 *
 * @throws CodedRefusal SIGN_IN_NEEDED; LotteryError ACCESS_DENIED for a program with a key, TOO_MANY_REQUESTS
 */
export async function requireStaff(ctx: ConsoleContext, { headers }: FastifyRequest): Promise<SignedInStaff> {
  const cookie = cookieOf(headers.cookie, cookieName(ctx))
  const staff = cookie === null ? null : await staffOf(ctx, cookie)
  if (staff !== null) return staff
  await ctx.keys.of(headers.authorization, null)
  throw refusal('SIGN_IN_NEEDED')
}

function sendChecked(app: FastifyInstance, call: ConsoleCall, reply: FastifyReply, answer: unknown): FastifyReply {
  if (app.edge.checksAnswers) {
    const checked = checkValue(call.answer, answer, 'answer')
    if (!checked.ok)
      throw new Error(`the answer to ${call.path} breaks the contract: ${JSON.stringify(checked.fields)}`)
  }
  return reply
    .code(call.status ?? 200)
    .header('cache-control', 'no-store')
    .send(answer)
}

function checkedParts<C extends ConsoleCall>(call: C, request: FastifyRequest): ConsoleInput<C> {
  const fields: Record<string, string> = {}
  const part = (name: 'params' | 'query' | 'body'): unknown => {
    const schema = call[name]
    if (schema === undefined) return undefined
    const checked = checkValue(schema, request[name], name)
    if (checked.ok) return checked.value
    // An address with a malformed id is the address of nothing.
    if (name === 'params') throw new LotteryError('NOT_FOUND')
    Object.assign(fields, checked.fields)
    return undefined
  }
  const parts = { params: part('params'), query: part('query'), body: part('body') }
  if (Object.keys(fields).length > 0) throw new LotteryError('INVALID_PAYLOAD', undefined, { fields })
  return parts as ConsoleInput<C> // each was just parsed by the schema of its type
}

/** With https the name keeps the cookie to this host, as the whole of it. */
function cookieName({ relying }: ConsoleContext): string {
  return relying.origin.startsWith('https:') ? '__Host-console' : 'console'
}

function sessionCookie(ctx: ConsoleContext, cookie: string | null): string {
  const secure = ctx.relying.origin.startsWith('https:') ? '; Secure' : ''
  const age = cookie === null ? '; Max-Age=0' : ''
  return `${cookieName(ctx)}=${cookie ?? ''}; Path=/; HttpOnly; SameSite=Strict${secure}${age}`
}

function cookieOf(header: string | undefined, name: string): string | null {
  for (const pair of (header ?? '').split(';')) {
    const [key = '', value = ''] = pair.trim().split('=')
    if (key === name && /^[\w-]{1,200}$/.test(value)) return value
  }
  return null
}
