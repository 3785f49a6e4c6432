import { calls } from '@fairball/contract/calls'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { secretTexts } from '../src/config/variables.ts'
import { createDatabase } from '../src/db/pool.ts'
import { sql, t } from '../src/db/sql.ts'
import { createHttpApp } from '../src/http/app.ts'
import { OK, route } from '../src/http/route.ts'
import { createNode } from '../src/ports/bitcoin-node/rpc.ts'
import { readTip } from '../src/ports/bitcoin-node/tip.ts'
import { smtpMailer } from '../src/ports/mail/smtp-mailer.ts'
import { createBtcpayProvider } from '../src/ports/payment-provider/btcpay.ts'
import { createOpennodeProvider } from '../src/ports/payment-provider/opennode.ts'
import type { PaymentProvider } from '../src/ports/payment-provider/payment-provider.ts'
import { testRuntime, type TestRuntime } from '../src/runtime/test-runtime.ts'
import { testApplication } from './application.ts'
import { testDatabase } from './database.ts'

vi.setConfig({ testTimeout: 120_000 })

/** A part of every secret here; it appears nowhere by chance, and is recognised in any encoding. */
const PLANTED = 'pLaNtEd7'

/** What an operator keeps secret, as in the environment. */
const ENVIRONMENT = {
  DATABASE_URL: `postgres://fairball:${PLANTED}-database@127.0.0.1:1/fairball`,
  SECRET_KEY: Buffer.from(`${PLANTED}-secret-key-of-32-bytes!!`.padEnd(32, '!')).toString('hex'),
  SMTP_URL: `smtp://mailer:${PLANTED}-smtp%2F@127.0.0.1:1`,
  BITCOIN_RPC_URL: `http://rpcuser:${PLANTED}-rpc@127.0.0.1:8332`,
  BITCOIN_XPUB: `[d34db33f/84h/1h/0h]tpub${PLANTED}`,
  BTCPAY_API_KEY: `${PLANTED}btcpaykey`,
  BTCPAY_WEBHOOK_SECRET: `${PLANTED}webhooksecret`,
  OPENNODE_API_KEY: `${PLANTED}-opennode-key`,
  FACEBOOK_APP_SECRET: `${PLANTED}-facebook`,
  METRICS_TOKEN: `${PLANTED}-metrics-token`,
}

/** The log as it would be on a disk. */
const logOf = (runtime: TestRuntime): string => runtime.logged.map((line) => JSON.stringify(line)).join('\n')

/** No line contains a planted secret, plain or in one of the encodings that a program uses. */
function expectUnlogged(runtime: TestRuntime): void {
  expect(runtime.logged.length).toBeGreaterThan(0)
  const log = logOf(runtime)
  for (const written of [PLANTED, Buffer.from(PLANTED).toString('hex')]) expect(log).not.toContain(written)
  for (const text of [...Object.values(ENVIRONMENT), `rpcuser:${PLANTED}-rpc`, `mailer:${PLANTED}-smtp/`])
    for (const written of [Buffer.from(text).toString('base64'), Buffer.from(text).toString('base64url')])
      expect(log).not.toContain(written.replace(/=+$/, ''))
}

it('the log knows each secret of the environment, and in addresses only the passwords', () => {
  const known = secretTexts({ ...ENVIRONMENT, PUBLIC_URL: 'https://lottery.example', LOG_LEVEL: 'info' })
  for (const text of Object.values(ENVIRONMENT)) expect(known).toContain(text)
  for (const password of ['database', 'smtp/', 'smtp%2F', 'rpc']) expect(known).toContain(`${PLANTED}-${password}`)
  expect(known).not.toContain('https://lottery.example')
  expect(known).not.toContain('info')
})

