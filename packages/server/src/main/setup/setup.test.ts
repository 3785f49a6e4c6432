import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { parseEnv } from 'node:util'
import { beforeEach, afterEach, expect, it } from 'vitest'
import { readConfig } from '../../config/config.ts'
import { readConsoleConfig } from '../../config/console-config.ts'
import { Refused } from '../../kernel/errors.ts'
import { testRuntime } from '../../runtime/test-runtime.ts'
import { type SetupDeps, setUp } from './setup.ts'

const XPUB =
  '[73c5da0a/84h/0h/0h]xpub6CatWdiZiodmUeTDp8LT5or8nmbKNcuyvz7WyksVFkKB4RHwCD3XyuvPEbvqAQY3rAPshWcMLoP2fMFMKHPJ4ZeZXYVUhLv1VMrjPC7PW6V'
const ANSWERS = {
  BITCOIN_NETWORK: 'mainnet',
  PUBLIC_URL: 'https://lottery.example',
  CONSOLE_URL: 'https://console.lottery.example',
  BITCOIN_RPC_URL: 'http://fairball:of-the-worker@127.0.0.1:8332',
  WEB_BITCOIN_RPC_URL: 'http://web:of-the-web@127.0.0.1:8332',
  BITCOIN_XPUB: XPUB,
  WITNESSES: 'none-i-know',
  SMTP_URL: 'smtps://user:of-the-mail@mail.example',
  BACKUP_ARCHIVE: '/var/backups/fairball/wal',
}

let folder: string
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'fairball-setup-')), 'etc')
})
afterEach(() => rmSync(join(folder, '..'), { recursive: true }))

/** Runs the setup with answers in a file, and returns what it said and did. */
async function run(answers: Readonly<Record<string, string>>, args: readonly string[] = [], told: string[] = []) {
  const file = join(folder, '..', 'answers')
  writeFileSync(
    file,
    Object.entries(answers)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  )
  const said: string[] = []
  const asked: string[] = []
  const sql: string[] = []
  const doctors: string[] = []
  const deps: SetupDeps = {
    runtime: testRuntime(),
    say: (line) => void said.push(line),
    ask: async (text) => {
      asked.push(text)
      return told.shift() ?? null
    },
    psql: (text) => void sql.push(text),
    doctor: (one) => void doctors.push(one),
  }
  const problem = await setUp(['--folder', folder, '--answers', file, ...args], deps).then(
    () => null,
    (error: unknown) => {
      if (error instanceof Refused) return error.message
      throw error
    },
  )
  return { said, asked, sql, doctors, problem }
}

/** Every file of the setup by its path, with its mode. */
function filesThere(): Record<string, string> {
  if (!existsSync(folder)) return {}
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
  return Object.fromEntries(
    paths.map((entry) => {
      const path = join(entry.parentPath, entry.name)
      return [relative(folder, path), (statSync(path).mode & 0o777).toString(8)]
    }),
  )
}

const text = (path: string): string => readFileSync(join(folder, path), 'utf8')
const settings = () => ({ ...parseEnv(text('settings.env')) }) as Record<string, string>
const envOf = (role: string) => ({ ...settings(), ROLE: role, CREDENTIALS_DIRECTORY: join(folder, role) })

it('the setup writes settings and secrets that each role of production reads, for their owner alone', async () => {
  const { problem, sql, doctors } = await run(ANSWERS, ['--make-database'])
  expect(problem).toBeNull()
  const [web, worker] = [readConfig(envOf('web')), readConfig(envOf('worker'))]
  const console = readConsoleConfig(envOf('console'))
  expect([web.mode, web.role, worker.role]).toEqual(['production', 'web', 'worker'])
  expect(web.secretKey).toEqual(worker.secretKey)
  expect([web.bitcoinNode?.login, worker.bitcoinNode?.login]).toEqual([
    { user: 'web', password: 'of-the-web' },
    { user: 'fairball', password: 'of-the-worker' },
  ])
  const users = [web.databaseUrl, worker.databaseUrl, console.databaseUrl].map((url) => new URL(url ?? ''))
  expect(users.map(({ username }) => username)).toEqual(['web', 'fairball', 'fairball_console'])
  // The database gets the same passwords, once each.
  expect(sql).toEqual([text('database/logins.sql')])
  for (const { username, password } of users)
    expect(sql[0]).toMatch(new RegExp(`alter role ${username} login (replication )?password '${password}';`))
  expect(sql[0]).toContain("archive_command = 'test ! -f /var/backups/fairball/wal/%f && cp %p ")
  expect(doctors).toEqual([folder])
  expect(filesThere()).toEqual({
    console: '700',
    database: '700',
    monitor: '700',
    web: '700',
    worker: '700',
    'console/console_database_url': '600',
    'database/logins.sql': '600',
    'monitor/metrics_token': '600',
    'settings.env': '600',
    operator: '700',
    ...Object.fromEntries(
      ['web', 'worker'].flatMap((role) =>
        ['bitcoin_rpc_url', 'bitcoin_xpub', 'database_url', 'metrics_token', 'secret_key', 'smtp_url'].map((name) => [
          `${role}/${name}`,
          '600',
        ]),
      ),
    ),
  })
  // No secret is among the settings, which systemd shows to everyone on the computer.
  for (const secret of ['of-the', XPUB, ...users.map(({ password }) => password)])
    expect(text('settings.env')).not.toContain(secret)
})

