import { describe, expect, it, vi } from 'vitest'
import { ADDRESS, PASSWORD, testApplication, type TestApplication } from './application.ts'

vi.setConfig({ testTimeout: 120_000 }) // hundreds of calls, many with a hash, on a busy computer

/** A text that appears nowhere by chance. */
const PLANTED = 'pLaNtEd'

const lines = ({ runtime }: TestApplication): string => JSON.stringify(runtime.logged)

/** The log contains none of these; each is at least eight characters long. */
function expectUnlogged(program: TestApplication, secrets: Record<string, string | undefined>): void {
  const log = lines(program)
  for (const [what, secret] of Object.entries(secrets)) {
    expect([what, (secret ?? '').length >= 8]).toEqual([what, true])
    for (const written of [
      secret ?? '',
      encodeURIComponent(secret ?? ''),
      Buffer.from(secret ?? '').toString('base64url'),
    ])
      expect([what, log.includes(written)]).toEqual([what, false])
  }
}

const keyIn = (link: unknown): string => String(link).split('/').at(-1) ?? ''

/** Goes through every call of an account, right and wrong, and returns each secret that was used. */
async function live(program: TestApplication): Promise<Record<string, string>> {
  const { call, runtime } = program
  const secrets: Record<string, string> = {}
  const email = `${PLANTED.toLowerCase()}@example.org`
  const newestLink = async (): Promise<unknown> => (await call('GET', `/dev/mail?to=${email}`)).body[0].links[0]
  const post = (path: string, body: unknown, bearer?: string) =>
    call('POST', path, { body, ...(bearer ? { bearer } : {}) })
  const put = (path: string, body: unknown, bearer?: string) =>
    call('PUT', path, { body, ...(bearer ? { bearer } : {}) })

  secrets['password'] = `${PLANTED}-right-1-Horse`
  secrets['email'] = email
  const registered = await post('/auth/register', { email, email_confirm: email, password: secrets['password'] })
  expect(registered.status).toBe(201)
  secrets['access token'] = registered.body.access_token
  secrets['refresh token'] = registered.body.refresh_token
  const bearer = String(registered.body.access_token)
  secrets['verification key'] = keyIn(await newestLink())
  await put('/auth/verify-email', { key: secrets['verification key'] })
  await put('/auth/verify-email', { key: secrets['verification key'] })

  secrets['wrong password'] = `${PLANTED}-wrong-1-Horse`
  secrets['unknown name'] = `${PLANTED}-nobody`
  for (const name of [email, secrets['unknown name']])
    for (let time = 0; time < 7; time++)
      await post('/auth/login', { email_or_username: name, password: secrets['wrong password'] })
  await post('/verify', { password: secrets['wrong password'] }, bearer)
  await put('/settings/crypto-account-details', { btc_address: ADDRESS, password: secrets['wrong password'] }, bearer)
  await call('DELETE', '/settings/account', { bearer, body: { password: secrets['wrong password'] } })
  await put(
    '/settings/password',
    { current_password: secrets['wrong password'], new_password: 'x', confirm_password: 'x' },
    bearer,
  )
  await post('/auth/login', `{"email_or_username":"${PLANTED}-in-bad-json","password":"${PLANTED}-in-bad-json"`)
  secrets['body that is no JSON'] = `${PLANTED}-in-bad-json`

  secrets['answer'] = `${PLANTED} answer`
  await put(
    '/settings/security/security-questions',
    { is_active: true, security_question_id: 1, answer: secrets['answer'] },
    bearer,
  )
  await runtime.clock.advance(20)
  const first = await post('/auth/login', { email_or_username: email, password: secrets['password'] })
  secrets['login key'] = first.body.key
  await call('GET', `/auth/validate-login-secure-key?key=${secrets['login key']}`)
  secrets['wrong answer'] = `${PLANTED} wrong answer`
  const step = { key: secrets['login key'], security_question_id: 1 }
  await post('/auth/login-secure', { ...step, security_answer: secrets['wrong answer'] })
  secrets['wrong recovery code'] = `${PLANTED}-recovery-code`
  await post('/auth/login-secure', { key: secrets['login key'], recovery_code: secrets['wrong recovery code'] })
  const opened = await post('/auth/login-secure', { ...step, security_answer: secrets['answer'] })
  expect(opened.status).toBe(200)

  const qr = await call('GET', '/settings/security/twofa/qr', { bearer })
  secrets['two-factor secret'] = new URL(qr.body.qr_code_uri).searchParams.get('secret') ?? ''
  await post('/settings/security/twofa/verify', { code: '000000' }, bearer)

  for (const provider of ['google', 'facebook', 'twitter']) {
    secrets[`token of ${provider}`] = `${PLANTED}-token-of-${provider}`
    await post(`/auth/login/${provider}`, { access_token: secrets[`token of ${provider}`] })
  }

  await call('GET', `/auth/forgotten-password?email=${email}`)
  secrets['reset key'] = keyIn(await newestLink())
  await call('GET', `/auth/reset-password?key=${secrets['reset key']}`)
  secrets['guessed key'] = `${PLANTED}-guessed-key`
  for (const path of [
    '/auth/reset-password',
    '/auth/validate-login-secure-key',
    '/nowhere',
    '/%zz',
    '/auth/reset-password/..',
  ])
    await call('GET', `${path}?key=${secrets['guessed key']}&email=${email}`)
  await call('GET', `/auth/reset-password?key=${secrets['guessed key']}&key=${secrets['guessed key']}`)
  secrets['new password'] = `${PLANTED}-new-1-Horse`
  const reset = {
    key: secrets['reset key'],
    password: secrets['new password'],
    password_confirm: secrets['new password'],
  }
  expect((await put('/auth/reset-password', reset)).status).toBe(200)

  const again = await call('POST', '/auth/refresh', { bearer: String(registered.body.refresh_token) })
  expect(again.status).toBe(401)
  secrets['bearer that is none'] = `${PLANTED}-bearer`
  await call('GET', '/profile', { bearer: `${PLANTED}-bearer` })
  return secrets
}

