import { randomBytes, randomUUID } from 'node:crypto'
import { actionText } from '@fairball/contract/console/action-text'
import { canonicalJson } from '@fairball/contract/console/canonical-json'
import { KINDS } from '@fairball/contract/console/kinds'
import { ROLES, type Role } from '@fairball/contract/console/roles'
import type { Assertion } from '@fairball/contract/console/staff'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { TestPasskey } from '../../../test/authenticator.ts'
import { CONSOLE_ORIGIN, testConsole, type TestConsole, type TestStaff } from '../../../test/console.ts'
import { type PayoutCluster, startPayoutCluster } from '../../../test/payout-cluster.ts'
import { CONSOLE_ROLE } from '../../db/grants.ts'
import { createDatabase, type Db } from '../../db/pool.ts'
import { lookAtRequest } from './carry-out.ts'
import { sha256 } from './passkeys.ts'
import { demoInvite } from './people.ts'

// Section 10 of the console's document: what nobody can do by its calls, and what its process could not do if somebody
// else had it, with every statement that its login may run and everything that people sign in its pages.

/** What changes without anybody's doing: what the console itself writes, and what jobs note of their runs. */
const NOTED =
  /^(?:operator_requests|operator_signatures|console_challenges|staff_sessions|staff_keys|jobs|readings|health_checks|process_settings|system_state|mail_outbox|schema_migrations)$/u
const REFUSED = '42501'

let cluster: PayoutCluster
let consoleDb: Db
let bench: TestConsole
/** the connection of whoever has taken the console over */
let thief: pg.Client
let owner: pg.Client
let login: string
const people = new Map<Role, TestStaff>()
const as = (role: Role): TestStaff => {
  const person = people.get(role)
  if (person === undefined) throw new Error(`nobody is ${role}`)
  return person
}

beforeAll(async () => {
  cluster = await startPayoutCluster({ limits: { approvalSats: 50_000n, floatSats: null } })
  owner = new pg.Client({ connectionString: cluster.url })
  await owner.connect()
  login = new URL(cluster.url).pathname.slice(1).replace('fairball_test', 'never')
  await owner.query(`create role ${login} login in role ${CONSOLE_ROLE}`)
  const url = new URL(cluster.url)
  url.username = login
  thief = new pg.Client({ connectionString: url.href })
  await thief.connect()
  consoleDb = createDatabase({
    address: url.href,
    runtime: cluster.runtime,
    poolSize: 5,
    statementTimeoutMs: 5_000,
    areStatementsReadOnly: true,
  })
  bench = await testConsole({ db: cluster.db, runtime: cluster.runtime, consoleDb })
  await bench.begin()
  for (const role of ROLES) people.set(role, await bench.person(role, [role]))
  people.set('owner', await bench.person('owner', ['owner']))
})
beforeEach(async () => {
  for (const staff of people.values()) await staff.signIn()
})
afterAll(async () => {
  await bench.end()
  await consoleDb.close()
  await thief.end()
  await owner.query(`drop role ${login}`)
  await owner.end()
  await cluster.drop()
})

/** The content of every table but those that only note. */
async function world(): Promise<Record<string, string>> {
  const { rows: tables } = await owner.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
  )
  const found: Record<string, string> = {}
  for (const { name } of tables.filter((one) => !NOTED.test(one.name))) {
    const { rows } = await owner.query<{ hash: string }>(
      `select count(*) || ' ' || md5(coalesce(string_agg(row::text, ',' order by row::text), '')) as hash from "${name}" as row`,
    )
    found[name] = rows[0]?.hash ?? ''
  }
  const { rows: keys } = await owner.query(
    'select id, staff_id, credential_id, public_key, revoked_at from staff_keys order by id',
  )
  return { ...found, keys: JSON.stringify(keys, (_, value) => (typeof value === 'bigint' ? String(value) : value)) }
}

