import { calls, type Call } from '@fairball/contract/calls'
import { pathOf } from '@fairball/contract/paths'
import { describe, expect, it } from 'vitest'
import { testApplication } from '../../test/application.ts'
import { registeredRoutes } from '../../test/registered-routes.ts'

const everyCall: [string, Call][] = Object.entries(calls)

/** A value for each parameter of a path, which names nothing that exists. */
function addressOf(call: Call): string {
  return pathOf(call)
    .replaceAll('{key}', 'bitcoin-hero')
    .replaceAll('{number}', '1')
    .replaceAll(/\{\w+\}/g, '0')
}

describe('the contract and the routes', () => {
  it('contract and routes name the same calls: each is registered, and nothing else answers under the base of the API', async () => {
    const { application } = await testApplication()
    const { http } = application
    expect([...http.edge.registered].toSorted()).toEqual(Object.keys(calls).toSorted())

    for (const [name, call] of everyCall)
      expect(http.hasRoute({ method: call.method, url: pathOf(call).replaceAll(/\{(\w+)\}/g, ':$1') }), name).toBe(true)
    const known = new Set(everyCall.map(([, call]) => `${call.method} ${pathOf(call)}`))
    const aliases = new Set(['GET /api/v1/healthz', 'GET /api/v1/readyz'])
    // What browsers ask before they post from another site.
    aliases.add('OPTIONS /api/v1/fairness/beacon')
    const unknown = registeredRoutes(http).filter(
      (one) => /^[A-Z]+ \/api\//.test(one) && !known.has(one) && !aliases.has(one),
    )
    expect(unknown).toEqual([])
  })

  it('contract and routes agree on access: every call of a player is 401 without a bearer token, and with a bad one', async () => {
    const { call } = await testApplication()
    for (const [name, one] of everyCall.filter(([, { access }]) => access === 'player' || access === 'refresh')) {
      const options = { body: one.method === 'GET' ? undefined : {} }
      expect((await call(one.method, addressOf(one), options)).status, name).toBe(401)
      expect((await call(one.method, addressOf(one), { ...options, bearer: 'nobodys' })).status, name).toBe(401)
    }
  })

  it('contract and routes agree that a bad bearer token is 401 on public calls too', async () => {
    const { call } = await testApplication()
    for (const [name, one] of everyCall.filter(([, { access }]) => access === 'optional'))
      expect((await call(one.method, addressOf(one), { bearer: 'nobodys' })).status, name).toBe(401)
  })

  it('every call answers input of any wrong shape with a code, never with a fault', async () => {
    const { call, signUp } = await testApplication()
    const { bearer } = await signUp()
    const isHarmful = (name: string): boolean => ['logout', 'streamWatch', 'moveClock'].includes(name)
    const bodies = [
      '{',
      '[]',
      'null',
      '"x"',
      '{"__proto__":{}}',
      '{"key":{"a":[]}}',
      '{"tokens":["x"]}',
      '{"days":[1e400]}',
    ]
    const faults = new Set<string>()
    for (const [name, one] of everyCall.filter(([name]) => !isHarmful(name))) {
      const attempts = one.method === 'GET' ? [undefined] : bodies
      for (const body of attempts)
        for (const query of ['', '?_page=0&key=&email=x&from=-1&transaction_id=x', '?_page=1&_page=2'])
          for (const path of [addressOf(one) + query, addressOf(one).replace('bitcoin-hero', '%00') + query]) {
            const { status } = await call(one.method, path, { bearer, body })
            if (status >= 500) faults.add(`${name} ${path} ${body ?? ''}`)
          }
    }
    expect([...faults]).toEqual([])
  })
})
