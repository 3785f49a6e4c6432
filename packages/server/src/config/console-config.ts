import type { LogLevel } from '../runtime/runtime.ts'
import { ConfigError, readFlags } from './config.ts'
import { consoleUrlProblems, modeProblems } from './problems.ts'
import { withSecretFiles } from './secret-files.ts'
import { readValues, SECRET_NAMES, type VariableName, VARIABLE_NAMES } from './variables.ts'

/** The configuration of the console's process: what it reads, and all that it holds. */
export type ConsoleConfig = Readonly<{
  mode: 'demo' | 'production'
  /** The console's origin. */
  url: string
  host: string
  port: number
  databaseUrl: string
  /** Addresses and networks that may connect; empty for all. */
  allow: readonly string[]
  /** The origin players see. */
  publicUrl: string
  /** Addresses and networks of proxies whose `X-Forwarded-For` is trusted. */
  trustProxy: readonly string[]
  /** how long a process keeps serving after it was told to stop */
  drainSeconds: number
  /** A port for the supervisor alone; null for none. */
  monitorPort: number | null
  logLevel: LogLevel
}>

/** The same before a free port is found for 0. */
export type ConsoleConfigAsRead = Omit<ConsoleConfig, 'url'> & { readonly url: string | null }

/** Every variable that the console's process reads. */
const OWN: readonly VariableName[] = [
  'NODE_ENV',
  'ROLE',
  'PORT',
  'PUBLIC_URL',
  'TRUST_PROXY',
  'DRAIN_SECONDS',
  'CONSOLE_URL',
  'CONSOLE_PORT',
  'CONSOLE_HOST',
  'CONSOLE_DATABASE_URL',
  'CONSOLE_ALLOW',
  'MONITOR_PORT',
  'LOG_LEVEL',
]
const OWN_SECRET = 'CONSOLE_DATABASE_URL'
const USUAL_PORT = 3001

type Environment = Record<string, string | undefined>

/** Whether a process is to be the console. */
export function isConsole(env: Readonly<Environment>, args: readonly string[]): boolean {
  return (readFlags(args, []).role ?? env['ROLE']?.trim()) === 'console'
}

/**
 * Takes every variable of the program that the console does not read out of an environment, before anything else is
 * done: the console's process is not to hold SECRET_KEY or a login to money, though a common file of settings may give
 * it one.
 *
 * @returns the secrets that were given
 */
export function dropOthers(env: Environment): string[] {
  const others = VARIABLE_NAMES.filter((name) => !(OWN as readonly string[]).includes(name))
  const given = SECRET_NAMES.filter(
    (name) => name !== OWN_SECRET && [name, `${name}_FILE`].some((one) => (env[one]?.trim() ?? '') !== ''),
  )
  for (const name of others) {
    delete env[name]
    delete env[`${name}_FILE`]
  }
  return given
}

/**
 * Reads the configuration of the console's process; every other variable is left alone.
 *
 * @throws ConfigError with every problem
 */
export function readConsoleConfig(env: Readonly<Environment>, args: readonly string[] = []): ConsoleConfigAsRead {
  const problems: string[] = []
  const { dev } = readFlags(args, problems)
  const values = readValues(withSecretFiles(env, [OWN_SECRET], problems), problems, OWN)
  const mode = values.NODE_ENV === 'production' ? 'production' : 'demo'
  problems.push(...modeProblems(values))
  const needed = (name: VariableName, remedy: string): void => {
    if (values[name] === null) problems.push(`${name}: needed with ROLE=console. Set ${remedy}.`)
  }
  needed(
    'CONSOLE_DATABASE_URL',
    'the PostgreSQL with the login fairball_console: operator grants prints how it is made',
  )
  if (mode === 'production') {
    needed('CONSOLE_URL', 'its own https address, like https://console.lottery.example')
    needed('PUBLIC_URL', 'the address players reach the site at, like https://lottery.example')
    problems.push(...consoleUrlProblems(values))
    if (dev) problems.push('--dev: part of the demo. Build the pages (npm run build) and leave it out.')
  }
  const port = values.CONSOLE_PORT ?? USUAL_PORT
  if (values.MONITOR_PORT === port)
    problems.push(`MONITOR_PORT=${port}: the same as CONSOLE_PORT. Set another one, or leave it out.`)
  if (problems.length > 0) throw new ConfigError(problems)
  return {
    mode,
    url: values.CONSOLE_URL ?? (port === 0 ? null : `http://localhost:${port}`),
    host: values.CONSOLE_HOST ?? '127.0.0.1',
    port,
    databaseUrl: values.CONSOLE_DATABASE_URL ?? '',
    allow: values.CONSOLE_ALLOW ?? [],
    publicUrl: values.PUBLIC_URL ?? `http://localhost:${values.PORT}`,
    trustProxy: values.TRUST_PROXY ?? [],
    drainSeconds: values.DRAIN_SECONDS ?? 0,
    monitorPort: values.MONITOR_PORT,
    logLevel: values.LOG_LEVEL ?? 'info',
  }
}
