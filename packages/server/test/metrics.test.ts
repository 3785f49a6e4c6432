import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { lotteryInvariants } from '../src/modules/monitoring/invariants.ts'
import { testApplication, type TestApplication } from './application.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 }) // whole programs, on a busy computer

let shared: TestApplication
beforeAll(async () => {
  shared = await testApplication()
})
afterAll(() => shared.end())

const DOCS = join(import.meta.dirname, '../../../docs')
const read = (file: string): string => readFileSync(join(DOCS, file), 'utf8')

const metricsOf = async ({ call }: Pick<TestApplication, 'call'>): Promise<string> => {
  const { status, body } = await call('GET', '/metrics')
  expect(status).toBe(200)
  return String(body)
}

/** The value of one line, which must exist. */
function valueOf(text: string, series: string): number {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `))
  expect(line, series).toBeDefined()
  return Number(line?.slice(series.length + 1))
}

/** The names under which Prometheus stores the text's metrics. */
function seriesNames(text: string): Set<string> {
  const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)]
  return new Set(
    types.flatMap(([, name = '', type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  )
}

/** The metrics that a PromQL expression uses; `up` is Prometheus's own. */
function metricsIn(expression: string): string[] {
  const bare = expression
    .replaceAll(/"[^"]*"/g, '')
    .replaceAll(/\{[^}]*\}/g, '')
    .replaceAll(/\b(?:by|without) \([^)]*\)/g, '')
  return [...bare.matchAll(/\b(?:[a-z]+_)+[a-z0-9_]+\b/g)].map(([name]) => name).filter((name) => !FUNCTIONS.has(name))
}
const FUNCTIONS = new Set(['histogram_quantile'])

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly text: string
}

/** The rules of the file, which is written in the plainest YAML: one field per line. */
function rulesOf(text: string): Rule[] {
  return text
    .split(/^ {6}- alert: /m)
    .slice(1)
    .map((rule) => ({
      alert: /^\w+/.exec(rule)?.[0] ?? '',
      expr: /^ {8}expr: (.+)$/m.exec(rule)?.[1] ?? '',
      text: rule,
    }))
}

/** The anchors of a page's headings, as made by Markdown viewers. */
function anchorsOf(page: string): Set<string> {
  return new Set(
    [...page.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replaceAll(/\s/g, '-'),
    ),
  )
}

describe('the rules, the dashboard and the help', () => {
  const rules = rulesOf(read('monitoring/alerts.yml'))

  it('rules, dashboard and help name metrics that the server answers, and no others', async () => {
    const answered = seriesNames(await metricsOf(shared))
    const dashboard = JSON.parse(read('monitoring/dashboard.json')) as { panels: { targets?: { expr: string }[] }[] }
    const shown = dashboard.panels.flatMap((panel) => (panel.targets ?? []).map((target) => target.expr))
    expect(rules.length).toBeGreaterThan(20)
    expect(shown.length).toBeGreaterThan(40)
    for (const expression of [...rules.map((rule) => rule.expr), ...shown]) {
      const names = metricsIn(expression)
      expect(expression === 'up{job="fairball"} == 0' || names.length > 0, expression).toBe(true)
      for (const name of names) expect([...answered], expression).toContain(name)
    }
  })

  it('every alarm that a help text names has a rule about that metric', async () => {
    const text = await metricsOf(shared)
    const named = [...text.matchAll(/^# HELP (\S+) .*Alarms?: (\w+(?:, \w+)*)\.$/gm)].flatMap(
      ([, metric = '', alarms = '']) => alarms.split(', ').map((alarm) => ({ metric, alarm })),
    )
    expect(named.length).toBeGreaterThan(20)
    for (const { metric, alarm } of named) {
      const rule = rules.find((one) => one.alert === alarm)
      expect(rule, alarm).toBeDefined()
      expect(rule?.expr).toContain(metric)
    }
    const alarms = new Set(named.map(({ alarm }) => alarm))
    expect(rules.map((rule) => rule.alert).filter((alert) => !alarms.has(alert))).toEqual(['ProcessDown'])
  })

  it('every rule says for how long, what it is, how urgent, and where the operator reads what to do', () => {
    const anchors = anchorsOf(read('operations.md'))
    for (const { alert, text } of rules) {
      expect(text, alert).toMatch(/^ {8}for: \d+[mh]$/m)
      expect(text, alert).toMatch(/^ {10}severity: (page|ticket)$/m)
      expect(text, alert).toMatch(/^ {10}summary: .{20,}$/m)
      const [, anchor = ''] = /^ {10}runbook: docs\/operations\.md#(\S+)$/m.exec(text) ?? []
      expect([...anchors], alert).toContain(anchor)
    }
  })

  it('every rule is once in the table of docs/operations.md', () => {
    const listed = [...read('operations.md').matchAll(/^\| `(\w+)` +\| (?:page|ticket) /gm)].map(([, alert]) =>
      String(alert),
    )
    expect(listed.toSorted()).toEqual(rules.map((rule) => rule.alert).toSorted())
  })
})

describe('the metrics', () => {
  it('metrics count what was bought, won, drawn and answered', async () => {
    const program = await testApplication()
    const { call, signUp, moveTo, runtime } = program
    const { bearer } = await signUp()
    const ticket = { numbers: [1, 2, 3, 4, 5], isLuckyDip: false }
    const bought = await call('POST', '/payment', {
      bearer,
      body: { type: 'lotto', key: 'bitcoin-hero', days: [1, 2, 3, 4, 5, 6, 7], weeks: 1, tickets: [ticket, ticket] },
    })
    expect([bought.status, bought.body]).toEqual([201, expect.anything()])
    runtime.clock.set(runtime.clock.now() + 60)
    expect(valueOf(await metricsOf(program), 'fairball_orders{status="PENDING"}')).toBe(1)
    const { transaction_id: id } = bought.body
    const paid = await call('POST', '/dev/pay', { body: { transaction_id: id } })
    expect(paid.status).toBe(200)
    await moveTo(runtime.clock.now() + 2 * 86_400)
    const { violations } = await lotteryInvariants.check(program.db, null)
    expect(violations).toEqual([])
    const text = await metricsOf(program)
    expect(valueOf(text, 'fairball_orders{status="PAID"}')).toBe(1)
    expect(valueOf(text, 'fairball_entries_sold{kind="paid"}')).toBeGreaterThanOrEqual(2)
    expect(valueOf(text, 'fairball_payments{state="confirmed"}')).toBe(1)
    expect(
      valueOf(text, 'fairball_draws{status="settled"}') + valueOf(text, 'fairball_draws{status="open"}'),
    ).toBeGreaterThan(1)
    expect(valueOf(text, 'fairball_statements')).toBeGreaterThan(10)
    expect(valueOf(text, 'fairball_ledger_sats{kind="wallet"}')).toBeGreaterThan(0)
    expect(valueOf(text, 'fairball_draws_late')).toBe(0)
    expect(valueOf(text, 'fairball_http_requests_total{method="POST",route="/api/v1/payment",status="201"}')).toBe(1)
    expect(valueOf(text, 'fairball_http_request_duration_seconds_count{method="POST",route="/api/v1/payment"}')).toBe(1)
    expect(valueOf(text, 'fairball_job_duration_seconds_count{kind="draws.close"}')).toBeGreaterThan(0)
    for (const series of ['process_resident_memory_bytes', 'fairball_database_connections{state="most"}'])
      expect(valueOf(text, series)).toBeGreaterThan(0)
  })

  it('metrics cover each invariant, the jobs and the watch’s findings, once a process works', async () => {
    const program = await testApplication()
    onTestFinished(() => program.application.close())
    program.application.startWork()
    await vi.waitFor(
      async () => {
        program.runtime.clock.set(program.runtime.clock.now() + 11)
        const text = await metricsOf(program)
        expect(text).toContain('\nfairball_invariants_age_seconds ')
        for (let number = 1; number <= 11; number += 1)
          expect(valueOf(text, `fairball_invariant_violations{id="I${number}"}`)).toBe(0)
        expect(valueOf(text, 'fairball_payouts_stopped')).toBe(0)
        expect(valueOf(text, 'fairball_ready{cause="none"}')).toBe(1)
      },
      { timeout: 60_000, interval: 200 },
    )
  })

  it('the route label is the pattern, never an address, and no method that a caller made up', async () => {
    const { call } = shared
    for (const path of ['/pLaNtEd?key=pLaNtEd', '/games/pLaNtEd/draws', '/fairness/draws/pLaNtEd/1'])
      await call('GET', path)
    await call('PROPFIND', '/games')
    const text = await metricsOf(shared)
    expect(text).not.toMatch(/planted/i)
    expect(text).not.toContain('PROPFIND')
    expect(text).toContain('{method="GET",route="/api/v1/games/:key/draws",status="404"} 1')
    expect(text).toContain('{method="GET",route="unknown",status="404"} 1')
  })

  it('an event stream is left out of the durations, and counted while it is open', async () => {
    const program = await testApplication()
    const { http } = program.application
    const address = await http.listen({ port: 0, host: '127.0.0.1' })
    const leave = new AbortController()
    const watched = await fetch(`${address}/api/v1/games/bitcoin-hero/watch/stream`, {
      signal: leave.signal,
    })
    expect(watched.status).toBe(200)
    expect(valueOf(await metricsOf(program), 'fairball_event_streams')).toBe(1)
    leave.abort()
    await expect.poll(async () => valueOf(await metricsOf(program), 'fairball_event_streams')).toBe(0)
    expect(await metricsOf(program)).not.toMatch(/duration_seconds_\w+\{[^}]*watch\/stream/)
  })

  it('metrics are open to everyone by default, and with METRICS_TOKEN only to its holder', async () => {
    const token = 'a-token-of-the-monitor'
    const { call } = await testApplication({ config: { metricsToken: token } })
    const status = async (authorization?: string): Promise<number> =>
      (await call('GET', '/metrics', authorization === undefined ? {} : { headers: { authorization } })).status
    expect(await status(`Bearer ${token}`)).toBe(200)
    expect(await status(`bearer ${token}`)).toBe(200)
    for (const wrong of [
      undefined,
      '',
      'Bearer',
      `Bearer ${token}x`,
      `Bearer ${token.slice(1)}`,
      `Basic ${token}`,
      token,
    ])
      expect([wrong, await status(wrong)]).toEqual([wrong, 401])
    const { body } = await call('GET', '/metrics')
    expect(body).toEqual({ error: { code: 'ACCESS_DENIED', message: expect.any(String) } })
  })

  it('in production the players’ port refuses metrics without METRICS_TOKEN, and the monitor’s port is open to everyone', async () => {
    const { application } = await testApplication({ config: { mode: 'production', monitorPort: 9100 } })
    const { http, monitor } = application
    const atPort = await http.inject('/metrics')
    expect([atPort.statusCode, atPort.json().error.code]).toEqual([401, 'ACCESS_DENIED'])
    expect((await http.inject({ url: '/metrics', headers: { authorization: 'Bearer null' } })).statusCode).toBe(401)
    expect((await monitor?.inject('/metrics'))?.statusCode).toBe(200)
  })

  it('metrics cost the database next to nothing, however often and by however many they are requested', async () => {
    const asked: string[] = []
    const program = await testApplication({
      wrapDb: (db) => ({
        ...db,
        run: (statement, args) => (asked.push(statement.name), db.run(statement, args)),
        one: (statement, args) => (asked.push(statement.name), db.one(statement, args)),
        maybeOne: (statement, args) => (asked.push(statement.name), db.maybeOne(statement, args)),
        transaction: (work, options) => (asked.push('a transaction'), db.transaction(work, options)),
      }),
    })
    await metricsOf(program)
    asked.length = 0
    await Promise.all(Array.from({ length: 200 }, () => metricsOf(program)))
    for (let time = 0; time < 50; time += 1) await metricsOf(program)
    // Only readiness: requests at the same moment share one check.
    expect(new Set(asked)).toEqual(new Set(['http.find-schema-version', 'draws.find-proven-time']))
    expect(asked.length).toBeLessThan(2 * 60)

    asked.length = 0
    program.runtime.clock.set(program.runtime.clock.now() + 11)
    await Promise.all(Array.from({ length: 50 }, () => metricsOf(program)))
    expect(asked.filter((name) => name === 'monitoring.count-jobs')).toHaveLength(1)
    expect(asked).not.toContain('a transaction') // whole tables: once a minute
  })

  it('metrics describe the process while the database is down, and say so', async () => {
    const program = await testApplication()
    await program.db.close(1)
    const text = await metricsOf(program)
    expect(valueOf(text, 'fairball_measured')).toBe(0)
    expect(valueOf(text, 'fairball_ready{cause="database"}')).toBe(1)
    expect(valueOf(text, 'fairball_ready{cause="none"}')).toBe(0)
    expect(valueOf(text, 'process_resident_memory_bytes')).toBeGreaterThan(0)
  })
})
