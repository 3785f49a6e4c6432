import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { TestPasskey } from '../../../test/authenticator.ts'
import { CONSOLE_ORIGIN, testConsole, type TestConsole, type TestStaff } from '../../../test/console.ts'
import { testDatabase, type TestDatabase } from '../../../test/database.ts'
import { Refused } from '../../kernel/errors.ts'
import { sql, t } from '../../db/sql.ts'
import { testRuntime, type TestRuntime } from '../../runtime/test-runtime.ts'
import { listOutbox } from '../messages/service.ts'
import { noteAction } from '../operator/service.ts'
import { commandBy } from './command-people.ts'
import { tellOwners } from './notices.ts'
import { allowAlone, demoInvite, inviteFirst, resetKeys } from './people.ts'

let database: TestDatabase
let runtime: TestRuntime
let bench: TestConsole
let owner: TestStaff

beforeAll(async () => {
  runtime = testRuntime()
  database = await testDatabase({ runtime })
  bench = await testConsole({ db: database.db, runtime })
  await bench.begin()
})
afterAll(async () => {
  await bench.end()
  await database.drop()
})

const countSessions = sql({
  name: 'people-test.count-sessions',
  text: `select count(*)::int as sessions from staff_sessions`,
  row: { sessions: t.int },
})
const addRate = sql({
  name: 'people-test.add-rate',
  text: `insert into rates (at, currency, sats_per_unit) values ($1, 'GBP', 1333)`,
  params: [t.epochSeconds],
})
const desk = () => ({ ...bench.ctx, actor: 'root' })
const tokenOf = (text: string): string => /\/enter\/([\w-]+)/.exec(text)?.[1] ?? ''

describe('the site', () => {
  it('its name, test mode and rate are there before anybody has signed in', async () => {
    expect((await bench.call('GET', '/site')).body).toMatchObject({
      name: 'Fairball',
      url: 'http://localhost:3000',
      is_demo: true,
      rate: null,
    })
    const at = runtime.clock.now()
    await database.db.execute(addRate, [at])
    await database.db.execute(addRate, [at + 60])
    expect((await bench.call('GET', '/site')).body.rate).toEqual({
      currency: 'GBP',
      symbol: '£',
      position_of_symbol: 'LEFT',
      sats: '1333',
      at,
    })
  })
})

