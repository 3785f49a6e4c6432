import { createHash } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { expect, it } from 'vitest'
import { PASSWORD, testApplication, type TestApplication } from './application.ts'

const CALLER = '203.0.113.77'

/** What a copy of the database shows: every row of every table as text, and the text in its bytes. */
async function copyOf(app: TestApplication): Promise<string> {
  const client = await app.connect()
  const tables = await client.query<{ name: string }>(
    `select quote_ident(relname) as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  )
  const rows: string[] = []
  for (const { name } of tables.rows)
    for (const row of (await client.query<{ text: string }>(`select t::text as text from ${name} t`)).rows)
      rows.push(row.text, ...spelledIn(row.text))
  return rows.join('\n')
}

/** The columns of bytes in a row's text, each decoded to the characters that they may be. */
function spelledIn(row: string): string[] {
  return [...row.matchAll(/\\x([0-9a-f]+)/g)].map(([, hex = '']) => Buffer.from(hex, 'hex').toString('latin1'))
}

/** The players that an attacker with the copy may look for, digested in every way that needs no key. */
function plainDigestsOf(texts: readonly string[]): string[] {
  return texts.flatMap((text) =>
    ['sha256', 'sha1', 'md5'].flatMap((algorithm) =>
      (['hex', 'base64', 'base64url'] as const).map((encoding) => createHash(algorithm).update(text).digest(encoding)),
    ),
  )
}

/** A program whose mails wait: nothing listens at the mail server's port. */
async function mailless(): Promise<TestApplication> {
  return await testApplication({ config: { smtpUrl: 'smtp://127.0.0.1:9', trustProxy: ['127.0.0.1'] } })
}

it('a copy of the database reveals no one by a digest, no link of a mail, and no hash to try passwords against', async () => {
  const app = await mailless()
  const { email } = await app.signUp({ isVerified: false, address: null })
  const headers = { 'x-forwarded-for': CALLER }
  for (let tries = 0; tries < 3; tries += 1)
    await app.call('POST', '/auth/login', {
      body: { email_or_username: email, password: 'Wrong-horse7battery' },
      headers,
    })
  const asked = await app.call('GET', `/auth/forgotten-password?email=${encodeURIComponent(email)}`, { headers })
  expect(asked.status).toBeLessThan(300)

  await app.moveTo(app.runtime.clock.now() + 1) // the link is made by a job

  const copy = await copyOf(app)
  expect(copy).toContain('reset-address:')
  for (const digest of plainDigestsOf([CALLER, email, `${email}\n`, CALLER.toLowerCase()]))
    expect(copy).not.toContain(digest)
  expect(copy).not.toMatch(/reset-password\/|verify-email\//)
  const client = await app.connect()
  const waiting = await client.query<{ subject: string }>(
    `select subject from mail_outbox where sent_at is null order by id`,
  )
  expect(waiting.rows.map(({ subject }) => subject)).toEqual([
    'Please verify your email address',
    'Reset your password',
  ])
  const { rows } = await client.query<{ password_hash: string }>(`select password_hash from players`)
  const [{ password_hash: stored } = { password_hash: '' }] = rows
  const argon2 = /\$argon2id\$.*/.exec(stored)?.[0] ?? ''
  expect(argon2).not.toBe('')
  expect(await verify(argon2, PASSWORD)).toBe(false)
})

it('a hash from before the key logs in, and is renewed with it', async () => {
  const app = await mailless()
  const { email } = await app.signUp({ isVerified: false, address: null })
  const client = await app.connect()
  const older = await hash(PASSWORD, { memoryCost: 19_456, timeCost: 2, parallelism: 1 })
  await client.query(`update players set password_hash = $1`, [older])
  const logIn = (password: string) => app.call('POST', '/auth/login', { body: { email_or_username: email, password } })
  expect((await logIn('Wrong-horse7battery')).status).toBe(400)
  expect((await logIn(PASSWORD)).status).toBe(200)
  const { rows } = await client.query<{ password_hash: string }>(`select password_hash from players`)
  expect(rows[0]?.password_hash).toMatch(/^hmac\$argon2id\$/)
  expect((await logIn(PASSWORD)).status).toBe(200)
})

it('a mail that an older program wrote is still sent', async () => {
  const app = await testApplication()
  const client = await app.connect()
  await client.query(
    `with mail as (insert into mail_outbox (created_at, category, to_address, subject, text, html, links, key)
       values (1, 'account', 'old@example.org', 'Older', 'in the clear', '<p>in the clear</p>', '{}', 'older') returning id)
     insert into jobs (kind, key, payload, run_at) select 'messages.send-mail', 'mail:' || id, jsonb_build_object('mailId', id::text), 1 from mail`,
  )
  await app.moveTo(app.runtime.clock.now() + 60)
  const { body } = await app.call('GET', '/dev/mail?to=old@example.org')
  expect(body).toMatchObject([{ subject: 'Older', text: 'in the clear' }])
})
