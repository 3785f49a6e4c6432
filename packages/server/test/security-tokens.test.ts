import { createHmac } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'
import { describe, expect, it, vi } from 'vitest'
import { Secrets } from '../src/modules/identity/secrets.ts'
import { deriveKey } from '../src/runtime/keys.ts'
import { keyOf, PASSWORD, type TestPlayer, useAccounts } from './accounts.ts'
import { seededRandom } from './seeded-random.ts'
import { casesOf } from './share.ts'

vi.setConfig({ testTimeout: 120_000 }) // hundreds of calls, many with a hash, on a busy computer

const http = useAccounts()
const DAY = 86_400
/** Number of tampered tokens. */
const TAMPERED = casesOf({ all: 10_000, share: 2_000 })

/** The key that the fixture's program signs with: only the claims stop a forger who has it. */
const SECRET_KEY = Buffer.from('a secret for tests that is long enough')
const KEY = new Secrets({ keyFor: (use) => deriveKey(SECRET_KEY, use), random: seededRandom('key') }).tokenKey

type Claims = Record<string, unknown>

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const decode = (part: string | undefined): Claims =>
  JSON.parse(Buffer.from(part ?? '', 'base64url').toString()) as Claims

function sign(header: Claims, payload: Claims, key: Uint8Array | string = KEY, hash = 'sha256'): string {
  const text = `${encode(header)}.${encode(payload)}`
  return `${text}.${createHmac(hash, key).update(text).digest('base64url')}`
}

const statusWith = async (token: string): Promise<number> => (await http.call('GET', '/profile', { token })).status

