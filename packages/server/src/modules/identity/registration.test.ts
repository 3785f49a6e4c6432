import { describe, expect, it } from 'vitest'
import { keyOf, PASSWORD, useAccounts } from '../../../test/accounts.ts'

const http = useAccounts()

describe('registration', () => {
  it('a registration makes a username, logs in, and mails a link that verifies the address once', async () => {
    const player = await http.register()
    const profile = await http.call('GET', '/profile', { token: player.access })
    expect(profile.body).toEqual({
      username: expect.stringMatching(/^player-[a-z2-7]{6}$/),
      email: player.email,
      currency_code: 'GBP',
      is_email_verified: false,
      is_social_account: false,
      is_two_fa_enabled: false,
      is_security_question_enabled: false,
      time_zone: 'Europe/London',
      timezone_utc_offset: 0,
      unread_messages: 0,
    })

    const { links, html, text } = await http.mailTo(player.email)
    expect(links).toEqual([expect.stringMatching(/^http:\/\/fairball\.test\/verify-email\/[\w-]{43}$/)])
    expect(html).toContain(links[0])
    expect(text).toContain(links[0])
    const key = keyOf(links[0])
    expect(await http.call('PUT', '/auth/verify-email', { body: { key } })).toMatchObject({
      status: 200,
      body: { ok: true },
    })
    expect((await http.call('GET', '/profile', { token: player.access })).body.is_email_verified).toBe(true)
    expect(http.hooks.payoutReady.length).toBe(1)
    expect((await http.call('PUT', '/auth/verify-email', { body: { key } })).code).toBe('INVALID_KEY')
  })

  it('a registration takes another link for 24 hours, and none after that', async () => {
    const player = await http.register()
    await http.runtime.clock.advance(60)
    expect((await http.call('GET', '/auth/resend-verification-email', { token: player.access })).body).toEqual({
      ok: true,
    })
    const [newest] = await http.mailsTo(player.email)
    await http.runtime.clock.advance(24 * 3600)
    const body = { key: keyOf(newest?.links[0]) }
    expect(await http.call('PUT', '/auth/verify-email', { body })).toMatchObject({ status: 400, code: 'INVALID_KEY' })
  })

  const good = { email: 'new@example.org', email_confirm: 'new@example.org', password: PASSWORD }
  it.each([
    ['no address', { ...good, email: '', email_confirm: '' }, 400, 'INVALID_EMAIL'],
    ['no real address', { ...good, email: 'new@', email_confirm: 'new@' }, 400, 'INVALID_EMAIL'],
    ['a line feed in the address', { ...good, email: 'a@example.org\nBcc: b@example.org' }, 400, 'INVALID_EMAIL'],
    ['another confirmation', { ...good, email_confirm: 'old@example.org' }, 400, 'MISMATCH_EMAIL_AND_CONFIRM_EMAIL'],
    ['a short password', { ...good, password: 'Ab1!xyz' }, 400, 'INVALID_PASSWORD'],
    ['no capital letter', { ...good, password: 'correct-horse-7' }, 400, 'INVALID_PASSWORD'],
    ['no small letter', { ...good, password: 'CORRECT-HORSE-7' }, 400, 'INVALID_PASSWORD'],
    ['no digit', { ...good, password: 'Correct-Horse-x' }, 400, 'INVALID_PASSWORD'],
    ['no symbol', { ...good, password: 'CorrectHorse7x' }, 400, 'INVALID_PASSWORD'],
    ['a common password', { ...good, password: 'P@ssw0rd1!' }, 400, 'INVALID_PASSWORD'],
    [
      'the own address as password',
      { email: 'Me.1@example.org', email_confirm: 'Me.1@example.org', password: 'Me.1@example.org' },
      400,
      'INVALID_PASSWORD',
    ],
    ['a missing field', { email: good.email, password: PASSWORD }, 400, 'INVALID_PAYLOAD'],
    ['an unknown field', { ...good, is_admin: true }, 400, 'INVALID_PAYLOAD'],
    ['a number as password', { ...good, password: 12345678 }, 400, 'INVALID_PAYLOAD'],
  ])('a registration is refused: %s', async (_, body, status, code) => {
    expect(await http.call('POST', '/auth/register', { body })).toMatchObject({ status, code })
  })

  it('a registration is refused for a taken address, in any case of its letters', async () => {
    const player = await http.register()
    const email = player.email.toUpperCase()
    const answer = await http.call('POST', '/auth/register', {
      body: { email, email_confirm: email, password: PASSWORD },
    })
    expect(answer).toMatchObject({ status: 409, code: 'EMAIL_OCCUPIED' })
  })

  it('of two concurrent registrations of an address one gets the account', async () => {
    const body = { email: 'twice@example.org', email_confirm: 'twice@example.org', password: PASSWORD }
    const answers = await Promise.all([1, 2].map(() => http.call('POST', '/auth/register', { body })))
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([201, 409])
  })

  it('60 registrations from one address in 15 minutes are accepted, and the next one later', async () => {
    await http.runtime.clock.advance(3600)
    const attempt = (number: number) => {
      const email = `many.${number}@example.org`
      return http.call('POST', '/auth/register', { body: { email, email_confirm: email, password: PASSWORD } })
    }
    for (let number = 0; number < 60; number++) expect((await attempt(number)).status).toBe(201)
    const refused = await attempt(60)
    expect(refused).toMatchObject({ status: 429, code: 'TOO_MANY_REQUESTS' })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    await http.runtime.clock.advance(900)
    expect((await attempt(60)).status).toBe(201)
  })
})