it('another run of the setup overwrites nothing, and gives a lost file the same secrets', async () => {
  await run(ANSWERS)
  const before = Object.keys(filesThere())
    .filter((path) => path.includes('/') || path.includes('.'))
    .map((path) => [path, text(path)])
  rmSync(join(folder, 'web/database_url'))
  rmSync(join(folder, 'console'), { recursive: true })
  const { said, problem } = await run({ ...ANSWERS, PUBLIC_URL: 'https://another.example' })
  expect(problem).toBeNull()
  expect(said).toContain(`Kept  ${join(folder, 'settings.env')}, which says something else`)
  expect(said).toContain(`Kept  ${join(folder, 'worker/secret_key')}`)
  for (const [path = '', was] of before) expect(text(path), path).toBe(was)
})

it('bad answers are refused together, each with what to do, and nothing is written', async () => {
  const bad = {
    ...ANSWERS,
    PUBLIC_URL: 'lottery.example',
    SMTP_URL: 'not-for-the-screen',
    SUPPORT_EMAIL: 'help"me',
    PAYOUT_FLOAT_SATS: 'many',
  }
  const { problem } = await run(bad)
  expect(problem?.split('\n')).toEqual([
    'Nothing was written:',
    '  - PUBLIC_URL=lottery.example: set an address like https://lottery.example.',
    '  - SMTP_URL: set an address like smtps://user:password@host.',
    '  - SUPPORT_EMAIL=help"me: leave out quotes, backslashes, dollar signs and number signs.',
    '  - PAYOUT_FLOAT_SATS=many: set a whole number of satoshis.',
  ])
  const { PUBLIC_URL: _, ...without } = ANSWERS
  expect((await run(without)).problem).toContain('PUBLIC_URL: not answered. Give --public-url, or PUBLIC_URL=… in')
  expect((await run({ ...ANSWERS, CONSOLE_URL: 'https://lottery.example' })).problem).toContain('Set another host.')
  expect((await run({ ...ANSWERS, SECRET_KEY: '5e' })).problem).toContain(
    'line 10: the setup itself decides SECRET_KEY.',
  )
  expect((await run({ ...ANSWERS, PUBIC_URL: 'x' })).problem).toContain('there is no variable PUBIC_URL.')
  expect((await run(ANSWERS, ['--public-ulr', 'x'])).problem).toContain("Unknown option '--public-ulr'")
  expect((await run(ANSWERS, ['--for', 'docker'])).problem).toBe('--for docker: one of systemd, compose.')
  expect(filesThere()).toEqual({})
})

it('the setup asks at a terminal for what is missing, and again after a bad answer', async () => {
  const { PUBLIC_URL: _, BITCOIN_NETWORK: __, ...given } = ANSWERS
  const { problem, asked } = await run(
    given,
    [],
    ['mainet', '', '', 'https://lottery.example', '', '', '', '', '', '', ''],
  )
  expect(problem).toBeNull()
  expect(asked.slice(0, 5).map((line) => line.split('\n').length)).toEqual([1, 2, 1, 2, 1])
  expect(asked[1]).toMatch(/^BITCOIN_NETWORK=mainet: set one of mainnet, .*\nThe bitcoin network/)
  expect(asked[3]).toMatch(/^An answer is needed\.\nThe address that players will open/)
  expect(settings()).toMatchObject({ PUBLIC_URL: 'https://lottery.example', PAYMENTS: 'bitcoin-core' })
})

it('another provider is asked for its own secrets, and gets no others', async () => {
  const { BITCOIN_XPUB: _, ...others } = ANSWERS
  const opennode = { ...others, PAYMENTS: 'opennode' }
  expect((await run(opennode)).problem).toContain('OPENNODE_API_KEY: not answered.')
  expect((await run({ ...opennode, OPENNODE_API_KEY: 'a-key-of-opennode' })).problem).toBeNull()
  expect(readConfig(envOf('worker')).opennode?.apiKey).toBe('a-key-of-opennode')
  expect(existsSync(join(folder, 'worker/bitcoin_xpub'))).toBe(false)
})

it('in Compose the folder is closed, and containers read the files in it', async () => {
  const { BITCOIN_RPC_URL: _, WEB_BITCOIN_RPC_URL: __, ...others } = ANSWERS
  const { problem } = await run(others, ['--for', 'compose'])
  expect(problem).toBeNull()
  expect((statSync(folder).mode & 0o777).toString(8)).toBe('700')
  expect(filesThere()).toMatchObject({
    web: '755',
    'web/secret_key': '444',
    'database/password': '444',
    'settings.env': '600',
  })
  expect(readConfig(envOf('web')).databaseUrl).toContain('@database/fairball')
  // The bitcoin node of compose.yaml has a login for each role; another run writes the same.
  const users = ['worker', 'web'].map((role) => readConfig(envOf(role)).bitcoinNode)
  expect(users).toMatchObject([{ login: { user: 'fairball' } }, { login: { user: 'fairball-web' } }])
  expect(text('bitcoin/logins.conf')).toMatch(
    /^rpcauth=fairball:[0-9a-f]{32}\$[0-9a-f]{64}\nrpcauth=fairball-web:.*\n$/,
  )
  const { said } = await run(others, ['--for', 'compose'])
  expect(said.at(-1)).toBe('Next: docker compose --profile node --profile console up --detach --wait')
  expect(said.filter((line) => !/^(?:Kept {2}[^,]+|Next: .*)$/.test(line))).toEqual([])
})

it('in Compose a node of the operator’s gets no login from the setup', async () => {
  const { WEB_BITCOIN_RPC_URL: _, ...own } = ANSWERS
  expect((await run(own, ['--for', 'compose'])).problem).toBeNull()
  expect(text('bitcoin/logins.conf')).toBe('')
  for (const role of ['worker', 'web']) expect(readConfig(envOf(role)).bitcoinNode?.url).toBe('http://127.0.0.1:8332')
})