describe('an access token', () => {
  it('an access token that was tampered with is 401, in each of thousands of ways', async () => {
    const [player, other] = [await http.register(), await http.register()]
    const random = seededRandom('tampered tokens')
    const number = (below: number): number => Buffer.from(random.bytes(4)).readUInt32BE() % below
    const parts = player.access.split('.')
    const otherParts = other.access.split('.')
    const good = parts.map((part) => Buffer.from(part, 'base64url'))
    const [header, payload] = [decode(parts[0]), decode(parts[1])]

    const flipped = (): string => {
      const at = number(3)
      const bytes = good.map((part) => Buffer.from(part))
      const part = bytes[at] ?? Buffer.alloc(0)
      const index = number(part.length)
      part[index] = (part[index] ?? 0) ^ (1 << number(8))
      return bytes.map((one) => one.toString('base64url')).join('.')
    }
    const cut = (): string => player.access.slice(0, number(player.access.length - 1))
    const mixed = (): string => {
      const from = 1 + number(6) // from 1 to 6: never all of one token
      return parts.map((part, index) => ((from >> index) & 1 ? (otherParts[index] ?? '') : part)).join('.')
    }
    const signedByOthers = (): string => sign(header, payload, random.bytes(number(64) + 1))
    const inserted = (): string => {
      const at = number(player.access.length)
      return `${player.access.slice(0, at)}${'Az09-_.'.charAt(number(7))}${player.access.slice(at)}`
    }
    const ways = [flipped, flipped, flipped, cut, mixed, signedByOthers, inserted]
    const accepted: string[] = []
    for (let count = 0, tried = 0; tried < TAMPERED; count++) {
      const token = (ways[count % ways.length] ?? flipped)()
      if (token === player.access || token === other.access) continue // mixed from parts of one player only
      tried += 1
      if ((await statusWith(token)) !== 401) accepted.push(token)
    }
    const isSameBytes = (token: string): boolean =>
      token.split('.').every((part, index) => Buffer.from(part, 'base64url').equals(good[index] ?? Buffer.alloc(0)))
    expect(accepted.filter((token) => !isSameBytes(token))).toEqual([])
    expect(await statusWith(player.access)).toBe(200)
  }, 120_000)

  it('an access token states its purpose: every claim is checked, even under the right key', async () => {
    const player = await http.register()
    const [head = '', body = ''] = player.access.split('.')
    const [header, payload] = [decode(head), decode(body)]
    const without = (claims: Claims, name: string): Claims =>
      Object.fromEntries(Object.entries(claims).filter(([key]) => key !== name))
    const nowAt = http.runtime.clock.now()
    expect(await statusWith(sign(header, payload))).toBe(200) // made like this it is valid
    const refused: [string, string][] = [
      ['alg none', `${encode({ ...header, alg: 'none' })}.${body}.`],
      ['alg none, signed', sign({ ...header, alg: 'none' }, payload)],
      ['alg None', `${encode({ ...header, alg: 'None' })}.${body}.`],
      ['no signature', `${head}.${body}.`],
      ['two parts', `${head}.${body}`],
      ['four parts', `${player.access}.`],
      ['HS384', sign({ ...header, alg: 'HS384' }, payload, KEY, 'sha384')],
      ['HS512', sign({ ...header, alg: 'HS512' }, payload, KEY, 'sha512')],
      ['RS256 over our key', sign({ ...header, alg: 'RS256' }, payload)],
      ['EdDSA over our key', sign({ ...header, alg: 'EdDSA' }, payload)],
      ['a lower-case alg', sign({ ...header, alg: 'hs256' }, payload)],
      ['no alg', sign(without(header, 'alg'), payload)],
      ['the empty key', sign(header, payload, '')],
      ['the product as key', sign(header, payload, 'fairball')],
      ['the installation secret itself', sign(header, payload, 'a secret for tests that is long enough')],
      ['a key in the header', sign({ ...header, jwk: { kty: 'oct', k: 'YQ' } }, payload, 'a')],
      ['a critical header nobody knows', sign({ ...header, crit: ['x'], x: 1 }, payload)],
      ['another typ', sign({ ...header, typ: 'JWT' }, payload)],
      ['no typ', sign(without(header, 'typ'), payload)],
      ['another aud', sign(header, { ...payload, aud: 'another-api' })],
      ['no aud', sign(header, without(payload, 'aud'))],
      ['another iss', sign(header, { ...payload, iss: 'somebody' })],
      ['no iss', sign(header, without(payload, 'iss'))],
      ['an exp that is over', sign(header, { ...payload, exp: nowAt })],
      ['an exp that is text', sign(header, { ...payload, exp: String(nowAt + 600) })],
      ['no exp', sign(header, without(payload, 'exp'))],
      ['a time that is to come', sign(header, { ...payload, nbf: nowAt + 60 })],
      ['no session', sign(header, without(payload, 'sid'))],
      ['a session that is no text', sign(header, { ...payload, sid: 1 })],
      ['a session that is no id', sign(header, { ...payload, sid: "' or true --" })],
      ['a list of sessions', sign(header, { ...payload, sid: [payload['sid']] })],
      ['an unknown session', sign(header, { ...payload, sid: '00000000-0000-4000-8000-000000000000' })],
      ['a payload that is no object', sign(header, 'text' as unknown as Claims)],
    ]
    for (const [what, token] of refused) expect([what, await statusWith(token)]).toEqual([what, 401])
  })

  it('an independent library reads and writes access tokens', async () => {
    const player = await http.register()
    const { payload, protectedHeader } = await jwtVerify(player.access, KEY, {
      algorithms: ['HS256'],
      typ: 'at+jwt',
      issuer: 'fairball',
      audience: 'fairball-api',
      requiredClaims: ['exp', 'iat', 'sid'],
      currentDate: new Date(http.runtime.clock.nowMs()),
    })
    const theirs = await new SignJWT(payload).setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' }).sign(KEY)
    expect(protectedHeader).toEqual({ alg: 'HS256', typ: 'at+jwt' })
    expect(await statusWith(theirs)).toBe(200)
  })

  it('an access token does not refresh, and a refresh token opens nothing', async () => {
    const player = await http.register()
    expect((await http.call('POST', '/auth/refresh', { token: player.access })).status).toBe(401)
    expect(await statusWith(player.refresh)).toBe(401)
    expect((await http.call('DELETE', '/auth/logout', { token: player.refresh })).status).toBe(401)
    expect(await statusWith(player.access)).toBe(200)
    expect((await http.call('POST', '/auth/refresh', { token: player.refresh })).status).toBe(200)
  })

  it('an access token ends immediately with its session, by logging out, revoking, or closing the account', async () => {
    const ended: ((player: TestPlayer) => Promise<unknown>)[] = [
      (player) => http.call('DELETE', '/auth/logout', { token: player.access }),
      async (player) => {
        const { body } = await http.call('GET', '/auth/tokens', { token: player.access })
        const tokens = body.map((one: { access_token: string }) => one.access_token)
        return await http.call('DELETE', '/auth/tokens', { token: player.access, body: { tokens } })
      },
      (player) => http.call('DELETE', '/settings/account', { token: player.access, body: { password: PASSWORD } }),
    ]
    for (const end of ended) {
      const player = await http.register()
      await end(player)
      expect(await statusWith(player.access)).toBe(401)
      expect((await http.call('POST', '/auth/refresh', { token: player.refresh })).status).toBe(401)
    }
  })
})