/** A batch that waits for approval. */
async function waitingBatch(): Promise<string> {
  const { id } = await cluster.money.player()
  await cluster.money.owe(id, 60_000n)
  await cluster.pass(cluster.worker(), 0)
  const { rows } = await owner.query<{ id: string }>(
    `select max(id)::text as id from payout_batches where state = 'WAITING_APPROVAL'`,
  )
  return rows[0]?.id ?? ''
}

interface Forged {
  readonly id: string
  readonly kind: string
  readonly args: unknown
  readonly facts: unknown
  readonly reason: string
  readonly by: string | null
  readonly createdAt: number
  readonly expiresAt: number
}

/** A request as the taken over console writes it. */
async function forge(given: Partial<Forged>): Promise<Forged> {
  const now = cluster.now()
  const one: Forged = {
    id: randomUUID(),
    kind: 'payouts.hold',
    args: { batch: 'all' },
    facts: {},
    reason: 'Made up by a thief.',
    by: as('treasurer').id,
    createdAt: now,
    expiresAt: now + 300,
    ...given,
  }
  await thief.query(
    `insert into operator_requests (id, kind, args, reason, facts, proposed_by, created_at, expires_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      one.id,
      one.kind,
      JSON.stringify(one.args),
      one.reason,
      JSON.stringify(one.facts),
      one.by,
      one.createdAt,
      one.expiresAt,
    ],
  )
  return one
}

/** The text that a person is shown for a request, with what the console changes in it. */
function textOf(of: Forged, staff: TestStaff, more: { part?: 'propose' | 'approve'; expires?: number } = {}): string {
  return actionText({
    console: CONSOLE_ORIGIN,
    request: of.id,
    part: more.part ?? 'propose',
    staff: staff.id,
    kind: of.kind,
    args: of.args as never,
    facts: Buffer.from(sha256(canonicalJson(of.facts as never))).toString('hex'),
    reason: of.reason,
    nonce: randomBytes(16).toString('hex'),
    expires: more.expires ?? of.expiresAt,
  })
}

/** A person signs a text with a passkey, as they would in the pages. */
function signed(text: string, staff: TestStaff, origin = CONSOLE_ORIGIN): Assertion {
  const challenge = Buffer.from(sha256(text)).toString('base64url')
  const [key = new TestPasskey()] = staff.keys
  return key.sign({ rpId: 'localhost', challenge }, origin)
}

/** Stores a signature, whatever it is worth. */
async function store(
  request: string,
  staff: TestStaff,
  { part = 'propose', text, response, at = cluster.now(), salt = '' }: StoredForgery,
): Promise<void> {
  const bytes = (of: string): Buffer => Buffer.from(of, 'base64url')
  await thief.query(
    `insert into operator_signatures (request_id, part, staff_id, key_id, text, challenge, authenticator_data,
        client_data_json, signature, signed_at)
      select $1, $2, $3::bigint, id, $4, $5, $6, $7, $8, $9 from staff_keys where credential_id = $10`,
    [
      request,
      part,
      staff.id,
      text,
      salt === '' ? Buffer.from(sha256(text)) : randomBytes(32),
      bytes(response.response.authenticatorData),
      bytes(response.response.clientDataJSON),
      bytes(response.response.signature),
      at,
      staff.keys[0]?.id,
    ],
  )
}

interface StoredForgery {
  readonly part?: 'propose' | 'approve'
  readonly text: string
  readonly response: Assertion
  readonly at?: number
  readonly salt?: string
}

async function stateOf(id: string): Promise<string> {
  const { rows } = await owner.query<{ state: string; code: string }>(
    `select state, result ->> 'code' as code from operator_requests where id = $1`,
    [id],
  )
  return [rows[0]?.state, rows[0]?.code].filter(Boolean).join(' ')
}

/** A worker looks at a request as it does when it hears of it. */
async function look(id: string): Promise<string> {
  await lookAtRequest(bench.ctx, id, { attempts: 0 })
  return await stateOf(id)
}

describe('the calls of the console', () => {
  it('no kind is about seeds, rounds, draws, entries, plays, postings, or what only a player may change', () => {
    const ABOUT =
      /^(?:seed|round|beacon|draw|entr|play\b|plays|ticket|win|posting|transfer|ledger|statement|witness|transaction)|^players\.(?:address|email|password|twofa|sign-in|order)|limit|sign\b/u
    expect(Object.keys(KINDS).filter((name) => ABOUT.test(name))).toEqual([])
  })

  it('nobody is let in by a session that is made up, and nobody asks for what their roles do not allow', async () => {
    const before = await world()
    const cookie = randomBytes(32).toString('base64url')
    expect((await bench.call('GET', '/staff', undefined, `console=${cookie}`)).status).toBe(401)
    for (const role of ROLES)
      for (const [name, { proposers }] of Object.entries(KINDS)) {
        if ((proposers as readonly Role[]).includes(role)) continue
        const { status, body } = await as(role).call('POST', '/requests', {
          kind: name,
          args: {},
          reason: 'I want to.',
        })
        expect([role, name, status, body.error.code]).toEqual([role, name, 403, 'ACCESS_DENIED'])
      }
    expect(await world()).toEqual(before)
  })

  it('an auditor signs nothing, not even where any other person may', async () => {
    const change = { staff: as('support').id, roles: ['support', 'editor'] }
    const { id, body } = await as('owner').propose('staff.roles', change)
    expect(body.state).toBe('proposed')
    expect((await as('auditor').approve(id)).body.error.code).toBe('ACCESS_DENIED')
    const no = { reason: 'I do not like it.' }
    expect((await as('auditor').call('POST', `/requests/${id}/reject`, no)).body.error.code).toBe('ACCESS_DENIED')
    expect((await as('games').call('POST', `/requests/${id}/reject`, no)).body.state).toBe('rejected')
  })
})

describe('the login of the console', () => {
  it('it writes nothing but requests, signatures, challenges and sessions, and reads no secret', async () => {
    const { rows: tables } = await owner.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
    )
    const MAY = /^(?:operator_requests|operator_signatures|console_challenges|console_files|staff|staff_.*)$/u
    for (const { name } of tables)
      for (const text of [
        ...(MAY.test(name) ? [] : [`select * from "${name}"`, `insert into "${name}" default values`]),
        ...(name === 'console_files' ? [] : [`delete from "${name}"`]),
        `truncate "${name}"`,
        `alter table "${name}" disable trigger all`,
      ])
        await expect(thief.query(text), text).rejects.toMatchObject({ code: REFUSED })
    for (const text of [
      `update operator_requests set state = 'approved'`,
      `insert into operator_requests (id, kind, args, reason, facts, created_at, expires_at, state)
        values (gen_random_uuid(), 'payouts.hold', '{}', 'x', '{}', 0, 0, 'approved')`,
      `update operator_signatures set text = ''`,
      `update staff_keys set public_key = ''`,
      `update staff_keys set revoked_at = null`,
      `update staff_keys set signed_count = 0, signed_id = 0`,
      `update staff_sessions set staff_id = 1`,
      `update staff set roles = '{owner}'`,
      `insert into staff (name, email, roles, created_at) values ('Eve', 'eve@example.org', '{owner}', 0)`,
      `select hash from staff_invites`,
      `select hash from staff_sessions`,
      `set session_replication_role = replica`,
      `set role fairball_web`,
      `create function f() returns int language sql as 'select 1'`,
    ])
      await expect(thief.query(text), text).rejects.toThrow(/denied|must be|permission/u)
    const SECRET = /seed|secret|password|twofa|hash_of|token|sealed/u
    const { rows: columns } = await owner.query<{ name: string }>(
      `select table_name || '.' || column_name as name from information_schema.columns where table_name like 'console\\_%'`,
    )
    const named = columns.map(({ name }) => name).filter((name) => SECRET.test(name))
    expect(named.filter((name) => !/\.seed_hash$|\.is_|_at$/u.test(name))).toEqual([])
  })
})

describe('a console that somebody else has taken over', () => {
  it('signatures of another request, part, person or origin, and for other arguments, facts or reasons do nothing', async () => {
    const batch = await waitingBatch()
    const real = await as('approver').propose('payouts.approve', { batch })
    expect(real.body.state).toBe('proposed')
    const { body: request } = await as('approver').call('GET', `/requests/${real.id}`)
    const before = await world()
    const kind = 'payouts.approve'
    const facts = request.facts as Record<string, unknown>
    const own = { kind, args: { batch }, facts, by: as('approver').id }
    const approver = as('approver')
    const treasurer = as('treasurer')

    // Each is stored as the first signature of a request of its own.
    const firsts: Record<string, (of: Forged) => StoredForgery> = {
      'of another request': (of) => text({ ...of, id: real.id }),
      'for other arguments': (of) => text({ ...of, args: { batch: '999' } }),
      'for other facts': (of) => text({ ...of, facts: { ...facts, state: 'BATCHED' } }),
      'for another reason': (of) => text({ ...of, reason: 'Another reason than that.' }),
      'for another kind': (of) => text({ ...of, kind: 'payouts.hold' }),
      'of the other part': (of) => text(of, { part: 'approve' }),
      'of another person': (of) => {
        const shown = textOf(of, treasurer)
        return { text: shown, response: signed(shown, approver) }
      },
      'with the text swapped afterwards': (of) => ({
        ...text({ ...of, reason: 'What was shown.' }),
        text: textOf(of, approver),
      }),
      'of another origin': (of) => {
        const shown = textOf(of, approver)
        return { text: shown, response: signed(shown, approver, 'https://console.evil.example') }
      },
      'for a text that ended long ago': (of) => ({
        ...text(of, { expires: cluster.now() - 1 }),
        at: cluster.now() - 60,
      }),
      'for a text without an end': (of) => text(of, { expires: 9_999_999_999 }),
    }
    function text(of: Forged, more: Parameters<typeof textOf>[2] = {}): StoredForgery {
      const shown = textOf(of, approver, more)
      return { text: shown, response: signed(shown, approver) }
    }
    for (const [what, make] of Object.entries(firsts)) {
      const one = await forge(own)
      await store(one.id, approver, { ...make(one), salt: 'x' })
      expect([what, await look(one.id)]).toEqual([what, 'refused SIGNATURE_REFUSED'])
      const two = await forge(own)
      await store(two.id, approver, make(two))
      const code = what.startsWith('for a text') ? 'REQUEST_CLOSED' : 'SIGNATURE_REFUSED'
      expect([what, await look(two.id)]).toEqual([what, `refused ${code}`])
    }
    expect(await world()).toEqual(before)

    // The second signature: the first one again, one by the same person, one by somebody without the role.
    const seconds: Record<string, (of: Forged) => readonly [TestStaff, StoredForgery]> = {
      'the proposer': (of) => [approver, { ...text(of, { part: 'approve' }), part: 'approve' }],
      'the first again': (of) => [approver, { ...text(of), part: 'approve' }],
      'somebody without the role': (of) => {
        const shown = textOf(of, as('editor'), { part: 'approve' })
        return [as('editor'), { text: shown, response: signed(shown, as('editor')), part: 'approve' }]
      },
      'the treasurer of another reason': (of) => {
        const shown = textOf({ ...of, reason: 'Another reason than that.' }, treasurer, { part: 'approve' })
        return [treasurer, { text: shown, response: signed(shown, treasurer), part: 'approve' }]
      },
      'the treasurer, kept for later': (of) => {
        const shown = textOf(of, treasurer, { part: 'approve', expires: cluster.now() - 1 })
        return [treasurer, { text: shown, response: signed(shown, treasurer), part: 'approve', at: cluster.now() - 60 }]
      },
    }
    for (const [who, make] of Object.entries(seconds)) {
      const one = await forge(own)
      await store(one.id, approver, text(one))
      expect([who, await look(one.id)]).toEqual([who, 'proposed'])
      const [staff, signature] = make(one)
      await store(one.id, staff, signature)
      expect([who, await look(one.id)]).toEqual([who, expect.stringMatching(/^refused /u)])
    }
    expect(await world()).toEqual(before)

    // And with what people are meant to sign, it is done: the forgeries above fail by nothing else.
    expect((await treasurer.approve(real.id)).body.state).toBe('done')
  })

  it('a signature serves once, though its challenge is made up', async () => {
    const holder = as('treasurer')
    const one = await forge({})
    const shown = textOf(one, holder)
    const response = signed(shown, holder)
    await store(one.id, holder, { text: shown, response })
    expect(await look(one.id)).toBe('done')
    const before = await world()
    expect(await look(one.id)).toBe('done')
    await expect(store(one.id, holder, { text: shown, response })).rejects.toThrow('challenge')
    await store(one.id, holder, { text: shown, response, salt: 'x' })
    expect(await look(one.id)).toBe('done')
    expect(await world()).toEqual(before)
  })

  it('no passkey is added with a link that is guessed, over, used or made up', async () => {
    const invite = { name: 'late', email: 'late@lottery.example', roles: ['support'] as const }
    const link = (): Promise<string> => cluster.db.transaction((tx) => demoInvite(bench.ctx, tx, invite))
    const tokenOf = (address: string): string => address.split('/').at(-1) ?? ''
    const replaced = tokenOf(await link())
    const over = tokenOf(await link())
    await owner.query('update staff_invites set expires_at = $1 where hash = $2', [cluster.now(), sha256(over)])
    const before = await world()
    const { rows: staff } = await owner.query<{ id: string }>(`select max(id)::text as id from staff`)
    for (const [what, args] of [
      ['guessed', { token: randomBytes(32).toString('base64url') }],
      ['used', { token: replaced }],
      ['over', { token: over }],
      ['none', {}],
      ['of another type', { token: 7 }],
    ] as const) {
      const challenge = randomBytes(32)
      await thief.query(
        `insert into console_challenges (challenge, purpose, staff_id, expires_at) values ($1, 'enrol', $2, $3)`,
        [challenge, staff[0]?.id, cluster.now() + 300],
      )
      const response = new TestPasskey().register(
        { rp: { id: 'localhost' }, challenge: challenge.toString('base64url') },
        CONSOLE_ORIGIN,
      )
      const one = await forge({
        kind: 'staff.enrol',
        by: null,
        args: { response, label: 'Key', ...args },
      })
      expect([what, await look(one.id)]).toEqual([what, expect.stringMatching(/^refused /u)])
      const { rows } = await owner.query('select args from operator_requests where id = $1', [one.id])
      expect(rows).toEqual([{ args: {} }])
    }
    expect(await world()).toEqual(before)
  })

  it('a link serves two passkeys, though three come at once', async () => {
    const invite = { name: 'three', email: 'three@lottery.example', roles: ['support'] as const }
    const address = await cluster.db.transaction((tx) => demoInvite(bench.ctx, tx, invite))
    const path = `/invites/${address.split('/').at(-1) ?? ''}`
    const made = await Promise.all(
      [1, 2, 3].map(async () => {
        const { body } = await bench.call('POST', `${path}/options`)
        return new TestPasskey().register(body.options, CONSOLE_ORIGIN)
      }),
    )
    await Promise.all(made.map((response) => bench.call('POST', path, { response, label: 'Key' })))
    const { rows } = await owner.query(
      `select count(*)::int as keys from staff_keys where staff_id = (select max(id) from staff)`,
    )
    expect(rows).toEqual([{ keys: 2 }])
    await owner.query(`update staff set disabled_at = 1 where id = (select max(id) from staff)`)
  })

  it('requests that need no signature end requests, and change nothing else', async () => {
    const before = await world()
    // Two have no arguments to make up: a test mail goes to whoever asks, once a minute; invariants are only read.
    const LIGHT = Object.entries(KINDS).flatMap(([name, kind]) =>
      'isLight' in kind && !['mail.test', 'invariants.check'].includes(name) ? name : [],
    )
    for (const kind of LIGHT)
      for (const args of [{}, { request: randomUUID() }, { request: 'x' }, [], null, { toString: 1 }])
        for (const reason of [
          'Made up by a thief.',
          'short',
          'Two lines,\nwhich no reason has.',
          'x'.repeat(100_000),
        ]) {
          const one = await forge({ kind, args, reason })
          expect([kind, args, await look(one.id)]).toEqual([kind, args, expect.stringMatching(/^refused /u)])
        }
    for (const kind of ['no.such-kind', 'constructor', '__proto__', 'a\nb']) {
      const one = await forge({ kind })
      await store(one.id, as('treasurer'), { text: 'x', response: signed('x', as('treasurer')), salt: 'x' })
      expect([kind, await look(one.id)]).toEqual([kind, 'refused REFUSED'])
    }
    const { operator_actions: _, ...rest } = await world()
    const { operator_actions: _before, ...restBefore } = before
    expect(rest).toEqual(restBefore)
  })

  it('what it writes keeps no page from being read', async () => {
    const { id, staff } = { id: randomUUID(), staff: as('treasurer') }
    for (const args of [{ batch: {} }, {}, null, 'text', [1], { batch: 'ln:' }]) {
      const one = await forge({ kind: 'payouts.approve', args, facts: [] })
      await store(one.id, staff, { text: 'x', response: signed(id, staff), salt: 'x' })
    }
    await forge({ kind: 'no.such-kind' })
    await owner.query(
      `update operator_requests set state = 'proposed' where kind in ('payouts.approve', 'no.such-kind') and state = 'draft'`,
    )
    for (const path of ['/requests', '/requests?state=proposed', '/audit', '/audit/verify'])
      expect([path, (await as('auditor').call('GET', path)).status]).toEqual([path, 200])
    await owner.query(`update operator_requests set state = 'cancelled' where state = 'proposed'`)
  })

  it('a flood of requests and notifications keeps no real request waiting, and fills no queue', async () => {
    await bench.stopWorking()
    const now = cluster.now()
    await thief.query(
      `insert into operator_requests (id, kind, args, reason, facts, proposed_by, created_at, expires_at)
        select gen_random_uuid(), 'payouts.hold', '{"batch": "all"}', 'Made up by a thief.', '{}', $1, n % 1000, 99999999999
        from generate_series(1, 3000) as n`,
      [as('treasurer').id],
    )
    await thief.query(
      `insert into operator_signatures (request_id, part, staff_id, key_id, text, challenge, authenticator_data,
          client_data_json, signature, signed_at)
        select id, 'propose', $1, (select min(id) from staff_keys), 'x', sha256(id::text::bytea), '', '', '', 0
        from operator_requests where expires_at = 99999999999`,
      [as('editor').id],
    )
    await thief.query(
      `select pg_notify('console_requests', id::text) from operator_requests where expires_at = 99999999999`,
    )
    for (const payload of ['', 'x', 'null', '../..', 'a'.repeat(7_000)])
      await thief.query(`select pg_notify('console_requests', $1)`, [payload])
    await thief.query(`select pg_notify('console_requests', gen_random_uuid()::text) from generate_series(1, 3000)`)
    const waiting = async (): Promise<number> => {
      const { rows } = await owner.query<{ jobs: number }>(
        `select count(*)::int as jobs from jobs where kind = 'console.carry-out'`,
      )
      return rows[0]?.jobs ?? 0
    }
    await vi.waitUntil(async () => (await waiting()) >= 200, { timeout: 10_000 })
    expect(await waiting()).toBe(200)

    const real = await forge({ createdAt: now })
    const shown = textOf(real, as('treasurer'))
    await store(real.id, as('treasurer'), { text: shown, response: signed(shown, as('treasurer')) })
    await bench.queue.runDue()
    for (let seconds = 0; seconds < 2; seconds += 1) {
      cluster.runtime.clock.set(cluster.now() + 10)
      await bench.queue.runDue()
    }
    expect(await stateOf(real.id)).toBe('done')
  })
})
