import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ADDRESS, PASSWORD, testApplication, type TestApplication, type TestPlayer } from './application.ts'

const NEW = 'Another-Horse-8-Staple'
const QUESTION = '/settings/security/security-questions'

let site: TestApplication
/** Google's answer for each token: its person. */
const tokens = new Map<string, { sub: string; email: string; email_verified: boolean }>()

beforeAll(async () => {
  const google = { clientId: 'our-client', apiUrl: 'https://google.test/v3', authUrl: 'https://google.test/auth' }
  site = await testApplication({
    config: { socialLogins: { google, facebook: null, twitter: null } },
    fetch: async (input, init) => {
      const url = new URL(input instanceof Request ? input.url : input)
      const bearer = new Headers(init?.headers).get('authorization')?.slice('Bearer '.length)
      const person = tokens.get(url.searchParams.get('access_token') ?? bearer ?? '')
      return person === undefined
        ? new Response('{}', { status: 400 })
        : Response.json({ aud: 'our-client', ...person })
    },
  })
})
afterAll(() => site.end())

async function resetKeyOf(email: string): Promise<string> {
  await site.call('GET', `/auth/forgotten-password?email=${email}`)
  const { body: mails } = await site.call('GET', `/dev/mail?to=${email}`)
  expect(mails[0].subject).toBe('Reset your password')
  return String(mails[0].links[0]).split('/').at(-1) ?? ''
}

const reset = (key: string) =>
  site.call('PUT', '/auth/reset-password', { body: { key, password: NEW, password_confirm: NEW } })
const logIn = (email: string, password = NEW) =>
  site.call('POST', '/auth/login', { body: { email_or_username: email, password } })
const setQuestion = (bearer: string) =>
  site.call('PUT', QUESTION, { bearer, body: { is_active: true, security_question_id: 1, answer: 'thief' } })

async function switchTwofaOn(bearer: string): Promise<void> {
  const { body } = await site.call('GET', '/settings/security/twofa/qr', { bearer })
  const secret = Secret.fromBase32(new URL(body.qr_code_uri).searchParams.get('secret') ?? '')
  const code = new TOTP({ secret }).generate({ timestamp: site.runtime.clock.nowMs() })
  expect((await site.call('POST', '/settings/security/twofa/verify', { bearer, body: { code } })).status).toBe(200)
}

/** A fresh bearer token for the session: its access token lasts ten minutes. */
async function wait(player: TestPlayer & { refresh: string }, seconds: number): Promise<string> {
  await site.moveTo(site.runtime.clock.now() + seconds)
  const { body } = await site.call('POST', '/auth/refresh', { bearer: player.refresh })
  player.refresh = body.refresh_token
  return String(body.access_token)
}

async function loggedIn({ email }: TestPlayer): Promise<TestPlayer & { refresh: string }> {
  const { body } = await logIn(email, PASSWORD)
  return { email, bearer: body.access_token, refresh: body.refresh_token }
}

describe('an account opened with someone else’s address', () => {
  it('after a reset without a code the account is its owner’s, and nothing of the attacker’s is left', async () => {
    const { bearer, email } = await site.signUp({ isVerified: false, address: ADDRESS })
    const lines = [[1, 2, 3, 4, 5, 6]]
    await site.call('PUT', '/games/bitcoin-lotto/saved-numbers', { bearer, body: { lines } })
    await setQuestion(bearer)
    await switchTwofaOn(bearer)

    const key = await resetKeyOf(email)
    const { body: needs } = await site.call('GET', `/auth/reset-password?key=${key}`)
    expect(needs.data).toEqual({ is_two_fa_enabled: false })
    expect((await reset(key)).body).toEqual({ ok: true })
    const { body: mails } = await site.call('GET', `/dev/mail?to=${email}`)
    expect(mails[0].text).toContain('two-factor authentication')

    expect((await site.call('GET', '/profile', { bearer })).status).toBe(401)
    const { body: owner } = await logIn(email)
    expect(Object.keys(owner)).toEqual(['access_token', 'refresh_token'])
    const read = async (path: string) => (await site.call('GET', path, { bearer: owner.access_token })).body
    expect(await read('/profile')).toMatchObject({ is_two_fa_enabled: false, is_security_question_enabled: false })
    const nowhere = { btc_address: null, lightning: null, pay_first: null, pay_first_from: null }
    expect(await read('/settings/crypto-account-details')).toMatchObject(nowhere)
    expect((await read('/games/bitcoin-lotto/saved-numbers')).data).toEqual([])
    const exported = await read('/settings/personal-data')
    expect(exported.security.recovery_codes).toEqual([])
    expect(exported.saved_numbers).toEqual([])
  })

  it('an account opened by a social network becomes its owner’s too: the network no longer opens it', async () => {
    tokens.set('attacker', { sub: 'g-attacker', email: 'owner@example.org', email_verified: false })
    const enter = () => site.call('POST', '/auth/login/google', { body: { access_token: 'attacker' } })
    expect((await enter()).status).toBe(200)
    expect((await reset(await resetKeyOf('owner@example.org'))).status).toBe(200)
    expect((await enter()).body.error.code).toBe('SOCIAL_LOGIN_FAILED')
    const { body: owner } = await logIn('owner@example.org')
    const { body: profile } = await site.call('GET', '/profile', { bearer: owner.access_token })
    expect(profile.is_social_account).toBe(false)
    const { body: exported } = await site.call('GET', '/settings/personal-data', { bearer: owner.access_token })
    expect(exported.account.social_networks).toEqual([])
  })

  it('an account of a social network that vouches for the address has no password to reset', async () => {
    tokens.set('player', { sub: 'g-player', email: 'player@vouched.example', email_verified: true })
    await site.call('POST', '/auth/login/google', { body: { access_token: 'player' } })
    await site.call('GET', '/auth/forgotten-password?email=player@vouched.example')
    const { body: mails } = await site.call('GET', '/dev/mail?to=player@vouched.example')
    expect(mails[0].subject).toBe('Your account has no password')
  })
})

describe('a stolen access token', () => {
  it('a stolen token sets no security question half an hour after the login; with the password it is the player', async () => {
    const player = await loggedIn(await site.signUp())
    const bearer = await wait(player, 31 * 60)
    const refused = await setQuestion(bearer)
    expect(refused).toMatchObject({ status: 403, body: { error: { code: 'ACCESS_DENIED' } } })
    expect((await site.call('PUT', QUESTION, { bearer, body: { is_active: false } })).status).toBe(403)
    await site.call('POST', '/verify', { bearer, body: { password: PASSWORD } })
    expect((await setQuestion(bearer)).status).toBe(200)
  })

  it('a stolen token of a social account switches nothing on half an hour after the login', async () => {
    tokens.set('social', { sub: 'g-social', email: 'social@vouched.example', email_verified: true })
    const { body } = await site.call('POST', '/auth/login/google', { body: { access_token: 'social' } })
    const bearer = await wait({ email: '', bearer: '', refresh: body.data.refresh_token }, 31 * 60)
    for (const refused of [
      await setQuestion(bearer),
      await site.call('GET', '/settings/security/twofa/qr', { bearer }),
    ]) {
      expect(refused).toMatchObject({ status: 403, body: { error: { code: 'ACCESS_DENIED' } } })
      expect(refused.body.error.message).toContain('log in again')
    }
    const { body: again } = await site.call('POST', '/auth/login/google', { body: { access_token: 'social' } })
    expect((await setQuestion(again.data.access_token)).status).toBe(200)
  })
})
