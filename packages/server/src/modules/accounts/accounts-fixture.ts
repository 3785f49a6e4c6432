import { Secret, TOTP } from 'otpauth'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll } from 'vitest'
import { testDatabase, type TestDatabase } from '../../../test/database.ts'
import type { Tx } from '../../db/pool.ts'
import { createHttpApp } from '../../http/app.ts'
import { createRateLimits } from '../../http/rate-limits.ts'
import { createJobQueue } from '../../jobs/queue.ts'
import { localOutbox } from '../../ports/mail/local-outbox.ts'
import { configuredProviders } from '../../ports/social-login/configured-providers.ts'
import { testRuntime, type TestRuntime } from '../../runtime/test-runtime.ts'
import { EXAMPLE_CONTENT } from '../content/operator-content.ts'
import { contentRoutes } from '../content/routes.ts'
import { createContent } from '../content/service.ts'
import { messageJobs } from '../messages/jobs.ts'
import { messagesRoutes } from '../messages/routes.ts'
import { createMessages, type Messages } from '../messages/service.ts'
import { accountsJobs } from './jobs.ts'
import { accountsRoutes } from './routes.ts'
import type { Tokens } from './sessions.ts'
import { createAccounts, type Accounts } from './service.ts'

/** A password that every rule lets pass. */
export const PASSWORD = 'Correct-Horse-7-Battery'
/** A regtest address at which the house takes payments. */
export const HOUSE_ADDRESS = 'bcrt1qdavt4j2sd7dlhqsavtnfxvzppw6k7qy97tmnu9'
/** Addresses of regtest, from no wallet of anybody. */
export const ADDRESSES = [
  'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080',
  'bcrt1pmfr3p9j00pfxjh0zmgp99y8zftmd3s5pmedqhyptwy6lm87hf5ssm803es',
] as const

/** A player of a test. */
export interface TestPlayer {
  readonly email: string
  readonly password: string
  /** changes when the tokens are refreshed or another login is made */
  access: string
  refresh: string
}

/** What the module was told, and what it is to be told, in a test. */
export interface HookState {
  readonly payoutReady: bigint[]
  openMoney: Set<bigint>
  readonly forgotten: bigint[]
  spentMinor: bigint
}

/** The accounts, messages and content modules on a database of their own, reached through HTTP. */
export interface AccountsHarness {
  readonly app: FastifyInstance
  readonly runtime: TestRuntime
  readonly accounts: Accounts
  readonly messages: Messages
  readonly hooks: HookState
  readonly database: TestDatabase
  /** Answers the requests of social networks. */
  network: (url: URL, init: RequestInit | undefined) => Response
  call(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    options?: { token?: string; body?: unknown; headers?: Record<string, string>; address?: string },
  ): Promise<Answer>
  /** Opens an account with an address of its own. */
  register(): Promise<TestPlayer>
  /** The newest mail to an address, after all due work is done. */
  mailTo(email: string): Promise<{ subject: string; text: string; html: string; links: string[] }>
  mailsTo(email: string): Promise<{ subject: string; links: string[] }[]>
  /** Switches two-factor on and gives the generator of its codes, and the recovery codes. */
  enableTwofa(player: TestPlayer): Promise<{ code(): string; recoveryCodes: string[] }>
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
}

/** An answer as a test looks at it. */
export interface Answer {
  readonly status: number
  /** read by name in expectations, each of which fails when it is not there */
  readonly body: ReturnType<typeof JSON.parse>
  readonly code: string | undefined
  readonly headers: LightMyRequestResponse['headers']
  readonly text: string
}

/** Makes the harness once for a test file. */
export function useAccounts(): AccountsHarness {
  const harness = {} as AccountsHarness // filled before the first test runs
  beforeAll(async () => {
    Object.assign(harness, await startAccounts(harness))
  })
  afterAll(async () => {
    await harness.app.close()
    await harness.database.drop()
  })
  return harness
}

