import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it, onTestFinished } from 'vitest'
import { CONSOLE_ROLE } from '../src/db/grants.ts'
import { awaitMigrated, migrate } from '../src/db/migrate.ts'
import { ConsoleChild } from '../src/main/console-child.ts'
import { consoleDatabase, placeOfConsole } from '../src/main/demo-console.ts'
import { monotonicTime } from '../src/runtime/system-runtime.ts'
import { testRuntime } from '../src/runtime/test-runtime.ts'
import { TEST_SECRET_KEY, testApplication } from './application.ts'
import { PASSED_ON } from './bitcoin/server.ts'
import { testDatabase } from './database.ts'
import { freePort } from './free-port.ts'
import { loginIn } from './logins.ts'

/** Waits for something of another process, a minute at most. */
async function until<T>(what: () => Promise<T | null> | T | null): Promise<T> {
  const untilMs = monotonicTime.nowMs() + 60_000
  for (;;) {
    const found = await what()
    if (found !== null) return found
    if (monotonicTime.nowMs() > untilMs) throw new Error('it did not come')
    await monotonicTime.sleep(20)
  }
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
const answers = (url: string): Promise<number | null> =>
  fetch(url).then(
    ({ status }) => status,
    () => null,
  )

/** A migrated database, and the environment of a console on it with the login that the demo makes. */
async function ready() {
  const runtime = { ...testRuntime(), monotonic: monotonicTime }
  const database = await testDatabase({ runtime })
  await migrate({ address: database.url, runtime }) // the rights of a whole database are not copied
  const owner = await database.connect()
  const address = await consoleDatabase(database.url, TEST_SECRET_KEY)
  if (address === null) throw new Error('the owner may make logins')
  const login = new URL(address).username
  onTestFinished(async () => void (await owner.query(`drop role if exists ${login}`).catch(() => undefined)))
  const port = await freePort()
  const env = {
    ...PASSED_ON,
    ROLE: 'console',
    LOG_LEVEL: 'silent',
    CONSOLE_PORT: String(port),
    CONSOLE_DATABASE_URL: address,
  }
  return { runtime, database, owner, address, login, port, env }
}

describe('the console of the demo', () => {
  it('its login is a member of the console’s role alone, with a password that every process of the demo knows', async () => {
    const { runtime, database, address, login } = await ready()
    expect(login).toMatch(new RegExp(`^${CONSOLE_ROLE}_[0-9a-f]{12}$`, 'u'))
    expect(await consoleDatabase(database.url, TEST_SECRET_KEY)).toBe(address)
    const signal = new AbortController().signal
    await expect(
      awaitMigrated({ address, runtime, signal, waiter: 'console', longestWaitMs: 0 }),
    ).resolves.toBeUndefined()
    // Where our own login may make none, there is none.
    const { url } = await loginIn(database, CONSOLE_ROLE)
    expect(await consoleDatabase(url, TEST_SECRET_KEY)).toBeNull()
  })

  it('it takes a port that is free, at a distance from the site’s, or the one that is set', async () => {
    const read = { startsConsole: true, consoleUrl: null }
    const site = await freePort()
    const place = await placeOfConsole(read, {}, site)
    expect(place).toEqual({
      url: `http://localhost:${place?.port}`,
      host: '127.0.0.1',
      port: expect.any(Number) as number,
    })
    const set = await freePort()
    const asSet = { url: `http://localhost:${set}`, host: '127.0.0.1', port: set }
    expect(await placeOfConsole(read, { CONSOLE_PORT: String(set) }, site)).toEqual(asSet)
    const named = { ...read, consoleUrl: 'https://console.example' }
    expect((await placeOfConsole(named, {}, 60_000))?.url).toBe('https://console.example')
    expect(await placeOfConsole({ ...read, startsConsole: false }, {}, site)).toBeNull()
  })

  it('the child ends when its parent is killed', { timeout: 120_000 }, async () => {
    const { port, env } = await ready()
    const source = `
      import { ConsoleChild } from ${JSON.stringify(new URL('../src/main/console-child.ts', import.meta.url).href)}
      import { monotonicTime } from ${JSON.stringify(new URL('../src/runtime/system-runtime.ts', import.meta.url).href)}
      const runtime = { monotonic: monotonicTime, log: { warn: () => undefined } }
      new ConsoleChild(runtime, ${JSON.stringify(env)}, () => process.stdout.write('serves')).start()`
    const parent = spawn(process.execPath, ['--input-type=module', '--eval', source], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void parent.kill('SIGKILL'))
    await once(parent.stdout, 'data')
    const url = `http://127.0.0.1:${port}/healthz`
    expect(await answers(url)).toBe(200)
    parent.kill('SIGKILL')
    await until(async () => ((await answers(url)) === null ? true : null))
  })

  it(
    'the child serves, is started again when it dies, and ends in order when it is told to',
    { timeout: 120_000 },
    async () => {
      const { runtime, port, env } = await ready()
      let served = 0
      const child = new ConsoleChild(runtime, env, () => (served += 1))
      onTestFinished(() => child.close())
      child.start()
      const url = `http://127.0.0.1:${port}/readyz`
      expect(await until(() => answers(url))).toBe(200)
      const first = await until(() => child.pid ?? null)
      process.kill(first, 'SIGKILL')
      const second = await until(() => (child.pid === first ? null : (child.pid ?? null)))
      expect(await until(() => answers(url))).toBe(200)
      expect(served).toBe(1)
      await child.close()
      expect([isAlive(second), await answers(url)]).toEqual([false, null])
    },
  )

  it('fresh links for the two people of the demo come from its controls, each in place of the one before', async () => {
    const consoleUrl = 'http://localhost:13000'
    const { call, application } = await testApplication({ config: { consoleUrl } })
    const ask = async () => (await call('GET', '/dev/console')).body
    const answer = await ask()
    expect(answer).toEqual({
      url: consoleUrl,
      invites: [
        {
          name: 'demo-owner',
          roles: ['owner', 'treasurer', 'support', 'games', 'editor'],
          url: expect.stringMatching(/^http:\/\/localhost:13000\/enter\/[\w-]{43}$/u) as string,
        },
        {
          name: 'demo-approver',
          roles: ['owner', 'approver'],
          url: expect.stringMatching(/^http:\/\/localhost:13000\/enter\/[\w-]{43}$/u) as string,
        },
      ],
    })
    expect(JSON.stringify(await ask())).not.toBe(JSON.stringify(answer))
    expect(application.http.hasRoute({ method: 'GET', url: '/console/api/v1/auth/me' })).toBe(false)
  })

  it('without a console there are no links', async () => {
    const { call } = await testApplication()
    expect((await call('GET', '/dev/console')).status).toBe(404)
    const production = await testApplication({ config: { mode: 'production', consoleUrl: 'https://c.example' } })
    expect((await production.call('GET', '/dev/console')).status).toBe(404)
  })
})
