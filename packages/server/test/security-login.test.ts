import { createHash } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { type Answer, PASSWORD, type TestPlayer, useAccounts } from './accounts.ts'

vi.setConfig({ testTimeout: 120_000 }) // hundreds of calls, many with a hash, on a busy computer

const http = useAccounts()
const WRONG = 'Wrong-Horse-7'
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

/** A different address for each test: the limit of 60 failures per address is not tested here. */
let addresses = 0
const newAddress = (): string => `11.0.${Math.floor(++addresses / 250)}.${addresses % 250}`

const logIn = (name: string, password: string, address: string): Promise<Answer> =>
  http.call('POST', '/auth/login', { body: { email_or_username: name, password }, address })

const retryAfter = ({ headers }: Answer): number => Number(headers['retry-after'])

async function usernameOf(player: TestPlayer): Promise<string> {
  return (await http.call('GET', '/profile', { token: player.access })).body.username
}

/** Fails this many times, waiting as long as required in between. */
async function fail(name: string, times: number, address: string): Promise<void> {
  for (let failures = 0; failures < times;) {
    const answer = await logIn(name, WRONG, address)
    if (answer.status === 400) failures += 1
    else await http.runtime.clock.advance(retryAfter(answer))
  }
}

describe('guessing a password', () => {
  it('guesses are slowed from the fifth failure on, by 1, 2, 4, 8 and 16 seconds, and the tenth blocks the quarter of an hour', async () => {
    const player = await http.register()
    const address = newAddress()
    for (let failure = 1; failure <= 5; failure++)
      expect((await logIn(player.email, WRONG, address)).code).toBe('INVALID_CREDENTIALS')
    let waited = 0
    for (const seconds of [1, 2, 4, 8, 16]) {
      const early = await logIn(player.email, WRONG, address)
      expect([early.status, early.code, retryAfter(early)]).toEqual([429, 'TOO_MANY_REQUESTS', seconds])
      if (seconds > 1) {
        await http.runtime.clock.advance(seconds - 1)
        expect(retryAfter(await logIn(player.email, WRONG, address))).toBe(1)
        await http.runtime.clock.advance(1)
      } else await http.runtime.clock.advance(1)
      waited += seconds
      expect((await logIn(player.email, WRONG, address)).status).toBe(400)
    }
    const closed = await logIn(player.email, PASSWORD, address)
    expect([closed.status, retryAfter(closed)]).toEqual([429, 900 - waited])
    await http.runtime.clock.advance(900 - waited)
    expect((await logIn(player.email, PASSWORD, address)).status).toBe(200)
  })

  it('guesses are not slowed before the fifth failure: the right password works immediately after four', async () => {
    const player = await http.register()
    const address = newAddress()
    await fail(player.email, 4, address)
    expect((await logIn(player.email, PASSWORD, address)).status).toBe(200)
    const [elsewhere, home] = [newAddress(), address]
    await fail(player.email, 4, elsewhere)
    await fail(player.email, 4, home)
    expect((await logIn(player.email, PASSWORD, elsewhere)).status).toBe(200)
  })

  it('even the right password waits, unchecked, and is accepted when the wait is over', async () => {
    const player = await http.register()
    const address = newAddress()
    await fail(player.email, 6, address)
    expect(retryAfter(await logIn(player.email, PASSWORD, address))).toBe(2)
    await http.runtime.clock.advance(2)
    expect((await logIn(player.email, PASSWORD, address)).status).toBe(200)
  })

  it('failures start at zero again after a success', async () => {
    const player = await http.register()
    const address = newAddress()
    await fail(player.email, 5, address)
    await http.runtime.clock.advance(1)
    await logIn(player.email, PASSWORD, address)
    for (let failure = 1; failure <= 5; failure++) expect((await logIn(player.email, WRONG, address)).status).toBe(400)
  })

  it('failures at the username and the email address of an account are counted together, in any case', async () => {
    const player = await http.register()
    const username = await usernameOf(player)
    const address = newAddress()
    for (const name of [
      player.email,
      username,
      player.email.toUpperCase(),
      username.toUpperCase(),
      ` ${player.email} `,
    ])
      expect((await logIn(name, WRONG, address)).status).toBe(400)
    for (const name of [player.email, username]) expect((await logIn(name, WRONG, address)).status).toBe(429)
  })

  it('failures look the same for an account that does not exist: statuses, waits, messages and headers', async () => {
    const player = await http.register()
    const story = async (name: string): Promise<unknown[]> => {
      const told: unknown[] = []
      const address = newAddress()
      for (let step = 0; step < 40; step++) {
        const answer = await logIn(step % 2 === 0 ? name : name.toUpperCase(), WRONG, address)
        // A request's own number is random.
        const { date: _, 'x-fairball-now': __, 'x-request-id': ___, ...headers } = answer.headers
        told.push([answer.status, answer.text, headers])
        await http.runtime.clock.advance(step % 3)
      }
      return told
    }
    const known = await story(player.email)
    const knownByName = await story(await usernameOf(await http.register()))
    expect(await story('nobody.at.all@example.org')).toEqual(known)
    expect(await story('nobody-at-all')).toEqual(known)
    expect(knownByName).toEqual(known)
  })

  it('50 concurrent tries do no more than the waits allow, whatever their addresses', async () => {
    const player = await http.register()
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => logIn(player.email, WRONG, `11.1.0.${index}`)),
    )
    const looked = answers.filter(({ code }) => code === 'INVALID_CREDENTIALS')
    const refused = answers.filter(({ code }) => code === 'TOO_MANY_REQUESTS')
    expect([looked.length, refused.length]).toEqual([5, 45])
  })

  it('a player can log in many times at the same time', async () => {
    const player = await http.register()
    const address = newAddress()
    const answers = await Promise.all(Array.from({ length: 20 }, () => logIn(player.email, PASSWORD, address)))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
  })

  it('guesses do not affect the player at home, however many strangers guess from 200 addresses, for days', async () => {
    const player = await http.register()
    const home = newAddress()
    expect((await logIn(player.email, PASSWORD, home)).status).toBe(200)
    let strangers = 0
    let guessed = 0
    for (let round = 0; round < 12; round++) {
      for (let guess = 0; guess < 17; guess++) {
        const answer = await logIn(player.email, WRONG, `11.2.${Math.floor(strangers / 200)}.${strangers % 200}`)
        strangers += 1
        guessed += answer.status === 400 ? 1 : 0
        await http.runtime.clock.advance(17)
      }
      expect((await logIn(player.email, PASSWORD, home)).status).toBe(200)
      await http.runtime.clock.advance(900)
    }
    expect(strangers).toBeGreaterThanOrEqual(200)
    expect(guessed).toBe(100) // the day's limit
    const closed = await logIn(player.email, PASSWORD, newAddress())
    expect(closed.status).toBe(429)
    expect(retryAfter(closed)).toBeGreaterThan(3600)
    expect((await logIn(player.email, PASSWORD, home)).status).toBe(200)
    await http.runtime.clock.advance(retryAfter(closed))
    expect((await logIn(player.email, PASSWORD, newAddress())).status).toBe(200)
  })

  it('an address is forgotten after 90 days without a login from it', async () => {
    const player = await http.register()
    const home = newAddress()
    await logIn(player.email, PASSWORD, home)
    await http.runtime.clock.advance(89 * 86_400)
    await fail(player.email, 5, newAddress())
    expect((await logIn(player.email, PASSWORD, home)).status).toBe(200)
    await http.runtime.clock.advance(90 * 86_400)
    await fail(player.email, 5, newAddress())
    expect((await logIn(player.email, PASSWORD, home)).status).toBe(429)
  })

  it('an IPv6 network counts as one address', async () => {
    for (let failure = 0; failure < 60; failure++)
      expect((await logIn(`ghost.${failure}`, WRONG, `2a02:1:2:3::${failure.toString(16)}`)).status).toBe(400)
    expect((await logIn('ghost.60', WRONG, '2a02:1:2:3:ffff::1')).status).toBe(429)
    expect((await logIn('ghost.60', WRONG, '2a02:1:2:4::1')).status).toBe(400)
  })

  it('neither names nor addresses are stored: both tables contain keyed hashes', async () => {
    const player = await http.register()
    const address = '11.3.3.3'
    await fail(player.email, 1, address)
    await fail('somebody.else@example.org', 1, address)
    await logIn(player.email, PASSWORD, address)
    const client = await http.database.connect()
    const { rows } = await client.query(
      `select encode(subject, 'hex') as hash from login_failures union select encode(address_hash, 'hex') from known_addresses`,
    )
    const hashes = rows.map((row: { hash: string }) => row.hash)
    for (const text of [address, player.email, 'somebody.else@example.org']) {
      expect(hashes).not.toContain(Buffer.from(text).toString('hex'))
      expect(hashes).not.toContain(createHash('sha256').update(text).digest('hex'))
    }
  })

  it('a password reset ends the waits, even away from home while strangers continue', async () => {
    const player = await http.register()
    await fail(player.email, 10, newAddress())
    const away = newAddress()
    expect((await logIn(player.email, PASSWORD, away)).status).toBe(429)
    await http.call('GET', `/auth/forgotten-password?email=${player.email}`, { address: away })
    const key = (await http.mailTo(player.email)).links[0]?.split('/').at(-1)
    const fresh = 'Another-Horse-8-Staple'
    const reset = { key, password: fresh, password_confirm: fresh }
    expect((await http.call('PUT', '/auth/reset-password', { body: reset, address: away })).status).toBe(200)
    await fail(player.email, 5, newAddress())
    expect((await logIn(player.email, fresh, away)).status).toBe(200)
  })
})

