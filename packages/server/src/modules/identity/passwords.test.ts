import { describe, expect, it } from 'vitest'
import { ADDRESSES, keyOf, PASSWORD, type TestPlayer, useAccounts } from '../../../test/accounts.ts'

const http = useAccounts()
const NEW = 'Another-Horse-8-Staple'
const DAY = 86_400

const logIn = (email_or_username: string, password: string) =>
  http.call('POST', '/auth/login', { body: { email_or_username, password } })

async function resetKeyOf(player: TestPlayer): Promise<string> {
  await http.call('GET', `/auth/forgotten-password?email=${encodeURIComponent(player.email)}`)
  return keyOf((await http.mailTo(player.email)).links[0])
}

describe('changing the password', () => {
  it('a password change ends the other sessions, keeps this one, and sends a notice', async () => {
    const player = await http.register()
    const other = await logIn(player.email, PASSWORD)
    const body = { current_password: PASSWORD, new_password: NEW, confirm_password: NEW }
    expect((await http.call('PUT', '/settings/password', { token: player.access, body })).body).toEqual({ ok: true })
    expect((await http.call('GET', '/profile', { token: player.access })).status).toBe(200)
    expect((await http.call('GET', '/profile', { token: other.body.access_token })).status).toBe(401)
    expect((await logIn(player.email, PASSWORD)).code).toBe('INVALID_CREDENTIALS')
    expect((await logIn(player.email, NEW)).status).toBe(200)
    expect((await http.mailTo(player.email)).subject).toBe('Your password was changed')
  })

  it.each([
    [
      'a wrong current one',
      { current_password: 'Wrong-Horse-7', new_password: NEW, confirm_password: NEW },
      'INVALID_CREDENTIALS',
    ],
    [
      'a weak new one',
      { current_password: PASSWORD, new_password: 'weakness', confirm_password: 'weakness' },
      'INVALID_PASSWORD',
    ],
    [
      'seven characters',
      { current_password: PASSWORD, new_password: 'Ab1!efg', confirm_password: 'Ab1!efg' },
      'INVALID_PASSWORD',
    ],
    [
      'the same one',
      { current_password: PASSWORD, new_password: PASSWORD, confirm_password: PASSWORD },
      'INVALID_PASSWORD',
    ],
    [
      'another confirmation',
      { current_password: PASSWORD, new_password: NEW, confirm_password: PASSWORD },
      'MISMATCH_PASSWORD_AND_CONFIRM_PASSWORD',
    ],
    ['a missing field', { current_password: PASSWORD, new_password: NEW }, 'INVALID_PAYLOAD'],
  ])('a password change is refused with 400: %s', async (_, body, code) => {
    const player = await http.register()
    expect(await http.call('PUT', '/settings/password', { token: player.access, body })).toMatchObject({
      status: 400,
      code,
    })
  })
})

describe('verifying the password', () => {
  it('a check says ok for the right password, INVALID_CREDENTIALS for a wrong one, and 429 after ten of those', async () => {
    const player = await http.register()
    const verify = (password: string) => http.call('POST', '/verify', { token: player.access, body: { password } })
    expect((await verify(PASSWORD)).body).toEqual({ ok: true })
    for (let failure = 0; failure < 10; failure++)
      expect((await verify('Wrong-Horse-7')).code).toBe('INVALID_CREDENTIALS')
    expect((await verify(PASSWORD)).status).toBe(429)
  })
})

