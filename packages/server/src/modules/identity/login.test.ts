import { ERROR_TEXTS } from '@fairball/domain/errors'
import { describe, expect, it } from 'vitest'
import { PASSWORD, type TestPlayer, useAccounts } from '../../../test/accounts.ts'
import { cleanUp } from '../privacy/clean-up.ts'

const http = useAccounts()

const logIn = (email_or_username: string, password = PASSWORD, headers: Record<string, string> = {}) =>
  http.call('POST', '/auth/login', { body: { email_or_username, password }, headers })

async function nameOf(player: TestPlayer): Promise<string> {
  return (await http.call('GET', '/profile', { token: player.access })).body.username
}

describe('logging in', () => {
  it('a login takes the email address or the username, in any case', async () => {
    const player = await http.register()
    for (const name of [
      player.email,
      player.email.toUpperCase(),
      await nameOf(player),
      (await nameOf(player)).toUpperCase(),
    ])
      expect(await logIn(name)).toMatchObject({
        status: 200,
        body: { access_token: expect.any(String), refresh_token: expect.any(String) },
      })
  })

  it.each([
    ['neither', {}, 'REQUIRE_EMAIL_AND_PASSWORD'],
    ['no password', { email_or_username: 'someone.1@example.org' }, 'REQUIRE_EMAIL_AND_PASSWORD'],
    ['an empty password', { email_or_username: 'someone.1@example.org', password: '' }, 'REQUIRE_EMAIL_AND_PASSWORD'],
    [
      'a wrong password',
      { email_or_username: 'someone.1@example.org', password: 'Wrong-Horse-7' },
      'INVALID_CREDENTIALS',
    ],
    ['an unknown account', { email_or_username: 'nobody@example.org', password: PASSWORD }, 'INVALID_CREDENTIALS'],
    ['a list as name', { email_or_username: ['a'], password: PASSWORD }, 'INVALID_PAYLOAD'],
    ['another field', { email_or_username: 'a', password: 'b', remember: true }, 'INVALID_PAYLOAD'],
  ] as const)('a login is refused with 400 and the words of the catalogue: %s', async (_, body, code) => {
    expect(await http.call('POST', '/auth/login', { body })).toMatchObject({
      status: 400,
      code,
      body: { error: { message: ERROR_TEXTS[code] } },
    })
  })

  it('an account takes ten wrong passwords in 15 minutes, then not even the right one, then tries again', async () => {
    const player = await http.register()
    for (let failure = 0; failure < 10; failure++) {
      expect((await logIn(player.email, 'Wrong-Horse-7')).code).toBe('INVALID_CREDENTIALS')
      await http.runtime.clock.advance(20) // past the wait that each failure imposes on the next try
    }
    expect(await logIn(player.email)).toMatchObject({ status: 429, code: 'TOO_MANY_REQUESTS' })
    expect((await logIn(await nameOf(player))).status).toBe(429)
    await http.runtime.clock.advance(700)
    expect((await logIn(player.email)).status).toBe(200)
  })

  it('a refusal for too many failures does not reveal whether an account exists', async () => {
    await http.runtime.clock.advance(3600)
    for (let failure = 0; failure < 10; failure++) await logIn('ghost@example.org')
    expect((await logIn('ghost@example.org')).status).toBe(429)
  })

  it('an address may fail 60 times in 15 minutes', async () => {
    await http.runtime.clock.advance(3600)
    for (let failure = 0; failure < 60; failure++)
      expect((await logIn(`ghost.${failure}@example.org`)).status).toBe(400)
    expect((await logIn('ghost.61@example.org')).status).toBe(429)
    await http.runtime.clock.advance(900)
    expect((await logIn('ghost.61@example.org')).status).toBe(400)
  })

  it('a login from a new device sends a notice', async () => {
    const player = await http.register()
    await http.runtime.clock.advance(3600)
    await logIn(player.email)
    expect((await http.mailsTo(player.email)).length).toBe(1)
    await logIn(player.email, PASSWORD, {
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    })
    expect(await http.mailTo(player.email)).toMatchObject({
      subject: 'New sign-in to your account',
      text: expect.stringContaining('Firefox on Linux'),
    })
  })

  it('that notice is also sent if all sessions were cleaned up before', async () => {
    const player = await http.register()
    await http.runtime.clock.advance(31 * 86_400)
    await http.transaction((tx) => cleanUp(http.accounts, tx))
    await logIn(player.email)
    expect((await http.mailTo(player.email)).subject).toBe('New sign-in to your account')
  })
})

