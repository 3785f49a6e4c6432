import { execFileSync } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LotteryError } from '@fairball/domain/errors'
import { describe, expect, it, onTestFinished } from 'vitest'
import { testDatabase, type TestDatabase } from '../../../test/database.ts'
import { testLottery } from '../../../test/lottery.ts'
import { casesOf } from '../../../test/share.ts'
import { slowStreams } from '../../../test/wrapped-queries.ts'
import type { Db } from '../../db/pool.ts'
import { createHttpApp } from '../../http/app.ts'
import { PeriodLocked, Refused } from '../../kernel/errors.ts'
import { testRuntime } from '../../runtime/test-runtime.ts'
import type { LedgerAccount } from '../ledger/accounts.ts'
import * as accounts from '../ledger/accounts.ts'
import { postTransfer } from '../ledger/service.ts'
import { LEDGER_EVENTS, lineOf, MOVED_BY } from './lines.ts'
import { reportRoutes } from './routes.ts'
import { journalHead, lockMonth } from './service.ts'

const DAY = 86_400
const MONTH = '2026-10'
const FROM = Date.UTC(2026, 9) / 1000
const TO = Date.UTC(2026, 10) / 1000
const ACCOUNTS: readonly LedgerAccount[] = [
  accounts.wallet,
  accounts.lightning,
  accounts.received,
  accounts.suspense,
  accounts.bankroll,
  accounts.operatorFee,
  accounts.inFlight,
  accounts.networkFees,
  accounts.losses,
  accounts.stakesHeld('treasure'),
  accounts.prizePool('treasure'),
  accounts.donationPool('treasure'),
  accounts.feeReserve('treasure'),
  accounts.pot(7n),
  accounts.reserve(7n),
  accounts.winnings(3n),
  accounts.winnings(4n),
  accounts.partner('a, "b"'),
]

/** The console's calls on a database, for a person who may read all. */
async function testReports(options: { now?: number; isRefused?: boolean; wrapDb?: (db: Db) => Db } = {}) {
  const database = await testDatabase()
  const runtime = testRuntime({ startAt: options.now ?? TO + 2 * DAY })
  const noted: string[] = []
  const http = createHttpApp({
    runtime,
    authenticate: async () => null,
    isDemo: false,
    publicUrl: 'http://console.test',
  })
  reportRoutes(http, {
    db: options.wrapDb?.(database.db) ?? database.db,
    runtime,
    requireStaff: () => {
      if (options.isRefused === true) throw new LotteryError('ACCESS_DENIED')
    },
    noteMonth: async (month) => void noted.push(month),
  })
  onTestFinished(() => {
    http.server.closeAllConnections() // an order to close waits for those that callers keep
    return http.close()
  })
  const get = async (path: string) => {
    const { statusCode, headers, body } = await http.inject(`/console/api/v1/reports/${path}`)
    const isJson = String(headers['content-type']).startsWith('application/json')
    return { status: statusCode, headers, body: isJson ? JSON.parse(body) : body }
  }
  return { ...database, runtime, noted, get, http }
}

/** One transfer on its own. */
function post({ db }: Pick<TestDatabase, 'db'>, event: string, at: number, subject: string): Promise<boolean> {
  const moves = [{ from: accounts.wallet, to: accounts.received, sats: 5n }]
  return db.transaction((tx) => postTransfer(tx, { event, subject, at, moves }))
}

