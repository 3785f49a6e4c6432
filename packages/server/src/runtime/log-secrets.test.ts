import { expect, it } from 'vitest'
import { withLogContext } from './log-context.ts'
import { createLogger } from './logger.ts'
import { withoutSecrets } from './log-secrets.ts'

const WIF = 'L1aW4aubDFB7yfras2S1mN3bqg9nwySY8nkoLmJebSLD5BWv3ENZ'
const XPRV =
  'xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi'

it.each([
  ['connect postgres://fairball:pl4nted@db:5432/x failed', 'connect postgres://[secret]@db:5432/x failed'],
  ['smtps://u%40x:p%2Fq@mail.example', 'smtps://[secret]@mail.example'],
  [
    'Failed to parse URL from http://__cookie__:0a1b2c@127.0.0.1:8332',
    'Failed to parse URL from http://[secret]@127.0.0.1:8332',
  ],
  ['sent Authorization: Bearer abcdefgh.ijk', 'sent Authorization: [secret] [secret]'],
  ['{"authorization":"token pl4nted-key-1"}', '{"authorization":"[secret] [secret]"}'],
  [
    'GET /reset-password?key=pl4nted&email=a@b.example HTTP/1.1',
    'GET /reset-password?key=[secret]&email=[secret] HTTP/1.1',
  ],
  ['https://x.example/cb?code=pl4nted#y', 'https://x.example/cb?code=[secret]#y'],
  ['otpauth://totp/x?secret=JBSWY3DPEHPK3PXP&issuer=y', 'otpauth://totp/x?secret=[secret]&issuer=y'],
  ['https://x.example/?access_token=pl4nted', 'https://x.example/?access_token=[secret]'],
  ['{"email":"a","password":"pl4nted 1","x":1}', '{"email":"a","password":"[secret]","x":1}'],
  ['"{\\"passphrase\\":\\"pl4nted\\"}"', '"{\\"passphrase\\":\\"[secret]\\"}"'],
  ["{ refresh_token: 'pl4nted' }", "{ refresh_token: '[secret]' }"],
  [`importing ${XPRV} failed`, 'importing [secret] failed'],
  [`dumpprivkey ${WIF}`, 'dumpprivkey [secret]'],
  ['no such token eyJhbGciOiJF.eyJzdWIiOiIx.c2lnbmF0dXJl', 'no such token [secret]'],
])('the text %s is written as %s', (text, written) => {
  expect(withoutSecrets(text)).toBe(written)
})

it('text without secrets stays as it is', () => {
  for (const text of [
    'a draw was settled',
    'a token was used twice, and the refresh token rejected',
    'payments.refresh:6a1f8c4e-0000-4000-8000-000000000000:1735732800',
    '4f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0:0',
    'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080',
    'at file:///srv/app/node_modules/@scope/name/index.js:10:5',
    'connect ECONNREFUSED 127.0.0.1:5432',
    'https://example.org/games?page=2',
  ])
    expect(withoutSecrets(text)).toBe(text)
})

it('the configuration’s secrets are found anywhere, even in JSON', () => {
  const lines: string[] = []
  const secrets = ['pl4nted-1', 'pl4"nted\\2']
  const log = createLogger({
    level: 'info',
    format: 'json',
    nowMs: () => 0,
    write: (line) => lines.push(line),
    secrets,
  })
  log.info({ a: ['x pl4nted-1'], 'pl4nted-1': 1 }, 'refused: pl4nted-1')
  log.error(new Error('refused: pl4"nted\\2'))
  expect(lines.join('')).not.toContain('nted')
  expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(['refused: [secret]', ''])
})

it('a value repeated by PostgreSQL is hidden, and its own names are kept', () => {
  const lines: string[] = []
  const log = createLogger({ level: 'info', format: 'json', nowMs: () => 0, write: (line) => lines.push(line) })
  log.error(Object.assign(new Error('invalid input syntax for type uuid: "pl4nted"'), { code: '22P02' }))
  log.error(Object.assign(new Error('violates unique constraint "players_email"'), { code: '23505' }))
  expect(lines[0]).not.toContain('pl4nted')
  expect(lines[1]).toContain('players_email')
})

it('each line has its context, even lines of work that follows', async () => {
  const lines: unknown[] = []
  const log = createLogger({
    level: 'info',
    format: 'json',
    nowMs: () => 0,
    write: (line) => lines.push(JSON.parse(line)),
  })
  await withLogContext({ reqId: 'r' }, async () => {
    log.info('at once')
    await new Promise((resolve) => setImmediate(resolve))
    withLogContext({ job: 'j' }, () => log.info({ reqId: 'its own' }, 'later'))
  })
  log.info('after')
  expect(lines).toEqual([
    { level: 'info', time: 0, reqId: 'r', msg: 'at once' },
    { level: 'info', time: 0, reqId: 'its own', job: 'j', msg: 'later' },
    { level: 'info', time: 0, msg: 'after' },
  ])
})
