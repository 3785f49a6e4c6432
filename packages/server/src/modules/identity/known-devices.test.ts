import { createHash } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { type Answer, keyOf, PASSWORD, type TestPlayer, useAccounts } from '../../../test/accounts.ts'

vi.setConfig({ testTimeout: 120_000 }) // hundreds of calls, many with a hash, on a busy computer

const http = useAccounts()
const WRONG = 'Wrong-Horse-7'
const NEW = 'Another-Horse-8-Staple'
const DAY = 86_400

let addresses = 0
const newAddress = (): string => `11.6.${Math.floor(++addresses / 250)}.${addresses % 250}`

/** Where a call comes from: the address, and the device cookie if the browser has one. */
interface From {
  address: string
  device?: string | null
}

const from = ({ address, device }: From) => ({
  address,
  headers: device == null ? {} : { cookie: `other=1; fairball_device=${device}; more="2"` },
})
const logIn = ({ email }: { email: string }, password: string, where: From): Promise<Answer> =>
  http.call('POST', '/auth/login', { body: { email_or_username: email, password }, ...from(where) })

/** The device token in an answer; null for none. */
function deviceOf({ headers }: Answer): string | null {
  return /^fairball_device=([\w-]{43});/.exec(String(headers['set-cookie'] ?? ''))?.[1] ?? null
}

async function knownDevice(player: TestPlayer, where = newAddress()): Promise<string> {
  return String(deviceOf(await logIn(player, PASSWORD, { address: where })))
}

/** Fails this many times, waiting as long as required in between. */
async function fail(player: { email: string }, times: number, where: From): Promise<void> {
  for (let failures = 0; failures < times;) {
    const answer = await logIn(player, WRONG, where)
    if (answer.status === 400) failures += 1
    else await http.runtime.clock.advance(Number(answer.headers['retry-after']))
  }
}

/** Sixty failures at an address, for accounts that do not exist: only known devices can log in there. */
async function fillAddress(address: string): Promise<void> {
  for (let index = 0; index < 60; index++)
    expect((await logIn({ email: `nobody.${index}@example.org` }, WRONG, { address })).status).toBe(400)
}

describe('a known device', () => {
  it('a known device logs in after 100 failures elsewhere and 60 at its own address', async () => {
    const player = await http.register()
    const home = newAddress()
    const device = await knownDevice(player, home)
    await fail(player, 100, { address: newAddress() })
    const away = newAddress()
    expect((await logIn(player, PASSWORD, { address: away })).status).toBe(429)
    await fillAddress(away)
    await fillAddress(home)
    for (const address of [away, home]) expect((await logIn(player, PASSWORD, { address })).status).toBe(429)
    const known = await logIn(player, PASSWORD, { address: away, device })
    expect(known.status).toBe(200)
    expect((await logIn(player, PASSWORD, { address: home, device: deviceOf(known) })).status).toBe(200)
  })

  it('a known device makes its second step where 60 logins have failed and 60 keys were wrong', async () => {
    const player = await http.register()
    const { code } = await http.enableTwofa(player)
    const address = newAddress()
    const step = async (device: string | null) => {
      const { body } = await logIn(player, PASSWORD, { address, device })
      return await http.call('POST', '/auth/login-secure', {
        body: { key: body.key, twofa_code: code() },
        ...from({ address, device }),
      })
    }
    const device = deviceOf(await step(null))
    await fillAddress(address)
    for (let index = 0; index < 60; index++)
      await http.call('POST', '/auth/login-secure', { body: { key: `wrong-${index}`, twofa_code: code() }, address })
    await http.runtime.clock.advance(60) // the code is used up
    expect((await step(device)).status).toBe(200)
  })

  it('a stolen device token has ten tries, from wherever they come, and they are no one else’s', async () => {
    const player = await http.register()
    const device = await knownDevice(player)
    for (let tries = 0; tries < 10; tries++) await fail(player, 1, { address: newAddress(), device })
    const closed = await logIn(player, PASSWORD, { address: newAddress(), device })
    expect(closed.status).toBe(429)
    expect(Number(closed.headers['retry-after'])).toBeGreaterThan(800)
    expect((await logIn(player, PASSWORD, { address: newAddress() })).status).toBe(200)
  })

  it('a known device does not fill the counter of its address', async () => {
    const player = await http.register()
    const address = newAddress()
    let device: string | null = null
    for (let index = 0; index < 61; index++) {
      device = deviceOf(await logIn(player, PASSWORD, { address, device })) // its own counter starts again
      expect((await logIn(player, WRONG, { address, device })).status).toBe(400)
    }
    expect((await logIn(await http.register(), PASSWORD, { address })).status).toBe(200)
  })

  it('a device is known only for the player who logged in there', async () => {
    const [player, other] = [await http.register(), await http.register()]
    const device = await knownDevice(other)
    await fail(player, 10, { address: newAddress() })
    expect((await logIn(player, PASSWORD, { address: newAddress(), device })).status).toBe(429)
  })

  it('a device gets another token with each login, and the one before is worthless', async () => {
    const player = await http.register()
    const first = await knownDevice(player)
    const second = deviceOf(await logIn(player, PASSWORD, { address: newAddress(), device: first }))
    expect(second).not.toBe(first)
    await fail(player, 10, { address: newAddress() })
    expect((await logIn(player, PASSWORD, { address: newAddress(), device: first })).status).toBe(429)
    expect((await logIn(player, PASSWORD, { address: newAddress(), device: second })).status).toBe(200)
  })

  it('a device that two players share is known for both', async () => {
    const [one, two] = [await http.register(), await http.register()]
    const address = newAddress()
    const first = deviceOf(await logIn(one, PASSWORD, { address }))
    const both = deviceOf(await logIn(two, PASSWORD, { address, device: first }))
    await fail(one, 10, { address: newAddress() })
    expect((await logIn(one, PASSWORD, { address: newAddress(), device: both })).status).toBe(200)
  })

  it('a device is known for 180 days after its last login', async () => {
    const player = await http.register()
    const first = await knownDevice(player)
    await http.runtime.clock.advance(179 * DAY)
    const second = deviceOf(await logIn(player, PASSWORD, { address: newAddress(), device: first }))
    await http.runtime.clock.advance(180 * DAY)
    await fail(player, 10, { address: newAddress() })
    expect((await logIn(player, PASSWORD, { address: newAddress(), device: second })).status).toBe(429)
  })

  it('the oldest of ten devices is forgotten when an eleventh comes', async () => {
    const player = await http.register()
    await http.runtime.clock.advance(1)
    const devices: string[] = []
    for (let index = 0; index < 11; index++) {
      devices.push(await knownDevice(player))
      await http.runtime.clock.advance(1)
    }
    await fail(player, 10, { address: newAddress() })
    const status = async (device: string | undefined) =>
      (await logIn(player, PASSWORD, { address: newAddress(), device: device ?? null })).status
    expect([await status(devices[0]), await status(devices[1]), await status(devices[10])]).toEqual([429, 200, 200])
  })
})

