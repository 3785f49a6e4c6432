import { execFileSync } from 'node:child_process'
import { Secret, TOTP } from 'otpauth'
import { describe, expect, it, vi } from 'vitest'
import { PASSWORD, type TestPlayer, useAccounts } from './accounts.ts'
import { seededRandom } from './seeded-random.ts'

vi.setConfig({ testTimeout: 120_000 }) // hundreds of calls, many with a hash, on a busy computer

const http = useAccounts()

const nowAt = (): number => http.runtime.clock.now()

/** The secret that the settings page shows for typing into an authenticator. */
async function proposed(player: TestPlayer): Promise<{ uri: URL; secret: string }> {
  const { body } = await http.call('GET', '/settings/security/twofa/qr', { token: player.access })
  const uri = new URL(body.qr_code_uri)
  return { uri, secret: uri.searchParams.get('secret') ?? '' }
}

const confirm = (player: TestPlayer, code: string | number) =>
  http.call('POST', '/settings/security/twofa/verify', { token: player.access, body: { code } })

const codeAt = (secret: string, at: number): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at * 1000 })

async function newKey(player: TestPlayer): Promise<string> {
  const { body } = await http.call('POST', '/auth/login', {
    body: { email_or_username: player.email, password: PASSWORD },
  })
  return String(body.key)
}

const secondStep = (key: string, twofa_code: string | number) =>
  http.call('POST', '/auth/login-secure', { body: { key, twofa_code } })

async function withTwofa(): Promise<{ player: TestPlayer; secret: string }> {
  const player = await http.register()
  const { secret } = await proposed(player)
  expect((await confirm(player, codeAt(secret, nowAt()))).status).toBe(200)
  await http.runtime.clock.advance(300 - (nowAt() % 30)) // at the beginning of a step, long after the set-up
  return { player, secret }
}

