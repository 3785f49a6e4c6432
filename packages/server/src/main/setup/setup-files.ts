import { createHash, createHmac } from 'node:crypto'
import { SECRET_NAMES } from '../../config/variables.ts'

/** Values of variables by name. */
export type Answers = Readonly<Record<string, string>>
/** What runs the program: systemd on this computer, or containers of Compose. */
export const TARGETS = ['systemd', 'compose'] as const
export type Target = (typeof TARGETS)[number]

/** The bitcoin node of compose.yaml. */
export const COMPOSE_NODE = 'bitcoin'
/** Length of the salt in `rpcauth`, in hex digits. */
const SALT_DIGITS = 32

/** The roles, each with a folder of secrets of its own. */
export const SETUP_ROLES = ['web', 'worker', 'console'] as const
export type SetupRole = (typeof SETUP_ROLES)[number]

/** Answers that are no variables of the configuration. */
export const SETUP_NAMES = ['DATABASE_HOST', 'WEB_BITCOIN_RPC_URL', 'BACKUP_ARCHIVE'] as const

/** Secrets that the setup makes: existing ones are used again. */
export interface Passwords {
  /** of the database's logins: the owner, the web, the console, and the server's administrator in Compose */
  readonly owner: string
  readonly web: string
  readonly console: string
  readonly admin: string
  readonly secretKey: string
  readonly metricsToken: string
}

/** A file of the setup: its path in the folder, and its text. */
export interface SetupFile {
  readonly path: string
  readonly text: string
}

/** Whether it is a rehearsal on this computer alone, which runs as the demo does, with a real node. */
export function isRehearsal({ BITCOIN_NETWORK: network }: Answers): boolean {
  return network === 'regtest'
}

/** The settings that no process keeps secret, as every role gets them. */
export function settingsOf(answers: Answers, target: Target): Answers {
  const secret = (name: string): boolean =>
    SECRET_NAMES.includes(name) || (SETUP_NAMES as readonly string[]).includes(name)
  const given = Object.entries(answers).filter(([name, value]) => !secret(name) && value !== '')
  return {
    // The image sets NODE_ENV=production, so a rehearsal has to set another value.
    ...(isRehearsal(answers)
      ? { NODE_ENV: 'development' }
      : { NODE_ENV: 'production', BEACON: 'drand', RATES: 'live' }),
    ...(target === 'systemd' ? { DATA_DIR: '/var/lib/fairball', HOST: '127.0.0.1' } : { HOST: '0.0.0.0' }),
    ...Object.fromEntries(given),
  }
}

/** The secrets of a role, by the name of the variable. */
export function secretsOf(role: SetupRole, answers: Answers, made: Passwords): Answers {
  const { DATABASE_HOST: host = '127.0.0.1' } = answers
  const database = (user: string, password: string): string => `postgres://${user}:${password}@${host}/fairball`
  if (role === 'console') return { CONSOLE_DATABASE_URL: database('fairball_console', made.console) }
  const given = Object.entries(answers).filter(([name, value]) => SECRET_NAMES.includes(name) && value !== '')
  const ofWeb = answers['WEB_BITCOIN_RPC_URL'] ?? ''
  return {
    SECRET_KEY: made.secretKey,
    METRICS_TOKEN: made.metricsToken,
    DATABASE_URL: role === 'web' ? database('web', made.web) : database('fairball', made.owner),
    ...Object.fromEntries(given),
    ...(role === 'web' && ofWeb !== '' ? { BITCOIN_RPC_URL: ofWeb } : {}),
  }
}

/**
 * Every file of the setup. A role has one folder, with a file for each of its secrets: systemd loads it as credentials,
 * Compose mounts it.
 */
export function filesOf(target: Target, answers: Answers, made: Passwords, program: string): SetupFile[] {
  const secrets = SETUP_ROLES.flatMap((role) =>
    Object.entries(secretsOf(role, answers, made)).map(([name, text]) => ({
      path: `${role}/${name.toLowerCase()}`,
      text: `${text}\n`,
    })),
  )
  const settings = Object.entries(settingsOf(answers, target)).map(([name, value]) => `${name}=${value}\n`)
  return [
    { path: 'settings.env', text: `${settings.join('')}` },
    ...secrets,
    { path: 'monitor/metrics_token', text: `${made.metricsToken}\n` },
    { path: 'database/logins.sql', text: loginsSql(made, answers['BACKUP_ARCHIVE'] ?? '') },
    ...(target === 'compose'
      ? [
          { path: 'database/password', text: `${made.admin}\n` },
          { path: 'bitcoin/logins.conf', text: nodeLogins(answers) },
        ]
      : [{ path: 'operator', text: operatorScript(program) }]),
  ]
}

/** Whether an RPC address is that of the bitcoin node in compose.yaml. */
export function isComposeNode(url: string): boolean {
  return URL.canParse(url) && new URL(url).hostname === COMPOSE_NODE
}

/** The logins of the bitcoin node in compose.yaml, with hashes of their passwords; empty if another node is used. */
function nodeLogins({ BITCOIN_RPC_URL: worker = '', WEB_BITCOIN_RPC_URL: web = '' }: Answers): string {
  return [worker, web]
    .filter(isComposeNode)
    .map((url) => {
      const { username, password } = new URL(url)
      // The password is random, so its hash serves as salt, and another run writes the same.
      const salt = createHash('sha256').update(password).digest('hex').slice(0, SALT_DIGITS)
      return `rpcauth=${username}:${salt}$${createHmac('sha256', salt).update(password).digest('hex')}\n`
    })
    .join('')
}

/**
 * Makes the database and its logins, for the server's administrator and psql; again it changes nothing. Owner, web and
 * console: docs/operations.md, sections 8 and 11.
 *
 * @param archive the folder that the server archives its write-ahead log in; '' for none
 */
function loginsSql({ owner, web, console }: Passwords, archive: string): string {
  const role = (name: string): string =>
    `do $$ begin create role ${name}; exception when duplicate_object then null; end $$;\n`
  // Two sessions never archive one file; sync and rename let none be seen half written.
  const command = `test ! -f ${archive}/%f && cp %p ${archive}/.%f && sync ${archive}/.%f && mv ${archive}/.%f ${archive}/%f`
  return [
    role('fairball'),
    role('fairball_web'),
    role('web'),
    role('fairball_console'),
    `alter role fairball login replication password '${owner}';\n`,
    `alter role web login password '${web}';\n`,
    'grant fairball_web to web;\n',
    `alter role fairball_console login password '${console}';\n`,
    "select 'create database fairball owner fairball encoding ''UTF8'' template template0'\n",
    "  where not exists (select from pg_database where datname = 'fairball') \\gexec\n",
    'revoke temporary on database fairball from public;\n',
    ...(archive === ''
      ? []
      : [
          'alter system set archive_mode = on;\n',
          'alter system set archive_timeout = 60;\n',
          `alter system set archive_command = '${command}';\n`,
        ]),
    '\\connect fairball\n',
    'revoke create on schema public from public;\n',
  ].join('')
}

/** The operator's commands with these settings and the worker's secrets: `/etc/fairball/operator doctor`. */
function operatorScript(program: string): string {
  return [
    '#!/bin/sh\n',
    "# The operator's commands, with the settings beside this file and the secrets of the worker.\n",
    'folder=$(dirname "$(readlink -f "$0")")\n',
    `cd ${program} && CREDENTIALS_DIRECTORY="$folder/worker" exec ${process.execPath} --env-file="$folder/settings.env" packages/server/src/main/operator.ts "$@"\n`,
  ].join('')
}
