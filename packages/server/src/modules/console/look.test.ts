import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { CONFIG } from '../../../test/application.ts'
import { testConsole, type TestConsole, type TestStaff } from '../../../test/console.ts'
import { testLottery, type TestLottery } from '../../../test/lottery.ts'
import { received, wallet } from '../ledger/accounts.ts'
import { postTransfer } from '../ledger/service.ts'
import { createWebhook } from '../integrations/service.ts'
import { listOutbox } from '../messages/service.ts'
import { noteAction } from '../operator/service.ts'
import type { FoundCheck } from './context.ts'
import { monthToLookAt } from './look.ts'
import { REQUESTS_CHANNEL } from './waiting-request.ts'

const LIMIT = { timeout: 20_000 }
const MONTH = '2024-12'
let world: TestLottery
let bench: TestConsole
let owner: TestStaff
const findings: FoundCheck[] = [
  { id: 'mail', position: 0, state: 'ok', text: 'Mail arrives.', runbook: null },
  { id: 'staff', position: 1, state: 'ok', text: 'Nobody is missing.', runbook: null },
]
/** What was looked at; null for everything. */
const asked: (string | null)[] = []

beforeAll(async () => {
  world = await testLottery()
  const { lottery, db, runtime } = world
  const parts = {
    log: lottery.fairness,
    settings: { ...CONFIG, payoutFloatSats: 250_000n },
    operatorAddress: null,
    webhooks: lottery.webhooks,
    async examine(only: string | null) {
      asked.push(only)
      return findings.filter(({ id }) => only === null || id === only)
    },
  }
  bench = await testConsole({ db, runtime, parts })
  await bench.begin()
  owner = await bench.person('owner', ['owner'])
  await db.transaction((tx) =>
    createWebhook(lottery.webhooks as never, tx, { url: 'http://127.0.0.1:9/', types: ['alarm.raised'] }),
  )
})
beforeEach(() => owner.signIn())
afterAll(() => bench.end())

const read = async (path: string) => (await owner.call('GET', path)).body
const alarmIds = async (): Promise<string[]> => (await read('/overview')).alarms.map(({ id }: { id: string }) => id)
/** The alarms that webhooks get. */
const told = async () =>
  (await world.rows<{ body: string }>('select body from webhook_events order by at, id')).map(
    ({ body }) => (JSON.parse(body) as { data: unknown }).data,
  )
const minuteLater = () => world.runtime.clock.set(world.runtime.clock.now() + 60)

it('a passkey that was registered has the check of staff looked at without waiting for the minute', async () => {
  await vi.waitUntil(() => asked.filter((only) => only === 'staff').length === 2, LIMIT)
  expect((await read('/health')).checks).toMatchObject([{ id: 'mail' }, { id: 'staff' }])
})

it('what the workers were started with is shown with its variable, where no setting replaces it', async () => {
  const float = async () =>
    (await read('/settings')).settings.find(({ key }: { key: string }) => key === 'payouts.float_sats')
  await vi.waitUntil(async () => (await float()).value !== null, LIMIT)
  expect(await float()).toMatchObject({ value: 250_000, variable: 'PAYOUT_FLOAT_SATS', is_fixed: false, history: [] })
  expect((await read('/treasury')).float).toMatchObject({ limit_sats: '250000', variable: 'PAYOUT_FLOAT_SATS' })
  const now = world.runtime.clock.now()
  await world.rows(
    `insert into settings (key, version, value, from_at, at, actor, reason, request_id)
      values ('payouts.float_sats', 1, '7', $1, $1, 'a test', 'A test.', 'a')`,
    [now],
  )
  expect(await float()).toMatchObject({ value: 7, variable: null })
  expect((await read('/treasury')).float).toMatchObject({ limit_sats: '7', variable: null })
})

it('a check that fails is one alarm for people and one for programs, as long as it fails', async () => {
  findings.unshift({ id: 'bankroll', position: 0, state: 'fail', text: 'Ann owes 5.', runbook: null })
  minuteLater()
  await vi.waitUntil(async () => (await alarmIds()).includes('check:bankroll'), LIMIT)
  const looks = asked.length
  minuteLater()
  await vi.waitUntil(() => asked.length > looks, LIMIT)
  expect(await told()).toEqual([{ alarm: 'CheckFails', text: 'The check bankroll fails.' }])
  findings.shift()
})

