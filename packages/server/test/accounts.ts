import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll } from 'vitest'
import type { Tx } from '../src/db/pool.ts'
import { createHttpApp } from '../src/http/app.ts'
import { JobQueue } from '../src/jobs/queue.ts'
import { Facts } from '../src/kernel/facts.ts'
import { RateLimits } from '../src/kernel/limits.ts'
import { EXAMPLE_CONTENT } from '../src/modules/content/operator-content.ts'
import { contentRoutes } from '../src/modules/content/routes.ts'
import type { ContentContext } from '../src/modules/content/service.ts'
import { identityContext } from '../src/modules/identity/context.ts'
import { identityJobs } from '../src/modules/identity/jobs.ts'
import { identityRoutes } from '../src/modules/identity/routes.ts'
import { authenticate, type Tokens } from '../src/modules/identity/sessions.ts'
import { messageJobs } from '../src/modules/messages/jobs.ts'
import { messagesRoutes } from '../src/modules/messages/routes.ts'
import { forgetMessagesOf, listOutbox, type MessagesContext, messagesOf } from '../src/modules/messages/service.ts'
import { AddressSeals } from '../src/modules/payouts/service.ts'
import { playersJobs } from '../src/modules/players/jobs.ts'
import { tellOfUntoldAddresses } from '../src/modules/players/payout-address.ts'
import { tellOfUntoldDestinations } from '../src/modules/players/payout-destination.ts'
import type { Payees } from '../src/ports/lightning/payee.ts'
import { playersRoutes } from '../src/modules/players/routes.ts'
import { privacyJobs } from '../src/modules/privacy/jobs.ts'
import { privacyRoutes } from '../src/modules/privacy/routes.ts'
import type { PrivacyContext } from '../src/modules/privacy/service.ts'
import { saferPlayRoutes } from '../src/modules/safer-play/routes.ts'
import { keepExclusionOfVerified } from '../src/modules/safer-play/service.ts'
import { localOutbox } from '../src/ports/mail/local-outbox.ts'
import { configuredProviders } from '../src/ports/social-login/configured-providers.ts'
import { deriveKey } from '../src/runtime/keys.ts'
import { type InstallationSeal, sealUnder } from '../src/runtime/seal.ts'
import { testRuntime, type TestRuntime } from '../src/runtime/test-runtime.ts'
import { testDatabase, type TestDatabase } from './database.ts'
import { NOBODY_LISTENS } from './facts.ts'

/** A password that every rule accepts. */
export const PASSWORD = 'Correct-Horse-7-Battery'
/** The secret that every key of the module is derived from. */
export const SECRET_KEY = Buffer.from('a secret for tests that is long enough')
/** A regtest address at which the operator takes payments. */
export const OPERATOR_ADDRESS = 'bcrt1qdavt4j2sd7dlhqsavtnfxvzppw6k7qy97tmnu9'
/** Regtest addresses of no real wallet. */
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

/** What the module reported in a test, and what it is given. */
interface HookState {
  /** null for an installation without Lightning */
  payees: Payees | null
  readonly payoutReady: bigint[]
  openMoney: Set<bigint>
  readonly forgotten: bigint[]
  spentMinor: bigint
}

/** The accounts, messages and content modules on a database of their own, reached through HTTP. */
interface AccountsHarness {
  readonly app: FastifyInstance
  readonly runtime: TestRuntime
  readonly accounts: PrivacyContext
  readonly messages: MessagesContext
  readonly hooks: HookState
  readonly database: TestDatabase
  /** Answers the requests of social networks. */
  network: (url: URL, init: RequestInit | undefined) => Response
  call(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    options?: { token?: string; body?: unknown; headers?: Record<string, string>; address?: string },
  ): Promise<Answer>
  /** Opens an account with a unique address. */
  register(): Promise<TestPlayer>
  /** Verifies the player's address with the link in the mail. */
  verify(player: TestPlayer): Promise<void>
  /** The newest mail to an address, after all due work is done. */
  mailTo(email: string): Promise<{ subject: string; text: string; html: string; links: string[] }>
  mailsTo(email: string): Promise<{ subject: string; text: string; links: string[] }[]>
  /** Switches two-factor on and returns the generator of its codes, and the recovery codes. */
  enableTwofa(player: TestPlayer): Promise<{ code(): string; recoveryCodes: string[] }>
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
}

/** An answer as a test sees it. */
export interface Answer {
  readonly status: number
  /** read by name in expectations, each of which fails if it is missing */
  readonly body: ReturnType<typeof JSON.parse>
  readonly code: string | undefined
  readonly headers: LightMyRequestResponse['headers']
  readonly text: string
}

const PUBLIC_URL = 'http://fairball.test'