describe('what others do with our secrets', () => {
  /** The ways in which a program on the other side, or the way to it, fails with what it was sent. */
  const FAILURES: Record<string, typeof fetch> = {
    'repeats address and headers in its message': (input, init) =>
      Promise.reject(
        new TypeError(`fetch failed: ${JSON.stringify(input)} ${JSON.stringify(init?.headers)}`, {
          cause: new Error(JSON.stringify(init?.body)),
        }),
      ),
    'refuses with what it was sent': async (_input, init) =>
      new Response(JSON.stringify({ message: `bad login ${JSON.stringify(init?.headers)}` }), { status: 401 }),
    'answers with what it was sent': async (_input, init) =>
      new Response(`<html>${JSON.stringify(init?.headers)}</html>`),
    'has an error of its own': async (_input, init) =>
      new Response(JSON.stringify({ error: { code: -1, message: JSON.stringify(init) }, result: null, id: 1 }), {
        status: 500,
      }),
  }

  async function trouble(provider: PaymentProvider, runtime: TestRuntime): Promise<void> {
    const request = {
      orderId: '6a1f8c4e-0000-4000-8000-000000000000',
      dueSats: 1000n,
      expiresAt: runtime.clock.now() + 900,
    }
    const work: (() => unknown)[] = [
      () => provider.assertFit(),
      () => provider.get('invoice'),
      () => provider.balance?.(),
      () => provider.follow?.(null),
      () => provider.createCheckout({ ...request, description: 'x' } as never),
      () => provider.webhook?.read({ 'btcpay-sig': ENVIRONMENT.BTCPAY_WEBHOOK_SECRET }, Buffer.from('{}')),
    ]
    for (const one of work)
      try {
        await one()
      } catch (error) {
        runtime.log.error({ provider: provider.name, err: error }, 'the provider of payments could not be followed')
      }
  }

  it.each(Object.entries(FAILURES))(
    'no log line contains a secret if the provider or the node %s',
    async (_how, fetch) => {
      const runtime = testRuntime({ fetch, secrets: secretTexts(ENVIRONMENT) })
      const settings = { network: 'mainnet', requiredConfirmations: () => 2 } as const
      const btcpay = createBtcpayProvider(runtime, {
        ...settings,
        baseUrl: 'https://btcpay.example',
        apiKey: ENVIRONMENT.BTCPAY_API_KEY,
        storeId: 'store',
        webhookSecret: ENVIRONMENT.BTCPAY_WEBHOOK_SECRET,
      })
      const opennode = createOpennodeProvider(runtime, {
        ...settings,
        apiUrl: 'https://api.opennode.com',
        apiKey: ENVIRONMENT.OPENNODE_API_KEY,
        publicUrl: 'https://lottery.example',
      })
      await trouble(btcpay, runtime)
      await trouble(opennode, runtime)
      const node = createNode({ url: ENVIRONMENT.BITCOIN_RPC_URL, fetch, sleep: runtime.monotonic.sleep })
      for (const method of ['getblockchaininfo', 'walletpassphrase', 'importprivkey'])
        await node
          .call(method, { passphrase: `${PLANTED}-passphrase` })
          .catch((error: unknown) => runtime.log.error({ err: error }, 'the wallets could not be followed'))
      await readTip(node).catch((error: unknown) => runtime.log.error(error))
      expect(runtime.logged.length).toBeGreaterThan(8)
      expectUnlogged(runtime)
    },
  )

  it('no log line contains a secret if the database or the mail server is down', async () => {
    const runtime = testRuntime({ secrets: secretTexts(ENVIRONMENT) })
    const db = createDatabase({ address: ENVIRONMENT.DATABASE_URL, runtime })
    onTestFinished(() => db.close(1))
    await db
      .notify('x')
      .catch((error: unknown) => runtime.log.error({ err: error, address: ENVIRONMENT.DATABASE_URL }, 'x'))
    const mailer = smtpMailer({
      url: ENVIRONMENT.SMTP_URL,
      from: () => ({ name: 'x', address: 'x@lottery.example' }),
      monotonic: runtime.monotonic,
    })
    const mail = { id: 1n, to: 'player@example.org', subject: 'x', text: 'x', html: 'x' }
    await Promise.resolve(mailer.send(mail as never)).catch((error: unknown) =>
      runtime.log.error({ err: error }, 'a mail was not sent'),
    )
    mailer.close()
    expectUnlogged(runtime)
  })

  it('no log line contains a secret if PostgreSQL repeats a value that it could not take', async () => {
    const runtime = testRuntime()
    const { db } = await testDatabase({ runtime })
    const [asUuid, asNumber, twice, tooMuch] = [
      `select $1::text::uuid as x`,
      `select $1::text::int as x`,
      `insert into system_state (key, value) values ($1, ''), ($1, '') returning key as x`,
      `insert into players (username, email, created_at) values ($1, $1, -1), ($1, $1, -1) returning email as x`,
    ].map((text, place) => sql({ name: `planted-test.fails-${place}`, text, params: [t.text], row: { x: t.text } }))
    for (const statement of [asUuid, asNumber, twice, tooMuch]) {
      if (statement === undefined) throw new Error('no statement')
      await db.run(statement, [`${PLANTED}@example.org`]).then(
        () => expect.unreachable(),
        (error: unknown) => runtime.log.error({ err: error }, 'a job failed'),
      )
    }
    expect(runtime.logged).toHaveLength(4)
    expect(logOf(runtime)).toContain('system_state_pkey')
    expectUnlogged(runtime)
  })
})

