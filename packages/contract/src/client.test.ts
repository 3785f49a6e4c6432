import { ERROR_TEXTS } from '@fairball/domain/errors'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { ApiError, createClient } from './client.ts'
import type { ClientOptions, FetchInit } from './client.ts'
import type { Game } from './schemas/game.ts'

interface Canned {
  status?: number
  body?: unknown
  headers?: Record<string, string>
}

/** A client that gets these answers in turn, and the requests it sent. */
function clientAnswered(answers: readonly (Canned | Error)[], options: Partial<ClientOptions> = {}) {
  const sent: { address: string; init: FetchInit }[] = []
  const left = [...answers]
  const client = createClient({
    baseUrl: 'https://lottery.example',
    fetch: async (address, init) => {
      sent.push({ address, init })
      const answer = left.shift()
      if (answer === undefined) throw new Error('no more answers')
      if (answer instanceof Error) throw answer
      const { status = 200, body = {}, headers = {} } = answer
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      return { status, headers: { get: (name) => headers[name.toLowerCase()] ?? null }, text: async () => text }
    },
    ...options,
  })
  return { client, sent }
}

async function failureOf(call: Promise<unknown>): Promise<ApiError> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(ApiError)
  return error as ApiError // checked in the line above
}

describe('the address of a call', () => {
  const { client } = clientAnswered([])

  it('an address has its base, its parameters and its query', () => {
    expect(client.address('getDraws', { params: { key: 'treasure' }, query: { _page: 3 } })).toBe(
      'https://lottery.example/api/v1/games/treasure/draws?_page=3',
    )
    expect(client.address('getPlays', { params: { key: 'treasure' }, query: { _page: undefined } })).toBe(
      'https://lottery.example/api/v1/games/treasure/plays',
    )
  })

  it('every parameter stays inside its own segment', () => {
    expect(client.address('getEmailAvailability', { params: { value: 'a/b?c#d%+é@x.org' } })).toBe(
      'https://lottery.example/api/v1/settings/personal-details/email/a%2Fb%3Fc%23d%25%2B%C3%A9%40x.org/availability',
    )
    expect(client.address('getUsernameAvailability', { params: { value: '\ud800' } })).toContain('/%EF%BF%BD/')
  })

  it.each(['', '.', '..'])('the parameter %j is refused, because it would lead to another call', async (value) => {
    const error = await failureOf(client.call('getUsernameAvailability', { params: { value } }))
    expect(error).toMatchObject({ code: 'INVALID_PAYLOAD', fields: { value: 'Cannot be part of an address.' } })
  })
})

describe('a call', () => {
  it('a call sends its method, its body as JSON and the given headers', async () => {
    const { client, sent } = clientAnswered([{ status: 201, body: { checkout_url: 'u', transaction_id: 't' } }], {
      getHeaders: ({ access }) => (access === 'player' ? { authorization: 'Bearer a' } : {}),
    })
    const body = {
      type: 'lotto',
      key: 'treasure',
      days: [2],
      weeks: 1,
      tickets: [{ isLuckyDip: true, numbers: [1] }],
    } as const
    const answer = await client.call('createPayment', {
      headers: { 'idempotency-key': 'k' },
      body: { ...body, days: [...body.days], tickets: [{ isLuckyDip: true, numbers: [1] }] },
    })
    expect(answer).toEqual({ checkout_url: 'u', transaction_id: 't' })
    expect(sent).toHaveLength(1)
    expect(sent[0]?.address).toBe('https://lottery.example/api/v1/payment')
    expect(sent[0]?.init).toMatchObject({
      method: 'POST',
      headers: { authorization: 'Bearer a', 'content-type': 'application/json', 'idempotency-key': 'k' },
    })
    expect(JSON.parse(sent[0]?.init.body ?? '')).toEqual(body)
  })

  it('a public call sends no bearer', async () => {
    const { client, sent } = clientAnswered([{ body: [] }, { body: [] }], {
      getHeaders: () => ({ authorization: 'Bearer a' }),
    })
    await client.call('getGames', { isPublic: true })
    await client.call('getGames')
    expect(sent.map(({ init }) => init.headers['authorization'])).toEqual([undefined, 'Bearer a'])
  })

  it('a call without a body sends none', async () => {
    const { client, sent } = clientAnswered([{ body: [] }])
    const games = await client.call('getGames')
    expectTypeOf(games).toEqualTypeOf<Game[]>()
    expect(sent[0]?.init).toEqual({ method: 'GET', headers: { accept: 'application/json' }, body: null, signal: null })
  })

  it('a call passes its signal on, and throws the platform’s own abort', async () => {
    const signal = { aborted: true }
    const abort = new Error('aborted')
    const { client, sent } = clientAnswered([abort])
    await expect(client.call('getGames', { signal })).rejects.toBe(abort)
    expect(sent[0]?.init.signal).toBe(signal)
  })
})

