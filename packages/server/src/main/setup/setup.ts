import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { ConfigError, readConfig } from '../../config/config.ts'
import { readConsoleConfig } from '../../config/console-config.ts'
import { Refused } from '../../kernel/errors.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { type Ask, askMissing, listOf, readTyped, type Typed } from './ask.ts'
import { makeDeposits } from './rehearsal-wallets.ts'
import {
  type Answers,
  COMPOSE_NODE,
  filesOf,
  isComposeNode,
  type Passwords,
  secretsOf,
  settingsOf,
  type SetupFile,
  SETUP_ROLES,
  type SetupRole,
} from './setup-files.ts'

/** The folder of the program's sources. */
const PROGRAM = resolve(import.meta.dirname, '../../../../..')
/** Bytes of a password of the database, and of a key. */
const PASSWORD_BYTES = 24
const KEY_BYTES = 32

/** What the setup uses of the computer. */
export interface SetupDeps {
  readonly runtime: Pick<Runtime, 'random' | 'fetch' | 'monotonic'>
  readonly ask: Ask
  /** Says one line to the operator. */
  readonly say: (line: string) => void
  /** Runs psql as the server's administrator. @throws Refused */
  readonly psql: (sql: string) => void
  /** Runs `operator doctor` with the new settings, and shows what it says. */
  readonly doctor: (folder: string) => void
}

/**
 * Asks what the lottery needs, and writes its settings and secrets: never over a file that exists. Then makes the
 * database's logins, if asked to, and runs the doctor.
 *
 * @param args what was typed after `operator setup`
 * @throws Refused with every problem; nothing was written then
 */
export async function setUp(args: readonly string[], deps: SetupDeps): Promise<void> {
  const typed = readTyped(args)
  const folder = resolve(typed.folder)
  const isOurNode = typed.target === 'compose' && typed.answers['BITCOIN_RPC_URL'] === undefined
  const ofNode = isOurNode ? nodeIn(folder, deps.runtime) : {}
  const asked = await askMissing({ ...typed, answers: { ...ofNode, ...typed.answers } }, deps.ask)
  const named = {
    ...asked,
    DATABASE_HOST: asked['DATABASE_HOST'] || (typed.target === 'compose' ? 'database' : '127.0.0.1'),
  }
  const made = passwordsIn(folder, deps.runtime)
  assertFit(named, typed, made, (answers) => !needsDeposits(answers))
  const answers = needsDeposits(named) ? { ...named, BITCOIN_XPUB: await makeDeposits(named, deps.runtime) } : named
  assertFit(answers, typed, made, () => true)
  for (const file of filesOf(typed.target, answers, made, PROGRAM)) deps.say(write(folder, file, typed))
  if (typed.target === 'compose') return deps.say(`Next: docker compose${profilesFor(answers)} up --detach --wait`)
  const sql = join(folder, 'database/logins.sql')
  if (!typed.makesDatabase) return deps.say(`Next, as the database's administrator: psql --file ${sql}`)
  deps.psql(readFileSync(sql, 'utf8'))
  deps.say('The database and its logins are there.')
  deps.doctor(folder)
}

/** What these answers need of compose.yaml beside the site. */
function profilesFor({ BITCOIN_RPC_URL: node = '', CONSOLE_URL: console = '' }: Answers): string {
  return `${isComposeNode(node) ? ' --profile node' : ''}${console === '' ? '' : ' --profile console'}`
}

/** The node makes the account of the deposits where nobody named one: only for coins without a value. */
function needsDeposits(answers: Answers): boolean {
  return answers['PAYMENTS'] === 'bitcoin-core' && (answers['BITCOIN_XPUB'] ?? '') === ''
}

/** Has the program itself read what each role would get. @throws Refused with every problem */
function assertFit(answers: Answers, { target }: Typed, made: Passwords, counts: (answers: Answers) => boolean): void {
  const problems = SETUP_ROLES.flatMap((role) => {
    const env = { ...settingsOf(answers, target), ...secretsOf(role, answers, made), ROLE: role }
    return role === 'console' && (answers['CONSOLE_URL'] ?? '') === '' ? [] : problemsOf(role, env)
  })
  const found = [...new Set(problems)].filter((problem) => counts(answers) || !problem.startsWith('BITCOIN_XPUB:'))
  if (found.length > 0) throw new Refused(listOf(found))
}