describe('a refresh token', () => {
  const refresh = (token: string) => http.call('POST', '/auth/refresh', { token })

  it('a refresh token lives seven idle days, to the second', async () => {
    for (const [seconds, status] of [
      [7 * DAY - 1, 200],
      [7 * DAY, 401],
    ] as const) {
      const player = await http.register()
      await http.runtime.clock.advance(seconds)
      expect((await refresh(player.refresh)).status).toBe(status)
    }
  })

  it('a refresh token lives no longer than thirty days after the login, to the second, however often it is changed', async () => {
    for (const [last, status] of [
      [DAY - 1, 200],
      [DAY, 401],
    ] as const) {
      let { refresh: token } = await http.register()
      for (let day = 0; day < 29; day++) {
        await http.runtime.clock.advance(DAY)
        token = (await refresh(token)).body.refresh_token
      }
      await http.runtime.clock.advance(last)
      expect((await refresh(token)).status).toBe(status)
    }
  })

  it('a refresh token used again ends the session for both holders, even many turns later, and leaves the other sessions', async () => {
    const player = await http.register()
    const { body: elsewhere } = await http.call('POST', '/auth/login', {
      body: { email_or_username: player.email, password: PASSWORD },
    })
    let newest = player.refresh
    for (let turn = 0; turn < 5; turn++) newest = (await refresh(newest)).body.refresh_token
    expect((await refresh(player.refresh)).status).toBe(401)
    expect((await refresh(newest)).status).toBe(401)
    expect(await statusWith(player.access)).toBe(401)
    expect(await statusWith(elsewhere.access_token)).toBe(200)
  })

  it('a session has one live refresh token, however many requests come at the same time', async () => {
    const player = await http.register()
    await Promise.all(Array.from({ length: 8 }, () => refresh(player.refresh)))
    const client = await http.database.connect()
    const { rows } = await client.query(
      `select session_id from refresh_tokens r join sessions s on s.id = r.session_id
        where r.used_at is null and s.revoked_at is null group by session_id having count(*) > 1`,
    )
    expect(rows).toEqual([])
  })
})

