import type { BitcoinNetwork } from '@fairball/domain/btc-address'
import type { OrderStatus } from '@fairball/domain/order-status'
import { describe, expect, expectTypeOf, it } from 'vitest'
import * as z from 'zod/mini'
import type { Call } from './call.ts'
import { calls } from './calls.ts'
import type { AnswerOf, BodyOf, ParamsOf, QueryOf, SentQueryOf } from './calls.ts'
import { errorsOf } from './errors-of.ts'
import { OPERATION_ADDRESSES } from './operation-paths.ts'
import { ADDRESSES, pathOf, statusOf } from './paths.ts'
import type { Game, WatchPrize } from './schemas/game.ts'
import type { Checkout, OrderStatusAnswer } from './schemas/order.ts'

const rows = Object.entries<Call>(calls)

/** The calls of spec section 7 and of decisions sections 2 and 3, as `method path`. */
const LISTED = `
POST /auth/register | POST /auth/login | POST /auth/login-secure | POST /auth/login/facebook | POST /auth/login/google
POST /auth/login/twitter | POST /auth/refresh | DELETE /auth/logout | GET /auth/validate-login-secure-key
GET /auth/resend-verification-email | PUT /auth/verify-email | GET /auth/forgotten-password | GET /auth/reset-password
PUT /auth/reset-password | GET /auth/tokens | DELETE /auth/tokens
GET /profile | POST /verify | GET /countries | GET /timezones | GET /currencies | GET /security-questions | GET /winners
GET /causes | GET /games | POST /contact
GET /games/retired | GET /games/{key}/open-draws | GET /games/{key}/versions
PUT /games/{key}/saved-numbers | GET /games/{key}/saved-numbers | DELETE /games/{key}/saved-numbers
GET /games/{key}/last-played-numbers | GET /games/{key}/wins | GET /games/{key}/plays | GET /games/{key}/draws
GET /games/{key}/watch | POST /payment | GET /payment
GET /settings/games | GET /settings/messages | PUT /settings/messages/{id}
GET /settings/personal-details | PUT /settings/personal-details
GET /settings/personal-details/username/{value}/availability | GET /settings/personal-details/email/{value}/availability
PUT /settings/password | GET /settings/security/twofa/qr | POST /settings/security/twofa/verify
DELETE /settings/security/twofa | GET /settings/security/security-questions | PUT /settings/security/security-questions
GET /settings/email-preferences | PUT /settings/email-preferences | GET /settings/transactions
GET /settings/crypto-account-details | PUT /settings/crypto-account-details
GET /plays/{play_id}/receipt | GET /fairness/log | GET /fairness/draws/{game}/{number}
POST /fairness/beacon | GET /fairness/beacon/{hash}/info
GET /fairness/beacon/{hash}/public/{round} | POST /games/{key}/check-numbers | GET /games/{key}/statistics | GET /solvency
GET /settings/responsible-play | PUT /settings/responsible-play | GET /settings/personal-data | DELETE /settings/account
GET /games/{key}/watch/stream | GET /games/{key}/draws/{number} | GET /healthz | GET /readyz | GET /metrics
GET /dev/clock | POST /dev/clock | POST /dev/pay | GET /dev/mail | GET /dev/wallet | GET /openapi.json | GET /api/docs
`
  .split(/[|\n]/)
  .map((call) => call.trim())
  .filter((call) => call !== '')

/** Calls that came after these: of the pages, of the reference's style, of legal texts. */
const ADDED = [
  'GET /fairness/operations', // console.md, section 3
  'GET /version',
  'POST /payment/quote',
  'GET /draws/latest',
  'GET /settings/tickets',
  'GET /settings/balance',
  'GET /settings/messages/unread',
  'PUT /settings/messages',
  'POST /auth/stop-address-change',
  'GET /checkout/{transaction_id}',
  'GET /checkout/{transaction_id}/address',
  'GET /api/docs.css',
  'GET /settings/winner-consent',
  'PUT /settings/winner-consent',
  'GET /legal/{name}',
  'POST /dev/lightning',
]

describe('the table of calls', () => {
  it('the table has every call of the spec and of the decisions, and no other', () => {
    const present = rows.map(([, call]) => `${call.method} ${call.path}`)
    expect(present.toSorted()).toEqual([...LISTED, ...ADDED].toSorted())
  })

  it('each call has the name of its address', () => {
    const addresses = { ...ADDRESSES, ...OPERATION_ADDRESSES }
    expect(Object.keys(calls).toSorted()).toEqual(Object.keys(addresses).toSorted())
    for (const [name, call] of rows) expect(call, name).toMatchObject(addresses[name as keyof typeof addresses])
  })

  it('no method and path appears twice, whatever the names of its parameters', () => {
    const places = rows.map(([, call]) => `${call.method} ${pathOf(call).replaceAll(/\{\w+\}/g, '{}')}`)
    expect(new Set(places).size).toBe(places.length)
  })

  it.each(rows)('the path of %s has exactly the parameters of its schema', (_, call) => {
    const named = [...call.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    expect(keysOf(call.params)).toEqual(named)
  })

  it.each(rows)('%s has a sentence as its summary, and lists each code once', (_, call) => {
    expect(call.summary).toMatch(/^[A-Z].*\.$/)
    expect(new Set(call.errors).size).toBe(call.errors.length)
    expect(errorsOf(call)).toContain('INTERNAL_SERVER_ERROR')
  })

  it.each(rows.filter(([, call]) => call.body !== undefined))('%s refuses unknown keys of its body', (_, call) => {
    expect(call.method).not.toBe('GET')
    const schema = z.toJSONSchema(call.body!, { io: 'input' }) // the filter above leaves only calls with a body
    expect(schema.additionalProperties).toBe(false)
  })

  it('a call that creates something answers 201, any other 200', () => {
    const made = rows.filter(([, call]) => statusOf(call) === 201).map(([name]) => name)
    expect(made.toSorted()).toEqual(['createPayment', 'register', 'sendContactMessage'])
  })

  it('exactly the demo’s calls are below /dev', () => {
    for (const [name, call] of rows) expect(call.path.startsWith('/dev/'), name).toBe(call.access === 'demo')
  })

  it('the statuses and networks are those of the domain', () => {
    expectTypeOf<OrderStatusAnswer>().toEqualTypeOf<OrderStatus>()
    expectTypeOf<Checkout['network']>().toEqualTypeOf<BitcoinNetwork>()
  })

  it('a call’s types are the same by name and by type', () => {
    expectTypeOf<AnswerOf<'getGames'>>().toEqualTypeOf<Game[]>()
    expectTypeOf<AnswerOf<typeof calls.getGames>>().toEqualTypeOf<Game[]>()
    expectTypeOf<AnswerOf<'getWatch'>['data']['prizes']>().toEqualTypeOf<false | WatchPrize[]>()
    expectTypeOf<QueryOf<'getDraws'>>().toEqualTypeOf<{ _page: number }>()
    expectTypeOf<SentQueryOf<'getDraws'>>().toEqualTypeOf<{ _page?: string | undefined }>()
    expectTypeOf<ParamsOf<'getDraw'>>().toEqualTypeOf<{ key: string; number: number }>()
    expectTypeOf<BodyOf<'verifyTwofa'>>().toEqualTypeOf<{ code: string }>()
    expectTypeOf<BodyOf<'getGames'>>().toEqualTypeOf<undefined>()
  })
})

function keysOf(schema: Call['params']): string[] {
  return schema === undefined ? [] : Object.keys(z.toJSONSchema(schema, { io: 'input' }).properties ?? {})
}
