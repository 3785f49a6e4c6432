import { describe, expect, it } from 'vitest'
import { ADDRESSES, PASSWORD, useAccounts } from '../../../test/accounts.ts'

const http = useAccounts()

interface Person {
  sub: string
  email?: string
  email_verified?: boolean
  aud?: string
}

/** A test's Google: one token, one person. */
function google(token: string, person: Person): void {
  const { aud = 'our-client', ...claims } = person
  http.network = (url, init) => {
    const bearer = new Headers(init?.headers).get('authorization')
    if (url.pathname === '/v3/tokeninfo' && url.searchParams.get('access_token') === token)
      return Response.json({ aud, sub: person.sub })
    if (url.pathname === '/v3/userinfo' && bearer === `Bearer ${token}`) return Response.json(claims)
    return Response.json({ error: 'invalid_token' }, { status: 400 })
  }
}

const logIn = (access_token: string, provider = 'google') =>
  http.call('POST', `/auth/login/${provider}`, { body: { access_token } })

describe('logging in by a social network', () => {
  it("the first social login opens an account, and the second finds it by the provider's id alone", async () => {
    google('t1', { sub: 'g-1', email: 'social@example.org', email_verified: true })
    const first = await logIn('t1')
    expect(first).toMatchObject({ status: 200, body: { ok: true, data: { access_token: expect.any(String) } } })
    const profile = await http.call('GET', '/profile', { token: first.body.data.access_token })
    expect(profile.body).toMatchObject({
      email: 'social@example.org',
      is_email_verified: true,
      is_social_account: true,
    })

    google('t2', { sub: 'g-1', email: 'renamed@example.org', email_verified: true })
    const second = await logIn('t2')
    const again = await http.call('GET', '/profile', { token: second.body.data.access_token })
    expect(again.body.username).toBe(profile.body.username)
  })

  it('an address that the provider does not vouch for is verified by mail', async () => {
    google('t3', { sub: 'g-3', email: 'unsure@example.org', email_verified: false })
    const { body } = await logIn('t3')
    expect((await http.call('GET', '/profile', { token: body.data.access_token })).body.is_email_verified).toBe(false)
    expect((await http.mailTo('unsure@example.org')).subject).toBe('Please verify your email address')
  })

  it('a social login never leads into an account that has the same address', async () => {
    const local = await http.register()
    google('t4', { sub: 'g-4', email: local.email, email_verified: true })
    expect(await logIn('t4')).toMatchObject({ status: 400, code: 'SOCIAL_LOGIN_FAILED' })
  })

  it.each([
    ['a token that the provider does not know', 'other'],
    ['a token with a line feed', 't5\nx: y'],
  ])('a social login is refused: %s', async (_, token) => {
    google('t5', { sub: 'g-5' })
    expect(await logIn(token)).toMatchObject({ status: 400, code: 'SOCIAL_LOGIN_FAILED' })
  })

  it('a token made for another application, by an unreachable provider or by one not configured is refused', async () => {
    google('t6', { sub: 'g-6', aud: 'another-client' })
    expect((await logIn('t6')).code).toBe('SOCIAL_LOGIN_FAILED')
    http.network = () => {
      throw new TypeError('fetch failed')
    }
    expect((await logIn('t6')).code).toBe('SOCIAL_LOGIN_FAILED')
    expect((await logIn('t6', 'twitter')).code).toBe('SOCIAL_LOGIN_FAILED')
    expect((await http.call('POST', '/auth/login/google', { body: {} })).code).toBe('INVALID_PAYLOAD')
  })

  it('failures of social logins are separate: they do not block password logins from the same address', async () => {
    await http.runtime.clock.advance(900)
    const player = await http.register()
    google('good', { sub: 'g-own' })
    for (let failure = 0; failure < 60; failure++) expect((await logIn('bad')).status).toBe(400)
    expect(await logIn('good')).toMatchObject({ status: 429, code: 'TOO_MANY_REQUESTS' })
    const body = { email_or_username: player.email, password: PASSWORD }
    expect((await http.call('POST', '/auth/login', { body })).status).toBe(200)
    await http.runtime.clock.advance(900)
    expect((await logIn('good')).status).toBe(200)
  })

  it.each([
    ['fails', () => new Response('{}', { status: 503 })],
    ['is busy', () => new Response('{}', { status: 429 })],
    ['answers nonsense', () => new Response('<!doctype html>')],
  ])('no failure is counted while the network %s', async (_, answer) => {
    await http.runtime.clock.advance(900)
    http.network = answer
    for (let tries = 0; tries < 61; tries++)
      expect(await logIn('token')).toMatchObject({ status: 400, code: 'SOCIAL_LOGIN_FAILED' })
    google('good', { sub: 'g-later' })
    expect((await logIn('good')).status).toBe(200)
  })

  it('Facebook is asked whether a token is of our application', async () => {
    const answers = (appId: string) => (url: URL) =>
      url.pathname === '/debug_token'
        ? Response.json({ data: { is_valid: true, app_id: appId, user_id: 'f-1' } })
        : Response.json({ id: 'f-1', email: 'face@example.org' })
    http.network = answers('4711')
    expect((await logIn('t7', 'facebook')).status).toBe(200)
    http.network = answers('4712')
    expect((await logIn('t7', 'facebook')).code).toBe('SOCIAL_LOGIN_FAILED')
  })

  it('a social account has no password: none is changed or reset, and an address needs two-factor and its code', async () => {
    google('t8', { sub: 'g-8', email: 'nopass@example.org', email_verified: true })
    const { data } = (await logIn('t8')).body
    const player = { email: 'nopass@example.org', password: '', access: data.access_token, refresh: data.refresh_token }
    const passwords = { current_password: PASSWORD, new_password: `${PASSWORD}2`, confirm_password: `${PASSWORD}2` }
    expect(await http.call('PUT', '/settings/password', { token: player.access, body: passwords })).toMatchObject({
      status: 403,
      code: 'ACCESS_DENIED',
    })
    await http.call('GET', '/auth/forgotten-password?email=nopass@example.org')
    expect((await http.mailTo(player.email)).subject).toBe('Your account has no password')

    const save = (proof: object) =>
      http.call('PUT', '/settings/crypto-account-details', {
        token: player.access,
        body: { btc_address: ADDRESSES[0], ...proof },
      })
    expect(await save({ password: PASSWORD })).toMatchObject({ status: 403, code: 'ACCESS_DENIED' })
    const { code } = await http.enableTwofa(player)
    expect((await save({ password: PASSWORD })).code).toBe('INVALID_CREDENTIALS')
    expect((await save({ twofa_code: Number(code()) })).status).toBe(200)
    expect((await logIn('t8')).body).toEqual({ ok: true, data: { key: expect.any(String) } })
  })
})