describe('what a caller sends', () => {
  const headers = {
    authorization: `Bearer ${PLANTED}-bearer`,
    cookie: `session=${PLANTED}-cookie`,
    'content-type': 'application/json',
  }
  const payload = JSON.stringify({ is_lottery_games_active: true, is_winners_and_good_causes_active: true })

  it('no log line contains a secret if a handler throws with everything it holds', async () => {
    const runtime = testRuntime()
    const app = createHttpApp({
      runtime,
      authenticate: async () => null,
      isDemo: false,
      publicUrl: 'https://x.example',
    })
    onTestFinished(() => app.close())
    const thrown: (() => unknown)[] = [
      () => new Error(`authorization: Bearer ${PLANTED}-bearer`),
      () => new Error(JSON.stringify({ headers, body: { password: `${PLANTED} with words`, refresh_token: PLANTED } })),
      () =>
        new Error('outer', {
          cause: new Error(`GET /auth/reset-password?key=${PLANTED}-key&email=${PLANTED}@x.example`),
        }),
      () => Object.assign(new Error('with fields'), { config: { headers }, request: { headers }, password: PLANTED }),
      () => new AggregateError([new Error(`Bearer ${PLANTED}-bearer`)], 'several'),
      () => ({ password: PLANTED, headers }),
    ]
    let next: () => unknown = () => null
    route(app, calls.getHealth, () => {
      runtime.log.warn({ request: { headers }, password: PLANTED, totpSecret: PLANTED, apiKey: PLANTED }, 'before')
      throw next() as Error
    })
    for (const one of thrown) {
      next = one
      const { statusCode, body } = await app.inject({ url: `/healthz?key=${PLANTED}`, headers })
      expect(statusCode).toBe(500)
      expect(body).not.toContain(PLANTED)
    }
    expectUnlogged(runtime)
  })

  it('no log line contains a secret if the request is broken, unknown or refused', async () => {
    const runtime = testRuntime()
    const app = createHttpApp({
      runtime,
      authenticate: async () => null,
      isDemo: false,
      publicUrl: 'https://x.example',
    })
    onTestFinished(() => app.close())
    route(app, calls.saveEmailPreferences, () => OK)
    const url = '/api/v1/settings/email-preferences'
    for (const asked of [
      { method: 'PUT', url: `${url}?key=${PLANTED}`, headers, payload },
      { method: 'PUT', url, headers: { ...headers, 'content-type': `text/${PLANTED}` }, payload },
      { method: 'PUT', url, headers, payload: `{"password":"${PLANTED}"` },
      { method: 'GET', url: `/%zz/${PLANTED}?key=${PLANTED}`, headers },
      { method: 'GET', url: `/reset-password/${PLANTED}`, headers },
    ] as const)
      // An unreadable address leads to the page for missing pages.
      expect((await app.inject(asked)).statusCode).toBeGreaterThanOrEqual(300)
    expectUnlogged(runtime)
  })

  it('no log line of the whole program contains a secret if its tables are gone: tokens, codes, answers, addresses', async () => {
    const { call, db, runtime, signUp } = await testApplication({ secrets: secretTexts(ENVIRONMENT) })
    const { bearer } = await signUp({ address: null, isVerified: false })
    for (const table of ['sessions', 'refresh_tokens', 'orders'])
      await db.execute(
        sql({
          name: `planted-test.hide-${table.replace('_', '-')}`,
          text: `alter table ${table} rename to ${table}_gone`,
        }),
        [],
      )
    const planted = `${PLANTED}-value`
    const faults = [
      await call('GET', '/profile', { bearer }),
      await call('POST', '/auth/refresh', { bearer: planted }),
      await call('DELETE', '/auth/tokens', { bearer, body: { token: planted } }),
      await call('PUT', '/settings/crypto-account-details', {
        bearer,
        body: { btc_address: planted, password: planted },
      }),
      await call('POST', '/settings/security/twofa/verify', { bearer, body: { code: planted } }),
      await call('GET', `/payment?transaction_id=${planted}`, { bearer }),
    ]
    expect(faults.filter(({ status }) => status === 500).length).toBeGreaterThan(3)
    expectUnlogged(runtime)
    expect(logOf(runtime)).not.toContain(bearer)
  })
})
