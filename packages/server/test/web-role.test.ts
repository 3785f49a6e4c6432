import { expect, it, onTestFinished } from 'vitest'
import { createApplication, type Application } from '../src/main/app.ts'
import { WEB_ROLE } from '../src/db/grants.ts'
import { awaitMigrated, migrate } from '../src/db/migrate.ts'
import { createDatabase } from '../src/db/pool.ts'
import { monotonicTime } from '../src/runtime/system-runtime.ts'
import { testRuntime } from '../src/runtime/test-runtime.ts'
import { ADDRESS, CONFIG, type Loose, PASSWORD } from './application.ts'
import { type TestDatabase, testDatabase } from './database.ts'
import { loginIn } from './logins.ts'

const GAME = 'bitcoin-hero'
const OTHER_ADDRESS = 'bcrt1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qzf4jry'

/** The address of a database for a new login that is only a member of `fairball_web`. */
const webLogin = async (database: TestDatabase): Promise<string> => (await loginIn(database, WEB_ROLE)).url

/** A worker with the owner's login, and a web process with a web login: they share one clock. */
async function webAndWorker() {
  const runtime = testRuntime()
  const database = await testDatabase({ runtime })
  const config = { ...CONFIG, databaseUrl: database.url }
  const worker = await createApplication({
    config: { ...config, role: 'worker' },
    runtime,
    db: database.db,
    withPages: false,
  })
  const address = await webLogin(database)
  const db = createDatabase({ address, runtime, poolSize: 4 })
  await awaitMigrated({ address, runtime, signal: new AbortController().signal, waiter: 'web', longestWaitMs: 0 })
  const web = await createApplication({
    config: { ...config, role: 'web', metricsToken: 'token' },
    runtime,
    db,
    checksAnswers: true,
    withPages: false,
  })
  onTestFinished(async () => {
    await web.close()
    await db.close()
    await worker.close()
  })

  const callTo =
    ({ http }: Application, prefix: string) =>
    async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Loose> => {
      const answer = await http.inject({
        method: method as 'GET', // Fastify's type lists them one by one
        url: `${prefix}${path}`,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
      })
      expect([method, path, answer.statusCode, answer.payload.slice(0, 200)]).toMatchObject([
        method,
        path,
        expect.toSatisfy((status: number) => status < 300) as number,
        expect.anything(),
      ])
      return String(answer.headers['content-type']).startsWith('application/json') ? answer.json() : answer.payload
    }
  const owner = await database.connect()
  const rows = async (text: string): Promise<Loose[]> => (await owner.query(text)).rows
  return { runtime, rows, web: callTo(web, '/api/v1'), plain: callTo(web, ''), worker: callTo(worker, '') }
}