/** Makes the harness once per test file. */
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
  const jobs = new JobQueue({ db, runtime })
  const rateLimits = new RateLimits({ db, clock: runtime.clock, callerKey: deriveKey(SECRET_KEY, 'callerDigests') })
  const addressSeals = new AddressSeals({ keyFor: (use) => deriveKey(SECRET_KEY, use) })
  const facts = new Facts()
  const messages: MessagesContext = {
    seal: sealUnder(deriveKey(SECRET_KEY, 'mails'), runtime.random),
    facts,
    approvalSats: () => null,
    lightningMaxSats: () => null,
    paintBalls: async () => new Uint8Array(),
    db,
    runtime,
    jobs,
    mailer: localOutbox(),
    site: () => ({ name: 'Fairball', publicUrl: PUBLIC_URL, supportEmail: 'support@fairball.test' }),
  }
  const hooks: HookState = { payees: null, payoutReady: [], openMoney: new Set(), forgotten: [], spentMinor: 0n }
  const keyFor: InstallationSeal['keyFor'] = (use) => deriveKey(SECRET_KEY, use)
  const social = configuredProviders(
    runtime,
    {
      google: { clientId: 'our-client', apiUrl: 'https://google.test/v3' },
      facebook: { appId: '4711', appSecret: 'app-secret', apiUrl: 'https://facebook.test' },
      twitter: { clientId: 'our-client', apiUrl: 'https://x.test' },
    },
    PUBLIC_URL,
  )
  const identity = identityContext(
    { db, runtime, jobs, facts, rateLimits, messages, social, publicUrl: PUBLIC_URL },
    keyFor,
  )
  const accounts: PrivacyContext = {
    ...identity,
    network: 'regtest',
    isOperatorAddress: async (_tx, address) => address === OPERATOR_ADDRESS,
    proofOfNotice: (row, to) => addressSeals.noticeProof(row, to),
    proofOfDestinationNotice: (row, to) => addressSeals.destinations.noticeProof(row, to),
    get payees() {
      return hooks.payees
    },
    ownHost: null,
    forgetSavedNumbers: async () => 0,
    spentSince: async () => [{ currency: 'GBP', minor: hooks.spentMinor }],
    endUncovered: async () => undefined,
    rates: async () =>
      new Map([
        ['GBP', 1000n],
        ['EUR', 870n],
        ['USD', 770n],
      ]),
    openMoney: async (_tx, playerId) => ({
      waits: hooks.openMoney.has(playerId),
      leaves: false,
      comes: false,
      late: false,
    }),
    canBePaid: async () => true,
    holders: [
      { exportOf: (playerId) => messagesOf(messages, playerId), forget: forgetMessagesOf, goes: 'when-shut' },
      {
        exportOf: async () => ({ orders: [] }),
        forget: async (_tx, playerId) => void hooks.forgotten.push(playerId),
        goes: 'when-ended',
      },
    ],
  }
  facts.subscribe({
    ...NOBODY_LISTENS,
    'address.notice-over': [(tx, { addressId }) => addressSeals.sealTold(tx, addressId, runtime)],
    'destination.notice-over': [
      (tx, { destinationId }) => addressSeals.destinations.sealTold(tx, destinationId, runtime),
    ],
    'money.payable': [async (_tx, { playerId }) => void (playerId !== null && hooks.payoutReady.push(playerId))],
    'email.verified': [
      (tx, { playerId }) => keepExclusionOfVerified(accounts, tx, playerId),
      (tx, { playerId }) => tellOfUntoldAddresses(accounts, tx, playerId),
      (tx, { playerId }) => tellOfUntoldDestinations(accounts, tx, playerId),
      async (_tx, { playerId }) => void hooks.payoutReady.push(playerId),
    ],
  })
  const content: ContentContext = {
    db,
    runtime,
    rateLimits,
    messages,
    supportEmail: () => 'support@fairball.test',
    causes: () => EXAMPLE_CONTENT.causes,
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
  }
  jobs.register([
    ...identityJobs(accounts),
    ...playersJobs(accounts),
    ...privacyJobs(accounts),
    ...messageJobs(messages),
  ])
  const app = createHttpApp({
    runtime,
    authenticate: (token) => authenticate(accounts, token),
    isDemo: true,
    publicUrl: PUBLIC_URL,
    checksAnswers: true,
  })
  identityRoutes(app, accounts)
  playersRoutes(app, accounts)
  saferPlayRoutes(app, accounts)
  privacyRoutes(app, accounts)
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
    return await listOutbox(messages, email)
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
    async verify({ email }) {
      const links = (await mailsTo(email)).flatMap((mail) => mail.links)
      const key = keyOf(links.find((link) => link.includes('/verify-email/')))
      const answer = await call('PUT', '/auth/verify-email', { body: { key } })
      if (answer.status !== 200) throw new Error(`verifying failed: ${answer.text}`)
    },
    async mailTo(email) {
      const [newest] = await listOutbox(messages, await mailsTo(email).then(() => email))
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
