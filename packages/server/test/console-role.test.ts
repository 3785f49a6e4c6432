import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { CONSOLE_ROLE } from '../src/db/grants.ts'
import { migrate } from '../src/db/migrate.ts'
import { createDatabase, type Db } from '../src/db/pool.ts'
import { CONSOLE_POOL_SIZE, CONSOLE_STATEMENT_MS, createConsole } from '../src/main/console-app.ts'
import { testRuntime, type TestRuntime } from '../src/runtime/test-runtime.ts'
import { CONSOLE_ORIGIN, testConsole, type TestConsole, type TestStaff } from './console.ts'
import { testDatabase, type TestDatabase } from './database.ts'
import { registeredRoutes } from './registered-routes.ts'

/** Calls before a sign-in. */
const OPEN = /\/(?:site|invites\/\{token\})$/u
const CONFIG = {
  mode: 'demo',
  url: CONSOLE_ORIGIN,
  host: '127.0.0.1',
  port: 3001,
  databaseUrl: '',
  allow: [],
  publicUrl: 'http://localhost:3000',
  trustProxy: [],
  drainSeconds: 0,
  monitorPort: null,
  logLevel: 'silent',
} as const

/** The console's process with its own login, beside a worker with the owner's. */
let runtime: TestRuntime
let database: TestDatabase
let consoleDb: Db
let login: string
let bench: TestConsole
let owner: TestStaff
let approver: TestStaff

beforeAll(async () => {
  runtime = testRuntime()
  database = await testDatabase({ runtime })
  await migrate({ address: database.url, runtime })
  login = new URL(database.url).pathname.slice(1).replace('fairball_test', 'console_role')
  const client = await database.connect()
  await client.query(`create role ${login} login in role ${CONSOLE_ROLE}`)
  const url = new URL(database.url)
  url.username = login
  consoleDb = createDatabase({
    address: url.href,
    runtime,
    poolSize: CONSOLE_POOL_SIZE,
    statementTimeoutMs: CONSOLE_STATEMENT_MS,
    areStatementsReadOnly: true,
  })
  bench = await testConsole({ db: database.db, runtime, consoleDb })
  await bench.begin()
  owner = await bench.person('owner', ['owner', 'treasurer'])
  approver = await bench.person('approver', ['owner', 'approver'])
})
beforeEach(async () => {
  for (const staff of [owner, approver]) await staff.signIn()
})
afterAll(async () => {
  await bench.end()
  await consoleDb.close()
  const client = await database.connect()
  await client.query(`drop role ${login}`)
  await database.drop()
})

