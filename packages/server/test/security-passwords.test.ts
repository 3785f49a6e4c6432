import { commonPasswords } from '@fairball/domain/common-passwords'
import { ERROR_TEXTS } from '@fairball/domain/errors'
import { hash } from '@node-rs/argon2'
import { describe, expect, it, vi } from 'vitest'
import { LIMITS, RateLimits } from '../src/kernel/limits.ts'
import { Passwords } from '../src/modules/identity/passwords.ts'
import { keyOf, PASSWORD, type TestPlayer, useAccounts } from './accounts.ts'
import { seededRandom } from './seeded-random.ts'

vi.setConfig({ testTimeout: 120_000 }) // hundreds of calls, many with a hash, on a busy computer

const http = useAccounts()

/** A hundred of the list, from its beginning to its end. */
const listed = [...commonPasswords()]
const HUNDRED = Array.from({ length: 100 }, (_, index) => listed[index * 100] ?? '')

async function hashOf({ email }: TestPlayer): Promise<string> {
  const client = await http.database.connect()
  const { rows } = await client.query<{ password_hash: string }>('select password_hash from players where email = $1', [
    email,
  ])
  return rows[0]?.password_hash ?? ''
}

const logIn = ({ email }: TestPlayer, password: string) =>
  http.call('POST', '/auth/login', { body: { email_or_username: email, password } })

describe('a common password', () => {
  const isRefused = {
    status: 400,
    code: 'INVALID_PASSWORD',
    body: { error: { message: expect.stringContaining('easy to guess') } },
  }

  it('a common password is refused at registration', async () => {
    for (const [index, password] of HUNDRED.entries()) {
      const email = `common.${index}@example.org`
      expect(
        await http.call('POST', '/auth/register', { body: { email, email_confirm: email, password } }),
      ).toMatchObject(isRefused)
    }
  })

  it('a common password is refused at a reset, and does not use the key up', async () => {
    const player = await http.register()
    await http.call('GET', `/auth/forgotten-password?email=${player.email}`)
    const key = keyOf((await http.mailTo(player.email)).links[0])
    const reset = (password: string) =>
      http.call('PUT', '/auth/reset-password', { body: { key, password, password_confirm: password } })
    for (const password of HUNDRED) expect(await reset(password)).toMatchObject(isRefused)
    expect((await reset('My-Check.Pass1')).status).toBe(200)
  })

  it('a common password is refused at a change', async () => {
    const player = await http.register()
    const change = (new_password: string) =>
      http.call('PUT', '/settings/password', {
        token: player.access,
        body: { current_password: PASSWORD, new_password, confirm_password: new_password },
      })
    for (const password of HUNDRED) expect(await change(password)).toMatchObject(isRefused)
    expect((await change('Str0ng!Passw0rd')).status).toBe(200)
  })

  it("a common password has another error than a weak one, whose text is the catalogue's", async () => {
    const body = { email: 'weak@example.org', email_confirm: 'weak@example.org', password: 'weak' }
    expect((await http.call('POST', '/auth/register', { body })).body.error).toEqual({
      code: 'INVALID_PASSWORD',
      message: ERROR_TEXTS.INVALID_PASSWORD,
    })
  })

  it.each(['Correct-horse7battery', 'Str0ng!Passw0rd', 'Tr0ub4dor&3x', 'My-Check.Pass1'])(
    'the uncommon password %s is accepted',
    async (password) => {
      const email = `ordinary.${password.length}@example.org`
      expect(
        (await http.call('POST', '/auth/register', { body: { email, email_confirm: email, password } })).status,
      ).toBe(201)
    },
  )
})