describe('a failed call', () => {
  it('a failed call has the code, message and fields of the server', async () => {
    const error = { code: 'INVALID_PAYLOAD', message: 'm', fields: { 'tickets.0': 'Is required.' } }
    const { client } = clientAnswered([{ status: 400, body: { error } }])
    expect(await failureOf(client.call('getGames'))).toMatchObject({
      status: 400,
      code: 'INVALID_PAYLOAD',
      message: ERROR_TEXTS.INVALID_PAYLOAD,
      serverMessage: 'm',
      fields: { 'tickets.0': 'Is required.' },
      retryAfterSeconds: null,
    })
  })

  it('an unknown code is shown with the server’s message', async () => {
    const { client } = clientAnswered([
      { status: 418, body: { error: { code: 'toString', message: 'Short and stout.' } } },
    ])
    expect(await failureOf(client.call('getGames'))).toMatchObject({ code: 'toString', message: 'Short and stout.' })
  })

  it.each([
    [{ code: 'LIMIT_REACHED', reason: 'EQUAL_LINES' }, 'EQUAL_LINES', 'which it was'],
    [{ code: 'TOO_MANY_REQUESTS', reason: 'OPEN_ORDERS' }, 'OPEN_ORDERS', 'which it was'],
    [{ code: 'INVALID_PASSWORD' }, null, 'which it was'],
    [{ code: 'INVALID_LIGHTNING_DESTINATION' }, null, 'which it was'],
    [{ code: 'NOT_FOUND', reason: 'toString' }, null, ERROR_TEXTS.NOT_FOUND],
  ])(
    '%o has its limit as the reason, and the server’s sentence if it says more than the catalogue',
    async (error, reason, said) => {
      const { client } = clientAnswered([{ status: 403, body: { error: { ...error, message: 'which it was' } } }])
      expect(await failureOf(client.call('getGames'))).toMatchObject({ reason, message: said })
    },
  )

  it('a failed call has the seconds to wait', async () => {
    const body = { error: { code: 'TOO_MANY_REQUESTS', message: 'm' } }
    const { client } = clientAnswered([{ status: 429, body, headers: { 'retry-after': '90' } }])
    expect((await failureOf(client.call('getGames'))).retryAfterSeconds).toBe(90)
  })

  it.each<[string, Canned]>([
    ['no JSON', { body: '<html>' }],
    ['nothing', { body: '' }],
    ['a bare text', { body: '"ok"' }],
    ['null', { body: 'null' }],
    ['an error without a body', { status: 502, body: '' }],
    ['an error of another shape', { status: 400, body: { message: 'm' } }],
    ['an error with a code that is not a text', { status: 400, body: { error: { code: 5, message: 'm' } } }],
    ['a redirect', { status: 302, body: '' }],
    ['201 for a GET', { status: 201, body: {} }],
    ['204', { status: 204, body: '' }],
  ])('a call answered with %s is UNEXPECTED_ERROR', async (_, canned) => {
    const { client } = clientAnswered([canned])
    expect(await failureOf(client.call('getGames'))).toMatchObject({
      code: 'UNEXPECTED_ERROR',
      message: 'Unexpected error!',
      status: canned.status ?? 200,
    })
  })

  it('a call without an answer is NETWORK_ERROR and keeps its cause', async () => {
    const cause = new TypeError('failed to fetch')
    const { client } = clientAnswered([cause])
    expect(await failureOf(client.call('getGames'))).toMatchObject({ code: 'NETWORK_ERROR', status: 0, cause })
  })
})

describe('a 401', () => {
  const unauthorized = { status: 401, body: { error: { code: 'ACCESS_DENIED', message: 'm' } } }

  it('a call with 401 is repeated once after a refresh, with the new token', async () => {
    let token = 'old'
    const { client, sent } = clientAnswered([unauthorized, { body: [] }], {
      getHeaders: () => ({ authorization: `Bearer ${token}` }),
      onUnauthorized: async () => {
        token = 'new'
        return true
      },
    })
    expect(await client.call('getGames')).toEqual([])
    expect(sent.map(({ init }) => init.headers['authorization'])).toEqual(['Bearer old', 'Bearer new'])
  })

  it('a second 401, or a 401 without a new token, is an error', async () => {
    const again = clientAnswered([unauthorized, unauthorized], { onUnauthorized: async () => true })
    expect((await failureOf(again.client.call('getProfile'))).status).toBe(401)
    expect(again.sent).toHaveLength(2)
    const refused = clientAnswered([unauthorized], { onUnauthorized: async () => false })
    expect((await failureOf(refused.client.call('getProfile'))).status).toBe(401)
    expect(refused.sent).toHaveLength(1)
  })

  it('a 401 of the refresh itself causes no other refresh', async () => {
    const { client, sent } = clientAnswered([unauthorized], { onUnauthorized: async () => true })
    await failureOf(client.call('refreshTokens'))
    expect(sent).toHaveLength(1)
  })
})
