import { createHmac } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { MonotonicTime } from '../../runtime/runtime.ts'
import { testRuntime, type TestRuntime } from '../../runtime/test-runtime.ts'
import { SocialNetworkUnreachable } from './social-login.ts'
import { configuredProviders, type SocialLoginOptions } from './configured-providers.ts'

const NONE: SocialLoginOptions = { facebook: null, google: null, twitter: null }
const FACEBOOK = { appId: '4711', appSecret: 'app-secret', apiUrl: 'https://facebook.test/v1/' }
const TWITTER = { clientId: 'us', apiUrl: 'https://x.test' }
const SITE = 'https://lottery.example'
const VERIFIER = 'v'.repeat(64)
const GRANT = `${VERIFIER}.code-of-a-person`
const TOKEN = 'token-of-a-person'

/** A provider's answer to an address; null for one that must not be requested. */
type Answers = (url: URL, headers: Headers) => unknown

function networkOf(answers: Answers): { runtime: TestRuntime; asked: URL[] } {
  const asked: URL[] = []
  const runtime = testRuntime({
    fetch: async (input, init) => {
      const url = new URL(input instanceof Request ? input.url : input)
      asked.push(url)
      const answer = answers(url, new Headers(init?.headers))
      return answer === null ? new Response('{}', { status: 400 }) : Response.json(answer)
    },
  })
  return { runtime, asked }
}

describe('Facebook', () => {
  const identify = (answers: Answers) => {
    const { runtime, asked } = networkOf(answers)
    return {
      asked,
      identity: configuredProviders(runtime, { ...NONE, facebook: FACEBOOK }, SITE).identify('facebook', TOKEN),
    }
  }
  const good = { data: { is_valid: true, app_id: '4711', user_id: 'f-1' } }

  it('Facebook says whose a token is, and its address is verified by our own mail', async () => {
    const { identity, asked } = identify((url) =>
      url.pathname === '/v1/debug_token' ? good : { id: 'f-1', email: 'face@example.org', email_verified: true },
    )
    expect(await identity).toEqual({ subject: 'f-1', email: 'face@example.org', isEmailVerified: false })
    const [check, me] = asked
    expect(check?.searchParams.get('input_token')).toBe(TOKEN)
    expect(check?.searchParams.get('access_token')).toBe('4711|app-secret')
    expect(me?.searchParams.get('appsecret_proof')).toBe(createHmac('sha256', 'app-secret').update(TOKEN).digest('hex'))
  })

  it('Facebook’s application id may come as a number', async () => {
    const { identity } = identify((url) =>
      url.pathname === '/v1/debug_token' ? { data: { ...good.data, app_id: 4711 } } : { id: 'f-1' },
    )
    expect(await identity).toEqual({ subject: 'f-1', email: null, isEmailVerified: false })
  })

  it.each([
    ['a token it calls invalid', { data: { ...good.data, is_valid: false } }, { id: 'f-1' }],
    ['a token of which it does not say that it is valid', { data: { ...good.data, is_valid: 'true' } }, { id: 'f-1' }],
    ['a token of another application', { data: { ...good.data, app_id: '4712' } }, { id: 'f-1' }],
    ['a token of no application', { data: { is_valid: true, user_id: 'f-1' } }, { id: 'f-1' }],
    ['a check without its data', { is_valid: true, app_id: '4711' }, { id: 'f-1' }],
    ['a check that is a list', [good], { id: 'f-1' }],
    ['a refused check', null, { id: 'f-1' }],
    ['a person other than the token is of', good, { id: 'f-2' }],
    ['a person without an id', good, { email: 'face@example.org' }],
    ['a person with an empty id', { data: { ...good.data, user_id: '' } }, { id: '' }],
    ['a person whose id is no text', { data: { ...good.data, user_id: 1 } }, { id: 1 }],
    ['no person', good, null],
  ])('Facebook’s answer is not trusted: %s', async (_, check, me) => {
    const { identity } = identify((url) => (url.pathname === '/v1/debug_token' ? check : me))
    expect(await identity).toBeNull()
  })

  it.each(['no address', 'a@b', 'x@example.org\r\nBcc: all@example.org', `${'x'.repeat(300)}@example.org`])(
    'a person is accepted without the address %j, which cannot be written to',
    async (email) => {
      const { identity } = identify((url) => (url.pathname === '/v1/debug_token' ? good : { id: 'f-1', email }))
      expect(await identity).toEqual({ subject: 'f-1', email: null, isEmailVerified: false })
    },
  )
})