/** Numbers that follow from a seed. */
function chance(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Any events on any accounts, from a week before the month to a week after it, in no order of time. */
async function postMonth({ db, connect }: TestDatabase, count: number): Promise<void> {
  const below = chance(20_261_001)
  const one = <T>(list: readonly T[]): T => list[below(list.length)] as T
  for (let first = 0; first < count; first += 500)
    await db.transaction(async (tx) => {
      for (let number = first; number < Math.min(count, first + 500); number += 1) {
        const moves = Array.from({ length: 1 + below(3) }, () => {
          const from = one(ACCOUNTS)
          return { from, to: one(ACCOUNTS.filter((other) => other !== from)), sats: BigInt(1 + below(10 ** 9)) }
        })
        const at = FROM - 7 * DAY + below(TO - FROM + 14 * DAY)
        await postTransfer(tx, { event: one(LEDGER_EVENTS), subject: `${number}, "${number}"`, at, moves })
      }
    })
  const client = await connect()
  await client.query(
    `insert into rates (at, currency, sats_per_unit)
      select $1::bigint + n * 7200, 'GBP', 1500 + (n * 7919) % 1000 from generate_series(0, 400) n`,
    [FROM - 5 * DAY],
  )
}

function checkedByPython(given: unknown): { sha256: string; rows: number; problems: string[] } {
  const program = join(import.meta.dirname, 'check_journal.py')
  const out = execFileSync('python3', [program], { input: JSON.stringify(given), encoding: 'utf8' })
  return JSON.parse(out) as ReturnType<typeof checkedByPython>
}

const COUNT = casesOf({ all: 10_000, share: 600 })

describe('a month of the books', () => {
  it(`a journal of ${COUNT} events sums to zero, is its statement, and has the hash that another program computes`, async () => {
    const test = await testReports()
    await postMonth(test, COUNT)
    const statement = (await test.get(`months/${MONTH}`)).body
    const csv = (await test.get(`journal?from=${FROM}&to=${TO}&format=csv`)).body
    const checked = checkedByPython({ csv, statement })
    expect(checked.problems).toEqual([])
    expect(checked.rows).toBeGreaterThan(COUNT)
    expect(statement.locked).toBe(false)
    const opening = (await test.get(`trial-balance?at=${FROM}`)).body
    const closing = (await test.get(`trial-balance?at=${TO}`)).body
    const bare = (rows: { account: string; sats: number; fiat: string }[]) =>
      rows.map(({ account, sats, fiat }) => ({ account, sats, fiat }))
    expect(bare(opening.rows)).toEqual(statement.opening)
    expect(bare(closing.rows)).toEqual(statement.closing)
    const detailed = (await test.get(`trial-balance?at=${TO}&detail=1`)).body.rows
    expect(detailed.reduce((sum: number, row: { sats: number }) => sum + row.sats, 0)).toBe(0)
    expect(detailed.some((row: { subject: string }) => row.subject === 'a, "b"')).toBe(true)

    // The same as JSON.
    const { rows, ...about } = (await test.get(`journal?from=${FROM}&to=${TO}`)).body
    expect(about).toEqual({ from: FROM, to: TO, currency: 'GBP' })
    expect(rows).toHaveLength(checked.rows)
    expect(Object.keys(rows[0])).toEqual(csv.split('\n')[0].split(','))

    const lock = await test.db.transaction((tx) => lockMonth(test.runtime, tx, MONTH, 'a request'))
    expect(lock.journal_hash).toBe(checked.sha256)
    expect((await test.get(`months/${MONTH}`)).body).toMatchObject({ locked: true, lock })
    expect((await test.get(`months/${MONTH}/verify`)).body).toMatchObject({
      ok: true,
      computed_hash: checked.sha256,
      journal_hash: checked.sha256,
    })
    await expect(post(test, 'order.paid', TO - 1, 'late')).rejects.toThrow(PeriodLocked)
    expect(await post(test, 'order.paid', TO, 'in time')).toBe(true)
  })

  it('the lines of a lottery that sold, drew and paid add up, and say its stakes', async () => {
    const test = await testLottery()
    const playerId = await test.addPlayer()
    const lines = [[1, 2, 3, 4, 5]]
    await test.buy({ playerId, gameKey: 'bitcoin-hero', lines, days: [1, 2, 3, 4, 5, 6, 7], weeks: 1 })
    await test.moveTo(test.runtime.clock.now() + 10 * DAY)
    const http = createHttpApp({
      runtime: test.runtime,
      authenticate: async () => null,
      isDemo: false,
      publicUrl: 'http://console.test',
    })
    onTestFinished(() => http.close())
    reportRoutes(http, {
      db: test.db,
      runtime: test.runtime,
      requireStaff: () => undefined,
      noteMonth: async () => undefined,
    })
    const { statusCode, body } = await http.inject('/console/api/v1/reports/months/2025-01')
    expect(statusCode, body).toBe(200)
    const keyed = new Map(
      (JSON.parse(body).lines as { key: string; sats: number }[]).map(({ key, sats }) => [key, sats]),
    )
    const [{ due }] = (await test.rows<{ due: string }>('select due_sats as due from orders')) as [{ due: string }]
    expect(keyed.get('stakes')).toBe(Number(due))
    expect(keyed.get('fees_set_aside')).toBeGreaterThan(0)
    expect(keyed.get('deposits')).toBeGreaterThan(0)
    const journal = await http.inject(`/console/api/v1/reports/journal?from=0&to=4000000000`)
    const posted = JSON.parse(journal.body).rows as { event: string; account: string }[]
    for (const { event, account } of posted) {
      expect(lineOf(event, account), `${event} on ${account}`).not.toBeNull()
      expect(MOVED_BY, `${event} on ${account}`).toHaveProperty([event], expect.arrayContaining([account]))
    }
  })

  it('each line names the events that move it, also in a month in which none of them happened', async () => {
    const { lines } = (await (await testReports()).get(`months/${MONTH}`)).body
    const named = new Map<string, string[]>(
      lines.map(({ key, events }: { key: string; events: string[] }) => [key, events]),
    )
    expect([...named].filter(([, events]) => events.length === 0)).toEqual([])
    expect(Object.fromEntries(named)).toMatchObject({
      donations_released: ['draw.donated', 'game.retired'],
      fees_given: ['draw.fee-released', 'game.retired'],
      losses: [
        'deposit.reversed',
        'operator.withdrawal',
        'order.excess',
        'order.paid',
        'order.refund',
        'payment.reversed',
      ],
      winnings_taken_back: ['payment.reversed'],
      stakes_taken_back: ['payment.reversed', 'play.returned'],
      payouts_in_flight: ['payout.cancelled', 'payout.made', 'payout.sent'],
      operator_fee: ['payout.sent'],
    })
    for (const [event, kinds] of Object.entries(MOVED_BY))
      for (const kind of kinds) expect(named.get(lineOf(event, kind) ?? ''), `${event} on ${kind}`).toContain(event)
  })

  it('every event that the program posts is in exactly one line for each account', async () => {
    const sources = join(import.meta.dirname, '../..')
    const files = (await readdir(sources, { recursive: true })).filter((file) => /(?<!\.test)\.ts$/u.test(file))
    const posted = new Set<string>()
    for (const file of files.filter((name) => !name.includes('modules/reports/'))) {
      const text = await readFile(join(sources, file), 'utf8')
      if (!/\b(?:postTransfer|postPrizes)\b/u.test(text)) continue
      for (const [, event = ''] of text.matchAll(
        /(?:event: (?:kind === '\w+' \? )?|post\(|takenAs: |: )'([a-z]+\.[a-z-]+)'/gu,
      ))
        posted.add(event)
    }
    const known = new Set<string>(LEDGER_EVENTS)
    const others = new Set(['money.payable', 'payouts.done', 'order.changed', 'lines.won', 'ledger.checkpoint'])
    expect([...posted].filter((event) => !known.has(event) && !others.has(event))).toEqual([])
    expect(posted.size).toBeGreaterThan(30)
    for (const event of LEDGER_EVENTS)
      for (const { kind } of ACCOUNTS) expect(lineOf(event, kind), `${event} on ${kind}`).not.toBeNull()
  })

  it('an event that no line knows fails the statement with the difference, and has a worker raise the alarm', async () => {
    const test = await testReports()
    await post(test, 'order.invented', FROM + 5, 'a')
    const { status, body } = await test.get(`months/${MONTH}`)
    expect(status).toBe(500)
    expect(body.error.code).toBe('INTERNAL_SERVER_ERROR')
    expect(body.differences).toEqual([
      { account: 'received', sats: 5 },
      { account: 'wallet', sats: -5 },
    ])
    expect(body.error.message).toContain(
      `The statement of ${MONTH} does not add up: received by 5 satoshis, wallet by -5`,
    )
    expect(test.noted).toEqual([MONTH])
  })
})

describe('the lock of a month', () => {
  const lock = ({ db, runtime }: Awaited<ReturnType<typeof testReports>>, month = MONTH) =>
    db.transaction((tx) => lockMonth(runtime, tx, month, 'a request'))

  it('a month can be locked once, and no earlier than a day after its end', async () => {
    const test = await testReports({ now: TO + DAY - 1 })
    await expect(lock(test)).rejects.toThrow(Refused)
    await expect(lock(test, '2026-13')).rejects.toThrow('is not a month')
    expect((await test.get(`months/${MONTH}/verify`)).status).toBe(404)
    await test.runtime.clock.advance(1)
    expect(await journalHead(test.db)).toBeNull()
    const locked = await lock(test)
    expect(await journalHead(test.db)).toEqual({ month: MONTH, ...locked })
    await expect(lock(test)).rejects.toThrow('2026-10 is locked.')
    const client = await test.connect()
    for (const change of ['delete from period_locks', 'update period_locks set locked_at = 0', 'truncate period_locks'])
      await expect(client.query(change), change).rejects.toThrow('append-only')
  })

  it('a lock waits for a transfer of its month that is being written, and has it in its hash', async () => {
    const test = await testReports()
    await post(test, 'payment.confirmed', FROM + 4, 'the accounts exist')
    const { promise: isPosted, resolve: posted } = Promise.withResolvers<void>()
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
    const writing = test.db.transaction(async (tx) => {
      const moves = [{ from: accounts.wallet, to: accounts.received, sats: 5n }]
      await postTransfer(tx, { event: 'payment.confirmed', subject: 'a', at: FROM + 5, moves })
      posted()
      await mayEnd
    })
    await isPosted
    const locking = lock(test)
    expect(await post(test, 'order.paid', TO + 5, 'another month')).toBe(true)
    end()
    await writing
    expect((await locking).last_transfer_id).not.toBeNull()
    expect((await test.get(`months/${MONTH}/verify`)).body.ok).toBe(true)
  })

  it('a change of a row behind the program is found', async () => {
    const test = await testReports()
    await post(test, 'payment.confirmed', FROM + 5, 'a')
    await lock(test)
    const client = await test.connect()
    await client.query('alter table transfers disable trigger all')
    await client.query(`update transfers set event = 'order.paid'`)
    expect((await test.get(`months/${MONTH}/verify`)).body.ok).toBe(false)
  })
})

describe('the calls', () => {
  it('each needs somebody who may read', async () => {
    const test = await testReports({ isRefused: true })
    for (const path of ['journal?from=0&to=1', 'trial-balance', `months/${MONTH}`, `months/${MONTH}/verify`])
      expect((await test.get(path)).status, path).toBe(403)
    for (const path of ['payouts?from=0&to=1', 'players?from=0&to=1'])
      expect((await test.get(path)).status, path).toBe(403)
  })

  it.each([
    ['journal', 'from'],
    ['journal?from=5&to=4', 'to'],
    ['journal?from=x&to=4', 'from'],
    ['journal?from=1&from=2&to=4', 'from'],
    ['journal?from=1&to=4&currency=BTC', 'currency'],
    ['journal?from=1&to=4&format=xml', 'format'],
    ['players?from=1&to=4&currency=BTC', 'currency'],
    ['payouts?from=1', 'to'],
    ['trial-balance?at=now', 'at'],
  ])('%s is refused for its %s', async (path, field) => {
    const { status, body } = await (await testReports()).get(path)
    expect([status, body.error.code, Object.keys(body.error.fields ?? body.fields)]).toEqual([
      400,
      'INVALID_PAYLOAD',
      [field],
    ])
  })

  it('a report of nothing has its head, and a month that has not begun has no statement', async () => {
    const test = await testReports()
    expect((await test.get('journal?from=0&to=0')).body).toEqual({ from: 0, to: 0, currency: 'GBP', rows: [] })
    const { body, headers } = await test.get('journal?from=0&to=0&format=csv')
    expect(body).toBe('transfer,at,event,key,account,subject,sats,currency,rate_sats,rate_at,fiat\n')
    expect(headers['content-disposition']).toBe('attachment; filename="journal.csv"')
    for (const month of ['2030-01', '2026-13', 'x']) expect((await test.get(`months/${month}`)).status).toBe(404)
  })

  it('players are figures by day', async () => {
    const test = await testReports()
    const client = await test.connect()
    await client.query(
      `insert into players (created_at, username) values ($1, 'a'), ($1 + 5, 'b'), ($1 + 86400, 'c')`,
      [FROM],
    )
    await client.query(
      `insert into safer_play_days (day, kind, changes) values ($1, 'limit', 3), ($1, 'exclusion', 1)`,
      [FROM],
    )
    expect((await test.get(`players?from=${FROM}&to=${TO}&currency=EUR`)).body).toEqual({
      from: FROM,
      to: TO,
      currency: 'EUR',
      rows: [
        { day: '2026-10-01', registered: 2, active: 0, excluded: 1, limits_set: 3 },
        { day: '2026-10-02', registered: 1, active: 0, excluded: 0, limits_set: 0 },
      ],
    })
  })

  it('at most two reports are read at once, and one that was read makes room', async () => {
    const test = await testReports()
    await postMonth(test, 500)
    const path = `/console/api/v1/reports/journal?from=0&to=${TO * 2}`
    await test.http.listen({ port: 0, host: '127.0.0.1' })
    const address = test.http.server.address() as { port: number }
    const answers = await Promise.all(Array.from({ length: 4 }, () => fetch(`http://127.0.0.1:${address.port}${path}`)))
    expect(answers.map(({ status }) => status)).toContain(429)
    for (const answer of answers) await answer.text()
    expect((await fetch(`http://127.0.0.1:${address.port}${path}`)).status).toBe(200)
  })

  it('callers that leave while the next lines are read make room', async () => {
    const next = Promise.withResolvers<void>()
    const test = await testReports({ wrapDb: (db) => slowStreams(db, next.promise) })
    await postMonth(test, 300)
    await test.http.listen({ port: 0, host: '127.0.0.1' })
    const url = `${test.http.listeningOrigin}/console/api/v1/reports/journal?from=0&to=${TO * 2}`
    const leaving = new AbortController()
    const answers = [await fetch(url, leaving), await fetch(url, leaving)]
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    leaving.abort()
    await expect.poll(() => new Promise((done) => test.http.server.getConnections((_, open) => done(open)))).toBe(0)
    next.resolve()
    await expect.poll(async () => (await fetch(url)).status).toBe(200)
  })
})