it('a web process whose login is only a member of fairball_web does everything that players need', async () => {
  const { runtime, rows, web, plain, worker } = await webAndWorker()
  const email = 'player@example.org'
  /** Registers, verifies by the link in the mail that the worker sent, and logs in again. */
  const signUp = async (address: string): Promise<Record<string, string>> => {
    await web('POST', '/auth/register', { email: address, email_confirm: address, password: PASSWORD })
    const [mail] = await worker('GET', `/api/v1/dev/mail?to=${encodeURIComponent(address)}`)
    await web('PUT', '/auth/verify-email', { key: String(mail.links[0]).replace(/.*\//u, '') })
    const login = await web('POST', '/auth/login', { email_or_username: address, password: PASSWORD })
    return { authorization: `Bearer ${login.access_token}` }
  }
  const player = await signUp(email)
  const put = (path: string, body: unknown) => web('PUT', path, body, player)
  const get = (path: string) => web('GET', path, undefined, player)

  // An address, which the worker seals once its notice has left; then a change of it.
  await put('/settings/crypto-account-details', { btc_address: ADDRESS, password: PASSWORD })
  await worker('GET', '/api/v1/dev/mail')
  expect(await rows('select seal is null as is_bare from player_addresses')).toEqual([{ is_bare: false }])
  await put('/settings/crypto-account-details', { btc_address: OTHER_ADDRESS, password: PASSWORD })
  await put('/settings/crypto-account-details', { btc_address: ADDRESS, password: PASSWORD })
  const details = await get('/settings/personal-details')
  await put('/settings/personal-details', { ...details, username: 'player', password: PASSWORD })
  await put('/settings/email-preferences', await get('/settings/email-preferences'))
  await put(`/games/${GAME}/saved-numbers`, { lines: [[1, 2, 3, 4, 5]] })

  // An order for money: the web sells, the worker books what was paid. One for a free ticket is PAID by the web.
  const order = (numbers: number[]) => ({
    type: 'lotto',
    key: GAME,
    days: [3],
    weeks: 1,
    tickets: [{ numbers, isLuckyDip: false }],
  })
  const bought = await web('POST', '/payment', order([1, 2, 3, 4, 5]), { ...player, 'idempotency-key': 'one' })
  const { transaction_id: orderId } = bought
  await get(`/payment?transaction_id=${orderId}`)
  await worker('POST', '/api/v1/dev/pay', { transaction_id: orderId })
  expect((await get(`/payment?transaction_id=${orderId}`)).status).toBe('PAID')
  await rows(`insert into free_tickets (player_id, game_key, won) select id, '${GAME}', 1 from players`)
  const free = await web('POST', '/payment', order([6, 7, 8, 9, 10]), { ...player, 'idempotency-key': 'two' })
  expect((await get(`/payment?transaction_id=${free.transaction_id}`)).status).toBe('PAID')
  await web('POST', '/payment', order([2, 3, 4, 5, 6]), { ...player, 'idempotency-key': 'three' })
  await put('/settings/responsible-play', { weekly_limit: 1 }) // ends the unpaid order

  for (const path of ['plays', 'wins', 'draws', 'statistics', 'watch', 'last-played-numbers', 'saved-numbers'])
    await get(`/games/${GAME}/${path}`)
  for (const path of ['/games', '/settings/messages', '/settings/transactions', '/settings/balance', '/profile'])
    await get(path)
  for (const path of ['/settings/personal-data', '/auth/tokens', '/solvency', '/fairness/log', '/winners', '/causes'])
    await get(path)
  const [play] = await rows('select id from plays limit 1')
  await get(`/plays/${play.id}/receipt`)
  await put('/settings/winner-consent', { is_shown: true })
  await put('/settings/messages', { is_read: true })
  await web('POST', '/contact', { name: 'A. Person', email, country_id: 1, message: 'Hello' })
  await plain('GET', '/readyz')
  expect(await plain('GET', '/metrics', undefined, { authorization: 'Bearer token' })).toContain(
    '\nfairball_web_login_may_pay 0\n',
  )

  // An account without open money is erased immediately, with its address.
  const leaving = 'leaving@example.org'
  const other = await signUp(leaving)
  await web('PUT', '/settings/crypto-account-details', { btc_address: ADDRESS, password: PASSWORD }, other)
  await web('GET', `/auth/forgotten-password?email=${encodeURIComponent(leaving)}`)
  await web('DELETE', '/settings/account', { password: PASSWORD }, other)
  expect(await rows('select erased_at is null as is_kept from players order by id')).toEqual([
    { is_kept: true },
    { is_kept: false },
  ])
  expect(await rows('select from player_addresses a join players p on p.id = a.player_id where erased_at > 0')).toEqual(
    [],
  )
  expect(runtime.logged.filter(({ level }) => level === 'error')).toEqual([])
}, 120_000)

it('a web process waits for a worker to make the database ready, and says what is missing', async () => {
  const database = await testDatabase({ isMigrated: false })
  const runtime = testRuntime()
  const start = (longestWaitMs: number, address = database.url, monotonic = monotonicTime) =>
    awaitMigrated({
      address,
      runtime: { ...runtime, monotonic },
      signal: new AbortController().signal,
      waiter: 'web',
      longestWaitMs,
    })
  await expect(start(0)).rejects.toThrow('relation "schema_migrations" does not exist (either no worker')
  await migrate({ address: database.url, runtime })
  await expect(start(0)).rejects.toThrow('no worker has begun the lottery in it. Start a worker (ROLE=worker)')
  const address = await webLogin(database)
  await expect(start(0, address)).rejects.toThrow('no worker has begun')
  const owner = await database.connect()

  // It checks again until a worker was there.
  const begin = async (): Promise<void> =>
    void (await owner.query(`insert into games (key, position) values ('${GAME}', 1)`))
  await start(1_000, address, { ...monotonicTime, sleep: begin })

  await owner.query(`insert into schema_migrations values (9999, '9999_later.sql', '', 0)`)
  await expect(start(0, address)).rejects.toThrow('which this version of the program does not know')
  await owner.query(
    'delete from schema_migrations where version in (9999, (select max(version) from schema_migrations where version < 9999))',
  )
  await expect(start(0, address)).rejects.toThrow('it lacks the migration 0')
  expect(runtime.logged.filter(({ msg }) => String(msg).includes('may write payouts'))).toEqual([])
}, 60_000)

it('a web process says so in its log and its metrics if its login may write payouts, and still serves', async () => {
  const runtime = testRuntime()
  const database = await testDatabase({ runtime })
  const config = { ...CONFIG, databaseUrl: database.url, role: 'worker' } as const
  const worker = await createApplication({ config, runtime, db: database.db, withPages: false })
  onTestFinished(() => worker.close())
  await awaitMigrated({
    address: database.url,
    runtime,
    signal: new AbortController().signal,
    waiter: 'web',
    longestWaitMs: 0,
  })
  expect(runtime.logged).toMatchObject([
    { level: 'warn', msg: expect.stringContaining('a login of the database that may write payouts') as string },
  ])
  const web = await createApplication({
    config: { ...config, role: 'web' },
    runtime,
    db: database.db,
    withPages: false,
  })
  onTestFinished(() => web.close())
  expect((await web.http.inject('/metrics')).payload).toContain('\nfairball_web_login_may_pay 1\n')
}, 60_000)