function problemsOf(role: SetupRole, env: Answers): readonly string[] {
  try {
    if (role === 'console') readConsoleConfig(env)
    else readConfig(env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

/** The logins of the bitcoin node in compose.yaml, or those of an earlier setup. */
function nodeIn(folder: string, { random }: Pick<Runtime, 'random'>): Answers {
  const login = (role: SetupRole, user: string): string =>
    textOrNull(join(folder, role, 'bitcoin_rpc_url'))?.trim() ??
    `http://${user}:${Buffer.from(random.bytes(PASSWORD_BYTES)).toString('hex')}@${COMPOSE_NODE}:8332`
  return { BITCOIN_RPC_URL: login('worker', 'fairball'), WEB_BITCOIN_RPC_URL: login('web', 'fairball-web') }
}

/** The secrets of an earlier setup, and new ones where there are none. */
function passwordsIn(folder: string, { random }: Pick<Runtime, 'random'>): Passwords {
  const made = (bytes: number): string => Buffer.from(random.bytes(bytes)).toString('hex')
  const kept = (path: string): string | null => textOrNull(join(folder, path))?.trim() ?? null
  // What the database was given counts, even where a file of a role is lost.
  const logins = kept('database/logins.sql') ?? ''
  const passwordOf = (user: string): string =>
    new RegExp(`^alter role ${user} .*password '([0-9a-f]+)';$`, 'm').exec(logins)?.[1] ?? made(PASSWORD_BYTES)
  return {
    owner: passwordOf('fairball'),
    web: passwordOf('web'),
    console: passwordOf('fairball_console'),
    admin: kept('database/password') ?? made(PASSWORD_BYTES),
    secretKey: kept('worker/secret_key') ?? kept('web/secret_key') ?? made(KEY_BYTES),
    metricsToken: kept('monitor/metrics_token') ?? made(KEY_BYTES),
  }
}

function textOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new Refused(`${path}: cannot be read (${(error as NodeJS.ErrnoException).code}). Run the setup as its owner.`)
  }
}

/**
 * Writes a file that does not exist yet, for its owner alone. In Compose other users read it inside their containers:
 * there the folder above is closed instead.
 *
 * @returns what became of it
 */
function write(folder: string, { path, text }: SetupFile, { target }: Typed): string {
  const file = join(folder, path)
  const isShared = target === 'compose' && path.includes('/')
  const mode = path === 'operator' ? 0o700 : isShared ? 0o444 : 0o600
  try {
    // Under systemd the policy of the witnesses and the content file may be beside the closed folders.
    mkdirSync(folder, { recursive: true, mode: target === 'compose' ? 0o700 : 0o755 })
    mkdirSync(dirname(file), { recursive: true, mode: isShared ? 0o755 : 0o700 })
    writeFileSync(file, text, { flag: 'wx', mode })
    chmodSync(file, mode) // regardless of the umask
    return `Wrote ${file}`
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST')
      return readFileSync(file, 'utf8') === text ? `Kept  ${file}` : `Kept  ${file}, which says something else`
    throw new Refused(`${file} cannot be written (${code}). Run the setup as root, or name another --folder.`)
  }
}

/** Runs psql as the user postgres of this computer, who needs no password. @throws Refused */
export function psqlAsAdministrator(sql: string): void {
  const args = ['--no-psqlrc', '--quiet', '--set', 'ON_ERROR_STOP=1', '--dbname', 'postgres']
  const { status, stderr, error } = spawnSync('runuser', ['--user', 'postgres', '--', 'psql', ...args], {
    input: sql,
    cwd: '/',
    encoding: 'utf8',
  })
  if (status === 0) return
  const reason = error?.message ?? stderr.trim()
  throw new Refused(
    `The database's logins could not be made: ${reason}. Is PostgreSQL running, and are you root? Start it, and run the setup again.`,
  )
}

/** Runs the doctor in a process of its own, with the settings of the worker. */
export function doctorIn(folder: string): void {
  spawnSync(join(folder, 'operator'), ['doctor'], { stdio: 'inherit' })
}
