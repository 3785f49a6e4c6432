import { describe, expect, it } from 'vitest'
import { ADDRESSES, PASSWORD, useAccounts } from '../../../test/accounts.ts'
import { authenticate } from '../identity/sessions.ts'
import { enqueueMail } from '../messages/service.ts'

const http = useAccounts()

/** Google in this test: every token is of the same person. */
function google(person: { sub: string; email: string }): void {
  http.network = (url) =>
    url.pathname === '/v3/tokeninfo'
      ? Response.json({ aud: 'our-client', sub: person.sub })
      : Response.json({ ...person, email_verified: true })
}
const logIn = () => http.call('POST', '/auth/login/google', { body: { access_token: 'token' } })

/** A player who came by Google and is owed money. */
async function socialPlayer(sub: string) {
  const email = `${sub}@example.org`
  google({ sub, email })
  const { data } = (await logIn()).body
  const player = { email, password: '', access: data.access_token, refresh: data.refresh_token }
  const { code } = await http.enableTwofa(player)
  await http.runtime.clock.advance(30) // a code is accepted once
  const token = player.access
  const body = { btc_address: ADDRESSES[0], twofa_code: Number(code()) }
  expect((await http.call('PUT', '/settings/crypto-account-details', { token, body })).status).toBe(200)
  const id = (await authenticate(http.accounts, token))?.id ?? 0n
  http.hooks.openMoney.add(id)
  await http.runtime.clock.advance(30)
  const close = () => http.call('DELETE', '/settings/account', { token, body: { twofa_code: Number(code()) } })
  return { id, email, token, close }
}

describe('a closed account that is still paid', () => {
  it('the account’s social network opens neither it nor another account for the same person', async () => {
    const player = await socialPlayer('g-closing')
    expect((await player.close()).body).toEqual({ ok: true })
    expect(await logIn()).toMatchObject({ status: 400, code: 'SOCIAL_LOGIN_FAILED' })
    expect((await logIn()).body.error.message).toBe('This account is being closed.')
    http.hooks.openMoney.clear()
    await http.runtime.clock.advance(60)
    await http.mailsTo(player.email) // runs what is due
    expect(http.hooks.forgotten).toContain(player.id)
    expect((await logIn()).body).toMatchObject({ ok: true, data: { access_token: expect.any(String) as string } })
  })

  it('a self-exclusion remains by which the social network recognises the person, whatever the email address', async () => {
    const player = await socialPlayer('g-excluded')
    const until = http.runtime.clock.now() + 181 * 86_400
    const body = { excluded_until: until }
    expect((await http.call('PUT', '/settings/responsible-play', { token: player.token, body })).status).toBe(200)
    await player.close()
    http.hooks.openMoney.clear()
    await http.runtime.clock.advance(60)
    await http.mailsTo(player.email)
    google({ sub: 'g-excluded', email: 'another@example.org' })
    expect(await logIn()).toMatchObject({ status: 403, code: 'SELF_EXCLUDED' })
    await http.runtime.clock.advance(181 * 86_400)
    expect((await logIn()).status).toBe(200)
  })

  it('the key of a pending second step is revoked', async () => {
    const player = await http.register()
    const body = { is_active: true, security_question_id: 2, answer: 'Alma' }
    await http.call('PUT', '/settings/security/security-questions', { token: player.access, body })
    const login = { email_or_username: player.email, password: PASSWORD }
    const { key } = (await http.call('POST', '/auth/login', { body: login })).body
    await http.call('DELETE', '/settings/account', { token: player.access, body: { password: PASSWORD } })
    const step = { key, security_question_id: 2, security_answer: 'Alma' }
    expect(await http.call('POST', '/auth/login-secure', { body: step })).toMatchObject({ code: 'INVALID_KEY' })
  })

  it('the account gets mails about its money, and none that invite to play', async () => {
    const player = await socialPlayer('g-mails')
    await player.close()
    for (const category of ['win', 'payment', 'reminder', 'news'] as const)
      await http.transaction((tx) =>
        enqueueMail(http.messages, tx, {
          to: player.email,
          playerId: player.id,
          category,
          subject: category,
          paragraphs: ['x'],
          key: `${category}:${player.id}`,
        }),
      )
    const subjects = (await http.mailsTo(player.email)).map(({ subject }) => subject)
    expect(subjects.slice(0, 3)).toEqual(['payment', 'win', 'Your account is being closed'])
    http.hooks.openMoney.clear()
  })
})