describe('a forgotten password', () => {
  it('a forgotten password is reset once by the link in the mail, which ends every session', async () => {
    const player = await http.register()
    const key = await resetKeyOf(player)
    expect((await http.call('GET', `/auth/reset-password?key=${key}`)).body).toEqual({
      ok: true,
      data: { is_two_fa_enabled: false },
    })
    const body = { key, password: NEW, password_confirm: NEW }
    expect((await http.call('PUT', '/auth/reset-password', { body })).body).toEqual({ ok: true })
    expect((await http.call('GET', '/profile', { token: player.access })).status).toBe(401)
    expect((await logIn(player.email, NEW)).status).toBe(200)
    expect((await http.call('PUT', '/auth/reset-password', { body })).code).toBe('INVALID_KEY')
    expect((await http.call('GET', `/auth/reset-password?key=${key}`)).code).toBe('INVALID_KEY')
  })

  it('a reset for an unknown address gets the same answer, and mails nothing', async () => {
    const answer = await http.call('GET', '/auth/forgotten-password?email=nobody@example.org')
    expect(answer).toMatchObject({ status: 200, body: { ok: true } })
    expect(await http.mailsTo('nobody@example.org')).toEqual([])
  })

  it.each([
    ['no address', '', 'REQUIRE_EMAIL'],
    ['an empty one', '?email=', 'REQUIRE_EMAIL'],
    ['no real one', '?email=x', 'INVALID_EMAIL'],
    ['two of them', '?email=a@example.org&email=b@example.org', 'INVALID_PAYLOAD'],
  ])('a reset is refused with 400: %s', async (_, query, code) => {
    expect(await http.call('GET', `/auth/forgotten-password${query}`)).toMatchObject({ status: 400, code })
  })

  it('a reset asks for a code if two-factor is on', async () => {
    const player = await http.register()
    await http.verify(player)
    const { code } = await http.enableTwofa(player)
    const key = await resetKeyOf(player)
    expect((await http.call('GET', `/auth/reset-password?key=${key}`)).body.data).toEqual({ is_two_fa_enabled: true })
    const reset = (more: object) =>
      http.call('PUT', '/auth/reset-password', { body: { key, password: NEW, password_confirm: NEW, ...more } })
    expect((await reset({})).code).toBe('INVALID_2FA_CODE')
    expect((await reset({ twofa_code: 0 })).code).toBe('INVALID_2FA_CODE')
    expect((await reset({ twofa_code: Number(code()) })).status).toBe(200)
  })

  it('a reset takes a recovery code in place of the authenticator, once, and reports it', async () => {
    const player = await http.register()
    await http.verify(player)
    const { recoveryCodes } = await http.enableTwofa(player)
    const reset = async (recovery_code: string | undefined) => {
      const body = { key: await resetKeyOf(player), password: NEW, password_confirm: NEW, recovery_code }
      return await http.call('PUT', '/auth/reset-password', { body })
    }
    expect(await reset('aaaa-aaaa-aaaa-aaaa')).toMatchObject({ status: 400, code: 'INVALID_2FA_CODE' })
    expect((await reset(` ${recoveryCodes[0]?.toUpperCase()}`)).body).toEqual({ ok: true })
    const subjects = (await http.mailsTo(player.email)).map(({ subject }) => subject)
    expect(subjects).toContain('A recovery code was used')
    expect(await reset(recoveryCodes[0])).toMatchObject({ status: 400, code: 'INVALID_2FA_CODE' })
    expect((await logIn(player.email, NEW)).body).toEqual({ key: expect.any(String) })
  })

  it('a reset counts a wrong recovery code against the link: the fifth burns it', async () => {
    const player = await http.register()
    await http.verify(player)
    const { recoveryCodes } = await http.enableTwofa(player)
    const body = { key: await resetKeyOf(player), password: NEW, password_confirm: NEW }
    const reset = (recovery_code: string | undefined) =>
      http.call('PUT', '/auth/reset-password', { body: { ...body, recovery_code } })
    for (let wrong = 0; wrong < 5; wrong++) expect((await reset('wrong')).code).toBe('INVALID_2FA_CODE')
    expect((await reset(recoveryCodes[0])).code).toBe('INVALID_KEY')
  })

  it.each([
    ['of 29 days goes', 29 * DAY, false],
    ['of a second less than 30 days goes', 30 * DAY - 1, false],
    ['of 30 days stays', 30 * DAY, true],
    ['of 31 days stays', 31 * DAY, true],
  ])('a reset removes what a stranger may have left: a security question %s', async (_, age, stays) => {
    const player = await http.register()
    await http.verify(player)
    const setting = { is_active: true, security_question_id: 1, answer: 'thief' }
    await http.call('PUT', '/settings/security/security-questions', { token: player.access, body: setting })
    await http.runtime.clock.advance(age)
    const key = await resetKeyOf(player)
    await http.call('PUT', '/auth/reset-password', { body: { key, password: NEW, password_confirm: NEW } })
    expect((await http.mailTo(player.email)).text.includes('security question')).toBe(!stays)
    expect(Object.keys((await logIn(player.email, NEW)).body)).toEqual(
      stays ? ['key'] : ['access_token', 'refresh_token'],
    )
  })

  it.each<[string, readonly ('first' | 'move')[], string | null]>([
    ['no email address was ever verified', [], null],
    ['the address is verified', ['first'], ADDRESSES[0]],
    ['an address was verified, though the present one is not', ['first', 'move'], ADDRESSES[0]],
  ])('a reset drops the saved bitcoin address if %s, and no other', async (_, steps, left) => {
    const player = await http.register()
    const token = player.access
    const body = { btc_address: ADDRESSES[0], password: PASSWORD }
    await http.call('PUT', '/settings/crypto-account-details', { token, body })
    if (steps.includes('first')) await http.verify(player)
    const email = steps.includes('move') ? `moved.${player.email}` : player.email
    if (steps.includes('move')) {
      const { body: details } = await http.call('GET', '/settings/personal-details', { token })
      const moved = { ...details, email, password: PASSWORD }
      expect((await http.call('PUT', '/settings/personal-details', { token, body: moved })).status).toBe(200)
    }
    const key = await resetKeyOf({ ...player, email })
    const reset = { key, password: NEW, password_confirm: NEW }
    expect((await http.call('PUT', '/auth/reset-password', { body: reset })).status).toBe(200)
    const { access_token: fresh } = (await logIn(email, NEW)).body
    const after = await http.call('GET', '/settings/crypto-account-details', { token: fresh })
    expect(after.body).toMatchObject({ btc_address: left, lightning: null, pay_first: null })
  })

  it('a reset link is valid for an hour, and weak and unequal passwords are refused', async () => {
    const player = await http.register()
    const key = await resetKeyOf(player)
    const reset = (password: string, password_confirm: string) =>
      http.call('PUT', '/auth/reset-password', { body: { key, password, password_confirm } })
    expect((await reset(NEW, PASSWORD)).code).toBe('MISMATCH_PASSWORD_AND_CONFIRM_PASSWORD')
    expect((await reset('weak', 'weak')).code).toBe('INVALID_PASSWORD')
    await http.runtime.clock.advance(3600)
    expect((await reset(NEW, NEW)).code).toBe('INVALID_KEY')
  })

  it('a link to an address the player has left cannot reset the password', async () => {
    const player = await http.register()
    const key = await resetKeyOf(player)
    const details = {
      username: 'mover',
      email: 'moved@example.org',
      timezone_id: 202,
      currency_id: 1,
      password: PASSWORD,
    }
    await http.call('PUT', '/settings/personal-details', { token: player.access, body: details })
    const body = { key, password: NEW, password_confirm: NEW }
    expect((await http.call('PUT', '/auth/reset-password', { body })).code).toBe('INVALID_KEY')
  })
})
