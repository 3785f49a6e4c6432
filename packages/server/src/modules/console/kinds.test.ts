import { KINDS, type KindName } from '@fairball/contract/console/kinds'
import { ROLES, type Role } from '@fairball/contract/console/roles'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { CONFIG } from '../../../test/application.ts'
import { testConsole, type TestConsole, type TestStaff } from '../../../test/console.ts'
import { testLottery, type TestLottery } from '../../../test/lottery.ts'
import type { FoundCheck } from './context.ts'
import { gamesTemplate } from '../operator/games-templates.ts'

let world: TestLottery
let bench: TestConsole
const people = new Map<Role, TestStaff>()

beforeAll(async () => {
  world = await testLottery()
  const { lottery, db, runtime } = world
  const parts = {
    log: lottery.fairness,
    settings: CONFIG,
    operatorAddress: async () => 'bcrt1qoperator',
    examine: async (only: string | null) => findings.filter(({ id }) => only === null || id === only),
    webhooks: lottery.webhooks,
  }
  bench = await testConsole({ db, runtime, parts })
  await bench.begin()
  for (const role of ROLES) people.set(role, await bench.person(role, [role]))
  people.set('owner', await bench.person('owner', ['owner']))
})
afterAll(async () => {
  await bench.end()
  // The fee was kept by nobody but this test.
  expect(await world.violations()).toEqual([expect.stringContaining('4999999990 sats, the wallet 5000000000')])
})
beforeEach(async () => {
  for (const staff of people.values()) await staff.signIn()
})

/** What the checks find. */
const findings: FoundCheck[] = [
  { id: 'mail', position: 0, state: 'fail', text: 'No server answers.', runbook: '3-the-first-start' },
  { id: 'witnesses', position: 1, state: 'warn', text: 'No witness cosigns.', runbook: null },
]

const TXID = 'ab'.repeat(32)
/** Arguments of each kind that its contract takes. */
const ARGS: { readonly [Name in KindName]?: unknown } = {
  'payouts.hold': { batch: 'all' },
  'payouts.retry': { batch: 'all' },
  'payouts.accept': { txids: [TXID], may_be_payout: true },
  'treasury.deposit': { outpoints: [`${TXID}:0`] },
  'treasury.own-transfer': { outpoint: `${TXID}:0` },
  'treasury.fee': { sats: '10', reference: 'invoice-7' },
  'treasury.deposit-address': {},
  'treasury.withdraw': { txid: TXID, from: 'bankroll' },
  'games.apply': { file: gamesTemplate('starter') },
  'sales.pause': { game: 'all', note: 'Back at noon.' },
  'sales.resume': { game: 'all' },
  'settings.apply': { key: 'site.name', value: 'Lucky Draw', from: null },
  'periods.lock': { month: '2024-12' },
  'log.change-key': {},
  'invariants.accept': { number: '1' },
  'webhooks.create': { url: 'http://127.0.0.1:9/hook', types: ['order.paid'] },
  'webhooks.rotate': { id: '1' },
  'webhooks.revoke': { id: '1' },
  'api-keys.create': { name: 'Accounts', scopes: ['reports:read'], expires_at: 1_740_000_000 },
  'api-keys.revoke': { id: '1' },
  'staff.invite': { name: 'New', email: 'new@lottery.example', roles: ['support'] },
  'staff.roles': { staff: '1', roles: ['owner'] },
  'staff.reset': { staff: '1' },
  'staff.disable': { staff: '1' },
}
/** Who proposes these, as console.md section 4 says. */
const PROPOSERS: Readonly<Record<string, readonly Role[]>> = {
  'payouts.hold': ['approver', 'treasurer', 'support'],
  'payouts.retry': ['treasurer'],
  'payouts.accept': ['treasurer'],
  'treasury.deposit': ['treasurer'],
  'treasury.own-transfer': ['treasurer'],
  'treasury.fee': ['treasurer'],
  'treasury.deposit-address': ['treasurer'],
  'treasury.withdraw': ['treasurer'],
  'games.apply': ['games'],
  'sales.pause': ['games', 'support'],
  'sales.resume': ['games'],
  'settings.apply': ['editor'],
  'periods.lock': ['treasurer'],
  'log.change-key': ['owner'],
  'invariants.accept': ['treasurer'],
  'webhooks.create': ['owner'],
  'webhooks.rotate': ['owner'],
  'webhooks.revoke': ['owner'],
  'api-keys.create': ['owner'],
  'api-keys.revoke': ['owner'],
  'staff.invite': ['owner'],
  'staff.roles': ['owner'],
  'staff.reset': ['owner'],
  'staff.disable': ['owner'],
}

const as = (role: Role): TestStaff => {
  const person = people.get(role)
  if (person === undefined) throw new Error(`nobody is ${role}`)
  return person
}
const reason = 'Agreed on Monday.'

/** They need a player, or an order. */
const OF_PLAYERS = Object.entries(KINDS).flatMap(([kind, rules]) =>
  !('isLight' in rules) && (kind.startsWith('players.') || kind === 'orders.goodwill') ? kind : [],
)

