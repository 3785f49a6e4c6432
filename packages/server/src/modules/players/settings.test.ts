import { describe, expect, it } from 'vitest'
import { ADDRESSES, keyOf, OPERATOR_ADDRESS, PASSWORD, type TestPlayer, useAccounts } from '../../../test/accounts.ts'
import { authenticate } from '../identity/sessions.ts'
import { enqueueMail } from '../messages/service.ts'
import { checkMayPlay } from '../safer-play/responsible-play.ts'
import { usableAddress } from './payout-address.ts'

const http = useAccounts()
const DAY = 86_400

const put = (player: TestPlayer, path: string, body: unknown) => http.call('PUT', path, { token: player.access, body })
const get = (player: TestPlayer, path: string) => http.call('GET', path, { token: player.access })

async function idOf(player: TestPlayer): Promise<bigint> {
  const signedIn = await authenticate(http.accounts, player.access)
  if (signedIn === null) throw new Error('not signed in')
  return signedIn.id
}

describe('personal details', () => {
  it('details are saved, and the profile follows with the offset of the time zone', async () => {
    const player = await http.register()
    const { body: before } = await get(player, '/settings/personal-details')
    expect(before).toEqual({ username: expect.any(String), email: player.email, timezone_id: 202, currency_id: 1 })
    const newYork = (await http.call('GET', '/timezones')).body.find((one: { label: string }) =>
      one.label.endsWith('New York'),
    )
    const details = { username: "O'Hara_7", email: player.email, timezone_id: newYork.id, currency_id: 2 }
    expect((await put(player, '/settings/personal-details', details)).body).toEqual(details)
    expect((await get(player, '/profile')).body).toMatchObject({
      username: "O'Hara_7",
      currency_code: 'EUR',
      time_zone: 'America/New_York',
      timezone_utc_offset: -5 * 3600,
      unread_messages: 0,
    })
  })

  it('details take a new address with the password, verify it again, and notify the old one', async () => {
    const player = await http.register()
    const verificationOfOld = keyOf((await http.mailTo(player.email)).links[0])
    const details = { username: 'renamed', email: 'fresh@example.org', timezone_id: 202, currency_id: 1 }
    expect((await put(player, '/settings/personal-details', details)).code).toBe('INVALID_PAYLOAD')
    expect((await put(player, '/settings/personal-details', { ...details, password: 'Wrong-1-Horse' })).code).toBe(
      'INVALID_CREDENTIALS',
    )
    expect((await put(player, '/settings/personal-details', { ...details, twofa_code: 1 })).code).toBe(
      'INVALID_2FA_CODE',
    )
    expect((await put(player, '/settings/personal-details', { ...details, password: PASSWORD })).status).toBe(200)
    expect((await http.mailTo(player.email)).subject).toBe('Your email address was changed')
    expect((await http.call('PUT', '/auth/verify-email', { body: { key: verificationOfOld } })).code).toBe(
      'INVALID_KEY',
    )
    const key = keyOf((await http.mailTo('fresh@example.org')).links[0])
    expect((await http.call('PUT', '/auth/verify-email', { body: { key } })).status).toBe(200)
    expect((await get(player, '/profile')).body).toMatchObject({ email: 'fresh@example.org', is_email_verified: true })
  })

  it.each([
    ['an empty username', { username: '' }, 400, 'INVALID_USERNAME'],
    ['a space at its end', { username: 'name ' }, 400, 'INVALID_USERNAME'],
    ['a letter beyond ASCII', { username: 'Zoë' }, 400, 'INVALID_USERNAME'],
    ['no real address', { email: 'x', password: PASSWORD }, 400, 'INVALID_EMAIL'],
    ['an unknown time zone', { timezone_id: 9999 }, 400, 'INVALID_PAYLOAD'],
    ['an unknown currency', { currency_id: 99 }, 400, 'INVALID_PAYLOAD'],
    ['a time zone as text', { timezone_id: '202' }, 400, 'INVALID_PAYLOAD'],
  ])('details are refused: %s', async (_, change, status, code) => {
    const player = await http.register()
    const details = { username: 'somebody', email: player.email, timezone_id: 202, currency_id: 1, ...change }
    expect(await put(player, '/settings/personal-details', details)).toMatchObject({ status, code })
  })

  it('details that another player has are refused with 409, and reported beforehand', async () => {
    const [one, two] = [await http.register(), await http.register()]
    const { body: taken } = await get(one, '/settings/personal-details')
    const details = { username: 'unique', email: two.email, timezone_id: 202, currency_id: 1 }
    const username = taken.username.toUpperCase()
    expect(await put(two, '/settings/personal-details', { ...details, username })).toMatchObject({
      status: 409,
      code: 'USERNAME_OCCUPIED',
    })
    expect(
      await put(two, '/settings/personal-details', { ...details, email: one.email, password: PASSWORD }),
    ).toMatchObject({ status: 409, code: 'EMAIL_OCCUPIED' })

    const available = async (what: string, value: string) =>
      (await get(two, `/settings/personal-details/${what}/${encodeURIComponent(value)}/availability`)).body
    expect(await available('username', username)).toEqual([false])
    expect(await available('username', 'never taken')).toEqual([true])
    expect(await available('username', ' ')).toEqual([false])
    expect(await available('email', one.email)).toEqual([false])
    expect(await available('email', two.email)).toEqual([true])
    expect(await available('email', 'free@example.org')).toEqual([true])
  })
})

