import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { InjectOptions } from 'fastify'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { ConsoleConfig } from '../src/config/console-config.ts'
import { CONSOLE_ROLE } from '../src/db/grants.ts'
import { createDatabase } from '../src/db/pool.ts'
import { sql, t } from '../src/db/sql.ts'
import { CONSOLE_POOL_SIZE, CONSOLE_STATEMENT_MS, createConsole } from '../src/main/console-app.ts'
import { createApiKey } from '../src/modules/integrations/service.ts'
import { testRuntime } from '../src/runtime/test-runtime.ts'
import { testApplication } from './application.ts'
import { testDatabase } from './database.ts'
import { loginIn } from './logins.ts'

const URL_OF_CONSOLE = 'https://console.lottery.example'
const CONFIG: ConsoleConfig = {
  mode: 'production',
  url: URL_OF_CONSOLE,
  host: '127.0.0.1',
  port: 3001,
  databaseUrl: '',
  allow: [],
  publicUrl: 'https://lottery.example',
  trustProxy: [],
  drainSeconds: 0,
  monitorPort: null,
  logLevel: 'silent',
}
const PAGE =
  '<!doctype html><html lang="en"><title>Operator console</title><script type="module" src="/assets/a-1.js"></script>'

const writeState = sql({
  name: 'console-app-test.write-state',
  text: `insert into system_state (key, value) values ('x', 'y')`,
})
const readAccess = sql({
  name: 'console-app-test.read-access',
  text: `select current_setting('transaction_read_only') as is_read_only, current_setting('statement_timeout') as longest`,
  row: { isReadOnly: t.text, longest: t.text },
})

/** A build of the pages with one file. */
async function build(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'fairball-console-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'index.html'), PAGE)
  await writeFile(join(folder, 'assets', 'a-1.js'), 'export {}\n')
  return folder
}

/** The console's process with its own login on a database of its own. */
async function consoleApp(options: { config?: Partial<ConsoleConfig>; pagesFolder?: string } = {}) {
  const runtime = testRuntime()
  const database = await testDatabase({ runtime })
  const { url } = await loginIn(database, CONSOLE_ROLE)
  const db = createDatabase({
    address: url,
    runtime,
    poolSize: CONSOLE_POOL_SIZE,
    statementTimeoutMs: CONSOLE_STATEMENT_MS,
    areStatementsReadOnly: true,
  })
  const config = { ...CONFIG, ...options.config }
  const app = await createConsole({ config, runtime, db, pagesFolder: options.pagesFolder ?? (await build()) })
  onTestFinished(async () => {
    await app.close()
    await db.close()
  })
  const ask = (options: InjectOptions) =>
    app.http.inject({ ...options, headers: { host: 'console.lottery.example', ...options.headers } })
  return { app, ask, db, runtime, database }
}

