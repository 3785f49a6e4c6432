import { createHash } from 'node:crypto'
import type { Config, ConfigAsRead } from '../config/config.ts'
import { CONSOLE_ROLE } from '../db/grants.ts'
import type { DatabaseAddress } from '../db/connection-settings.ts'
import { makeLogin } from '../db/roles.ts'
import { deriveKey } from '../runtime/keys.ts'
import type { Runtime } from '../runtime/runtime.ts'
import { serversOf } from '../runtime/server-list.ts'
import { ConsoleChild } from './console-child.ts'
import { portToUse, PortTaken } from './ports.ts'

/** From the site's port to the console's, if that is free: a browser knows its passkeys again at the next start. */
const PORTS_AHEAD = 10_000
const LAST_PORT = 65_535
/** What the child gets of our environment, besides its own settings. */
const PASSED_ON = [
  'PATH',
  'TZ',
  'LANG',
  'NODE_ENV',
  'NODE_COMPILE_CACHE',
  'LOG_LEVEL',
  'MALLOC_ARENA_MAX',
  'TRUST_PROXY',
  'CONSOLE_ALLOW',
]

/** Where the console of the demo will be. */
interface ConsolePlace {
  readonly url: string
  readonly host: string
  readonly port: number
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Decides where the console of the demo will be, before anything is assembled: what checks signatures has to know it.
 *
 * @param sitePort the site's
 * @returns null if this process starts none
 * @throws PortTaken if CONSOLE_PORT is
 */
export async function placeOfConsole(
  read: Pick<ConfigAsRead, 'startsConsole' | 'consoleUrl'>,
  env: Environment,
  sitePort: number,
): Promise<ConsolePlace | null> {
  if (!read.startsConsole) return null
  const host = env['CONSOLE_HOST']?.trim() || '127.0.0.1'
  const wanted = Number(env['CONSOLE_PORT']?.trim() || '0')
  const port = wanted === 0 ? await freePort(host, sitePort) : await portToUse(wanted, host, 'CONSOLE_PORT')
  return { url: read.consoleUrl ?? `http://localhost:${port}`, host, port }
}

async function freePort(host: string, sitePort: number): Promise<number> {
  const first = sitePort + PORTS_AHEAD
  try {
    return await portToUse(first > LAST_PORT ? 0 : first, host, 'CONSOLE_PORT')
  } catch (error) {
    if (error instanceof PortTaken) return await portToUse(0, host, 'CONSOLE_PORT')
    throw error
  }
}

/** What names the login in the address of a database. */
const LOGIN = /^(\w+:\/\/)(?:[^/?#]*@)?/

/**
 * Makes the login of the demo's console.
 *
 * @returns the address of the database for it; null if our own login may not make one
 */
export async function consoleDatabase(address: DatabaseAddress, secretKey: Uint8Array): Promise<string | null> {
  const password = Buffer.from(deriveKey(secretKey, 'consoleLogin')).toString('hex')
  if (typeof address !== 'string') {
    const { host, port, database } = address
    if (!(await makeLogin(address, { name: CONSOLE_ROLE, role: CONSOLE_ROLE, password }))) return null
    return `postgres://${CONSOLE_ROLE}:${password}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
  }
  // Databases of one server share its roles: each has a login of its own.
  const { pathname } = new URL(serversOf(address)[0] ?? '')
  const name = `${CONSOLE_ROLE}_${createHash('sha256').update(pathname).digest('hex').slice(0, 12)}`
  if (!(await makeLogin(address, { name, role: CONSOLE_ROLE, password }))) return null
  return address.replace(LOGIN, `$1${name}:${password}@`)
}

/** What the console of the demo is started with. */
export interface DemoConsole {
  readonly place: ConsolePlace
  readonly config: Pick<Config, 'publicUrl' | 'secretKey'>
  readonly env: Environment
  readonly address: DatabaseAddress
  readonly runtime: Pick<Runtime, 'monotonic' | 'log'>
  /** called once, when it serves for the first time */
  readonly onServing: () => void
}

/**
 * Starts the console of the demo as a child.
 *
 * @returns a function that ends it; null if there is none, as the log says
 */
export async function startDemoConsole(deps: DemoConsole): Promise<(() => Promise<void>) | null> {
  const { place, config, env, address, runtime } = deps
  const database = await consoleDatabase(address, config.secretKey)
  if (database === null) {
    runtime.log.warn(
      'there is no console: this login of the database may not make another one. npm run operator -- grants prints the lines; then start ROLE=console with CONSOLE_DATABASE_URL',
    )
    return null
  }
  const passed = PASSED_ON.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]] as const]))
  const child = new ConsoleChild(
    runtime,
    {
      ...Object.fromEntries(passed),
      ROLE: 'console',
      PUBLIC_URL: config.publicUrl,
      CONSOLE_URL: place.url,
      CONSOLE_HOST: place.host,
      CONSOLE_PORT: String(place.port),
      CONSOLE_DATABASE_URL: database,
    },
    deps.onServing,
  )
  child.start()
  return () => child.close()
}