describe('a password', () => {
  it('a password is kept as typed, with 8 to 250 characters of any script, and compared to the last of them', async () => {
    const long = `Aa1!${'é漢🂡'.repeat(61)}xyz` // longer in bytes than in characters
    expect(Array.from(long)).toHaveLength(190)
    for (const password of ['Aa1!aaab', ' Aa1! inside and around ', `Aa1!${'x'.repeat(246)}`, long]) {
      const player = await http.register()
      const body = { current_password: PASSWORD, new_password: password, confirm_password: password }
      expect((await http.call('PUT', '/settings/password', { token: player.access, body })).status).toBe(200)
      expect((await logIn(player, password)).status).toBe(200)
      expect((await logIn(player, password.slice(0, -1))).code).toBe('INVALID_CREDENTIALS')
      expect((await logIn(player, password.toUpperCase())).code).toBe('INVALID_CREDENTIALS')
    }
  })

  it('a password is stored as argon2id of at least 19 MiB, two passes and one lane, with a salt of its own', async () => {
    const hashes = [await hashOf(await http.register()), await hashOf(await http.register())]
    for (const stored of hashes) {
      const [, memory, passes, lanes] = /^hmac\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$/.exec(stored) ?? []
      expect([Number(memory) >= 19 * 1024, Number(passes) >= 2, Number(lanes)]).toEqual([true, true, 1])
    }
    expect(new Set(hashes.map((stored) => stored.split('$')[4])).size).toBe(2)
  })

  it('a password hashed at an older cost is hashed again by the next login, once', async () => {
    const player = await http.register()
    const old = await hash(PASSWORD, { memoryCost: 8192, timeCost: 1, parallelism: 1 })
    const client = await http.database.connect()
    await client.query('update players set password_hash = $1 where email = $2', [old, player.email])
    expect((await logIn(player, 'Wrong-1-Horse')).status).toBe(400)
    expect(await hashOf(player)).toBe(old)
    expect((await logIn(player, PASSWORD)).status).toBe(200)
    const renewed = await hashOf(player)
    expect(renewed).toContain('$m=19456,t=2,p=1$')
    expect((await logIn(player, PASSWORD)).status).toBe(200)
    expect(await hashOf(player)).toBe(renewed)
  })

  it('a password hashed at an older cost also logs its player in when several logins come at the same time', async () => {
    const player = await http.register()
    const client = await http.database.connect()
    const old = await hash(PASSWORD, { memoryCost: 8192, timeCost: 1, parallelism: 1 })
    await client.query('update players set password_hash = $1 where email = $2', [old, player.email])
    const answers = await Promise.all(Array.from({ length: 6 }, () => logIn(player, PASSWORD)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
  })

  it.each([
    [1, 1],
    [2, 1],
    [3, 2],
    [16, 2],
  ])('on %i cores %i passwords are hashed at the same time', async (cores, atOnce) => {
    const passwords = new Passwords(seededRandom('turns'), new Uint8Array(32), cores)
    const { clock } = http.runtime
    const limits = new RateLimits({ db: http.database.db, clock, callerKey: new Uint8Array(32) })
    const counted = await limits.check(LIMITS.registrationsOfAddress, '11.5.0.1')
    let running = 0
    let most = 0
    const work = async (): Promise<void> => {
      most = Math.max(most, ++running)
      await new Promise((resolve) => setImmediate(resolve))
      running -= 1
    }
    await Promise.all(Array.from({ length: 60 }, () => passwords.inTurn(counted, work)))
    expect([most, running]).toEqual([atOnce, 0])
  })

  it('a password check without a free turn is a 503 with a time to retry', async () => {
    const player = await http.register()
    const many = Array.from({ length: 90 }, (_, index) =>
      http.call('POST', '/auth/login', {
        body: { email_or_username: `flood.${index}`, password: 'Wrong-1-Horse' },
        address: `11.4.0.${index}`,
      }),
    )
    const statuses = (await Promise.all(many)).map(({ status, headers }) => [
      status,
      status === 503 && headers['retry-after'],
    ])
    expect(statuses.filter(([status]) => status === 503).length).toBeGreaterThan(0)
    expect(statuses.every(([status, wait]) => status === 400 || (status === 503 && Number(wait) > 0))).toBe(true)
    expect((await logIn(player, PASSWORD)).status).toBe(200)
  })
})