describe('guessing the second step', () => {
  async function withTwofa() {
    const player = await http.register()
    const { code } = await http.enableTwofa(player)
    const keyAt = async (address: string) => String((await logIn(player.email, PASSWORD, address)).body.key)
    const step = (key: string, twofa_code: string, address: string) =>
      http.call('POST', '/auth/login-secure', { body: { key, twofa_code }, address })
    return { player, code, keyAt, step }
  }

  it('five codes are checked, however many are sent at the same time', async () => {
    const { keyAt, step, code } = await withTwofa()
    const address = newAddress()
    const key = await keyAt(address)
    const right = code()
    const codes = Array.from({ length: 60 }, (_, guess) => String(guess).padStart(6, '0')).filter(
      (one) => one !== right,
    )
    const answers = await Promise.all(codes.map((one) => step(key, one, address)))
    expect(answers.filter((answer) => answer.code === 'INVALID_2FA_CODE')).toHaveLength(5)
    expect((await step(key, right, address)).code).toBe('INVALID_KEY')
  })

  it('guesses from elsewhere, with the known password, do not affect the player at home', async () => {
    const { player, code, keyAt, step } = await withTwofa()
    const home = newAddress()
    expect((await step(await keyAt(home), code(), home)).status).toBe(200)
    await http.runtime.clock.advance(60)
    let wrong = 0
    for (let key = await keyAt(newAddress()); wrong < 10;) {
      const answer = await step(key, '000000', newAddress())
      if (answer.code === 'INVALID_2FA_CODE') wrong += 1
      if (answer.code === 'INVALID_KEY') key = await keyAt(newAddress())
      if (answer.status === 429) await http.runtime.clock.advance(retryAfter(answer))
    }
    const elsewhere = newAddress()
    expect((await step(await keyAt(elsewhere), code(), elsewhere)).status).toBe(429)
    expect((await step(String((await logIn(player.email, PASSWORD, home)).body.key), code(), home)).status).toBe(200)
  })

  it('a thousand codes at the same time as the proof of a change do not help', async () => {
    const player = await http.register()
    const { code } = await http.enableTwofa(player)
    const right = code()
    const guesses = Array.from({ length: 200 }, (_, guess) => String(guess).padStart(6, '0')).filter(
      (one) => one !== right,
    )
    const answers = await Promise.all(
      guesses.map((twofa_code) =>
        http.call('DELETE', '/settings/security/twofa', { token: player.access, body: { twofa_code } }),
      ),
    )
    expect(answers.filter((answer) => answer.code === 'INVALID_2FA_CODE').length).toBeLessThanOrEqual(30)
    expect(answers.every(({ status }) => status === 400 || status === 429)).toBe(true)
  })
})