describe('two-factor', () => {
  it('two-factor shows a secret until it is confirmed, and never again', async () => {
    const player = await http.register()
    const first = await get(player, '/settings/security/twofa/qr')
    expect(first.body.qr_code_uri).toMatch(/^otpauth:\/\/totp\/Fairball:.*secret=[A-Z2-7]{32}/)
    expect((await get(player, '/settings/security/twofa/qr')).body).toEqual(first.body)
    expect(
      (await http.call('POST', '/settings/security/twofa/verify', { token: player.access, body: { code: 0 } })).code,
    ).toBe('INVALID_2FA_CODE')
    await http.enableTwofa(player)
    expect((await get(player, '/profile')).body.is_two_fa_enabled).toBe(true)
    expect(await get(player, '/settings/security/twofa/qr')).toMatchObject({ status: 403, code: 'ACCESS_DENIED' })
    expect((await http.mailTo(player.email)).subject).toBe('Two-factor authentication is on')
  })

  it.each([
    ['nothing', {}, 400, 'INVALID_PAYLOAD'],
    ['a wrong password', { password: 'Wrong-1-Horse' }, 400, 'INVALID_CREDENTIALS'],
    ['a wrong code', { twofa_code: '000000' }, 400, 'INVALID_2FA_CODE'],
  ])('two-factor is not switched off with %s', async (_, body, status, code) => {
    const player = await http.register()
    await http.enableTwofa(player)
    expect(await http.call('DELETE', '/settings/security/twofa', { token: player.access, body })).toMatchObject({
      status,
      code,
    })
  })

  it('two-factor is switched off with the password or a code, and sends a notice', async () => {
    for (const proofOf of [() => ({ password: PASSWORD }), (code: () => string) => ({ twofa_code: Number(code()) })]) {
      const player = await http.register()
      const { code } = await http.enableTwofa(player)
      const answer = await http.call('DELETE', '/settings/security/twofa', {
        token: player.access,
        body: proofOf(code),
      })
      expect(answer.body).toEqual({ ok: true })
      expect((await http.mailTo(player.email)).subject).toBe('Two-factor authentication is off')
      const again = await http.call('DELETE', '/settings/security/twofa', {
        token: player.access,
        body: { password: PASSWORD },
      })
      expect(again).toMatchObject({ status: 403, code: 'ACCESS_DENIED' })
    }
  })
})

describe('the security question', () => {
  it('the question is set, never returns its answer, and is switched off', async () => {
    const player = await http.register()
    const path = '/settings/security/security-questions'
    expect((await get(player, path)).body).toEqual({ is_active: false, security_question_id: null, answer: '' })
    const set = await put(player, path, { is_active: true, security_question_id: 2, answer: 'Alma' })
    expect(set.body).toEqual({ is_active: true, security_question_id: 2, answer: '' })
    expect((await get(player, '/profile')).body.is_security_question_enabled).toBe(true)
    expect((await put(player, path, { is_active: false })).body.is_active).toBe(false)
    expect((await get(player, '/profile')).body.is_security_question_enabled).toBe(false)
  })

  it.each([
    ['an unknown question', { is_active: true, security_question_id: 99, answer: 'x' }, 'INVALID_SECURITY_QUESTION'],
    ['an empty answer', { is_active: true, security_question_id: 1, answer: '  ' }, 'INVALID_SECURITY_ANSWER'],
    ['no answer', { is_active: true, security_question_id: 1 }, 'INVALID_SECURITY_ANSWER'],
    ['a long answer', { is_active: true, security_question_id: 1, answer: 'x'.repeat(251) }, 'INVALID_PAYLOAD'],
  ])('the question is refused with 400: %s', async (_, body, code) => {
    const player = await http.register()
    expect(await put(player, '/settings/security/security-questions', body)).toMatchObject({ status: 400, code })
  })
})