describe('the first person', () => {
  it('the first person is invited on the server, and registers two passkeys over one link', async () => {
    const said = await inviteFirst(desk(), 'Olga Owner', 'olga@lottery.example', ['owner', 'treasurer'])
    const path = `/invites/${tokenOf(said)}`
    expect((await bench.call('GET', path)).body).toEqual({
      name: 'Olga Owner',
      roles: ['owner', 'treasurer'],
      keys: 0,
      keys_needed: 2,
    })
    const keys = [new TestPasskey(), new TestPasskey()]
    const [first, second] = await bench.register(tokenOf(said), keys)
    expect(first).toMatchObject({ status: 200, body: { keys: 1, keys_needed: 1 } })
    expect(second).toMatchObject({ status: 200, body: { keys: 2, keys_needed: 0 } })
    const token = tokenOf(said)
    expect((await bench.call('GET', path)).status).toBe(404)
    expect((await bench.signIn(new TestPasskey())).body.error.code).toBe('SIGNATURE_REFUSED')
    owner = bench.staff(keys)
    await owner.signIn()
    expect((await owner.call('GET', '/auth/me')).body.staff).toMatchObject({ name: 'Olga Owner' })
    // The audit log leads to both registrations, and neither has the link in it.
    const { body: audit } = await owner.call('GET', '/audit')
    const requests = audit.results.flatMap((row: { kind: string; request: string }) =>
      row.kind === 'staff.enrol' ? row.request : [],
    )
    expect(requests).toHaveLength(2)
    for (const id of requests) {
      const { status, body } = await owner.call('GET', `/requests/${id}`)
      expect([status, body]).toMatchObject([200, { id, kind: 'staff.enrol', state: 'done', proposed_by: null }])
      expect(JSON.stringify(body)).not.toContain(token)
    }
    await expect(inviteFirst(desk(), 'Eve', 'eve@lottery.example', ['owner'])).rejects.toThrow(Refused)
  })

  it('one person alone gives both signatures, with two different passkeys', async () => {
    const invited = await owner.propose('staff.invite', {
      name: 'Anna Approver',
      email: 'anna@lottery.example',
      roles: ['approver'],
    })
    expect(invited.body.state).toBe('proposed')
    expect(await owner.approve(invited.id, owner.keys[0])).toMatchObject({
      status: 400,
      body: { error: { code: 'SIGNATURE_REFUSED' } },
    })
    expect(await owner.approve(invited.id, owner.keys[1])).toMatchObject({ body: { state: 'done' } })
    const mail = await vi.waitUntil(async () => (await listOutbox(bench.ctx, 'anna@lottery.example'))[0], {
      timeout: 10_000,
    })
    const anna = [new TestPasskey(), new TestPasskey()]
    await bench.register(tokenOf(mail.text), anna.slice(0, 1))
    const approver = bench.staff(anna)
    await approver.signIn()
    expect(await approver.propose('payouts.hold', { batch: 'all' })).toMatchObject({
      status: 403,
      body: { error: { code: 'ACCESS_DENIED', message: expect.stringContaining('Register 2 passkeys') } },
    })
    await bench.register(tokenOf(mail.text), anna.slice(1))
    expect(await approver.propose('payouts.hold', { batch: 'all' })).toMatchObject({ body: { state: 'done' } })
  })

  it('with the second person that ends for good, until the server allows it again', async () => {
    const change = { staff: owner.id, roles: ['owner', 'games'] }
    const asked = await owner.propose('staff.roles', change)
    expect(await owner.approve(asked.id, owner.keys[1])).toMatchObject({
      body: { error: { code: 'SECOND_PERSON_NEEDED' } },
    })
    const { body: people } = await owner.call('GET', '/staff')
    expect(people).toMatchObject([{ keys: 2 }, { name: 'Anna Approver', keys: 2, roles: ['approver'] }])
    await expect(allowAlone(desk())).rejects.toThrow('2 people are enrolled')
    expect(await owner.propose('staff.disable', { staff: people[1].id })).toMatchObject({ body: { state: 'done' } })
    expect(await owner.approve(asked.id, owner.keys[1])).toMatchObject({
      body: { error: { code: 'SECOND_PERSON_NEEDED' } },
    })
    await allowAlone(desk())
    expect(await owner.approve(asked.id, owner.keys[1])).toMatchObject({ body: { state: 'done' } })
  })
})