describe('the token of a device', () => {
  it('a device token comes with whatever completes a login, in a cookie that no script reads, and with nothing else', async () => {
    const address = newAddress()
    const email = 'cookie@example.org'
    const registered = await http.call('POST', '/auth/register', {
      body: { email, email_confirm: email, password: PASSWORD },
      address,
    })
    expect(registered.headers['set-cookie']).toMatch(
      /^fairball_device=[\w-]{43}; Max-Age=15552000; Path=\/api\/v1\/auth; HttpOnly; Secure; SameSite=Lax$/,
    )
    expect(deviceOf(await logIn({ email }, PASSWORD, { address }))).not.toBeNull()
    expect(deviceOf(await logIn({ email }, WRONG, { address }))).toBeNull()

    const player: TestPlayer = { email, password: PASSWORD, access: registered.body.access_token, refresh: '' }
    await http.verify(player)
    const { code } = await http.enableTwofa(player)
    const first = await logIn({ email }, PASSWORD, { address })
    expect([Object.keys(first.body), deviceOf(first)]).toEqual([['key'], null])
    const secure = (twofa_code: string) =>
      http.call('POST', '/auth/login-secure', { body: { key: first.body.key, twofa_code }, address })
    expect(deviceOf(await secure('000000'))).toBeNull()
    expect(deviceOf(await secure(code()))).not.toBeNull()

    await http.call('GET', `/auth/forgotten-password?email=${email}`)
    const key = keyOf((await http.mailTo(email)).links[0])
    await http.runtime.clock.advance(60)
    const reset = { key, password: NEW, password_confirm: NEW, twofa_code: code() }
    expect(deviceOf(await http.call('PUT', '/auth/reset-password', { body: reset, address }))).not.toBeNull()

    http.network = () => Response.json({ aud: 'our-client', sub: 'g-device', email: 'device@example.org' })
    const social = await http.call('POST', '/auth/login/google', { body: { access_token: 'token' }, address })
    expect([social.status, deviceOf(social) !== null]).toEqual([200, true])
    expect((await http.call('GET', '/profile', { token: player.access })).headers['set-cookie']).toBeUndefined()
  })

  it.each(['', 'short', 'x'.repeat(44), 'é'.repeat(43), `${'x'.repeat(42)};`])(
    'an invalid token counts as no token: %j',
    async (device) => {
      const player = await http.register()
      expect((await logIn(player, PASSWORD, { address: newAddress(), device })).status).toBe(200)
    },
  )

  it('a device token is stored as a hash, and is erased with the account', async () => {
    const player = await http.register()
    const device = await knownDevice(player)
    const client = await http.database.connect()
    const hash = createHash('sha256').update(device).digest()
    const count = async () => (await client.query('select from known_devices where hash = $1', [hash])).rowCount
    expect(await count()).toBe(1)
    const { rows } = await client.query<{ row: string }>('select known_devices::text as row from known_devices')
    expect(JSON.stringify(rows)).not.toContain(device)
    const close = { token: player.access, body: { password: PASSWORD } }
    expect((await http.call('DELETE', '/settings/account', close)).status).toBe(200)
    expect(await count()).toBe(0)
  })
})