describe('the log', () => {
  it('the log at its most verbose has no secret and no caller’s address, whatever is right or wrong about a call', async () => {
    const program = await testApplication()
    program.runtime.log.level = 'trace'
    const secrets = await live(program)
    expect(program.runtime.logged.length).toBeGreaterThan(50)
    expectUnlogged(program, secrets)
    expect(lines(program).toLowerCase()).not.toContain(PLANTED.toLowerCase())
    expect(lines(program)).not.toMatch(/[?&](key|email|transaction_id)=/)
  })

  it('the log has nothing of a request that failed through our own fault', async () => {
    const program = await testApplication()
    const { call, db } = program
    await db.transaction(async (tx) => {
      const { sql } = await import('../src/db/sql.ts')
      await tx.execute(sql({ name: 'test.break-players', text: 'alter table players rename to players_gone' }), [])
      await tx.execute(sql({ name: 'test.break-keys', text: 'alter table player_keys rename to player_keys_gone' }), [])
    })
    const [key, password, email] = [`${PLANTED}-key-of-a-fault`, `${PLANTED}-Pass-1-of-a-fault`, 'planted@example.org']
    const faults = [
      await call('POST', '/auth/login', { body: { email_or_username: email, password } }),
      await call('POST', '/auth/register', { body: { email, email_confirm: email, password } }),
      await call('GET', `/auth/reset-password?key=${key}`),
      await call('GET', `/auth/validate-login-secure-key?key=${key}`),
      await call('PUT', '/auth/verify-email', { body: { key } }),
      await call('PUT', '/auth/reset-password', { body: { key, password, password_confirm: password } }),
      await call('POST', '/auth/login-secure', { body: { key, twofa_code: 123_456 } }),
    ]
    for (const { status, body } of faults) {
      expect(status).toBe(500)
      expect(body).toEqual({ error: { code: 'INTERNAL_SERVER_ERROR', message: 'Unexpected error! Please try again.' } })
    }
    expect(program.runtime.logged.filter(({ level }) => level === 'error').length).toBe(faults.length)
    expectUnlogged(program, { key, password, email })
  })

  it('the log has nothing of the configuration: not the secret key, not the passwords of database and mail server', async () => {
    const secretKey = new Uint8Array(Buffer.from(`${PLANTED}-secret-key-of-this-size`.padEnd(32, '!')))
    const smtpUrl = `smtp://mailer:${PLANTED}-smtp-password@127.0.0.1:1`
    const databaseUrl = `postgres://fairball:${PLANTED}-db-password@127.0.0.1:1/fairball`
    const program = await testApplication({ config: { secretKey, smtpUrl, databaseUrl } })
    const { runtime } = program
    const { bearer } = await program.signUp({ address: null, isVerified: false })
    await program.call('GET', '/auth/resend-verification-email', { bearer })
    // the mail is retried again and again
    for (let hour = 0; hour < 3; hour++) await program.moveTo(runtime.clock.now() + 3600)
    expect(runtime.logged.some(({ level }) => level === 'warn' || level === 'error')).toBe(true)
    expectUnlogged(program, {
      'secret key': Buffer.from(secretKey).toString(),
      'secret key in hex': Buffer.from(secretKey).toString('hex'),
      'SMTP password': `${PLANTED}-smtp-password`,
      'database password': `${PLANTED}-db-password`,
      'password of the player': PASSWORD,
    })
    expect(lines(program)).not.toContain(PLANTED)
  })

  it('the log masks a secret that code passes to it by name', () => {
    // The last net, in addition to the rule that no secret is passed to the log at all.
    return testApplication().then(({ runtime }) => {
      const secret = `${PLANTED}-by-name`
      runtime.log.info(
        { password: secret, token: secret, SMTP_URL: secret, nested: { secretKey: secret, refresh_token: secret } },
        'x',
      )
      expect(JSON.stringify(runtime.logged)).not.toContain(secret)
    })
  })
})