describe('the people of the staff', () => {
  beforeEach(() => owner.signIn())

  it('whoever is disabled is signed out at once, and signs in no more', async () => {
    const gone = await bench.person('gone', ['support'])
    expect((await gone.call('GET', '/auth/me')).status).toBe(200)
    expect(await owner.propose('staff.disable', { staff: gone.id })).toMatchObject({ body: { state: 'done' } })
    expect((await gone.call('GET', '/auth/me')).body.error.code).toBe('SIGN_IN_NEEDED')
    expect((await bench.signIn(gone.keys[0] ?? new TestPasskey())).body.error.code).toBe('SIGNATURE_REFUSED')
  })

  it('there is always an owner', async () => {
    expect(await owner.propose('staff.disable', { staff: owner.id })).toMatchObject({
      status: 409,
      body: { error: { code: 'REFUSED', message: 'Nobody would be an owner then.' } },
    })
  })

  it('from three people on nobody is both treasurer and approver', async () => {
    await bench.person('both', ['treasurer', 'approver'])
    const other = await bench.person('other', ['owner'])
    const asked = await owner.propose('staff.invite', { name: 'C', email: 'c@lottery.example', roles: ['support'] })
    expect(await other.approve(asked.id)).toMatchObject({
      status: 409,
      body: { error: { code: 'REFUSED', message: expect.stringContaining('both treasurer and approver') } },
    })
  })

  it('lost passkeys are taken back on the server, and a new link takes their place', async () => {
    const lost = await bench.person('lost', ['support'])
    const said = await resetKeys(desk(), BigInt(lost.id))
    expect((await lost.call('GET', '/auth/me')).status).toBe(401)
    const fresh = new TestPasskey()
    expect((await bench.register(tokenOf(said), [fresh]))[0]).toMatchObject({ body: { keys: 1 } })
    expect((await bench.signIn(fresh)).status).toBe(200)
  })

  it('a link works for 24 hours, for its own challenge, and for a passkey that nobody has', async () => {
    const { db } = database
    const invite = { name: 'late', email: 'late@lottery.example', roles: ['support'] as const }
    const link = await db.transaction((tx) => demoInvite(bench.ctx, tx, invite))
    const token = tokenOf(link)
    expect(await bench.register(token, [owner.keys[0] ?? new TestPasskey()])).toMatchObject([
      { status: 409, body: { error: { code: 'REFUSED' } } },
    ])
    const { body } = await bench.call('POST', '/auth/options')
    const options = { ...body.options, rp: { id: 'localhost' } }
    const response = new TestPasskey().register(options, CONSOLE_ORIGIN)
    expect(await bench.call('POST', `/invites/${token}`, { response, label: 'Key' })).toMatchObject({
      body: { error: { code: 'SIGNATURE_REFUSED' } },
    })
    runtime.clock.set(runtime.clock.now() + 24 * 3600)
    expect((await bench.call('GET', `/invites/${token}`)).status).toBe(404)
  })

  it('the options for a passkey register one, and the next needs others', async () => {
    const invite = { name: 'hasty', email: 'hasty@lottery.example', roles: ['support'] as const }
    const token = tokenOf(await database.db.transaction((tx) => demoInvite(bench.ctx, tx, invite)))
    const { body } = await bench.call('POST', `/invites/${token}/options`)
    const enrol = (key: TestPasskey) =>
      bench.call('POST', `/invites/${token}`, { response: key.register(body.options, CONSOLE_ORIGIN), label: 'Key' })
    expect(await enrol(new TestPasskey())).toMatchObject({ status: 200, body: { keys: 1 } })
    expect(await enrol(new TestPasskey())).toMatchObject({
      status: 400,
      body: { error: { code: 'SIGNATURE_REFUSED' } },
    })
    expect(await bench.register(token, [new TestPasskey()])).toMatchObject([{ status: 200, body: { keys: 2 } }])
  })

  it('a session ends after 15 minutes without a call, and after twelve hours', async () => {
    const isIn = async (): Promise<boolean> => (await owner.call('GET', '/auth/me')).status === 200
    for (let quarter = 0; quarter < 12 * 4 + 3; quarter += 1) {
      runtime.clock.set(runtime.clock.now() + 14 * 60)
      expect(await isIn()).toBe(true)
    }
    runtime.clock.set(runtime.clock.now() + 6 * 60)
    expect(await isIn()).toBe(false)
    await owner.signIn()
    runtime.clock.set(runtime.clock.now() + 15 * 60)
    expect(await isIn()).toBe(false)
  })

  it('the answer of a passkey signs in once, also after the session has ended', async () => {
    const invite = { name: 'synced', email: 'synced@lottery.example', roles: ['support'] as const }
    const key = new TestPasskey({ counts: false })
    await bench.register(tokenOf(await database.db.transaction((tx) => demoInvite(bench.ctx, tx, invite))), [key])
    const { body } = await bench.call('POST', '/auth/options')
    const sent = { response: key.sign(body.options, CONSOLE_ORIGIN) }
    const sessions = async () => (await database.db.one(countSessions, [])).sessions
    const before = await sessions()
    const both = await Promise.all([1, 2].map(() => bench.call('POST', '/auth/sign-in', sent)))
    expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 400])
    const cookie = String(both.find(({ status }) => status === 200)?.headers['set-cookie']).split(';')[0] ?? ''
    expect((await bench.call('POST', '/auth/sign-out', undefined, cookie)).status).toBe(200)
    expect((await bench.call('POST', '/auth/sign-in', sent)).body.error.code).toBe('SIGNATURE_REFUSED')
    expect(await sessions()).toBe(before + 1)
    runtime.clock.set(runtime.clock.now() + 900) // what was refused is forgotten
  })

  it('an address is refused for 15 minutes after ten failed sign-ins', async () => {
    for (let tries = 0; tries < 10; tries += 1) expect((await bench.signIn(new TestPasskey())).status).toBe(400)
    const [key = new TestPasskey()] = owner.keys
    expect((await bench.signIn(key)).body.error.code).toBe('TOO_MANY_REQUESTS')
    runtime.clock.set(runtime.clock.now() + 900)
    expect((await bench.signIn(key)).status).toBe(200)
  })
})