describe('X', () => {
  /** X as far as its token call goes: the client, address and challenge of each code. */
  function networkOfX(me: unknown = { data: { id: 'x-1', username: 'somebody', email: 'x@example.org' } }) {
    const made = { code: 'code-of-a-person', client_id: 'us', redirect_uri: `${SITE}/social-login/twitter` }
    const asked: string[] = []
    const runtime = testRuntime({
      fetch: async (input, init) => {
        const url = new URL(input instanceof Request ? input.url : input)
        asked.push(`${init?.method ?? 'GET'} ${url.pathname}`)
        if (url.pathname === '/2/users/me')
          return new Headers(init?.headers).get('authorization') === 'Bearer made-for-us' ||
            new Headers(init?.headers).get('authorization') === 'Bearer of-another-site'
            ? Response.json(me)
            : new Response('{}', { status: 401 })
        const form: Record<string, unknown> = Object.fromEntries(init?.body as URLSearchParams)
        const right = { ...made, grant_type: 'authorization_code', code_verifier: VERIFIER }
        return isDeepStrictEqual(form, right)
          ? Response.json({ access_token: 'made-for-us', token_type: 'bearer' })
          : Response.json({ error: 'invalid_request' }, { status: 400 })
      },
    })
    return { social: configuredProviders(runtime, { ...NONE, twitter: TWITTER }, SITE), asked }
  }

  it('X gives a token for a code that was made for us and this page, and reports no address', async () => {
    const { social, asked } = networkOfX()
    expect(await social.identify('twitter', GRANT)).toEqual({ subject: 'x-1', email: null, isEmailVerified: false })
    expect(asked).toEqual(['POST /2/oauth2/token', 'GET /2/users/me'])
  })

  it.each([
    ['a token of another application, good as it is at X', 'of-another-site'],
    ['a token of our own application', 'made-for-us'],
    ['a token that looks like a grant', `${VERIFIER}.of-another-site`],
    ['a code with the verifier of another page', `${'w'.repeat(64)}.code-of-a-person`],
    ['a verifier that is too short', 'v.code-of-a-person'],
    ['a code of another application', `${VERIFIER}.code-of-another-site`],
  ])('X never names the person of %s', async (_, grant) => {
    const { social, asked } = networkOfX()
    expect(await social.identify('twitter', grant)).toBeNull()
    expect(asked).not.toContain('GET /2/users/me')
  })

  it.each([[{}], [{ data: {} }], [{ data: { id: 7 } }], [{ errors: [{ title: 'Unauthorized' }] }], [[]], ['x-1']])(
    'an answer of X is not trusted with %j',
    async (answer) => {
      expect(await networkOfX(answer).social.identify('twitter', GRANT)).toBeNull()
    },
  )
})

describe('Google', () => {
  const GOOGLE = { clientId: 'us', apiUrl: 'https://google.test/v3' }
  const identify = (info: unknown, person: unknown) => {
    const { runtime } = networkOf((url) => (url.pathname === '/v3/tokeninfo' ? info : person))
    return configuredProviders(runtime, { ...NONE, google: GOOGLE }, SITE).identify('google', TOKEN)
  }

  it.each([
    ['a token for another site', { aud: 'them', sub: 'g' }, { sub: 'g' }],
    ['a token for a list of sites', { aud: ['us'], sub: 'g' }, { sub: 'g' }],
    ['a token for nobody', { sub: 'g' }, { sub: 'g' }],
    ['a token of another person', { aud: 'us', sub: 'g' }, { sub: 'h' }],
    ['a person without an id', { aud: 'us' }, { email: 'g@example.org' }],
  ])('Google’s answer is not trusted: %s', async (_, info, person) => {
    expect(await identify(info, person)).toBeNull()
  })

  it.each([
    [true, true],
    ['true', true],
    [false, false],
    ['false', false],
    [1, false],
    [undefined, false],
  ])('Google vouches for an address with email_verified %j: %j', async (email_verified, isEmailVerified) => {
    const person = { sub: 'g', email: 'g@example.org', email_verified }
    expect(await identify({ aud: 'us', sub: 'g' }, person)).toEqual({
      subject: 'g',
      email: 'g@example.org',
      isEmailVerified,
    })
  })
})

