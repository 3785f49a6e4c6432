import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CONFIG, testApplication, type TestApplication } from './application.ts'

let site: TestApplication
beforeAll(async () => {
  // The server reaches its stand-in at its own port, which this one does not have.
  site = await testApplication({
    fetch: async (input, init) => {
      const { host, pathname, search } = new URL(input instanceof Request ? input.url : input)
      if (host !== `127.0.0.1:${CONFIG.port}`) throw new TypeError('fetch failed')
      const answer = await site.application.http.inject({
        url: `${pathname}${search}`,
        headers: Object.fromEntries(new Headers(init?.headers)),
      })
      return new Response(answer.body, { status: answer.statusCode })
    },
  })
})
afterAll(() => site.end())

const pathOf = (network: string, more: Record<string, string> = {}) =>
  `/dev/social/${network}/auth?${new URLSearchParams({
    client_id: 'fairball-demo',
    redirect_uri: `${CONFIG.publicUrl}/social-login/${network}`,
    state: 'our-state',
    ...more,
  }).toString()}`
const get = (path: string) => site.application.http.inject({ url: path })

/** What returns to the site's page when a person says who they are. */
async function answerOf(network: string, person: Record<string, string>): Promise<URLSearchParams> {
  const { statusCode, headers } = await get(pathOf(network, { agree: '1', ...person }))
  expect(statusCode).toBe(303)
  const address = new URL(String(headers.location))
  expect(`${address.origin}${address.pathname}`).toBe(`${CONFIG.publicUrl}/social-login/${network}`)
  return new URLSearchParams(address.hash.slice(1))
}
const logIn = (network: string, access_token: string | null) =>
  site.call('POST', `/auth/login/${network}`, { body: { access_token } })

describe('the demo’s stand-in for social networks', () => {
  it('the stand-in lets anyone be who they say, at Google and at Facebook, and the same person again', async () => {
    for (const network of ['google', 'facebook']) {
      const person = { name: `ann-${network}`, email: `ann@${network}.example`, verified: 'on' }
      const answer = await answerOf(network, person)
      expect(answer.get('state')).toBe('our-state')
      const first = await logIn(network, answer.get('access_token'))
      expect(first.status).toBe(200)
      const profile = async (token: string) => (await site.call('GET', '/profile', { bearer: token })).body
      const { username, ...rest } = await profile(first.body.data.access_token)
      expect(rest).toMatchObject({
        email: person.email,
        is_email_verified: network === 'google', // Facebook vouches for none
        is_social_account: true,
      })
      const again = await logIn(network, (await answerOf(network, person)).get('access_token'))
      expect((await profile(again.body.data.access_token)).username).toBe(username)
    }
  })

  it('the stand-in shows a form that loads nothing and returns wrong input', async () => {
    const page = await get(pathOf('google', { state: '"><script>x' }))
    expect(page.statusCode).toBe(200)
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
    expect(page.body).toContain('Stand-in for Google')
    expect(page.body).not.toContain('<script')
    expect((await get(pathOf('google', { agree: '1', name: '' }))).statusCode).toBe(200)
    expect((await get(pathOf('google', { agree: '1', name: 'x', email: 'no address' }))).statusCode).toBe(200)
    const { headers } = await get(pathOf('facebook', { cancel: '1' }))
    expect(String(headers.location)).toContain('#error=access_denied&state=our-state')
  })

  it.each([
    ['another address', { redirect_uri: 'https://elsewhere.example/social-login/google' }],
    ['another application', { client_id: 'somebody' }],
  ])('the stand-in sends no one to %s', async (_, change) => {
    expect((await get(pathOf('google', { agree: '1', name: 'x', ...change }))).statusCode).toBe(400)
  })

  it('the stand-in refuses a token that it did not make, of the other network, changed, or an hour old', async () => {
    const token = String((await answerOf('google', { name: 'bob' })).get('access_token'))
    const [text = '', seal = ''] = token.split('.')
    const other = Buffer.from(Buffer.from(text, 'base64url').toString().replace('"bob"', '"eve"')).toString('base64url')
    for (const wrong of ['made-up', `${text}.`, `${other}.${seal}`])
      expect((await logIn('google', wrong)).body.error.code).toBe('SOCIAL_LOGIN_FAILED')
    expect((await logIn('facebook', token)).body.error.code).toBe('SOCIAL_LOGIN_FAILED')
    expect((await logIn('twitter', token)).body.error.code).toBe('SOCIAL_LOGIN_FAILED')
    await site.runtime.clock.advance(3600)
    expect((await logIn('google', token)).body.error.code).toBe('SOCIAL_LOGIN_FAILED')
  })

  it('the stand-in does not exist in production, where its tokens are worthless', async () => {
    const token = (await answerOf('google', { name: 'cy' })).get('access_token')
    const production = await testApplication({ config: { mode: 'production' } })
    const { application } = production
    expect((await application.http.inject({ url: pathOf('google') })).statusCode).toBe(404)
    const refused = await production.call('POST', '/auth/login/google', { body: { access_token: token } })
    expect(refused.body.error.code).toBe('SOCIAL_LOGIN_FAILED')
  })
})