describe('the second step', () => {
  async function withTwofa() {
    const player = await http.register()
    const twofa = await http.enableTwofa(player)
    const { body } = await logIn(player.email)
    return { player, key: String(body.key), ...twofa }
  }

  it('a login with two-factor needs a second step, which takes a code as a number', async () => {
    const { key, code } = await withTwofa()
    const state = await http.call('GET', `/auth/validate-login-secure-key?key=${key}`)
    expect(state.body).toEqual({ expires_in: 300, is_two_fa_enabled: true, is_security_question_enabled: false })
    expect(state.headers['cache-control']).toBe('no-store')
    const answer = await http.call('POST', '/auth/login-secure', { body: { key, twofa_code: Number(code()) } })
    expect(answer).toMatchObject({ status: 200, body: { access_token: expect.any(String) } })
    const again = await http.call('POST', '/auth/login-secure', { body: { key, twofa_code: Number(code()) } })
    expect(again).toMatchObject({ status: 400, code: 'INVALID_KEY' })
  })

  it('the second step takes a code once', async () => {
    const { player, key, code } = await withTwofa()
    const used = code()
    expect((await http.call('POST', '/auth/login-secure', { body: { key, twofa_code: used } })).status).toBe(200)
    const { body } = await logIn(player.email)
    const replayed = await http.call('POST', '/auth/login-secure', { body: { key: body.key, twofa_code: used } })
    expect(replayed).toMatchObject({ status: 400, code: 'INVALID_2FA_CODE' })
    await http.runtime.clock.advance(30)
    expect(
      (await http.call('POST', '/auth/login-secure', { body: { key: body.key, twofa_code: code() } })).status,
    ).toBe(200)
  })

  it('the second step takes each recovery code once, however it is typed', async () => {
    const { player, key, recoveryCodes } = await withTwofa()
    expect(recoveryCodes).toHaveLength(10)
    const recovery_code = ` ${recoveryCodes[0]?.toUpperCase().replaceAll('-', ' ')} `
    expect((await http.call('POST', '/auth/login-secure', { body: { key, recovery_code } })).status).toBe(200)
    const { body } = await logIn(player.email)
    const again = await http.call('POST', '/auth/login-secure', { body: { key: body.key, recovery_code } })
    expect(again).toMatchObject({ status: 400, code: 'INVALID_2FA_CODE' })
  })

  it('the second step allows five minutes, and five wrong codes', async () => {
    const { player, key, code } = await withTwofa()
    for (let failure = 0; failure < 5; failure++)
      expect((await http.call('POST', '/auth/login-secure', { body: { key, twofa_code: '000000' } })).code).toBe(
        'INVALID_2FA_CODE',
      )
    expect((await http.call('POST', '/auth/login-secure', { body: { key, twofa_code: code() } })).code).toBe(
      'INVALID_KEY',
    )

    const { body } = await logIn(player.email)
    await http.runtime.clock.advance(300)
    expect((await http.call('GET', `/auth/validate-login-secure-key?key=${body.key}`)).code).toBe('INVALID_KEY')
  })

  it('the second step can be made with the security question, compared without case and spaces', async () => {
    const player = await http.register()
    const setting = { is_active: true, security_question_id: 3, answer: 'New  York' }
    await http.call('PUT', '/settings/security/security-questions', { token: player.access, body: setting })
    const { body } = await logIn(player.email)
    const answer = (more: object) => http.call('POST', '/auth/login-secure', { body: { key: body.key, ...more } })
    expect((await answer({})).code).toBe('INVALID_PAYLOAD')
    expect((await answer({ security_question_id: 99, security_answer: 'newyork' })).code).toBe(
      'INVALID_SECURITY_QUESTION',
    )
    expect((await answer({ security_question_id: 3, security_answer: ' ' })).code).toBe('INVALID_SECURITY_ANSWER')
    expect((await answer({ security_question_id: 4, security_answer: 'newyork' })).code).toBe(
      'INVALID_SECURITY_QUESTION_OR_ANSWER',
    )
    expect((await answer({ security_question_id: 3, security_answer: 'boston' })).code).toBe(
      'INVALID_SECURITY_QUESTION_OR_ANSWER',
    )
    // Four of the five failures that burn a key.
    expect((await answer({ security_question_id: 3, security_answer: 'NEW york' })).status).toBe(200)
  })
})

