import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { ConfigError, readConfig } from './config.ts'
import { SECRET_NAMES, secretTexts } from './variables.ts'

const KEY = '5e'.repeat(32)

function fileWith(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'fairball-secret-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'secret')
  writeFileSync(file, text)
  return file
}

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

it('a secret is read from the file its variable names, without the end of the line', () => {
  const config = readConfig({
    SECRET_KEY_FILE: fileWith(`${KEY}\n`),
    DATABASE_URL_FILE: fileWith('postgres://fairball:hunter2-hunter2@db/fairball'),
  })
  expect(Buffer.from(config.secretKey ?? []).toString('hex')).toBe(KEY)
  expect(config.databaseUrl).toBe('postgres://fairball:hunter2-hunter2@db/fairball')
})

it('a file sets its variable, in production too', () => {
  const problems = problemsOf({
    NODE_ENV: 'production',
    SECRET_KEY_FILE: fileWith(KEY),
    SMTP_URL: 'smtps://mail.example',
  })
  expect(problems.filter((problem) => problem.startsWith('SECRET_KEY'))).toEqual([])
  expect(problems).toContain(
    'DATABASE_URL: needed in production. Set a PostgreSQL, like postgres://user:password@host/database.',
  )
})

it('the content of a file is kept out of the log as well', () => {
  const texts = secretTexts({
    SECRET_KEY_FILE: fileWith(`${KEY}\n`),
    SMTP_URL_FILE: fileWith('smtps://user:pl4nted-pass@mail.example'),
  })
  expect(texts).toEqual(expect.arrayContaining([KEY, 'pl4nted-pass']))
})

it('a secret is read from the credentials of the process, under either name', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fairball-credentials-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'secret_key'), `${KEY}\n`)
  writeFileSync(join(folder, 'fairball_database_url'), 'postgres://fairball:hunter2-hunter2@db/fairball\n')
  const config = readConfig({ CREDENTIALS_DIRECTORY: folder })
  expect(Buffer.from(config.secretKey ?? []).toString('hex')).toBe(KEY)
  expect(config.databaseUrl).toBe('postgres://fairball:hunter2-hunter2@db/fairball')
  expect(secretTexts({ CREDENTIALS_DIRECTORY: folder })).toContain('hunter2-hunter2')
  expect(problemsOf({ CREDENTIALS_DIRECTORY: folder, SECRET_KEY: KEY })).toEqual([
    `${join(folder, 'secret_key')}: SECRET_KEY is set as well. Leave one of them out.`,
  ])
})

it('a problem says what is wrong with a file, and never its content', () => {
  const missing = join(tmpdir(), 'fairball-no-such-secret')
  const wrong = fileWith('not-a-key')
  const empty = fileWith(' \n')
  const large = fileWith('x'.repeat(20_000))
  expect(problemsOf({ SECRET_KEY_FILE: missing })).toEqual([
    `SECRET_KEY_FILE=${missing}: cannot be read (ENOENT). Name a file that holds the secret.`,
  ])
  expect(problemsOf({ SECRET_KEY_FILE: wrong })).toEqual([
    'SECRET_KEY: set at least 32 random bytes in hex: openssl rand -hex 32.',
  ])
  expect(problemsOf({ SMTP_URL_FILE: empty })).toEqual([`SMTP_URL_FILE=${empty}: is empty. Write the secret into it.`])
  expect(problemsOf({ METRICS_TOKEN_FILE: large })).toEqual([
    `METRICS_TOKEN_FILE=${large}: is too large to be a secret. Name another file.`,
  ])
  expect(problemsOf({ SECRET_KEY: KEY, SECRET_KEY_FILE: wrong })).toEqual([
    'SECRET_KEY_FILE: SECRET_KEY is set as well. Leave one of them out.',
  ])
})

it.skipIf(process.getuid?.() === 0)('a problem is reported if another user owns the file', () => {
  const file = fileWith(KEY)
  chmodSync(file, 0)
  expect(problemsOf({ SECRET_KEY_FILE: file })).toEqual([
    `SECRET_KEY_FILE=${file}: cannot be read by the user that runs this. Give it to that user.`,
  ])
})

it('an empty name of a file counts as none, and only secrets can be in files', () => {
  expect(readConfig({ SECRET_KEY_FILE: ' ' }).secretKey).toBeNull()
  expect(readConfig({ PORT_FILE: fileWith('1') }).port).toBe(3000)
  expect(SECRET_NAMES.toSorted()).toEqual([
    'BITCOIN_RPC_URL',
    'BITCOIN_XPUB',
    'BTCPAY_API_KEY',
    'BTCPAY_WEBHOOK_SECRET',
    'CONSOLE_DATABASE_URL',
    'DATABASE_URL',
    'FACEBOOK_APP_SECRET',
    'METRICS_TOKEN',
    'OPENNODE_API_KEY',
    'SECRET_KEY',
    'SMTP_URL',
  ])
})