describe('the process of the console', () => {
  it('the console answers every address with its document, its files, and nothing of the site', async () => {
    const { ask } = await consoleApp()
    for (const url of ['/', '/inbox', '/payouts/5', '/enter/abc', '/search?q=%235', '/index.html', '/api/v1/games']) {
      const { statusCode, payload, headers } = await ask({ method: 'GET', url })
      expect([url, statusCode, payload, headers['content-type']]).toEqual([url, 200, PAGE, 'text/html; charset=utf-8'])
    }
    const file = await ask({ method: 'GET', url: '/assets/a-1.js' })
    expect([file.statusCode, file.payload]).toEqual([200, 'export {}\n'])
    expect((await ask({ method: 'GET', url: '/assets/a-2.js' })).statusCode).toBe(404)
    expect((await ask({ method: 'GET', url: '/../package.json' })).payload).toBe(PAGE)
  })

  it('every answer of the console forbids frames, foreign and inline parts, and caches', async () => {
    const { ask } = await consoleApp()
    for (const [url, status] of [
      ['/', 200],
      ['/assets/a-1.js', 200],
      ['/assets/none.js', 404],
      ['/console/api/v1/nothing', 404],
      ['/healthz', 200],
    ] as const) {
      const { statusCode, headers } = await ask({ method: 'GET', url })
      expect([url, statusCode, headers['cache-control']]).toEqual([url, status, 'no-store'])
      const policy = String(headers['content-security-policy'])
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toMatch(/unsafe|https?:|\*|data:/u)
      expect(headers).toMatchObject({
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'x-robots-tag': 'noindex, nofollow',
        'strict-transport-security': expect.stringContaining('max-age') as string,
      })
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    }
    const policy = String((await ask({ method: 'GET', url: '/' })).headers['content-security-policy'])
    for (const part of ['script', 'style', 'img', 'connect']) expect(policy).toContain(`${part}-src 'self'`)
  })

  it('an unknown call is NOT_FOUND with the time of the system, whatever its method', async () => {
    const { ask, runtime } = await consoleApp()
    const headers = { origin: URL_OF_CONSOLE }
    for (const method of ['GET', 'POST', 'PUT', 'DELETE'] as const) {
      const answer = await ask({ method, url: '/console/api/v1/nothing', headers })
      expect([method, answer.statusCode, answer.json<unknown>()]).toEqual([
        method,
        404,
        { error: { code: 'NOT_FOUND', message: expect.any(String) as string } },
      ])
      expect(answer.headers['x-fairball-now']).toBe(String(runtime.clock.now()))
    }
  })

  it.each([
    ['without an origin', {}],
    ['from the site', { origin: 'https://lottery.example' }],
    ['from the same host over http', { origin: 'http://console.lottery.example' }],
    ['from a page without an origin', { origin: 'null' }],
  ])('a request %s that is not GET is refused, even at an unknown address', async (_where, headers) => {
    const { ask } = await consoleApp()
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const)
      for (const url of ['/console/api/v1/requests', '/']) {
        const answer = await ask({ method, url, headers })
        expect([method, url, answer.statusCode, answer.json<unknown>()]).toMatchObject([
          method,
          url,
          403,
          { error: { code: 'ACCESS_DENIED' } },
        ])
      }
    expect((await ask({ method: 'GET', url: '/', headers })).statusCode).toBe(200)
  })

  it('only the networks that are allowed may connect, as the trusted proxy names them', async () => {
    const config = { allow: ['10.1.0.0/16', '192.0.2.7', 'fd00::/8'], trustProxy: ['127.0.0.1'] }
    const { ask } = await consoleApp({ config })
    const statusFrom = async (address: string, proxy = '127.0.0.1'): Promise<number> => {
      const headers = { 'x-forwarded-for': address }
      return (await ask({ method: 'GET', url: '/', remoteAddress: proxy, headers })).statusCode
    }
    for (const address of ['10.1.200.3', '192.0.2.7', '::ffff:10.1.2.3', 'fd12::1'])
      expect([address, await statusFrom(address)]).toEqual([address, 200])
    for (const address of ['10.2.0.1', '192.0.2.8', '::1', 'fe80::1', 'nonsense', ''])
      expect([address, await statusFrom(address)]).toEqual([address, 403])
    expect(await statusFrom('10.1.0.1', '203.0.113.9')).toBe(403) // no proxy of ours
    const call = await ask({ method: 'GET', url: '/console/api/v1/x', remoteAddress: '203.0.113.9' })
    expect([call.statusCode, call.json<unknown>()]).toMatchObject([403, { error: { code: 'ACCESS_DENIED' } }])
  })

  it('the console answers at its own host alone, so that no name of another leads a browser here', async () => {
    const { ask } = await consoleApp()
    const statusAt = async (host: string): Promise<number> =>
      (await ask({ method: 'GET', url: '/', headers: { host } })).statusCode
    expect(await statusAt('console.lottery.example')).toBe(200)
    expect(await statusAt('127.0.0.1:3001')).toBe(200)
    expect(await statusAt('evil.example')).toBe(421)
  })

  it('the console says so as long as its pages are not built', async () => {
    const { ask } = await consoleApp({ pagesFolder: '/nonexistent' })
    const { statusCode, payload, headers } = await ask({ method: 'GET', url: '/inbox' })
    expect([statusCode, payload]).toEqual([503, 'The console has no pages yet: run npm run build.\n'])
    expect(headers['cache-control']).toBe('no-store')
    expect((await ask({ method: 'GET', url: '/healthz' })).json()).toEqual({ ok: true })
  })

  it('a supervisor asks whether it lives and is ready, at a port of its own as well', async () => {
    const { app, ask, database } = await consoleApp({ config: { monitorPort: 9465 } })
    for (const url of ['/healthz', '/readyz']) {
      expect((await ask({ method: 'GET', url })).json()).toEqual({ ok: true })
      expect((await app.monitor?.inject({ method: 'GET', url }))?.json()).toEqual({ ok: true })
    }
    const owner = await database.connect()
    await owner.query('delete from schema_migrations where version = (select max(version) from schema_migrations)')
    expect((await ask({ method: 'GET', url: '/readyz' })).statusCode).toBe(503)
  })

  it('the database is read for five seconds at most, and changed in transactions alone', async () => {
    const { db } = await consoleApp()
    expect(await db.one(readAccess, [])).toEqual({ isReadOnly: 'on', longest: '5s' })
    await db.transaction(async (tx) => expect((await tx.one(readAccess, [])).isReadOnly).toBe('off'))
    await db.transaction(async (tx) => expect((await tx.one(readAccess, [])).isReadOnly).toBe('on'), {
      isReadOnly: true,
    })
    await expect(db.execute(writeState, [])).rejects.toThrow(/permission denied|read-only/u)
  })

  it('the clock of the console follows that of the demo, which another process moves', async () => {
    const { runtime, database } = await consoleApp({ config: { mode: 'demo', url: 'http://localhost:3001' } })
    const startedAt = runtime.clock.now()
    const owner = await database.connect()
    const moveBy = (seconds: number) =>
      owner.query(
        `insert into system_state (key, value) values ('demo.clock-offset', '${seconds}')
          on conflict (key) do update set value = excluded.value; select pg_notify('clock', '${seconds}')`,
      )
    await moveBy(86_400)
    await vi.waitFor(() => expect(runtime.clock.now() - startedAt).toBe(86_400))
    await moveBy(60) // never back
    await moveBy(90_000)
    await vi.waitFor(() => expect(runtime.clock.now() - startedAt).toBe(90_000))
  })
})

