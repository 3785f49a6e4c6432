import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findIdentity } from '../src/modules/identity/queries.ts'
import { type Answer, testApplication, type TestApplication } from './application.ts'
import { type OpenIdProvider, startOpenIdProvider } from './openid-provider.ts'
import { logInAtProvider, type ProviderLogin } from './openid-visitor.ts'

const CLIENT = 'fairball-test-client'
const OTHER_CLIENT = 'another-site'
const REDIRECT = 'http://localhost:3000/social-login/google'

let provider: OpenIdProvider
let site: TestApplication

beforeAll(async () => {
  provider = await startOpenIdProvider({ clientId: CLIENT, redirectUris: [REDIRECT], otherClientIds: [OTHER_CLIENT] })
  const google = { clientId: CLIENT, apiUrl: provider.issuer, authUrl: provider.authUrl }
  site = await testApplication({ config: { socialLogins: { google, facebook: null, twitter: null } }, fetch })
})
afterAll(async () => {
  await site.end()
  await provider.close()
})

/** Walks through the provider's pages like a person and returns the token its browser comes back with. */
async function tokenOf(person: Partial<ProviderLogin> & { account: string }): Promise<string> {
  const { account, email = null, isEmailVerified = true, clientId = CLIENT } = person
  const fragment = await logInAtProvider(provider, { clientId, redirectUri: REDIRECT, account, email, isEmailVerified })
  return String(fragment.get('access_token'))
}

const logIn = (accessToken: string): Promise<Answer> =>
  site.call('POST', '/auth/login/google', { body: { access_token: accessToken } })

const profileOf = async (answer: Answer) =>
  (await site.call('GET', '/profile', { bearer: answer.body.data.access_token })).body

describe('logging in at a real OpenID provider', () => {
  it('a login returns what the pages asked for: a token, an ID token with the nonce, the state', async () => {
    const fragment = await logInAtProvider(provider, {
      clientId: CLIENT,
      redirectUri: REDIRECT,
      account: 'fragment',
      email: 'fragment@example.org',
      isEmailVerified: true,
      state: 'our-state',
      nonce: 'our-nonce',
    })
    expect(fragment.get('state')).toBe('our-state')
    expect(fragment.get('token_type')).toBe('Bearer')
    const [, payload = ''] = String(fragment.get('id_token')).split('.')
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({
      iss: provider.issuer,
      aud: CLIENT,
      sub: 'fragment',
      nonce: 'our-nonce',
    })
  })

  it('a login returns an error and no token if the person does not agree', async () => {
    const fragment = await logInAtProvider(provider, {
      clientId: CLIENT,
      redirectUri: REDIRECT,
      account: 'refuser',
      email: null,
      isEmailVerified: true,
      agrees: false,
    })
    expect(fragment.get('error')).toBe('access_denied')
    expect(fragment.has('access_token')).toBe(false)
  })

  it('the first login opens an account, and the next one leads to the same account', async () => {
    const first = await logIn(await tokenOf({ account: 'ann', email: 'ann@example.org' }))
    expect(first).toMatchObject({ status: 200, body: { ok: true, data: { refresh_token: expect.any(String) } } })
    const opened = await profileOf(first)
    expect(opened).toMatchObject({ email: 'ann@example.org', is_email_verified: true, is_social_account: true })

    const second = await logIn(await tokenOf({ account: 'ann', email: 'ann@example.org' }))
    expect((await profileOf(second)).username).toBe(opened.username)
    const other = await logIn(await tokenOf({ account: 'bob', email: 'bob@example.org' }))
    expect((await profileOf(other)).username).not.toBe(opened.username)
  })

  it('a login leads to the same account after the address at the provider has changed, and keeps the account’s address', async () => {
    const before = await profileOf(await logIn(await tokenOf({ account: 'cy', email: 'cy@example.org' })))
    const after = await profileOf(await logIn(await tokenOf({ account: 'cy', email: 'new@example.org' })))
    expect(after).toMatchObject({ username: before.username, email: 'cy@example.org' })
    // The address it left behind at the provider now belongs to another person: that is another account.
    const heir = await logIn(await tokenOf({ account: 'heir', email: 'cy@example.org' }))
    expect(heir.body.error.code).toBe('SOCIAL_LOGIN_FAILED')
  })

  it('a login opens an account without an address for a person who has none at the provider', async () => {
    const answer = await logIn(await tokenOf({ account: 'nobody' }))
    expect(await profileOf(answer)).toMatchObject({
      email: '',
      is_email_verified: false,
      is_social_account: true,
    })
  })
})