describe('the login of the console', () => {
  it('people register, sign in, propose, approve, read and sign out with it', async () => {
    const invited = await owner.propose('staff.invite', {
      name: 'Sam Support',
      email: 'sam@lottery.example',
      roles: ['support'],
    })
    expect(invited).toMatchObject({ status: 200, body: { state: 'proposed' } })
    expect(await approver.approve(invited.id)).toMatchObject({ status: 200, body: { state: 'done' } })
    for (const path of ['/requests', `/requests/${invited.id}`, '/staff', '/audit', '/audit/verify', '/auth/me'])
      expect([path, (await owner.call('GET', path)).status]).toEqual([path, 200])
    expect((await owner.call('POST', '/auth/sign-out')).status).toBe(200)
    expect((await owner.call('GET', '/staff')).status).toBe(401)
    await owner.signIn()
  })

  it('every reading call answers with it, to whoever is signed in and to nobody else', async () => {
    const app = await createConsole({ config: CONFIG, runtime, db: consoleDb, pagesFolder: '/nonexistent' })
    const [key] = owner.keys
    if (key === undefined) throw new Error('a person has a passkey')
    const { headers } = await bench.signIn(key)
    const cookie = String(headers['set-cookie']).split(';')[0] ?? ''
    const now = runtime.clock.now()
    const values = { month: new Date(now * 1000).toISOString().slice(0, 7), id: randomUUID(), number: '1', game: 'x' }
    const read = registeredRoutes(app.http).flatMap((route) => /^GET (\/console\/api\/v1\/.+)/u.exec(route)?.[1] ?? [])
    expect(read).toEqual(expect.arrayContaining(['/console/api/v1/staff', '/console/api/v1/reports/journal']))
    for (const path of read) {
      const address = path.replaceAll(
        /\{(\w+)\}/gu,
        (_, name: string) => (values as Record<string, string>)[name] ?? '1',
      )
      for (const query of [`from=${now - 86_400}&to=${now}`, `from=${now - 86_400}&to=${now}&format=csv`, 'q=x', '']) {
        const url = `${address}?${query}`
        const host = { host: 'localhost:3001' }
        const answer = await app.http.inject({ method: 'GET', url, headers: { ...host, cookie } })
        expect([url, answer.statusCode, answer.payload.slice(0, 300)]).toEqual([
          url,
          expect.toSatisfy((status: number) => [200, 400, 404].includes(status)) as number,
          expect.anything(),
        ])
        expect(answer.headers['cache-control']).toBe('no-store')
        if (OPEN.test(path)) continue
        const { statusCode } = await app.http.inject({ method: 'GET', url, headers: host })
        expect([url, statusCode]).toEqual([url, 401])
      }
    }
    await app.close()
  })

  it('whoever has it can make up requests and signatures, and no worker carries them out', async () => {
    const id = randomUUID()
    const client = await database.connect()
    const before = await client.query('select * from staff order by id')
    await client.query(`set role ${CONSOLE_ROLE}`)
    const now = runtime.clock.now()
    await client.query(
      `insert into operator_requests (id, kind, args, reason, facts, proposed_by, created_at, expires_at)
        values ($1, 'staff.roles', $2, 'Made up by a thief.', '{}', $3, $4, $5)`,
      [id, JSON.stringify({ staff: approver.id, roles: ['owner'] }), owner.id, now, now + 300],
    )
    for (const [part, staff] of [
      ['propose', owner],
      ['approve', approver],
    ] as const)
      await client.query(
        `insert into operator_signatures (request_id, part, staff_id, key_id, text, challenge, authenticator_data,
            client_data_json, signature, signed_at)
          select $1, $2, $3::bigint, min(id), 'fairball/action/v1', sha256($4::bytea), 'a', 'b', 'c', $5 from staff_keys where staff_id = $3::bigint`,
        [id, part, staff.id, Buffer.from(`${id} ${part}`), now],
      )
    for (const text of [
      `update operator_requests set state = 'approved' where id = '${id}'`,
      `insert into operator_requests (id, kind, args, reason, facts, created_at, expires_at, state) values (gen_random_uuid(), 'x', '{}', 'x', '{}', 0, 0, 'approved')`,
      `insert into staff (name, email, roles, created_at) values ('Eve', 'eve@example.org', '{owner}', 0)`,
      `update staff set roles = '{owner}'`,
      `insert into staff_keys (staff_id, credential_id, public_key, sign_count, transports, backed_up, label, created_at) values (1, 'x', 'x', 0, '{}', false, 'x', 0)`,
      `update staff_keys set public_key = 'x'`,
      `insert into staff_invites (hash, staff_id, expires_at) values ('x', 1, 0)`,
      `select hash from staff_sessions`,
      `select hash from staff_invites`,
      `insert into jobs default values`,
      `delete from operator_signatures`,
      `update operator_actions set reason = 'x'`,
      `select value from system_state`,
      `select seed_sealed from draws`,
      `select email from players`,
      `insert into postings default values`,
      `update payout_batches set state = 'SIGNED'`,
      `create table mine (id int)`,
    ])
      await expect(client.query(text), text).rejects.toThrow(/permission denied|must be/u)
    await client.query(`select pg_notify('console_requests', $1)`, [id])
    await client.query('reset role')
    await bench.queue.runDue()
    // The sweep of the worker has looked at it by now.
    await vi.waitFor(async () => {
      const { rows } = await client.query<{ state: string }>('select state from operator_requests where id = $1', [id])
      expect(['draft', 'refused', 'failed']).toContain(rows[0]?.state)
    })
    await runtime.clock.advance(60)
    await bench.queue.runDue()
    expect((await client.query('select * from staff order by id')).rows).toEqual(before.rows)
    expect((await client.query('select from operator_actions where request_id = $1', [id])).rowCount).toBe(0)
  })
})