async function startAccounts(harness: AccountsHarness): Promise<AccountsHarness> {
  const runtime = testRuntime({
    fetch: async (input, init) => harness.network(new URL(input instanceof Request ? input.url : input), init),
  })
  const database = await testDatabase({ runtime })
  const { db } = database
  const jobs = createJobQueue({ db, runtime })
  const rateLimits = createRateLimits({ db, clock: runtime.clock })
  const messages = createMessages({
    db,
    runtime,
    jobs,
    mailer: localOutbox(),
    site: { publicUrl: 'http://fairball.test', supportEmail: 'support@fairball.test' },
  })
  const hooks: HookState = { payoutReady: [], openMoney: new Set(), forgotten: [], spentMinor: 0n }
  const accounts = createAccounts({
    db,
    runtime,
    jobs,
    rateLimits,
    messages,
    secretKey: 'a secret for tests that is long enough',
    publicUrl: 'http://fairball.test',
    network: 'regtest',
    social: configuredProviders(runtime, {
      google: { clientId: 'our-client', apiUrl: 'https://google.test/v3' },
      facebook: { appId: '4711', appSecret: 'app-secret', apiUrl: 'https://facebook.test' },
      twitter: null,
    }),
    hooks: {
      isHouseAddress: async (_tx, address) => address === HOUSE_ADDRESS,
      onPayoutReady: async (_tx, playerId) => void hooks.payoutReady.push(playerId),
      openMoney: async (_tx, playerId) => ({
        waits: hooks.openMoney.has(playerId),
        leaves: false,
        comes: false,
        late: false,
      }),
      canBePaid: async () => true,
      forgetElsewhere: async (_tx, playerId) => void hooks.forgotten.push(playerId),
      otherPersonalData: async () => ({ orders: [] }),
      spentSince: async () => hooks.spentMinor,
      rates: async () =>
        new Map([
          ['GBP', 1000n],
          ['EUR', 870n],
          ['USD', 770n],
        ]),
    },
  })
  const content = createContent({
    db,
    runtime,
    rateLimits,
    mail: messages.mail,
    supportEmail: 'support@fairball.test',
    causes: EXAMPLE_CONTENT.causes,
    recentWins: async () => [
      {
        id: '1',
        username: 'player-abc234',
        at: 1_735_700_000,
        gameName: 'Bitcoin Hero',
        amount: {
          crypto: { value: '0.00005000', code: 'BTC' },
          fiat: { GBP: { value: 5, symbol: '£', position_of_symbol: 'LEFT' } },
        },
      },
    ],
  })
  jobs.register([...accountsJobs(accounts), ...messageJobs(messages)])
  const app = createHttpApp({
    runtime,
    authenticate: accounts.authenticate,
    isDemo: true,
    publicUrl: 'http://fairball.test',
    checksAnswers: true,
  })
  accountsRoutes(app, accounts)
  messagesRoutes(app, messages)
  contentRoutes(app, content)
  await app.ready()

  const call: AccountsHarness['call'] = async (method, path, { token, body, headers = {}, address } = {}) => {
    const response = await app.inject({
      method,
      ...(address === undefined ? {} : { remoteAddress: address }),
      url: path.startsWith('/api') ? path : `/api/v1${path}`,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const isJson = String(response.headers['content-type']).startsWith('application/json')
    const parsed: unknown = isJson && response.body !== '' ? JSON.parse(response.body) : null
    return {
      status: response.statusCode,
      body: parsed,
      code: (parsed as { error?: { code?: string } } | null)?.error?.code,
      headers: response.headers,
      text: response.body,
    }
  }
  let players = 0
  const register = async (): Promise<TestPlayer> => {
    const email = `someone.${++players}@example.org`
    const answer = await call('POST', '/auth/register', { body: { email, email_confirm: email, password: PASSWORD } })
    if (answer.status !== 201) throw new Error(`registering failed: ${answer.text}`)
    const tokens = answer.body as Tokens
    return { email, password: PASSWORD, access: tokens.access_token, refresh: tokens.refresh_token }
  }
  const mailsTo = async (email: string) => {
    await jobs.runDue()
    return await messages.outbox(email)
  }
  return {
    app,
    runtime,
    accounts,
    messages,
    hooks,
    database,
    network: () => new Response('{}', { status: 404 }),
    call,
    register,
    mailsTo,
    async mailTo(email) {
      const [newest] = await messages.outbox(await mailsTo(email).then(() => email))
      if (newest === undefined) throw new Error(`no mail to ${email}`)
      return newest
    },
    async enableTwofa(player) {
      const qr = await call('GET', '/settings/security/twofa/qr', { token: player.access })
      const { qr_code_uri: uri } = qr.body as { qr_code_uri: string }
      const secret = Secret.fromBase32(new URL(uri).searchParams.get('secret') ?? '')
      const code = (): string => new TOTP({ secret }).generate({ timestamp: runtime.clock.nowMs() })
      const answer = await call('POST', '/settings/security/twofa/verify', {
        token: player.access,
        body: { code: Number(code()) },
      })
      if (answer.status !== 200) throw new Error(`two-factor was not switched on: ${answer.text}`)
      const { recovery_codes: recoveryCodes } = answer.body as { recovery_codes: string[] }
      return { code, recoveryCodes }
    },
    transaction: (work) => db.transaction(work),
  }
}

/** The last part of a link: its key. */
export function keyOf(link: string | undefined): string {
  return link?.split('/').at(-1) ?? ''
}
