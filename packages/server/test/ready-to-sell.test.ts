import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { sql, t } from '../src/db/sql.ts'
import { mailWayOf } from '../src/main/checks/check.ts'
import { doctorCommands } from '../src/main/doctor.ts'
import { bankroll, suspense } from '../src/modules/ledger/accounts.ts'
import { postTransfer } from '../src/modules/ledger/service.ts'
import { createSeal } from '../src/runtime/seal.ts'
import { CONFIG, testApplication, type TestApplication, type TestApplicationOptions } from './application.ts'
import { startSmtpServer } from './smtp-server.ts'

vi.setConfig({ testTimeout: 120_000 })

const RULES = readFileSync(join(import.meta.dirname, '../../../docs/monitoring/alerts.yml'), 'utf8')
const BTC = 100_000_000n
const MINUTE = 60

const typeBack = sql({
  name: 'ready-to-sell-test.type-back',
  text: `insert into system_state (key, value) values ('mail.test', $1)`,
  params: [t.text],
})

/** The alarms of docs/monitoring/alerts.yml that these metrics raise and that go out within five minutes. */
function raisedBy(metrics: string, alerts: readonly string[]): string[] {
  return alerts.filter((alert) => {
    const rule = RULES.split(/^ {6}- alert: /m).find((text) => text.startsWith(`${alert}\n`)) ?? expect.fail(alert)
    const [, metric = '', sign = '', limit = ''] =
      /^ {8}expr: (?:max|min)(?: by \(\w+\) )?\((\w+)\) ([<>]) (\d+)$/m.exec(rule) ?? expect.fail(rule)
    const [, minutes = ''] = /^ {8}for: (\d+)m$/m.exec(rule) ?? expect.fail(rule)
    expect(Number(minutes)).toBeLessThanOrEqual(5)
    const figures = metrics
      .split('\n')
      .filter((line) => new RegExp(`^${metric}(\\{.*\\})? `).test(line))
      .map((line) => Number(line.split(' ').at(-1)))
    return figures.some((figure) => (sign === '<' ? figure < Number(limit) : figure > Number(limit)))
  })
}

const ALERTS = ['GameNotCarried', 'MailLoginFails', 'BeaconSilent']

async function metricsOf({ call }: TestApplication): Promise<string> {
  return String((await call('GET', '/metrics')).body)
}

/** What the doctor prints, whatever it found. */
async function doctorOf(
  { db, runtime }: TestApplication,
  config: TestApplicationOptions['config'] = {},
): Promise<string> {
  const whole = { ...CONFIG, ...config }
  return await doctorCommands.doctor
    .run({ db, runtime, seal: createSeal(CONFIG.secretKey, runtime.random), config: whole })
    .catch((error: Error) => error.message)
}

/** Waits until the process has tried its mail server. */
async function triedMail(test: TestApplication): Promise<void> {
  test.application.startWork()
  await vi.waitFor(
    async () => {
      test.runtime.clock.set(test.runtime.clock.now() + 11) // figures are shared for ten seconds
      expect(await metricsOf(test)).toMatch(/^fairball_mail_login_failed \d/m)
    },
    { timeout: 60_000, interval: 200 },
  )
}