describe('what happens to accounts', () => {
  it('account events are logged with hashes in place of names and addresses, the same for the same', async () => {
    const program = await testApplication()
    const { call, signUp, runtime } = program
    const { email } = await signUp({ address: null, isVerified: false })
    const fail = (name: string) =>
      call('POST', '/auth/login', { body: { email_or_username: name, password: 'Wrong-1-Horse' } })
    await fail(email)
    await fail(email.toUpperCase())
    await fail('nobody@example.org')
    const failures = runtime.logged.filter(({ msg }) => msg === 'a login failed')
    expect(failures).toHaveLength(3)
    const accounts = failures.map(({ account }) => account)
    expect(accounts[0]).toBe(accounts[1])
    expect(accounts[2]).not.toBe(accounts[0])
    for (const failure of failures)
      expect(failure).toMatchObject({
        step: 'password',
        account: expect.stringMatching(/^[\w-]{16}$/),
        address: expect.stringMatching(/^[\w-]{16}$/),
      })
    expect(lines(program)).not.toContain('127.0.0.1')
    expect(lines(program)).not.toContain(email)
  })

  it('account events are logged for logins, two-factor, stolen tokens and ended sessions', async () => {
    const program = await testApplication()
    const { call, signUp, runtime } = program
    const { email } = await signUp({ address: null, isVerified: false })
    const { body } = await call('POST', '/auth/login', { body: { email_or_username: email, password: PASSWORD } })
    await call('POST', '/auth/refresh', { bearer: body.refresh_token })
    await call('POST', '/auth/refresh', { bearer: body.refresh_token })
    for (let time = 0; time < 6; time++)
      await call('POST', '/auth/login', { body: { email_or_username: email, password: 'Wrong-1-Horse' } })
    const told = runtime.logged.map(({ msg }) => String(msg))
    for (const event of [
      'a session was opened',
      'a used refresh token came again: session revoked',
      'a login failed',
      'a login was refused for too many failures',
    ])
      expect(told).toContain(event)
  })
})
