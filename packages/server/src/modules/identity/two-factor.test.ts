import { Secret, TOTP } from 'otpauth'
import { describe, expect, it } from 'vitest'
import { ADDRESSES, type Answer, keyOf, PASSWORD, type TestPlayer, useAccounts } from '../../../test/accounts.ts'
import { cleanUp } from '../privacy/clean-up.ts'

const http = useAccounts()
const NEW = 'Another-Horse-8-Staple'

const show = (token: string) => http.call('GET', '/settings/security/twofa/qr', { token })
const confirm = (token: string, code: string) =>
  http.call('POST', '/settings/security/twofa/verify', { token, body: { code } })

async function logIn({ email }: TestPlayer): Promise<string> {
  const body = { email_or_username: email, password: PASSWORD }
  return String((await http.call('POST', '/auth/login', { body })).body.access_token)
}

/** A code of the secret that an answer proposes. */
function codeOf({ body }: Answer): string {
  const secret = Secret.fromBase32(new URL(body.qr_code_uri).searchParams.get('secret') ?? '')
  return new TOTP({ secret }).generate({ timestamp: http.runtime.clock.nowMs() })
}

async function proposals({ email }: TestPlayer): Promise<number> {
  const client = await http.database.connect()
  const { rowCount } = await client.query(
    'select from twofa w join players p on p.id = w.player_id where p.email = $1 and w.confirmed_at is null',
    [email],
  )
  return rowCount ?? 0
}

describe('a proposed secret', () => {
  it('a secret is for the session that requested it: another one sees its own, and a code of the first is none there', async () => {
    const player = await http.register()
    const other = await logIn(player)
    const first = await show(player.access)
    const second = await show(other)
    expect(second.body).not.toEqual(first.body)
    expect((await confirm(player.access, codeOf(first))).code).toBe('INVALID_2FA_CODE') // the later one has replaced it
    expect((await confirm(player.access, codeOf(second))).code).toBe('INVALID_2FA_CODE') // and is the other session's
    expect((await confirm(other, codeOf(second))).status).toBe(200)
  })

  it.each<[string, (player: TestPlayer, other: string) => Promise<Answer>]>([
    [
      'a change of the password',
      (_player, token) =>
        http.call('PUT', '/settings/password', {
          token,
          body: { current_password: PASSWORD, new_password: NEW, confirm_password: NEW },
        }),
    ],
    [
      'a reset of the password',
      async ({ email }) => {
        await http.call('GET', `/auth/forgotten-password?email=${email}`)
        const key = keyOf((await http.mailTo(email)).links[0])
        return await http.call('PUT', '/auth/reset-password', { body: { key, password: NEW, password_confirm: NEW } })
      },
    ],
    [
      'the link that stops a changed address',
      async ({ email }, token) => {
        for (const btc_address of ADDRESSES)
          await http.call('PUT', '/settings/crypto-account-details', {
            token,
            body: { btc_address, password: PASSWORD },
          })
        const links = (await http.mailsTo(email)).flatMap((mail) => mail.links)
        const key = keyOf(links.find((link) => link.includes('/stop-address-change/')))
        return await http.call('POST', '/auth/stop-address-change', { body: { key } })
      },
    ],
    [
      'ending the session from the list',
      async (_player, token) => {
        const { body: list } = await http.call('GET', '/auth/tokens', { token })
        const { access_token: handle } = list.find((one: { is_current_session: boolean }) => !one.is_current_session)
        return await http.call('DELETE', '/auth/tokens', { token, body: { tokens: [handle] } })
      },
    ],
    ['logging out', ({ access }) => http.call('DELETE', '/auth/logout', { token: access })],
  ])('a proposed secret is removed with its session: by %s', async (_, end) => {
    const player = await http.register()
    const other = await logIn(player)
    await show(player.access)
    expect(await proposals(player)).toBe(1)
    expect((await end(player, other)).status).toBe(200)
    expect(await proposals(player)).toBe(0)
  })

  it('a proposed secret is removed with a session that ends because a used refresh token came again', async () => {
    const player = await http.register()
    await show(player.access)
    await http.call('POST', '/auth/refresh', { token: player.refresh })
    await http.call('POST', '/auth/refresh', { token: player.refresh })
    expect(await proposals(player)).toBe(0)
  })

  it('a proposed secret is removed with a session that expires', async () => {
    const player = await http.register()
    await show(player.access)
    await http.runtime.clock.advance(31 * 86_400)
    await http.transaction((tx) => cleanUp(http.accounts, tx))
    expect(await proposals(player)).toBe(0)
  })
})

describe('switching two-factor on', () => {
  async function wait(player: TestPlayer, seconds: number): Promise<void> {
    await http.runtime.clock.advance(seconds)
    const { body } = await http.call('POST', '/auth/refresh', { token: player.refresh })
    Object.assign(player, { access: body.access_token, refresh: body.refresh_token })
  }

  it('switching on needs the password within half an hour, which a browser left open does not have', async () => {
    const player = await http.register()
    await wait(player, 1800)
    expect((await show(player.access)).status).toBe(200)
    await wait(player, 1)
    const late = await show(player.access)
    expect(late).toMatchObject({ status: 403, code: 'ACCESS_DENIED' })
    expect(late.body.error.message).toMatch(/enter your password/)
    const wrong = { token: player.access, body: { password: 'Wrong-Horse-7' } }
    expect((await http.call('POST', '/verify', wrong)).code).toBe('INVALID_CREDENTIALS')
    expect((await show(player.access)).status).toBe(403)

    // Like the set-up on the pages.
    const right = { token: player.access, body: { password: PASSWORD } }
    expect((await http.call('POST', '/verify', right)).status).toBe(200)
    const shown = await show(player.access)
    expect((await confirm(player.access, codeOf(shown))).status).toBe(200)
  })

  it('switching on is refused even with a code after the half hour, and one session proves nothing for another', async () => {
    const player = await http.register()
    const shown = await show(player.access)
    await wait(player, 1801)
    expect((await confirm(player.access, codeOf(shown))).code).toBe('ACCESS_DENIED')
    await logIn(player)
    expect((await confirm(player.access, codeOf(shown))).code).toBe('ACCESS_DENIED')
  })
})