describe('sessions', () => {
  it('sessions end with logging out, and every later call with their token is 401', async () => {
    const player = await http.register()
    expect((await http.call('DELETE', '/auth/logout', { token: player.access })).body).toEqual({ ok: true })
    expect(await http.call('GET', '/profile', { token: player.access })).toMatchObject({
      status: 401,
      code: 'ACCESS_DENIED',
    })
    expect((await http.call('POST', '/auth/refresh', { token: player.refresh })).status).toBe(401)
  })

  it('sessions live on an access token for ten minutes of the system clock, and refresh for a new pair', async () => {
    const player = await http.register()
    await http.runtime.clock.advance(599)
    expect((await http.call('GET', '/profile', { token: player.access })).status).toBe(200)
    await http.runtime.clock.advance(1)
    expect((await http.call('GET', '/profile', { token: player.access })).status).toBe(401)
    const { body } = await http.call('POST', '/auth/refresh', { token: player.refresh })
    expect((await http.call('GET', '/profile', { token: body.access_token })).status).toBe(200)
  })

  it('all sessions of a used refresh token are revoked when it comes again', async () => {
    const player = await http.register()
    const first = await http.call('POST', '/auth/refresh', { token: player.refresh })
    expect(first.status).toBe(200)
    expect((await http.call('POST', '/auth/refresh', { token: player.refresh })).status).toBe(401)
    expect((await http.call('GET', '/profile', { token: first.body.access_token })).status).toBe(401)
    expect((await http.call('POST', '/auth/refresh', { token: first.body.refresh_token })).status).toBe(401)
  })

  it('of two concurrent refreshes one gets a pair, and the session ends for both', async () => {
    const player = await http.register()
    const answers = await Promise.all([1, 2].map(() => http.call('POST', '/auth/refresh', { token: player.refresh })))
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 401])
  })

  it('sessions end after seven idle days, and thirty days after the login however much they are used', async () => {
    const idle = await http.register()
    await http.runtime.clock.advance(7 * 86_400)
    expect((await http.call('POST', '/auth/refresh', { token: idle.refresh })).status).toBe(401)

    const busy = await http.register()
    let { refresh } = busy
    for (let day = 6; day < 30; day += 6) {
      await http.runtime.clock.advance(6 * 86_400)
      refresh = (await http.call('POST', '/auth/refresh', { token: refresh })).body.refresh_token
    }
    await http.runtime.clock.advance(6 * 86_400)
    expect((await http.call('POST', '/auth/refresh', { token: refresh })).status).toBe(401)
  })

  it('sessions are listed with a handle that revokes them and is no credential', async () => {
    const player = await http.register()
    const other = await logIn(player.email)
    const { body: list } = await http.call('GET', '/auth/tokens', { token: player.access })
    expect(list).toHaveLength(2)
    const handle = list.find((one: { is_current_session: boolean }) => !one.is_current_session).access_token
    expect((await http.call('GET', '/profile', { token: handle })).status).toBe(401)

    const body = { tokens: [handle] }
    const stranger = await http.register()
    expect(await http.call('DELETE', '/auth/tokens', { token: stranger.access, body })).toMatchObject({
      status: 404,
      code: 'NOT_FOUND',
    })
    expect((await http.call('GET', '/profile', { token: other.body.access_token })).status).toBe(200)
    expect((await http.call('DELETE', '/auth/tokens', { token: player.access, body })).body).toEqual({ ok: true })
    expect((await http.call('GET', '/profile', { token: other.body.access_token })).status).toBe(401)
    expect((await http.call('DELETE', '/auth/tokens', { token: player.access, body: { tokens: ['x'] } })).status).toBe(
      404,
    )
  })

  it.each([
    ['no token', undefined],
    ['a token that is none', 'abc'],
    ['a token of three parts', 'a.b.c'],
    [
      'an unsigned token',
      `${btoa('{"alg":"none","typ":"at+jwt"}')}.${btoa('{"sid":"1","exp":9999999999}')}.`.replaceAll('=', ''),
    ],
  ])('sessions are not opened by %s', async (_, token) => {
    const answer = await http.call('GET', '/profile', token === undefined ? {} : { token })
    expect(answer).toMatchObject({ status: 401, code: 'ACCESS_DENIED' })
    expect((await http.call('GET', '/countries', token === undefined ? {} : { token })).status).toBe(
      token === undefined ? 200 : 401,
    )
  })

  it('sessions are not opened by a token with one character changed, wherever it is', async () => {
    const { access } = await http.register()
    for (let at = 0; at < access.length; at += 7) {
      const changed = access[at] === 'A' ? 'B' : 'A'
      const token = access.slice(0, at) + changed + access.slice(at + 1)
      const { status } = await http.call('GET', '/profile', { token })
      // The last character of a part has bits that decode to nothing: then it is the same token.
      if (status !== 401) expect(Buffer.from(token, 'base64url')).toEqual(Buffer.from(access, 'base64url'))
    }
  })
})
