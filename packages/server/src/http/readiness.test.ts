import { describe, expect, it } from 'vitest'
import { testApplication } from '../../test/application.ts'
import { testDatabase } from '../../test/database.ts'
import { newestMigration } from '../db/migrate.ts'
import type { Db } from '../db/pool.ts'
import { sql, t } from '../db/sql.ts'
import { testRuntime } from '../runtime/test-runtime.ts'
import { Readiness, type Hindrance, type ReadinessDeps } from './readiness.ts'

const forgetMigration = sql({
  name: 'readiness-test.forget-migration',
  text: `delete from schema_migrations where version = (select max(version) from schema_migrations)`,
})
const addMigration = sql({
  name: 'readiness-test.add-migration',
  text: `insert into schema_migrations (version, name, checksum, applied_at) values ($1, 'x', 'x', 0)`,
  params: [t.int],
})

async function process(changed: Partial<ReadinessDeps> = {}) {
  const runtime = testRuntime()
  const { db } = await testDatabase({ runtime })
  const schemaVersion = await newestMigration()
  const readiness = new Readiness({
    db,
    log: runtime.log,
    schemaVersion,
    slowestClockSeconds: 30,
    behindSeconds: async () => 0,
    isClockFast: () => false,
    isStopping: () => false,
    areJobsAlive: () => true,
    ...changed,
  })
  return { db, readiness, runtime, schemaVersion }
}

describe('a process', () => {
  it('a process is ready if its database, its clock and its jobs are', async () => {
    const { readiness } = await process({ behindSeconds: async () => 30 })
    expect(await readiness.hindrance()).toBeNull()
  })

  it.each<[Hindrance, Partial<ReadinessDeps>]>([
    ['stopping', { isStopping: () => true }],
    ['clock', { behindSeconds: async () => 31 }],
    ['clock', { isClockFast: () => true }],
    ['jobs', { areJobsAlive: () => false }],
    ['schema', { schemaVersion: 9999 }],
  ])('a process is not ready because of its %s', async (hindrance, changed) => {
    const { readiness } = await process(changed)
    expect(await readiness.hindrance()).toBe(hindrance)
    await expect(readiness.assertReady()).rejects.toMatchObject({ hindrance })
  })

  it('a process is not ready on a database older than itself, and is on one that another has migrated further', async () => {
    const { db, readiness, schemaVersion } = await process()
    await db.execute(forgetMigration, [])
    expect(await readiness.hindrance()).toBe('schema')
    await db.execute(addMigration, [schemaVersion + 1])
    expect(await readiness.hindrance()).toBeNull()
  })

  it('a process is not ready while the database does not answer, and the log says why', async () => {
    const { db, readiness, runtime } = await process()
    await db.close(1)
    expect(await readiness.hindrance()).toBe('database')
    expect(runtime.logged.map(({ msg }) => msg)).toContain('the database does not answer: this process is not ready')
  })

  it('concurrent requests share one check', async () => {
    let looks = 0
    const { readiness } = await process({ behindSeconds: async (_db: Db) => (looks += 1) && 0 })
    await Promise.all(Array.from({ length: 50 }, () => readiness.assertReady()))
    expect(looks).toBe(1)
  })
})

describe('GET /readyz', () => {
  it('the answer is 200 while the process works, at both of its addresses', async () => {
    const { call } = await testApplication()
    for (const path of ['/readyz', '/api/v1/readyz', '/healthz'])
      expect([path, (await call('GET', path)).status, (await call('GET', path)).body]).toEqual([
        path,
        200,
        { ok: true },
      ])
  })

  it('the answer is 503 in the shape of every error if the database is gone, and the process is still healthy', async () => {
    const { call, db } = await testApplication()
    await db.close(1)
    const { status, headers, body } = await call('GET', '/readyz')
    expect([status, headers['retry-after']]).toEqual([503, '2'])
    expect(body).toEqual({ error: { code: 'INTERNAL_SERVER_ERROR', message: 'Unexpected error! Please try again.' } })
    expect((await call('GET', '/healthz')).status).toBe(200)
  })

  it('the answer is 503 if the clock is slow', async () => {
    const { call, runtime, moveTo } = await testApplication()
    await moveTo(runtime.clock.now() + 1200)
    const at = runtime.clock.now() - 600
    await expect
      .poll(async () => {
        runtime.clock.set(at) // news of the jump may still be on its way and advance the clock again
        return (await call('GET', '/readyz')).status
      })
      .toBe(503)
  })

  it('the answer is 503 if the clock is fast, and 200 again when it agrees with the database’s', async () => {
    const { call, runtime } = await testApplication()
    runtime.computer.aheadSeconds = 600
    expect((await call('GET', '/readyz')).status).toBe(503)
    expect(String((await call('GET', '/metrics')).body)).toMatch(/\nfairball_clock_ahead_seconds (599|600)\n/)
    runtime.computer.aheadSeconds = 30
    expect((await call('GET', '/readyz')).status).toBe(200)
  })

  it('the answer stays 200 if only the outside world is down: no rates, no beacon, no node', async () => {
    const away = () => Promise.reject(new TypeError('nobody there'))
    const { call, application } = await testApplication({
      fetch: away,
      config: { rates: 'live', beacon: 'drand', drandRelays: ['https://relay.example'] },
    })
    application.startWork()
    expect((await call('GET', '/readyz')).status).toBe(200)
    await application.close()
  })
})