it('a token that could not be one, or of a network that is not configured, is sent nowhere', async () => {
  const { runtime, asked } = networkOf(() => ({}))
  const social = configuredProviders(runtime, { ...NONE, twitter: TWITTER }, SITE)
  for (const token of ['', 'two words', 'a\r\nb', 'a\u0000', 'é'])
    expect(await social.identify('twitter', `${VERIFIER}.${token}`)).toBeNull()
  for (const provider of ['google', 'facebook'] as const) expect(await social.identify(provider, TOKEN)).toBeNull()
  expect(asked).toEqual([])
})

describe('a provider that could not be asked', () => {
  /** Time in which every wait is over immediately: the provider is late. */
  const hasty: MonotonicTime = { nowMs: () => 0, sleep: async () => undefined }
  const person = JSON.stringify({ aud: 'us', sub: 'x-1' })

  async function providerThat(answer: (response: ServerResponse) => void): Promise<string> {
    const server = createServer((_request, response) => answer(response))
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    onTestFinished(async () => {
      server.closeAllConnections()
      await new Promise((resolve) => void server.close(resolve))
    })
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}` // a server on a port has such an address
  }

  async function askedOf(apiUrl: string, isLate = false) {
    const runtime = { ...testRuntime({ fetch }), ...(isLate ? { monotonic: hasty } : {}) }
    const asked = configuredProviders(runtime, { ...NONE, google: { clientId: 'us', apiUrl } }, SITE).identify(
      'google',
      TOKEN,
    )
    const identity = await asked.catch((error: unknown) => error)
    return { identity, logged: JSON.stringify(runtime.logged) }
  }

  it('a provider that behaves is trusted', async () => {
    const apiUrl = await providerThat((response) => response.end(person))
    expect((await askedOf(apiUrl)).identity).toMatchObject({ subject: 'x-1' })
  })

  it.each<[string, (response: ServerResponse) => void, boolean]>([
    ['says nothing', () => undefined, true],
    ['begins an answer and stops', (response) => void response.write('{"data":'), true],
    ['fails', (response) => void response.writeHead(500).end(person), false],
    ['is busy', (response) => void response.writeHead(429).end(person), false],
    ['sends on elsewhere', (response) => void response.writeHead(302, { location: '/elsewhere' }).end(person), false],
    ['answers more than anybody has to say', (response) => void response.end(`${' '.repeat(70_000)}${person}`), false],
    ['answers a page', (response) => void response.end('<!doctype html>'), false],
    ['hangs up', (response) => void response.destroy(), false],
  ])('a provider that %s has said nothing about the token', async (_, answer, isLate) => {
    const { identity, logged } = await askedOf(await providerThat(answer), isLate)
    expect(identity).toBeInstanceOf(SocialNetworkUnreachable)
    // An operator sees it, and no token with it.
    expect(logged).toMatch(/a social network could not be asked/)
    expect(logged).not.toContain(TOKEN)
  })

  it.each([400, 401, 403, 404])('a provider that answers %i has refused the token', async (status) => {
    const apiUrl = await providerThat((response) => void response.writeHead(status).end(person))
    expect((await askedOf(apiUrl)).identity).toBeNull()
  })

  it('a provider that is unreachable has said nothing about the token', async () => {
    expect((await askedOf('http://127.0.0.1:9')).identity).toBeInstanceOf(SocialNetworkUnreachable)
  })
})