describe('a command on the server', () => {
  const by = (typed: Partial<Parameters<typeof commandBy>[1]>) =>
    commandBy(database.db, { as: owner.id, reason: 'Console is down.', signatures: 1, isEmergency: false, ...typed })

  it('a command is run by somebody of the staff, and alone only in an emergency', async () => {
    expect(await by({})).toEqual({ staffId: BigInt(owner.id), reason: 'Console is down.' })
    await expect(by({ as: null })).rejects.toThrow('Say who you are with --as <number>: 1 Olga Owner')
    await expect(by({ as: '999' })).rejects.toThrow(Refused)
    await expect(by({ signatures: 2 })).rejects.toThrow('Two people sign this in the console')
    expect(await by({ signatures: 2, isEmergency: true })).toMatchObject({ staffId: BigInt(owner.id) })
    await expect(by({ reason: 'two\nlines of text' })).rejects.toThrow('one line')
  })

  it('a command, and a sign-in from a new device, are mailed to all owners once', async () => {
    const people = { ...(await by({})), approverId: null, request: null }
    const act = { action: 'payouts-hold', subject: 'all', detail: 'All payouts are held.' }
    await database.db.transaction((tx) => noteAction({ ...desk(), people }, tx, act))
    await bench.person('traveller', ['support'])
    runtime.clock.set(runtime.clock.now() + 11)
    for (const _ of [1, 2]) await database.db.transaction((tx) => tellOwners(bench.ctx, tx))
    const isTold = async () => (await subjects()).some((subject) => subject.startsWith('traveller'))
    await vi.waitUntil(isTold, { timeout: 10_000 })
    const told = await subjects()
    expect(told.filter((subject) => subject === 'The command payouts-hold was run on the server')).toHaveLength(1)
    expect(told.filter((subject) => subject === 'traveller signed in from a new device')).toHaveLength(1)
  })

  const subjects = async (): Promise<string[]> =>
    (await listOutbox(bench.ctx, 'olga@lottery.example')).map(({ subject }) => subject)
})

describe('the audit log', () => {
  it('a bit that was changed in a row or in a signature is found', async () => {
    const verify = async () => (await owner.call('GET', '/audit/verify')).body
    await owner.signIn()
    expect(await verify()).toMatchObject({ ok: true, first_bad: null, head: expect.stringMatching(/^[0-9a-f]{64}$/) })
    const client = await database.connect()
    await client.query('set session_replication_role = replica') // as somebody who owns the database
    const { rows } = await client.query<{ id: string }>(
      `select id::text from operator_actions where kind = 'staff.disable' order by id limit 1`,
    )
    const id = rows[0]?.id
    for (const [change, back] of [
      [`detail = detail || '.'`, `detail = left(detail, -1)`],
      [`at = at + 1`, `at = at - 1`],
      [`actor = 'Eve' || actor`, `actor = substr(actor, 4)`],
      [`reason = 'Another one.' || reason`, `reason = substr(reason, 13)`],
      [`args = args || '{"x": 1}'`, `args = args - 'x'`],
    ]) {
      await client.query(`update operator_actions set ${change} where id = $1`, [id])
      expect(await verify(), change).toMatchObject({ ok: false, first_bad: id })
      await client.query(`update operator_actions set ${back} where id = $1`, [id])
      expect(await verify(), back).toMatchObject({ ok: true })
    }
    await client.query(
      `update operator_signatures set signature = set_byte(signature, 20, get_byte(signature, 20) # 1)
        where request_id = (select request_id from operator_actions where id = $1)`,
      [id],
    )
    expect(await verify()).toMatchObject({ ok: false, first_bad: id })
    await expect(database.db.execute(removeActions, [])).rejects.toThrow('append-only')
  })
})

const removeActions = sql({ name: 'people-test.remove-actions', text: `delete from operator_actions` })