it('a check that only says what an alarm says already is no alarm of its own', async () => {
  findings.push({ id: 'invariants', position: 2, state: 'fail', text: 'One is broken.', runbook: null })
  await world.rows(
    `insert into invariant_violations (invariant, problem, found_at, seen_at) values ('I1', 'a trigger is gone', 7, 7)`,
  )
  minuteLater()
  const ids = async (): Promise<string[]> => (await read('/health')).checks.map(({ id }: { id: string }) => id)
  await vi.waitUntil(async () => (await ids()).join() === 'mail,staff,invariants', LIMIT)
  expect(await alarmIds()).toEqual([expect.stringMatching(/^violation:/), 'payouts'])
  await world.rows('delete from invariant_violations')
  findings.pop()
})

it('a command on the server is an alarm for programs without what it was about', async () => {
  const { db, runtime } = world
  const people = { staffId: BigInt(owner.id), approverId: null, reason: 'A night call.', request: null }
  const line = { action: 'payouts-hold', subject: 'bcrt1qsecret', detail: 'Held.' }
  await db.transaction((tx) => noteAction({ runtime, actor: 'root', people }, tx, line))
  runtime.clock.set(runtime.clock.now() + 10)
  const alarm = { alarm: 'CommandRun', text: 'The command payouts-hold was run on the server.' }
  await vi.waitFor(async () => expect(await told()).toContainEqual(alarm), LIMIT)
})

it('a month that does not add up is an alarm until it does, and nobody can raise one by a notification', async () => {
  const { db } = world
  const notify = (): Promise<void> => db.notify(REQUESTS_CHANNEL, monthToLookAt(MONTH))
  const at = Date.UTC(2024, 11, 5) / 1000
  await notify()
  const moves = [{ from: wallet, to: received, sats: 5n }]
  await db.transaction((tx) => postTransfer(tx, { event: 'order.invented', subject: 'a', at, moves }))
  minuteLater()
  await notify()
  await vi.waitUntil(async () => (await alarmIds()).includes(`month:${MONTH}`), LIMIT)
  const text = `The statement of ${MONTH} does not add up: received by 5 satoshis, wallet by -5 satoshis.`
  expect((await read('/overview')).alarms).toContainEqual(expect.objectContaining({ text, severity: 'page' }))
  expect(await told()).toContainEqual({ alarm: 'MonthApart', text })
  const back = [{ from: received, to: wallet, sats: 5n }]
  await db.transaction((tx) => postTransfer(tx, { event: 'order.invented', subject: 'b', at, moves: back }))
  minuteLater()
  await notify()
  await vi.waitUntil(async () => !(await alarmIds()).includes(`month:${MONTH}`), LIMIT)
  expect((await world.rows('select from system_state where key like $1', ['month-apart:%'])).length).toBe(0)
})

it('mail is known to arrive once the code of a test mail was typed back', async () => {
  const asking = async (args: object) => (await owner.propose('mail.test', args)).body
  const known = async () =>
    (await world.rows<{ value: string }>(`select value from system_state where key = 'mail.test'`))[0]
  expect(await asking({})).toMatchObject({ state: 'done' })
  expect((await asking({})).error.message).toContain('less than a minute ago')
  world.runtime.clock.set(world.runtime.clock.now() + 1)
  const mail = await vi.waitUntil(
    async () => (await listOutbox(bench.ctx)).find(({ subject }) => subject.startsWith('A test mail')),
    LIMIT,
  )
  const code = /Health: (\d{8})/.exec(mail.text)?.[1] ?? ''
  expect((await asking({ code: code === '00000000' ? '1' : '00000000' })).error.message).toContain('not the code')
  expect(JSON.parse((await known())?.value ?? '')).not.toHaveProperty('confirmed_at')
  expect(await asking({ code: `${code.slice(0, 4)}-${code.slice(4)}` })).toMatchObject({ state: 'done' })
  expect(JSON.parse((await known())?.value ?? '')).toMatchObject({ confirmed_way: 'a server' })
  expect((await asking({ code })).error.code).toBe('REFUSED')
  await vi.waitUntil(() => asked.includes('mail'), LIMIT)
})
