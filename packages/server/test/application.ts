import { createApplication, type Application, type ApplicationDeps } from '../src/main/app.ts'
import type { Config } from '../src/config/config.ts'
import type { Db } from '../src/db/pool.ts'
import { EXAMPLE_CONTENT } from '../src/modules/content/operator-content.ts'
import type { MonotonicTime } from '../src/runtime/runtime.ts'
import { TEST_START_AT, testRuntime, type TestRuntime } from '../src/runtime/test-runtime.ts'
import { begunDatabase } from './begun-database.ts'
import { testDatabase, type TestDatabase } from './database.ts'
import { ONE_GAME, TEST_BITCOIN } from './lottery.ts'

/** Any answer of a call: tests read it by name. */
// oxlint-disable-next-line typescript/no-explicit-any -- a test says itself what it expects, and fails where it is not so
export type Loose = any

/** The answer of a call. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: Loose
}

/** The whole program without a port, on a database of its own, with a clock that only the test moves. */
export interface TestApplication {
  readonly application: Application
  readonly db: Db
  /** See `TestDatabase`. */
  connect: TestDatabase['connect']
  readonly runtime: TestRuntime
  /** Calls the API as a visitor, or with a bearer token. */
  call(
    method: string,
    path: string,
    options?: { bearer?: string; body?: unknown; headers?: Record<string, string> },
  ): Promise<Answer>
  /** Registers a player with a verified email address and a bitcoin address. @returns its bearer token */
  signUp(options?: { isVerified?: boolean; address?: string | null }): Promise<TestPlayer>
  /** A fresh bearer token: an access token lives ten minutes of the system's clock, jumps included. */
  logIn(email: string): Promise<string>
  /** Ends the program and removes its database; called automatically for one made inside a test. */
  end(): Promise<void>
  /** Moves the clock by the demo's control, so that all due work is done. */
  moveTo(at: number): Promise<void>
}

export interface TestPlayer {
  readonly bearer: string
  readonly email: string
}

export const PASSWORD = 'Correct-horse7battery'
/** A regtest address of a made-up key (BIP 173). */
export const ADDRESS = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'

/** SECRET_KEY of applications in tests. */
export const TEST_SECRET_KEY = new Uint8Array(32).fill(9)

/** A demo without any settings. */
export const CONFIG: Config = {
  mode: 'demo',
  role: 'both',
  isDevelopment: false,
  host: '127.0.0.1',
  port: 3000,
  publicUrl: 'http://localhost:3000',
  consoleUrl: null,
  startsConsole: false,
  trustProxy: [],
  dataDir: './data',
  databaseUrl: null,
  databasePoolSize: 10,
  drainSeconds: 0,
  ...TEST_BITCOIN,
  beacon: 'local',
  drandRelays: [],
  policy: 'quorum none\n',
  logAfter: null,
  rates: 'fixed',
  rateSources: ['coinbase', 'kraken', 'bitstamp', 'coingecko'],
  smtpUrl: null,
  mailFrom: null,
  supportEmail: null,
  content: EXAMPLE_CONTENT,
  contentFile: null,
  socialLogins: { google: null, facebook: null, twitter: null },
  secretKey: TEST_SECRET_KEY,
  metricsToken: null,
  monitorPort: null,
  logLevel: 'silent',
}

/** What a test may choose of its application. */
export interface TestApplicationOptions {
  startAt?: number
  /** Configuration that differs from a demo without settings. */
  config?: Partial<Config>
  /** The network of the program; default: none. */
  fetch?: typeof globalThis.fetch
  /** Default: the real one. */
  monotonic?: MonotonicTime
  /** Where the head of the fairness log is kept. Default: not at all. */
  headFile?: string
  /** Secrets of the configuration, which no line of the log may contain. Default: none are known. */
  secrets?: readonly string[]
  /** Stands between the program and its database. */
  wrapDb?: (db: Db) => Db
  /** `one game`: Bitcoin Hero alone, for tests that move the clock past many draws. Default: the demo's six. */
  games?: 'one game'
}

/** Begins the program inside a test; it ends with the test's database. */
export async function testApplication(options: TestApplicationOptions = {}): Promise<TestApplication> {
  const { games, ...others } = options
  const { config = {}, monotonic, headFile, wrapDb = (db) => db, ...world } = others
  const isUsual = Object.values(others).every((value) => value === undefined)
  const own = games === undefined ? {} : { games: ONE_GAME }
  const name = games === undefined ? 'application' : 'application_of_one_game'
  const begun = isUsual ? await begunDatabase(name, TEST_START_AT, (begins) => beginUsual(begins, own)) : null
  const runtime = begun?.runtime ?? { ...testRuntime(world), ...(monotonic === undefined ? {} : { monotonic }) }
  const database = begun?.database ?? (await testDatabase({ runtime }))
  const db = wrapDb(database.db)
  const application = await createApplication({
    config: { ...CONFIG, ...config },
    runtime,
    db,
    checksAnswers: true,
    withPages: false,
    headFile: headFile ?? null,
    ...own,
  })
  begun?.continueRandom()
  let players = 0

  const call: TestApplication['call'] = async (method, path, { bearer, body, headers = {} } = {}) => {
    const answer = await application.http.inject({
      // The tests use real methods; Fastify's type lists them one by one.
      method: method as 'GET',
      url:
        path.startsWith('/') && !path.startsWith('/api') && !/^\/(healthz|readyz|metrics)/.test(path)
          ? `/api/v1${path}`
          : path,
      headers: {
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const isJson = String(answer.headers['content-type'] ?? '').startsWith('application/json')
    return { status: answer.statusCode, headers: answer.headers, body: isJson ? answer.json() : answer.payload }
  }

  return {
    application,
    db,
    connect: database.connect,
    runtime,
    call,
    async signUp({ isVerified = true, address = ADDRESS } = {}) {
      players += 1
      const email = `player${players}@example.org`
      const registered = await call('POST', '/auth/register', {
        body: { email, email_confirm: email, password: PASSWORD },
      })
      const bearer = String(registered.body.access_token)
      if (isVerified) {
        const mails = await call('GET', `/dev/mail?to=${encodeURIComponent(email)}`)
        const link = String(mails.body[0].links[0])
        await call('PUT', '/auth/verify-email', { body: { key: link.slice(link.lastIndexOf('/') + 1) } })
      }
      if (address !== null) {
        await call('PUT', '/settings/crypto-account-details', {
          bearer,
          body: { btc_address: address, password: PASSWORD },
        })
      }
      return { bearer, email }
    },
    async logIn(email) {
      const { body } = await call('POST', '/auth/login', { body: { email_or_username: email, password: PASSWORD } })
      return String(body.access_token)
    },
    async end() {
      await application.close()
      await database.drop()
    },
    async moveTo(at) {
      const { status, body } = await call('POST', '/dev/clock', { body: { to: at } })
      if (status !== 200) throw new Error(`the clock did not move: ${JSON.stringify(body)}`)
    },
  }
}

/** The first beginning of a program without options, or of one with its own games. */
async function beginUsual(
  { db, runtime }: { db: Db; runtime: TestRuntime },
  own: Pick<ApplicationDeps, 'games'>,
): Promise<void> {
  const usual = { config: CONFIG, checksAnswers: true, withPages: false }
  const application = await createApplication({ ...usual, ...own, runtime, db })
  await application.close()
}