describe('the address a provider reports', () => {
  it('an address that the provider does not vouch for is verified by our own mail', async () => {
    const answer = await logIn(await tokenOf({ account: 'dan', email: 'dan@example.org', isEmailVerified: false }))
    expect((await profileOf(answer)).is_email_verified).toBe(false)
    const { body: mails } = await site.call('GET', '/dev/mail?to=dan@example.org')
    const [mail] = mails
    expect(mail.subject).toBe('Please verify your email address')
    const key = String(mail.links[0]).split('/').at(-1)
    expect((await site.call('PUT', '/auth/verify-email', { body: { key } })).status).toBe(200)
    expect((await profileOf(answer)).is_email_verified).toBe(true)
  })

  it.each([
    ['a verified account', true, true],
    ['an account that has not verified it', false, true],
    ['an account, where the provider does not vouch for it either', true, false],
  ])(
    'an address never leads into %s of the same address, and the answer says what to do',
    async (_, isVerified, isEmailVerified) => {
      const local = await site.signUp({ isVerified, address: null })
      for (const email of [local.email, local.email.toUpperCase()]) {
        const answer = await logIn(await tokenOf({ account: `thief-${isVerified}`, email, isEmailVerified }))
        expect(answer.status).toBe(400)
        expect(answer.body.error).toMatchObject({
          code: 'SOCIAL_LOGIN_FAILED',
          message:
            'There is an account with this email address already. Please log in with its password, or the way you opened it.',
        })
      }
      expect((await site.call('GET', '/profile', { bearer: local.bearer })).body.is_social_account).toBe(false)
    },
  )
})

describe('a token is refused', () => {
  it.each([
    [
      'that was made for another site',
      () => tokenOf({ account: 'eve', email: 'e@example.org', clientId: OTHER_CLIENT }),
    ],
    [
      'whose time is over',
      async () => {
        const token = await tokenOf({ account: 'eve' })
        await provider.expire(token)
        return token
      },
    ],
    [
      'that was taken back',
      async () => {
        const token = await tokenOf({ account: 'eve' })
        const form = new URLSearchParams({ token, client_id: CLIENT })
        expect((await fetch(`${provider.issuer}/revoke`, { method: 'POST', body: form })).status).toBe(200)
        return token
      },
    ],
    ['that nobody made', () => Promise.resolve('garbage')],
    ['with a line feed in it', () => Promise.resolve('a\r\nx-header: b')],
    [
      'that is an ID token',
      async () => {
        const login = { clientId: CLIENT, redirectUri: REDIRECT, account: 'eve', email: null, isEmailVerified: true }
        return String((await logInAtProvider(provider, login)).get('id_token'))
      },
    ],
  ])('%s', async (_, make) => {
    const answer = await logIn(await make())
    expect(answer.status).toBe(400)
    expect(answer.body.error).toMatchObject({
      code: 'SOCIAL_LOGIN_FAILED',
      message: 'Login via social network unsuccessful! Please try again.',
    })
    expect(await site.db.maybeOne(findIdentity, ['google', 'eve'])).toBeNull()
  })

  it('a site without that provider refuses a token', async () => {
    const plain = await testApplication({ fetch })
    const body = { access_token: await tokenOf({ account: 'eve', email: 'eve@example.org' }) }
    expect((await plain.call('POST', '/auth/login/google', { body })).body.error.code).toBe('SOCIAL_LOGIN_FAILED')
  })
})