describe('a key', () => {
  async function keysOf() {
    const player = await http.register()
    const verify = keyOf((await http.mailTo(player.email)).links[0])
    await http.call('GET', `/auth/forgotten-password?email=${player.email}`)
    const reset = keyOf((await http.mailTo(player.email)).links[0])
    await http.enableTwofa(player)
    const { body } = await http.call('POST', '/auth/login', {
      body: { email_or_username: player.email, password: PASSWORD },
    })
    return { player, verify, reset, login: String(body.key) }
  }
  const uses = {
    verify: (key: string) => http.call('PUT', '/auth/verify-email', { body: { key } }),
    reset: (key: string) => http.call('GET', `/auth/reset-password?key=${key}`),
    login: (key: string) => http.call('GET', `/auth/validate-login-secure-key?key=${key}`),
  }

  it('a key has 256 bits, and the table contains only its hash', async () => {
    const { verify, reset, login } = await keysOf()
    const client = await http.database.connect()
    const { rows } = await client.query(
      `select to_jsonb(player_keys) as row, encode(hash, 'hex') as hash from player_keys`,
    )
    const stored = JSON.stringify(rows)
    for (const key of [verify, reset, login]) {
      expect(Buffer.from(key, 'base64url')).toHaveLength(32)
      expect(stored).not.toContain(key)
      expect(stored).not.toContain(Buffer.from(key, 'base64url').toString('hex'))
    }
  })

  it.each([
    ['verify', 24 * 3600],
    ['reset', 3600],
    ['login', 300],
  ] as const)('a key to %s is valid for %i seconds and not one more', async (kind, seconds) => {
    for (const [wait, status] of [
      [seconds - 1, 200],
      [seconds, 400],
    ] as const) {
      const key = (await keysOf())[kind]
      await http.runtime.clock.advance(wait)
      expect((await uses[kind](key)).status).toBe(status)
    }
  })

  it('a key has one purpose: each is refused in place of the others', async () => {
    const keys = await keysOf()
    for (const use of ['verify', 'reset', 'login'] as const)
      for (const kind of ['verify', 'reset', 'login'] as const)
        if (use !== kind) expect([use, kind, (await uses[use](keys[kind])).code]).toEqual([use, kind, 'INVALID_KEY'])
  })

  it('a reset key is used once, even if two use it at the same moment', async () => {
    const player = await http.register()
    await http.call('GET', `/auth/forgotten-password?email=${player.email}`)
    const key = keyOf((await http.mailTo(player.email)).links[0])
    const fresh = 'Another-Horse-8-Staple'
    const body = { key, password: fresh, password_confirm: fresh }
    const answers = await Promise.all([1, 2, 3].map(() => http.call('PUT', '/auth/reset-password', { body })))
    expect(answers.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([200, 400, 400])
  })

  it('a key of the second step is worthless once the password was changed', async () => {
    const { player, login } = await keysOf()
    const fresh = 'Another-Horse-8-Staple'
    const body = { current_password: PASSWORD, new_password: fresh, confirm_password: fresh }
    expect((await http.call('PUT', '/settings/password', { token: player.access, body })).status).toBe(200)
    expect((await uses.login(login)).code).toBe('INVALID_KEY')
  })
})

describe('a password change', () => {
  const fresh = 'Another-Horse-8-Staple'

  it('a password change leaves no session of the old password behind, whatever logs in at the same moment', async () => {
    for (let round = 0; round < 10; round++) {
      const player = await http.register()
      const body = { current_password: PASSWORD, new_password: fresh, confirm_password: fresh }
      const logIns = Array.from({ length: 6 }, () =>
        http.call('POST', '/auth/login', { body: { email_or_username: player.email, password: PASSWORD } }),
      )
      const [changed, ...opened] = await Promise.all([
        http.call('PUT', '/settings/password', { token: player.access, body }),
        ...logIns,
      ])
      expect(changed?.status).toBe(200)
      for (const { status, body: tokens } of opened)
        if (status === 200) expect(await statusWith(tokens.access_token)).toBe(401)
    }
  }, 60_000)

  it('a password reset ends every session and asks for a code if two-factor is on, not for another’s recovery code', async () => {
    const player = await http.register()
    await http.verify(player)
    const { code } = await http.enableTwofa(player)
    await http.call('GET', `/auth/forgotten-password?email=${player.email}`)
    const key = keyOf((await http.mailTo(player.email)).links[0])
    const reset = (more: object) =>
      http.call('PUT', '/auth/reset-password', { body: { key, password: fresh, password_confirm: fresh, ...more } })
    expect((await reset({})).code).toBe('INVALID_2FA_CODE')
    expect(await statusWith(player.access)).toBe(200)
    expect((await reset({ twofa_code: code() })).status).toBe(200)
    expect(await statusWith(player.access)).toBe(401)
    expect((await http.call('POST', '/auth/refresh', { token: player.refresh })).status).toBe(401)
  })
})