describe('a lottery that is ready and can neither sell, mail nor draw', () => {
  it('the lottery raises three alarms within five minutes, and the doctor has a line with a remedy for each', async () => {
    const config = {
      smtpUrl: 'smtp://127.0.0.1:1',
      beacon: 'drand' as const,
      drandRelays: ['https://relay.example'],
    }
    const test = await testApplication({ config })
    const { db, runtime } = test
    await db.transaction((tx) =>
      postTransfer(tx, {
        event: 'test.emptied',
        subject: 'bankroll',
        at: runtime.clock.now(),
        moves: [{ from: bankroll, to: suspense, sats: 50n * BTC }],
      }),
    )
    await triedMail(test)
    runtime.clock.set(runtime.clock.now() + 5 * MINUTE)
    const metrics = await metricsOf(test)
    expect(raisedBy(metrics, ALERTS)).toEqual(ALERTS)
    expect(metrics).toContain('fairball_bankroll_free_sats 0\n')
    expect(metrics).toContain('fairball_bankroll_wanted_sats{game="bitcoin-hero"} 27500000\n')
    expect(metrics).toContain('fairball_game_carried{game="bitcoin-hero"} 0\n')
    expect(metrics).toContain('fairball_game_on_sale{game="bitcoin-hero"} 0\n')
    expect((await test.call('GET', '/readyz')).status).toBe(200)

    const told = await doctorOf(test, config)
    expect(told).toMatch(/^warn {5}games +No orders are taken for any game \(see bankroll\)/m)
    expect(told).toMatch(
      /^FAIL {5}bankroll +0\.00000000 BTC are free; not carried: .*bitcoin-hero alone wants 0\.27500000 BTC.*\. Pay coins/m,
    )
    expect(told).toMatch(/^FAIL {5}mail +.*\. Check SMTP_URL/m)
    expect(told).toMatch(/^FAIL {5}beacon +No relay gives a round\. Check/m)
    expect(told).toMatch(/^ok {7}clock /m)
  })

  it('pages say of a game that the bankroll does not carry that its sales open soon, until coins are paid in', async () => {
    const test = await testApplication()
    const { db, runtime, call } = test
    const move = async (subject: string, from: typeof bankroll, to: typeof bankroll): Promise<void> => {
      const moves = [{ from, to, sats: 20n * BTC }]
      await db.transaction((tx) => postTransfer(tx, { event: 'test.moved', subject, at: runtime.clock.now(), moves }))
      runtime.clock.set(runtime.clock.now() + 5)
    }
    const notes = async (): Promise<(string | null)[]> =>
      (await call('GET', '/games')).body.map((game: { sales_note: string | null }) => game.sales_note)
    expect(await notes()).toEqual([null, null, null, null, null, null])
    await move('out', bankroll, suspense)
    // 30 of 38.175 BTC are left: the games carried are those that fit one after the other.
    expect(await notes()).toEqual([null, null, null, null, null, 'Sales open soon'])
    await move('in', suspense, bankroll)
    expect(await notes()).toEqual([null, null, null, null, null, null])
  })
})

describe('a lottery that can do all of it', () => {
  it('the lottery raises none of these alarms', async () => {
    const server = await startSmtpServer()
    const config = { smtpUrl: `smtp://127.0.0.1:${server.port}?requireTLS=false&ignoreTLS=true` }
    const test = await testApplication({ config })
    await triedMail(test)
    expect(raisedBy(await metricsOf(test), ALERTS)).toEqual([])
    // The tests' PostgreSQL acknowledges before it writes.
    expect((await doctorOf(test, config)).match(/^FAIL +\S+/gm)).toEqual(['FAIL     database'])
    // With a console, a mail has to have arrived by this server as well.
    const withConsole = { ...config, consoleUrl: 'http://localhost:3001' }
    expect(await doctorOf(test, withConsole)).toMatch(
      /^FAIL {5}mail +.* no test mail was seen to arrive\. Send a test mail/m,
    )
    await test.db.execute(typeBack, [JSON.stringify({ confirmed_at: 1, confirmed_way: mailWayOf(config.smtpUrl) })])
    expect(await doctorOf(test, withConsole)).toMatch(/^ok {7}mail +.*typed back/m)
    const moved = { ...withConsole, smtpUrl: `${config.smtpUrl}&name=other` }
    expect(await doctorOf(test, moved)).toMatch(/^FAIL {5}mail +.* its SMTP_URL is new\./m)
    expect(server.taken).toEqual([])
    await server.close()
  })
})

describe('the doctor', () => {
  it('the doctor says that the write-ahead log is not archived, and that PUBLIC_URL leads nowhere', async () => {
    const test = await testApplication()
    const told = await doctorOf(test, {
      databaseUrl: 'postgres://somewhere/fairball',
      publicUrl: 'https://nobody.example',
    })
    expect(told).toMatch(/^FAIL {5}wal-archive +The write-ahead log is archived nowhere: .*Set archive_mode/m)
    expect(told).toMatch(/^FAIL {5}public-url +https:\/\/nobody\.example cannot be reached: .*PUBLIC_URL has to/m)
  })
})