describe('limits of a player who is logged in', () => {
  it("only the holder of the player's own token uses up the limits", async () => {
    const [player, stranger] = [await http.register(), await http.register()]
    const verify = (one: TestPlayer, password: string) =>
      http.call('POST', '/verify', { token: one.access, body: { password } })
    for (let failure = 0; failure < 11; failure++) await verify(stranger, WRONG)
    expect((await verify(stranger, PASSWORD)).status).toBe(429)
    expect((await verify(player, PASSWORD)).status).toBe(200)
  })
})

describe('a forgotten password', () => {
  it('resets are mailed ten times in a quarter of an hour and then silently not, for known and unknown addresses alike', async () => {
    const player = await http.register()
    await http.verify(player)
    const ask = (email: string) =>
      http.call('GET', `/auth/forgotten-password?email=${email}`, { address: newAddress() })
    for (let time = 0; time < 13; time++)
      for (const email of [player.email, 'never.seen@example.org'])
        expect(await ask(email)).toMatchObject({ status: 200, body: { ok: true } })
    const resets = (await http.mailsTo(player.email)).filter(({ subject }) => subject === 'Reset your password')
    expect(resets).toHaveLength(10)
    await http.runtime.clock.advance(900)
    await ask(player.email)
    expect((await http.mailsTo(player.email)).filter(({ subject }) => subject === 'Reset your password')).toHaveLength(
      11,
    )
  })
})

