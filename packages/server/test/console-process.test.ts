import { createServer } from 'node:http'
import { once } from 'node:events'
import { expect, it, onTestFinished } from 'vitest'
import { CONSOLE_ROLE } from '../src/db/grants.ts'
import { migrate } from '../src/db/migrate.ts'
import { monotonicTime } from '../src/runtime/system-runtime.ts'
import { testRuntime } from '../src/runtime/test-runtime.ts'
import { startServer } from './bitcoin/server.ts'
import { testDatabase } from './database.ts'
import { freePort } from './free-port.ts'
import { loginIn } from './logins.ts'

async function database() {
  const made = await testDatabase()
  await migrate({ address: made.url, runtime: testRuntime() }) // the rights of a whole database are not copied
  return made
}

function start(env: Record<string, string>) {
  const server = startServer({ ROLE: 'console', ...env }, { isMain: true })
  onTestFinished(() => server.kill9())
  return server
}

it('the console starts with its own login, drops the secrets that it was given, and serves', async () => {
  const made = await database()
  const { url } = await loginIn(made, CONSOLE_ROLE)
  const port = await freePort()
  const secret = 'ab'.repeat(32)
  const server = start({
    CONSOLE_PORT: String(port),
    CONSOLE_DATABASE_URL: url,
    SECRET_KEY: secret,
    SMTP_URL_FILE: '/none',
  })
  while (!server.said().includes(`The console is ready: http://localhost:${port}`)) {
    expect([server.hasEnded(), server.said()]).toEqual([false, expect.anything()])
    await monotonicTime.sleep(20)
  }
  expect(server.said()).toMatch(/"variables":\["SMTP_URL","SECRET_KEY"\]/u)
  expect(server.said()).not.toContain(secret)
  expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200)
  expect((await fetch(`http://localhost:${port}/console/api/v1/nothing`)).status).toBe(404)
  const owner = await made.connect()
  const { rows } = await owner.query<{ usename: string; connections: number }>(
    `select distinct usename::text from pg_stat_activity where application_name like '% console' and datname = current_database()`,
  )
  expect(rows).toEqual([{ usename: new URL(url).username }])
})

it('the console does not start with the login of the owner, and says what to do without a stack', async () => {
  const { url } = await database()
  const server = start({ CONSOLE_PORT: '0', CONSOLE_DATABASE_URL: url })
  expect(await server.end()).toBe(1)
  expect(server.said()).toContain('Give this process a login that is fairball_console or only its member')
  expect(server.said()).not.toMatch(/^\s+at /mu)
})

it('the console says so if its port is taken', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  onTestFinished(() => void other.close())
  const { port } = other.address() as { port: number }
  const server = start({
    CONSOLE_PORT: String(port),
    CONSOLE_DATABASE_URL: 'postgres://fairball_console@127.0.0.1:1/x',
  })
  expect(await server.end()).toBe(1)
  expect(server.said()).toContain(`Port ${port} is taken by another program. Set CONSOLE_PORT to another one`)
})