describe('a kind of request', () => {
  it.each(Object.keys(ARGS))('%s is proposed by its roles, and by nobody else', async (kind) => {
    const allowed: Role[] = []
    for (const role of ROLES) {
      const { status, body } = await as(role).call('POST', '/requests', { kind, args: ARGS[kind as KindName], reason })
      if (status === 201) allowed.push(role)
      else expect([role, status, body.error.code]).toEqual([role, 403, 'ACCESS_DENIED'])
    }
    expect(allowed.toSorted()).toEqual([...(PROPOSERS[kind] ?? [])].toSorted())
  })

  it('every kind that is signed is in one of these tests', () => {
    const signed = Object.entries(KINDS).flatMap(([name, kind]) => ('isLight' in kind ? [] : name))
    const elsewhere = ['payouts.approve', 'payouts.cancel', ...OF_PLAYERS] // requests.test.ts, players.test.ts
    expect([...Object.keys(ARGS), ...elsewhere].toSorted()).toEqual(signed.toSorted())
  })

  it('a limit is an owner’s, and another owner’s to sign', async () => {
    const args = { key: 'payouts.two_person_sats', value: 90_000, from: null }
    const denied = await as('editor').call('POST', '/requests', { kind: 'settings.apply', args, reason })
    expect(denied.body.error.code).toBe('ACCESS_DENIED')
    const other = await bench.person('second-owner', ['owner'])
    const asked = await as('owner').propose('settings.apply', args)
    expect(asked.body.state).toBe('proposed')
    expect((await other.approve(asked.id)).body).toMatchObject({ state: 'done' })
  })
})