describe('a session', () => {
  const agent = { 'user-agent': FIREFOX }
  const logInFrom = (player: TestPlayer, address: string) =>
    http.call('POST', '/auth/login', {
      body: { email_or_username: player.email, password: PASSWORD },
      headers: agent,
      address,
    })
  const notices = async (player: TestPlayer) =>
    (await http.mailsTo(player.email)).filter(({ subject }) => subject === 'New sign-in to your account')

  it('a session shows device and country, and stores nothing else of the address', async () => {
    const player = await http.register()
    await http.runtime.clock.advance(1)
    const { body } = await logInFrom(player, '193.1.1.1')
    const list = await http.call('GET', '/auth/tokens', { token: body.access_token })
    expect(list.body[0]).toMatchObject({ fingerprint: 'Firefox on Linux, Ireland', is_current_session: true })
    const client = await http.database.connect()
    const { rows } = await client.query(`select to_jsonb(sessions) as row from sessions`)
    expect(JSON.stringify(rows)).not.toContain('193.1.1')
  })

  it('a session shows no place for a private or an unknown address', async () => {
    const player = await http.register()
    for (const address of ['127.0.0.1', '10.1.2.3', '192.168.1.1', '172.16.0.9', '100.64.0.1', 'fd00::1', 'fe80::1']) {
      await http.runtime.clock.advance(1)
      const { body } = await logInFrom(player, address)
      const list = await http.call('GET', '/auth/tokens', { token: body.access_token })
      expect([address, list.body[0].fingerprint]).toEqual([address, 'Firefox on Linux'])
    }
  })

  it('a session from another country is a new device of a known kind, reported by mail with its country', async () => {
    const player = await http.register()
    await logInFrom(player, '193.1.1.1')
    expect(await notices(player)).toHaveLength(1)
    await logInFrom(player, '134.226.1.1') // another network in Ireland
    expect(await notices(player)).toHaveLength(1)
    await logInFrom(player, '8.8.8.8')
    expect(await notices(player)).toHaveLength(2)
    expect((await http.mailTo(player.email)).text).toContain('Firefox on Linux, United States')
  })
})
