import { describe, expect, it } from 'vitest'
import { ConfigError, readConfig } from './config.ts'
import { dropOthers, isConsole, readConsoleConfig } from './console-config.ts'

const DATABASE = 'postgres://fairball_console:hunter2@db/fairball'
const PRODUCTION = {
  ROLE: 'console',
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://lottery.example',
  CONSOLE_URL: 'https://console.lottery.example',
  CONSOLE_DATABASE_URL: DATABASE,
}

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    readConsoleConfig(env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

describe("the console's configuration", () => {
  it('in production the console needs its address, the site’s and its database, and no secret of the lottery', () => {
    expect(readConsoleConfig(PRODUCTION)).toEqual({
      mode: 'production',
      url: 'https://console.lottery.example',
      host: '127.0.0.1',
      port: 3001,
      databaseUrl: DATABASE,
      allow: [],
      publicUrl: 'https://lottery.example',
      trustProxy: [],
      drainSeconds: 0,
      monitorPort: null,
      logLevel: 'info',
    })
    expect(problemsOf({ NODE_ENV: 'production' }).map((text) => text.split(':')[0])).toEqual([
      'CONSOLE_DATABASE_URL',
      'CONSOLE_URL',
      'PUBLIC_URL',
    ])
  })

  it('the console takes no http address and no host of the site in production', () => {
    expect(problemsOf({ ...PRODUCTION, CONSOLE_URL: 'http://console.lottery.example' })).toEqual([
      'CONSOLE_URL=http://console.lottery.example: browsers give passkeys to https alone. Set an https address.',
    ])
    const sameHost = { ...PRODUCTION, CONSOLE_URL: 'https://lottery.example:8443' }
    expect(problemsOf(sameHost)).toEqual([expect.stringContaining('the host of PUBLIC_URL') as string])
  })

  it('a worker refuses the same addresses of the console, for it checks signatures against them', () => {
    const others = {
      DATABASE_URL: 'postgres://db/fairball',
      SMTP_URL: 'smtps://mail.example',
      SECRET_KEY: 'f'.repeat(64),
    }
    const rest = {
      BITCOIN_NETWORK: 'signet',
      PAYMENTS: 'opennode',
      OPENNODE_API_KEY: 'key',
      BEACON: 'drand',
      RATES: 'live',
    }
    const more = { WITNESSES: 'none-i-know', BITCOIN_RPC_URL: 'http://user:password@127.0.0.1:8332' }
    const worker = { ...PRODUCTION, ...others, ...rest, ...more, ROLE: 'worker' }
    expect(readConfig(worker).consoleUrl).toBe('https://console.lottery.example')
    expect(() => readConfig({ ...worker, CONSOLE_URL: 'https://lottery.example' })).toThrow('the host of PUBLIC_URL')
    expect(() => readConfig({ ...worker, CONSOLE_URL: 'http://c.example' })).toThrow('Set an https address')
  })

  it('the console of a demo answers at localhost, with the networks and the port that are given', () => {
    const env = {
      CONSOLE_DATABASE_URL: DATABASE,
      CONSOLE_PORT: '4001',
      CONSOLE_ALLOW: '127.0.0.1, fd00::/8',
      PORT: '4000',
    }
    expect(readConsoleConfig(env)).toMatchObject({
      mode: 'demo',
      url: 'http://localhost:4001',
      publicUrl: 'http://localhost:4000',
      allow: ['127.0.0.1', 'fd00::/8'],
    })
    expect(readConsoleConfig({ ...env, CONSOLE_PORT: '0' }).url).toBeNull()
    expect(problemsOf({ ...env, CONSOLE_ALLOW: 'the office' })).toEqual([
      'CONSOLE_ALLOW=the office: list the addresses or networks of your staff, like 10.0.0.5, 192.168.0.0/16.',
    ])
    expect(problemsOf({ ...env, MONITOR_PORT: '4001' })).toHaveLength(1)
  })

  it('a message never shows the login of the database', () => {
    const [problem = ''] = problemsOf({ ...PRODUCTION, CONSOLE_DATABASE_URL: 'mysql://user:hunter2@db/x' })
    expect(problem).toMatch(/^CONSOLE_DATABASE_URL: set an address like/u)
  })

  it('the process of the console drops every secret and every path that is not its own, and names the secrets', () => {
    const env: Record<string, string | undefined> = {
      ...PRODUCTION,
      PATH: '/usr/bin',
      SECRET_KEY_FILE: '/run/secrets/secret_key',
      SMTP_URL: 'smtps://mail.example',
      BITCOIN_RPC_URL: 'http://user:password@127.0.0.1:8332',
      BITCOIN_RPC_COOKIE: '/bitcoin/.cookie',
      LND_MACAROON_FILE: '/lnd/macaroon',
      DATABASE_URL: 'postgres://owner@db/fairball',
    }
    expect(dropOthers(env).toSorted()).toEqual(['BITCOIN_RPC_URL', 'DATABASE_URL', 'SECRET_KEY', 'SMTP_URL'])
    expect(env).toEqual({ ...PRODUCTION, PATH: '/usr/bin' })
  })

  it.each([
    [{ ROLE: 'console' }, [], true],
    [{ ROLE: 'web' }, ['--role', 'console'], true],
    [{ ROLE: 'console' }, ['--role', 'web'], false],
    [{}, [], false],
  ])('a process with %o and the arguments %o is the console: %s', (env: Record<string, string>, args, is) => {
    expect(isConsole(env, args)).toBe(is)
  })
})