describe('one person', () => {
  it('a person who logs in twice at the same time for the first time has one account with both logins', async () => {
    for (const email of ['twice@example.org', null]) {
      const account = email === null ? 'twice-without' : 'twice'
      const tokens = await Promise.all([1, 2, 3, 4].map(() => tokenOf({ account, email })))
      const answers = await Promise.all(tokens.map((token) => logIn(token)))
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
      const names = await Promise.all(answers.map(async (answer) => (await profileOf(answer)).username))
      expect(new Set(names).size).toBe(1)
    }
  })

  it('a person with two-factor makes the second step', async () => {
    const person = { account: 'fay', email: 'fay@example.org' }
    const { code } = await withTwofa(await logIn(await tokenOf(person)))
    const second = await logIn(await tokenOf(person))
    expect(second.body).toEqual({ ok: true, data: { key: expect.any(String) } })
    const finished = await site.call('POST', '/auth/login-secure', {
      body: { key: second.body.data.key, twofa_code: code() },
    })
    expect(finished).toMatchObject({ status: 200, body: { access_token: expect.any(String) } })
  })

  it('a person whose account is closed starts over with another one', async () => {
    const person = { account: 'hal', email: 'hal@example.org' }
    const first = await logIn(await tokenOf(person))
    const { username } = await profileOf(first)
    await close(first)
    expect((await site.call('GET', '/profile', { bearer: first.body.data.access_token })).status).toBe(401)
    const again = await logIn(await tokenOf(person))
    expect(again.status).toBe(200)
    expect((await profileOf(again)).username).not.toBe(username)
  })

  it('a person who excluded himself and closed the account stays out, even with another address at the provider', async () => {
    const first = await logIn(await tokenOf({ account: 'ida', email: 'ida@example.org' }))
    const bearer = String(first.body.data.access_token)
    const until = site.runtime.clock.now() + 200 * 86_400
    const saved = await site.call('PUT', '/settings/responsible-play', { bearer, body: { excluded_until: until } })
    expect(saved.status).toBe(200)
    await close(first)
    for (const email of ['ida@example.org', 'ida.again@example.org', null])
      expect((await logIn(await tokenOf({ account: 'ida', email }))).body.error.code).toBe('SELF_EXCLUDED')
  })

  it('a person in a time-out or exclusion logs in as before, and the order is refused', async () => {
    const first = await logIn(await tokenOf({ account: 'guy', email: 'guy@example.org' }))
    const bearer = String(first.body.data.access_token)
    const now = site.runtime.clock.now()
    const saved = await site.call('PUT', '/settings/responsible-play', {
      bearer,
      body: { time_out_until: now + 7 * 86_400, excluded_until: now + 200 * 86_400 },
    })
    expect(saved.status).toBe(200)
    const again = await logIn(await tokenOf({ account: 'guy', email: 'guy@example.org' }))
    expect(again.status).toBe(200)
    expect((await profileOf(again)).username).toBe((await profileOf(first)).username)
  })
})

/** Switches two-factor on. Each code is of its own time: none is accepted twice. */
async function withTwofa(login: Answer): Promise<{ code(): number }> {
  const bearer = String(login.body.data.access_token)
  const { body: qr } = await site.call('GET', '/settings/security/twofa/qr', { bearer })
  const secret = String(new URL(qr.qr_code_uri).searchParams.get('secret'))
  const code = (): number => {
    site.runtime.clock.set(site.runtime.clock.now() + 30)
    return Number(codeOf(secret, site.runtime.clock.now()))
  }
  const enabled = await site.call('POST', '/settings/security/twofa/verify', { bearer, body: { code: code() } })
  expect(enabled.status).toBe(200)
  return { code }
}

/** Closes the account: players without a password show a code. */
async function close(login: Answer): Promise<void> {
  const { code } = await withTwofa(login)
  const bearer = String(login.body.data.access_token)
  const closed = await site.call('DELETE', '/settings/account', { bearer, body: { twofa_code: code() } })
  expect(closed).toMatchObject({ status: 200, body: { ok: true } })
}

/** The code an authenticator shows (RFC 6238, 30 seconds, 6 digits), by node:crypto alone. */
function codeOf(base32: string, at: number): string {
  const bits = Array.from(base32, (letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  )
  const key = Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const step = Buffer.alloc(8)
  step.writeBigUInt64BE(BigInt(Math.floor(at / 30)))
  const hash = createHmac('sha1', key).update(step).digest()
  const offset = (hash.at(-1) ?? 0) & 15
  return String((hash.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000).padStart(6, '0')
}