describe('a code of the authenticator', () => {
  it('a code is valid in its own half minute, the one before and the one after, and in no other', async () => {
    const { player, secret } = await withTwofa()
    for (const [steps, isGood] of [
      [-3, false],
      [-2, false],
      [-1, true],
      [2, false],
      [3, false],
      [1, true],
    ] as const) {
      await http.runtime.clock.advance(120) // each answer with steps of its own
      const answer = await secondStep(await newKey(player), codeAt(secret, nowAt() + 30 * steps))
      expect([steps, answer.status, answer.code]).toEqual(
        isGood ? [steps, 200, undefined] : [steps, 400, 'INVALID_2FA_CODE'],
      )
    }
  })

  it('a code is accepted once, in any session, and no code older than an accepted one', async () => {
    const { player, secret } = await withTwofa()
    const [older, used] = [codeAt(secret, nowAt() - 30), codeAt(secret, nowAt())]
    expect((await secondStep(await newKey(player), used)).status).toBe(200)
    expect((await secondStep(await newKey(player), used)).code).toBe('INVALID_2FA_CODE')
    expect((await secondStep(await newKey(player), older)).code).toBe('INVALID_2FA_CODE')
    const off = { token: player.access, body: { twofa_code: used } }
    player.access = (await http.call('POST', '/auth/refresh', { token: player.refresh })).body.access_token
    expect((await http.call('DELETE', '/settings/security/twofa', { ...off, token: player.access })).code).toBe(
      'INVALID_2FA_CODE',
    )
  })

  it('a code is accepted once even if it comes many times at the same moment', async () => {
    const { player, secret } = await withTwofa()
    const keys = [await newKey(player), await newKey(player), await newKey(player), await newKey(player)]
    const code = codeAt(secret, nowAt())
    const answers = await Promise.all(keys.map((key) => secondStep(key, code)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('a code may come as a number that lost its zeros, or as text with or without them', async () => {
    const { player, secret } = await withTwofa()
    for (const write of [Number, String, (code: string) => String(Number(code))]) {
      let at = nowAt() + 60
      while (!codeAt(secret, at).startsWith('0')) at += 30 // one in ten
      await http.runtime.clock.advance(at - nowAt())
      expect((await secondStep(await newKey(player), write(codeAt(secret, at)))).status).toBe(200)
    }
    for (const shape of [1_000_000, -1, 1.5, '1234567', '12 345', '', true, ['000000'], { code: 1 }])
      expect((await secondStep(await newKey(player), shape as string)).code).toBe('INVALID_PAYLOAD')
  })

  it('the fifth wrong code burns the key of the login, and only that key', async () => {
    const { player, secret } = await withTwofa()
    const [burned, other] = [await newKey(player), await newKey(player)]
    for (let wrong = 0; wrong < 5; wrong++) expect((await secondStep(burned, '000000')).code).toBe('INVALID_2FA_CODE')
    expect((await secondStep(burned, codeAt(secret, nowAt()))).code).toBe('INVALID_KEY')
    await http.runtime.clock.advance(1) // the wait that five failures impose on the next try
    expect((await secondStep(other, codeAt(secret, nowAt()))).status).toBe(200)
  })
})

describe('the secret', () => {
  it('the secret has 160 bits, is shown for six digits of SHA-1 every 30 seconds, and is encrypted in the table', async () => {
    const player = await http.register()
    const { uri, secret } = await proposed(player)
    expect(uri.protocol).toBe('otpauth:')
    expect(Secret.fromBase32(secret).bytes).toHaveLength(20)
    expect(Object.fromEntries(uri.searchParams)).toMatchObject({
      issuer: 'Fairball',
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    })
    const client = await http.database.connect()
    const { rows } = await client.query<{ secret: string }>(`select encode(secret, 'hex') as secret from twofa`)
    const plain = Buffer.from(Secret.fromBase32(secret).bytes).toString('hex')
    for (const row of rows) expect(row.secret).not.toContain(plain)
  })

  it("the secret of one player opens nothing in another's row: it is encrypted together with its owner", async () => {
    const [one, two] = [await withTwofa(), await withTwofa()]
    const client = await http.database.connect()
    const idOf = async ({ email }: TestPlayer) =>
      (await client.query<{ id: string }>('select id from players where email = $1', [email])).rows[0]?.id
    await client.query(
      'update twofa set secret = (select secret from twofa where player_id = $1) where player_id = $2',
      [await idOf(one.player), await idOf(two.player)],
    )
    const answer = await secondStep(await newKey(two.player), codeAt(one.secret, nowAt()))
    expect(answer.status).toBe(500)
    expect(answer.body.error.code).toBe('INTERNAL_SERVER_ERROR')
  })
})

describe('switching two-factor off', () => {
  it('switching off needs more than a session, and no wrong proof beside a right one', async () => {
    const { player, secret } = await withTwofa()
    player.access = (await http.call('POST', '/auth/refresh', { token: player.refresh })).body.access_token
    const off = (body: unknown) => http.call('DELETE', '/settings/security/twofa', { token: player.access, body })
    expect((await off({})).code).toBe('INVALID_PAYLOAD')
    expect((await off({ password: null, twofa_code: null })).code).toBe('INVALID_PAYLOAD')
    expect((await off({ password: PASSWORD, twofa_code: '000000' })).code).toBe('INVALID_2FA_CODE')
    expect((await off({ password: 'Wrong-1-Horse', twofa_code: codeAt(secret, nowAt()) })).code).toBe(
      'INVALID_CREDENTIALS',
    )
    expect((await http.call('GET', '/profile', { token: player.access })).body.is_two_fa_enabled).toBe(true)
  })
})

/** The codes of Debian's oathtool, which is independent of the library that we use. */
const oathtool = (secret: string, at: number): string =>
  execFileSync('oathtool', ['--totp', '--base32', `--now=@${at}`, secret], { encoding: 'utf8' }).trim()

const hasOathtool = ((): boolean => {
  try {
    execFileSync('oathtool', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()
if (!hasOathtool && process.env['CI'] === undefined)
  process.stderr.write(
    'NOT TESTED: codes are not compared with an independent authenticator. Install oathtool (apt-get install oathtool).\n',
  )

describe.skipIf(!hasOathtool && process.env['CI'] === undefined)('an independent authenticator', () => {
  it('an independent authenticator agrees with our codes for 50 secrets and times', () => {
    const random = seededRandom('secrets for oathtool')
    for (let index = 0; index < 50; index++) {
      const secret = new Secret({ buffer: new Uint8Array(random.bytes(20)).buffer }).base32
      const at = Buffer.from(random.bytes(4)).readUInt32BE()
      expect([secret, at, codeAt(secret, at)]).toEqual([secret, at, oathtool(secret, at)])
    }
  })

  it('an independent authenticator sets two-factor up, logs in with it and switches it off', async () => {
    const player = await http.register()
    const { secret } = await proposed(player)
    expect((await confirm(player, oathtool(secret, nowAt()))).status).toBe(200)
    await http.runtime.clock.advance(60)
    const opened = await secondStep(await newKey(player), Number(oathtool(secret, nowAt())))
    expect(opened.status).toBe(200)
    await http.runtime.clock.advance(60)
    const off = { token: opened.body.access_token, body: { twofa_code: Number(oathtool(secret, nowAt())) } }
    expect((await http.call('DELETE', '/settings/security/twofa', off)).status).toBe(200)
  })
})