describe('the bitcoin address', () => {
  const path = '/settings/crypto-account-details'
  const usable = async (player: TestPlayer) =>
    usableAddress(http.database.db, await idOf(player), http.runtime.clock.now())

  it('the address is used immediately if it is the first, after 24 hours if changed, and never if changed again', async () => {
    const player = await http.register()
    const [first, second] = ADDRESSES
    const third = 'bcrt1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qzf4jry'
    expect((await get(player, path)).body).toMatchObject({ btc_address: null })
    expect((await put(player, path, { btc_address: ` ${first} `, password: PASSWORD })).body).toEqual({ ok: true })
    expect(await usable(player)).toBe(first)
    expect(http.hooks.payoutReady.at(-1)).toBe(await idOf(player))

    await put(player, path, { btc_address: second, password: PASSWORD })
    expect((await get(player, path)).body).toMatchObject({ btc_address: second })
    expect((await http.mailTo(player.email)).text).toContain(second)
    expect(await usable(player)).toBe(first)
    await http.runtime.clock.advance(DAY / 2)
    player.access = (await http.call('POST', '/auth/refresh', { token: player.refresh })).body.access_token
    await put(player, path, { btc_address: third, password: PASSWORD })
    await http.mailsTo(player.email) // its wait begins once its notice is handed over
    const id = await idOf(player)
    await http.runtime.clock.advance(DAY / 2)
    const usableNow = () => usableAddress(http.database.db, id, http.runtime.clock.now())
    expect(await usableNow()).toBe(first)
    await http.runtime.clock.advance(DAY / 2)
    expect(await usableNow()).toBe(third)
  })

  it('the address stays if it is saved again in capitals, or a change is cancelled by saving the one in use', async () => {
    const player = await http.register()
    const [first, second] = ADDRESSES
    for (const btc_address of [first, first.toUpperCase()]) await put(player, path, { btc_address, password: PASSWORD })
    expect((await get(player, path)).body).toMatchObject({ btc_address: first })
    for (const btc_address of [second, first.toUpperCase()])
      await put(player, path, { btc_address, password: PASSWORD })
    const id = await idOf(player)
    await http.runtime.clock.advance(2 * DAY)
    expect(await usableAddress(http.database.db, id, http.runtime.clock.now())).toBe(first)
  })

  it.each([
    ['no address', { btc_address: '', password: PASSWORD }, 400, 'INVALID_BTC_ADDRESS'],
    [
      'a wrong checksum',
      { btc_address: 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt081', password: PASSWORD },
      400,
      'INVALID_BTC_ADDRESS',
    ],
    [
      'another network',
      { btc_address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', password: PASSWORD },
      400,
      'INVALID_BTC_ADDRESS',
    ],
    [
      'an address at which we take payments',
      { btc_address: OPERATOR_ADDRESS, password: PASSWORD },
      400,
      'INVALID_BTC_ADDRESS',
    ],
    ['a wrong password', { btc_address: ADDRESSES[0], password: 'Wrong-1-Horse' }, 400, 'INVALID_CREDENTIALS'],
    ['a code without the password', { btc_address: ADDRESSES[0], twofa_code: 123456 }, 400, 'INVALID_PAYLOAD'],
    ['no proof', { btc_address: ADDRESSES[0] }, 400, 'INVALID_PAYLOAD'],
  ])('the address is refused: %s', async (_, body, status, code) => {
    const player = await http.register()
    expect(await put(player, path, body)).toMatchObject({ status, code })
  })
})

describe('the proof for a bitcoin address', () => {
  const path = '/settings/crypto-account-details'

  it('an account with a password needs it: a code alone does not help, and a wrong password gets the catalogue’s words', async () => {
    const player = await http.register()
    const { code } = await http.enableTwofa(player)
    const [btc_address] = ADDRESSES
    expect(await put(player, path, { btc_address, twofa_code: Number(code()) })).toMatchObject({
      status: 400,
      code: 'INVALID_PAYLOAD',
      body: { error: { fields: { password: expect.any(String) } } },
    })
    expect(
      await put(player, path, { btc_address, twofa_code: Number(code()), password: 'Wrong-1-Horse' }),
    ).toMatchObject({
      code: 'INVALID_CREDENTIALS',
      body: { error: { message: 'Invalid credentials.' } },
    })
    expect((await put(player, path, { btc_address, password: PASSWORD })).status).toBe(200)
  })
})

describe('responsible play', () => {
  const path = '/settings/responsible-play'
  const mayPlay = async (player: TestPlayer, priceMinor: bigint, currency = 'GBP') => {
    const id = await idOf(player)
    return await http.transaction((tx) => checkMayPlay(http.accounts, tx, id, priceMinor, currency))
  }
  const refreshed = async (player: TestPlayer) => {
    const { body } = await http.call('POST', '/auth/refresh', { token: player.refresh })
    Object.assign(player, { access: body.access_token, refresh: body.refresh_token })
  }

  it('there are no limits at first', async () => {
    const player = await http.register()
    expect((await get(player, path)).body).toEqual({
      weekly_limit: null,
      weekly_left: null,
      weekly_limit_next: null,
      weekly_limit_next_at: null,
      time_out_until: null,
      excluded_until: null,
      reminder_minutes: null,
    })
    await mayPlay(player, 1_000_000n)
  })

  it('a lower limit applies immediately, and a higher one or none after 24 hours', async () => {
    const player = await http.register()
    expect((await put(player, path, { weekly_limit: 20.5 })).body.weekly_limit).toBe(20.5)
    http.hooks.spentMinor = 1000n
    await mayPlay(player, 1050n)
    expect((await get(player, path)).body.weekly_left).toBe(10.5)
    await expect(mayPlay(player, 1051n)).rejects.toMatchObject({ code: 'LIMIT_REACHED' })
    http.hooks.spentMinor = 0n

    const raised = await put(player, path, { weekly_limit: 50 })
    const nextAt = http.runtime.clock.now() + DAY
    expect(raised.body).toMatchObject({ weekly_limit: 20.5, weekly_limit_next: 50, weekly_limit_next_at: nextAt })
    expect((await put(player, path, { weekly_limit: 10 })).body).toMatchObject({
      weekly_limit: 10,
      weekly_limit_next: null,
      weekly_limit_next_at: null,
    })
    expect((await put(player, path, { weekly_limit: null })).body).toMatchObject({
      weekly_limit: 10,
      weekly_limit_next: null,
      weekly_limit_next_at: nextAt,
    })
    await http.runtime.clock.advance(DAY)
    await refreshed(player)
    expect((await get(player, path)).body.weekly_limit).toBeNull()
    await mayPlay(player, 1_000_000n)
  })

  it('a limit counts an order in another currency at the present rates', async () => {
    const player = await http.register()
    await put(player, path, { weekly_limit: 10 })
    await mayPlay(player, 1299n, 'USD') // at 770 sats a dollar and 1,000 a pound
    await expect(mayPlay(player, 1300n, 'USD')).rejects.toMatchObject({ code: 'LIMIT_REACHED' })
  })

  it('a limit keeps its value in another currency, rounded down', async () => {
    const player = await http.register()
    await put(player, path, { weekly_limit: 10 })
    await put(player, '/settings/personal-details', {
      username: `eur ${player.email.length} player`,
      email: player.email,
      timezone_id: 202,
      currency_id: 2,
    })
    expect((await get(player, path)).body).toMatchObject({ weekly_limit: 11.49, weekly_left: 11.49 })
    http.hooks.spentMinor = 500n
    expect((await get(player, path)).body.weekly_left).toBe(5.73)
    http.hooks.spentMinor = 5000n
    expect((await get(player, path)).body.weekly_left).toBe(0)
    http.hooks.spentMinor = 0n
    await expect(mayPlay(player, 1000n)).rejects.toMatchObject({ code: 'LIMIT_REACHED' })
    await mayPlay(player, 999n)
  })

  it('a time-out and a self-exclusion stay once begun, and can be made longer', async () => {
    const player = await http.register()
    const nowAt = http.runtime.clock.now()
    expect((await put(player, path, { time_out_until: nowAt + DAY })).body.time_out_until).toBe(nowAt + DAY)
    await expect(mayPlay(player, 0n)).rejects.toMatchObject({ code: 'SELF_EXCLUDED' })
    expect(await put(player, path, { time_out_until: null })).toMatchObject({ status: 403, code: 'SELF_EXCLUDED' })
    expect((await put(player, path, { time_out_until: nowAt + DAY, reminder_minutes: 60 })).status).toBe(200)
    expect((await put(player, path, { time_out_until: nowAt + 2 * DAY })).status).toBe(200)
    await http.runtime.clock.advance(2 * DAY)
    await refreshed(player)
    await mayPlay(player, 100n)
    expect((await put(player, path, { excluded_until: http.runtime.clock.now() + 200 * DAY })).status).toBe(200)
    await expect(mayPlay(player, 100n)).rejects.toMatchObject({ code: 'SELF_EXCLUDED' })
    expect((await get(player, path)).body.reminder_minutes).toBe(60)
  })

  it('the page says how much is left of the week, in the currency of the player', async () => {
    const player = await http.register()
    const { username } = (await get(player, '/settings/personal-details')).body
    await put(player, '/settings/personal-details', { username, email: player.email, timezone_id: 202, currency_id: 2 })
    await put(player, path, { weekly_limit: 20 }) // 17.40 pounds at 870 satoshis per euro
    http.hooks.spentMinor = 1000n
    await mayPlay(player, 740n)
    await expect(mayPlay(player, 741n)).rejects.toMatchObject({
      code: 'LIMIT_REACHED',
      message: 'This is more than your weekly limit. You have €8.50 left to spend this week.',
    })
    http.hooks.spentMinor = 5000n
    await expect(mayPlay(player, 1n)).rejects.toMatchObject({ message: expect.stringContaining('€0.00') as string })
    http.hooks.spentMinor = 0n
  })

  it('a waiting raise can be made smaller without another wait, and larger only from now on', async () => {
    const player = await http.register()
    await put(player, path, { weekly_limit: 10 })
    await put(player, path, { weekly_limit: 50 })
    const firstAt = http.runtime.clock.now() + DAY
    await http.runtime.clock.advance(300)
    expect((await put(player, path, { weekly_limit: 50 })).body.weekly_limit_next_at).toBe(firstAt)
    expect((await put(player, path, { weekly_limit: 30 })).body).toMatchObject({
      weekly_limit: 10,
      weekly_limit_next: 30,
      weekly_limit_next_at: firstAt,
    })
    expect((await put(player, path, { weekly_limit: 40 })).body).toMatchObject({
      weekly_limit_next: 40,
      weekly_limit_next_at: firstAt + 300,
    })
    expect((await put(player, path, { weekly_limit: null })).body).toMatchObject({
      weekly_limit: 10,
      weekly_limit_next: null,
      weekly_limit_next_at: firstAt + 300,
    })
    expect((await put(player, path, { weekly_limit: 20 })).body).toMatchObject({ weekly_limit_next: 20 })
  })

  it('sending the whole answer back changes nothing', async () => {
    const player = await http.register()
    await put(player, path, { weekly_limit: 10, reminder_minutes: 30 })
    await put(player, path, { time_out_until: http.runtime.clock.now() + 2 * DAY })
    const { body: before } = await put(player, path, { weekly_limit: 50 })
    await http.runtime.clock.advance(60)
    expect(await put(player, path, before)).toMatchObject({ status: 200, body: before })
    expect((await put(player, path, { weekly_limit: 10 })).body).toMatchObject({
      weekly_limit: 10,
      weekly_limit_next_at: null, // sent again on its own, it cancels the raise
    })
  })

  it('a current self-exclusion can be made longer by any time, and never shorter', async () => {
    const player = await http.register()
    const until = http.runtime.clock.now() + 181 * DAY
    await put(player, path, { excluded_until: until })
    await http.runtime.clock.advance(170 * DAY)
    Object.assign(player, {
      access: (
        await http.call('POST', '/auth/login', {
          body: { email_or_username: player.email, password: PASSWORD },
        })
      ).body.access_token,
    })
    for (const wanted of [null, 0, until - 1, http.runtime.clock.now() + 60])
      expect(await put(player, path, { excluded_until: wanted })).toMatchObject({ status: 403, code: 'SELF_EXCLUDED' })
    expect((await put(player, path, { excluded_until: until + DAY })).body.excluded_until).toBe(until + DAY)
  })

  it('mails that invite to play are held back during a time-out or an exclusion, and no others', async () => {
    const player = await http.register()
    const playerId = await idOf(player)
    const wanted = { is_lottery_games_active: true, is_winners_and_good_causes_active: true }
    await put(player, '/settings/email-preferences', wanted)
    const send = (category: 'reminder' | 'news' | 'results' | 'win', about: string) =>
      http.transaction((tx) =>
        enqueueMail(http.messages, tx, {
          to: player.email,
          playerId,
          category,
          subject: `${category} ${about}`,
          paragraphs: ['x'],
          key: `${category}:${about}:${playerId}`,
        }),
      )
    await send('reminder', 'before')
    await put(player, path, { time_out_until: http.runtime.clock.now() + DAY })
    for (const category of ['reminder', 'news', 'results', 'win'] as const) await send(category, 'paused')
    await http.runtime.clock.advance(DAY)
    await send('news', 'after')
    const subjects = (await http.mailsTo(player.email)).map(({ subject }) => subject)
    expect(subjects.slice(0, 4)).toEqual(['news after', 'win paused', 'results paused', 'reminder before'])
  })

  it.each([
    ['an hour of time-out', { time_out_until: 3600 }, 'INVALID_PAYLOAD'],
    ['seven weeks of time-out', { time_out_until: 49 * DAY }, 'INVALID_PAYLOAD'],
    ['a month of exclusion', { excluded_until: 30 * DAY }, 'INVALID_PAYLOAD'],
  ])('responsible play refuses %s', async (_, wanted, code) => {
    const player = await http.register()
    const body = Object.fromEntries(
      Object.entries(wanted).map(([name, seconds]) => [name, http.runtime.clock.now() + seconds]),
    )
    expect(await put(player, path, body)).toMatchObject({ status: 400, code })
  })

  it.each([
    ['below zero', { weekly_limit: -1 }],
    ['three decimals', { weekly_limit: 1.005 }],
    ['a text', { weekly_limit: '10' }],
    ['no minute', { reminder_minutes: 0 }],
  ])('responsible play refuses a limit %s', async (_, body) => {
    const player = await http.register()
    expect(await put(player, path, body)).toMatchObject({ status: 400, code: 'INVALID_PAYLOAD' })
  })
})

describe('mail preferences', () => {
  it('mail preferences are saved, and hold back what they say and nothing else', async () => {
    const player = await http.register()
    const wanted = { is_lottery_games_active: false, is_winners_and_good_causes_active: true }
    expect((await put(player, '/settings/email-preferences', wanted)).body).toEqual({ ok: true })
    expect((await get(player, '/settings/email-preferences')).body).toEqual(wanted)
    const playerId = await idOf(player)
    for (const category of ['results', 'reminder', 'news', 'win', 'payment'] as const)
      await http.transaction((tx) =>
        enqueueMail(http.messages, tx, {
          to: player.email,
          playerId,
          category,
          subject: category,
          paragraphs: ['x'],
          key: `${category}:${playerId}`,
        }),
      )
    const subjects = (await http.mailsTo(player.email)).map(({ subject }) => subject)
    expect(subjects).toEqual(['payment', 'win', 'news', 'Please verify your email address'])
  })
})

describe('personal data', () => {
  it('personal data includes everything about the player and no secret', async () => {
    const player = await http.register()
    await put(player, '/settings/crypto-account-details', { btc_address: ADDRESSES[0], password: PASSWORD })
    const answer = await get(player, '/settings/personal-data')
    expect(answer.body).toMatchObject({
      account: { email: player.email, is_email_verified: false },
      sessions: [{ fingerprint: expect.any(String) }],
      bitcoin_addresses: [{ address: ADDRESSES[0] }],
      messages: [],
      orders: [],
    })
    expect(answer.text).not.toContain('argon2')
  })

  it('personal data is erased with the account, which does not prevent a new registration', async () => {
    const player = await http.register()
    const close = (body: unknown) => http.call('DELETE', '/settings/account', { token: player.access, body })
    const id = await idOf(player)
    expect((await close({})).code).toBe('INVALID_PAYLOAD')
    expect((await close({ password: 'Wrong-1-Horse' })).code).toBe('INVALID_CREDENTIALS')
    http.hooks.openMoney.add(id)
    expect(await close({ password: PASSWORD })).toMatchObject({ status: 403, code: 'ACCESS_DENIED' })
    http.hooks.openMoney.clear()
    expect((await close({ password: PASSWORD })).body).toEqual({ ok: true })
    expect((await get(player, '/profile')).status).toBe(401)
    expect((await http.mailTo(player.email)).subject).toBe('Your account was closed')
    const login = { email_or_username: player.email, password: PASSWORD }
    expect((await http.call('POST', '/auth/login', { body: login })).code).toBe('INVALID_CREDENTIALS')
    const again = { email: player.email, email_confirm: player.email, password: PASSWORD }
    expect((await http.call('POST', '/auth/register', { body: again })).status).toBe(201)
  })
})