describe('what a request does', () => {
  it('sales of all games are paused by one person and resumed by two, and pages show the note', async () => {
    expect((await as('support').propose('sales.pause', { game: 'all', note: 'Back at noon.' })).body).toMatchObject({
      state: 'done',
    })
    expect(await world.rows(`select public_note, reason, actor from sales_pauses where until_at is null`)).toEqual([
      { public_note: 'Back at noon.', reason: 'Checked by telephone.', actor: 'support' },
    ])
    const early = await as('games').propose('sales.resume', { game: 'all' })
    expect((await as('owner').approve(early.id)).body.error).toMatchObject({
      code: 'REFUSED',
      message: 'Put right first: mail: No server answers.',
    })
    const checks = async () => (await as('auditor').call('GET', '/health')).body.checks
    expect(await checks()).toMatchObject([
      { id: 'mail', state: 'fail', runbook: '3-the-first-start' },
      { id: 'witnesses', state: 'warn' },
    ])
    for (const statement of ['update health_checks set checked_at = checked_at - 700', 'delete from health_checks']) {
      await world.rows(statement)
      const unseen = await as('games').propose('sales.resume', { game: 'all' })
      expect((await as('owner').approve(unseen.id)).body.error).toMatchObject({
        code: 'REFUSED',
        message: expect.stringContaining('Nobody has looked at the checks lately'),
      })
    }
    findings.shift()
    world.runtime.clock.set(world.runtime.clock.now() + 60)
    await vi.waitUntil(async () => (await checks()).length === 1, { timeout: 10_000 })
    const asked = await as('games').propose('sales.resume', { game: 'all' })
    expect((await as('owner').approve(asked.id)).body).toMatchObject({ state: 'done' })
    expect(await world.rows(`select from sales_pauses where until_at is null`)).toEqual([])
  })

  it('a games file is announced in the log with two signatures; its faults are told at once', async () => {
    const file = JSON.parse(gamesTemplate('starter') ?? '') as { games: { key: string; lines_most?: unknown }[] }
    const faulty = JSON.stringify({ ...file, games: [{ ...file.games[0], name: '', pick: 0 }] })
    const { status, body } = await as('games').call('POST', '/requests', {
      kind: 'games.apply',
      args: { file: faulty },
      reason,
    })
    expect([status, body.error.code]).toEqual([400, 'INVALID_PAYLOAD'])
    expect(Object.keys(body.error.fields).length).toBeGreaterThan(1)
    const asked = await as('games').propose('games.apply', { file: gamesTemplate('starter') })
    expect(asked.body.state).toBe('proposed')
    const before = await world.rows(`select from log_leaves`)
    expect((await as('owner').approve(asked.id)).body).toMatchObject({ state: 'done' })
    expect((await world.rows(`select from log_leaves`)).length).toBeGreaterThan(before.length)
  })

  it('a setting counts at once; a legal text wants an owner’s signature', async () => {
    const name = await as('editor').propose('settings.apply', { key: 'site.name', value: 'Lucky Draw', from: null })
    expect(name.body).toMatchObject({ state: 'done' })
    expect(await world.rows(`select value, actor from settings where key = 'site.name'`)).toEqual([
      { value: 'Lucky Draw', actor: 'editor' },
    ])
    const wrong = await as('editor').propose('settings.apply', { key: 'site.name', value: 7, from: null })
    expect(wrong.body.error).toMatchObject({ code: 'REFUSED', message: expect.stringContaining('site.name') })
    const terms = { key: 'legal.terms', value: { date: '2026-11-01', markdown: '# Terms\n\nBe kind.' }, from: null }
    expect((await as('editor').propose('settings.apply', terms)).body.state).toBe('proposed')
  })

  it('the log’s next key comes into force with two signatures', async () => {
    const asked = await as('owner').propose('log.change-key', {})
    expect((await as('support').approve(asked.id)).body).toMatchObject({ state: 'done' })
    expect(await world.rows(`select from log_leaves where type = 'key'`)).toHaveLength(1)
  })

  it.each([
    ['treasury.deposit', { outpoints: [`${TXID}:0`] }, 'There is no unknown deposit'],
    ['treasury.own-transfer', { outpoint: `${TXID}:0` }, 'There is no unknown deposit'],
  ])('%s of an unknown outpoint is refused, and nothing moves', async (kind, args, message) => {
    expect((await as('treasurer').propose(kind, args)).body.error).toMatchObject({
      code: 'REFUSED',
      message: expect.stringContaining(message),
    })
  })

  it('a fee is booked once, and an address for deposits is given', async () => {
    const fee = { sats: '10', reference: 'invoice-7' }
    expect((await as('treasurer').propose('treasury.fee', fee)).body).toMatchObject({ state: 'done' })
    expect((await as('treasurer').propose('treasury.fee', fee)).body.error.code).toBe('REFUSED')
    expect((await as('treasurer').propose('treasury.deposit-address', {})).body).toMatchObject({
      result: { address: 'bcrt1qoperator' },
    })
  })

  it('a new secret is answered once, to whoever signed for it', async () => {
    const made = await as('owner').propose('webhooks.create', {
      url: 'http://127.0.0.1:9/hook',
      types: ['order.paid', 'payout.sent'],
    })
    const { id, file } = made.body.result
    expect((await as('treasurer').call('GET', `/files/${file}`)).body.error.code).toBe('ACCESS_DENIED')
    expect((await as('owner').call('GET', `/files/${file}`)).body.content).toMatch(/^whsec_/)
    expect((await as('owner').call('GET', `/files/${file}`)).status).toBe(404)
    expect((await as('owner').propose('webhooks.rotate', { id })).body.result.file).not.toBe(file)
    expect((await as('owner').propose('webhooks.revoke', { id })).body.state).toBe('done')
    expect((await as('owner').propose('webhooks.rotate', { id })).body.error.code).toBe('REFUSED')
    const bad = await as('owner').propose('webhooks.create', { url: 'https://127.0.0.1/', types: ['no.such'] })
    expect(bad.body.error.code).toBe('REFUSED')
    const args = { name: 'Accounts', scopes: ['health:read'], expires_at: world.runtime.clock.now() + 86_400 }
    const key = await as('owner').propose('api-keys.create', args)
    const { body } = await as('owner').call('GET', `/files/${key.body.result.file}`)
    expect(body.content).toMatch(/^fbk_\d+_[0-9a-f]{64}$/)
    const reader = bench.program(body.content)
    expect((await reader('/health')).status).toBe(200)
    expect((await reader('/draws/bitcoin-hero/1')).body.error.code).toBe('ACCESS_DENIED')
    for (const path of ['/players/1', '/auth/me', '/requests'])
      expect([path, await reader(path)]).toMatchObject([
        path,
        { status: 403, body: { error: { code: 'ACCESS_DENIED' } } },
      ])
    for (const path of ['/health', '/players/1'])
      expect([path, await bench.program(body.content.replace(/.$/, 'x'))(path)]).toMatchObject([
        path,
        { status: 401, body: { error: { code: 'SIGN_IN_NEEDED' } } },
      ])
    world.runtime.clock.set(world.runtime.clock.now() + 1)
    const other = await as('owner').propose('api-keys.create', { ...args, name: 'Late' })
    world.runtime.clock.set(world.runtime.clock.now() + 24 * 3600)
    await as('owner').signIn()
    expect((await as('owner').call('GET', `/files/${other.body.result.file}`)).status).toBe(404)
  })

  it('somebody says that they have seen an alarm, without a signature', async () => {
    const seen = await as('support').propose('alarms.acknowledge', { alarm: 'check:mail' })
    expect(seen).toMatchObject({ status: 201, body: { state: 'done' } })
    expect((await as('support').propose('invariants.check', {})).body.state).toBe('done')
    expect((await as('auditor').propose('invariants.check', {})).body.error.code).toBe('ACCESS_DENIED')
    expect(await world.rows(`select actor, subject from operator_actions where kind = 'alarms.acknowledge'`)).toEqual([
      { actor: 'support', subject: 'check:mail' },
    ])
  })

  it('a month is locked with two signatures from 24 hours after its end', async () => {
    const early = await as('treasurer').propose('periods.lock', { month: '2025-01' })
    expect((await as('owner').approve(early.id)).body.error.code).toBe('REFUSED')
    const asked = await as('treasurer').propose('periods.lock', { month: '2024-11' })
    expect((await as('owner').approve(asked.id)).body.result).toMatchObject({
      journal_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
  })
})