it('the site answers nothing of the console: its calls are unknown there', async () => {
  const { application } = await testApplication()
  for (const method of ['GET', 'POST', 'PUT', 'DELETE'] as const)
    for (const url of ['/console', '/console/', '/console/api/v1/auth/me', '/console/api/v1/requests']) {
      const { statusCode } = await application.http.inject({ method, url })
      expect([method, url, statusCode]).toEqual([method, url, 404])
    }
})

it('a key of a program reads what its scope names with the login of the console, and nothing that needs a person', async () => {
  const { ask, database, runtime } = await consoleApp()
  const expiresAt = runtime.clock.now() + 86_400
  const { key } = await database.db.transaction((tx) =>
    createApiKey({ runtime }, tx, { name: 'Books', scopes: ['reports:read'], expiresAt }),
  )
  const statusOf = async (path: string, authorization?: string) =>
    (
      await ask({
        method: 'GET',
        url: `/console/api/v1/${path}`,
        headers: authorization === undefined ? {} : { authorization },
      })
    ).statusCode
  const journal = 'reports/journal?from=0&to=10'
  expect(await statusOf(journal, `Bearer ${key}`)).toBe(200)
  expect(await statusOf(journal)).toBe(401)
  expect(await statusOf(journal, `Bearer ${key.slice(0, -1)}x`)).toBe(401)
  for (const path of ['webhooks', 'webhooks/1/deliveries', 'api-keys', 'audit'])
    expect(await statusOf(path, `Bearer ${key}`), path).toBe(403)
})
