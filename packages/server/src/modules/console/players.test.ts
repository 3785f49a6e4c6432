import { ROLES } from '@fairball/contract/console/roles'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type Loose,
  PASSWORD,
  testApplication,
  type TestApplication,
  type TestPlayer,
} from '../../../test/application.ts'
import { CONSOLE_ORIGIN, testConsole, type TestConsole, type TestStaff } from '../../../test/console.ts'
import { findViolations } from '../invariants/service.ts'

/** Time in which the worker of the program finds a request. */
const SWEPT_SECONDS = 11
const HOUR = 3600
const DAY = 24 * HOUR

let app: TestApplication
let bench: TestConsole
let reader: Awaited<ReturnType<TestApplication['connect']>>
let support: TestStaff
let treasurer: TestStaff
const others: TestStaff[] = []

beforeAll(async () => {
  app = await testApplication({ config: { consoleUrl: CONSOLE_ORIGIN }, games: 'one game' })
  reader = await app.connect()
  bench = await testConsole({ db: app.db, runtime: app.runtime })
  await bench.begin()
  support = await bench.person('support', ['support'])
  treasurer = await bench.person('treasurer', ['treasurer'])
  for (const role of ROLES)
    if (role !== 'support' && role !== 'treasurer') others.push(await bench.person(role, [role]))
  await bench.stopWorking() // from here on, the program's own worker carries out
}, 60_000)
afterAll(async () => {
  expect(await findViolations(app.db)).toEqual([])
  await support.signIn()
  expect((await support.call('GET', '/audit/verify')).body).toMatchObject({ ok: true })
  await bench.end()
  await app.end()
})
beforeEach(async () => {
  for (const staff of [support, treasurer]) await staff.signIn()
})

async function rows(text: string, values: unknown[] = []): Promise<Loose[]> {
  return (await reader.query(text, values)).rows
}

const now = (): number => app.runtime.clock.now()

/** Has the program's worker look at what was signed. */
async function sweep(): Promise<void> {
  await app.moveTo(now() + SWEPT_SECONDS)
}

/** Asks for something and has it carried out, with the second signature if told. @returns the stored request */
async function ask(kind: string, args: unknown, isSecond = false): Promise<Loose> {
  for (const staff of [support, treasurer]) await staff.signIn() // a session ends after 15 minutes without a call
  const { id, ...made } = await support.propose(kind, args)
  if (id === '') return made.body
  await sweep()
  if (isSecond) {
    expect((await treasurer.approve(id)).status).toBe(200)
    await sweep()
  }
  const [request] = await rows(`select state, result from operator_requests where id = $1`, [id])
  return request
}

/** Fetches a file while the program's worker looks for requests. */
async function fetched(reader: TestStaff, file: string) {
  bench.beginWaiting()
  const answer = reader.call('GET', `/files/${file}`)
  const isAsked = async () =>
    (
      await rows(
        `select from operator_requests where kind = 'files.fetch' and state = 'draft' and expires_at > $1 and proposed_by = $2
      and not exists (select from operator_actions a where a.request_id = operator_requests.id)`,
        [now(), reader.id],
      )
    ).length > 0
  while (!(await isAsked())) await new Promise((resolve) => setImmediate(resolve))
  await sweep()
  const got = await answer
  await bench.stopWorking()
  return got
}

/** A player with a verified address: the id as a text. */
async function newPlayer(): Promise<TestPlayer & { id: string }> {
  const player = await app.signUp()
  const [row] = await rows(`select id from players where email = $1`, [player.email])
  return { ...player, id: String(row.id) }
}

async function order(bearer: string) {
  const tickets = [{ numbers: [1, 2, 3, 4, 5], isLuckyDip: false }]
  const body = { type: 'lotto', key: 'bitcoin-hero', days: [3], weeks: 1, tickets }
  return await app.call('POST', '/payment', { bearer, body })
}

async function statusOf(id: string): Promise<string> {
  return (await rows(`select status from orders where id = $1`, [id]))[0].status
}

const pay = (id: string) => app.call('POST', '/dev/pay', { body: { transaction_id: id } })

describe('a block', () => {
  it('of buying refuses orders and ends unpaid ones at once; paid plays stay, and the player still logs in', async () => {
    const player = await newPlayer()
    const paid = (await order(player.bearer)).body.transaction_id
    await pay(paid)
    const open = (await order(player.bearer)).body.transaction_id
    const until = now() + DAY
    expect(await ask('players.block', { player: player.id, what: 'buy', until })).toMatchObject({ state: 'done' })
    expect(await statusOf(open)).toBe('EXPIRED')
    expect(await statusOf(paid)).toBe('PAID')
    const bearer = await app.logIn(player.email)
    expect(await order(bearer)).toMatchObject({ status: 403, body: { error: { code: 'ACCOUNT_BLOCKED' } } })
    expect(await rows(`select from plays where order_id = $1`, [paid])).not.toEqual([])
    expect(await rows(`select from messages where key = $1`, [`order:${open}:ended`])).toHaveLength(1)

    // What still arrives for the order goes back.
    await pay(open)
    await app.moveTo(now() + 3600)
    expect(await statusOf(open)).toBe('REFUNDED')

    await app.moveTo(until + 1)
    expect((await order(await app.logIn(player.email))).status).toBe(201)
  })

  it('of logging in ends sessions and refuses every way in, until two people end it', async () => {
    const player = await newPlayer()
    const login = () =>
      app.call('POST', '/auth/login', { body: { email_or_username: player.email, password: PASSWORD } })
    const { refresh_token: refresh } = (await login()).body
    await ask('players.block', { player: player.id, what: 'sign-in', until: null })
    expect((await app.call('GET', '/settings/balance', { bearer: player.bearer })).status).toBe(401)
    expect((await app.call('PUT', '/auth/refresh-tokens', { bearer: refresh })).status).not.toBe(200)
    expect(await login()).toMatchObject({ status: 403, body: { error: { code: 'ACCOUNT_BLOCKED' } } })
    const wrong = { email_or_username: player.email, password: 'wrong' }
    expect((await app.call('POST', '/auth/login', { body: wrong })).body.error.code).toBe('INVALID_CREDENTIALS')
    expect(await ask('players.unblock', { player: player.id }, true)).toMatchObject({ state: 'done' })
    expect((await login()).status).toBe(200)
    expect(await ask('players.unblock', { player: player.id }, true)).toMatchObject({
      state: 'refused',
      result: { code: 'REFUSED', message: 'This player is not blocked.' },
    })
  })

  it('a later block never shortens an earlier one', async () => {
    const player = await newPlayer()
    await ask('players.block', { player: player.id, what: 'buy', until: now() + 2 * DAY })
    const until = now() + HOUR
    await ask('players.block', { player: player.id, what: 'buy', until })
    await app.moveTo(until + 60)
    expect((await order(await app.logIn(player.email))).body.error.code).toBe('ACCOUNT_BLOCKED')
  })

  it('somebody of the staff cannot play', async () => {
    const player = await newPlayer()
    await rows(`update staff set email = $1 where name = 'treasurer'`, [player.email.toUpperCase()])
    const bearer = await app.logIn(player.email)
    expect(await order(bearer)).toMatchObject({ status: 403, body: { error: { code: 'ACCOUNT_BLOCKED' } } })
    await rows(`update staff set email = 'treasurer@lottery.example' where name = 'treasurer'`)
    expect((await order(bearer)).status).toBe(201)
  })
})

describe('a hold of payouts', () => {
  /** A player who is owed a refund: what came for an order that had ended. */
  async function owedPlayer() {
    const player = await newPlayer()
    const open = (await order(player.bearer)).body.transaction_id
    return { ...player, refund: async () => (await pay(open), await app.moveTo(now() + HOUR)) }
  }
  const waiting = async (id: string): Promise<unknown[]> =>
    await rows(`select from payables where player_id = $1 and payout_id is null`, [id])

  it.each([true, false])('keeps what is owed out of payouts until its end; told: %s', async (tell) => {
    const player = await owedPlayer()
    await ask('players.block', { player: player.id, what: 'buy', until: now() + 60 })
    const until = now() + 26 * HOUR
    const args = { player: player.id, until, tell }
    expect(await ask('players.hold-payouts', args, true)).toMatchObject({ state: 'done' })
    await player.refund()
    expect(await waiting(player.id)).toHaveLength(1)
    expect(await rows(`select from messages where player_id = $1 and key like 'hold:%'`, [player.id])).toHaveLength(
      tell ? 1 : 0,
    )
    const { body } = await app.call('GET', '/settings/balance', { bearer: await app.logIn(player.email) })
    expect(body.waiting.items).toMatchObject([{ payout: { reason: tell ? 'ON_HOLD' : null } }])
    const { body: mine } = await app.call('GET', '/settings/personal-data', { bearer: await app.logIn(player.email) })
    expect(mine.holds.filter((hold: Loose) => hold.kind === 'payouts')).toHaveLength(tell ? 1 : 0)
    await app.moveTo(until - HOUR)
    const stated = await rows(`select from solvency_leaves where player_id = $1 and sats > 0`, [player.id])
    expect(stated).not.toEqual([])
    expect(await waiting(player.id)).toHaveLength(1)
    await app.moveTo(until + 3600)
    expect(await waiting(player.id)).toEqual([])
  })

  it('lasts 30 days at most, and two people end it', async () => {
    const player = await owedPlayer()
    const long = { player: player.id, until: now() + 31 * DAY, tell: true }
    expect(await ask('players.hold-payouts', long, true)).toMatchObject({
      state: 'refused',
      result: { message: expect.stringContaining('30 days') },
    })
    await ask('players.block', { player: player.id, what: 'buy', until: now() + 60 })
    await ask('players.hold-payouts', { ...long, until: now() + 20 * DAY }, true)
    await player.refund()
    expect(await waiting(player.id)).toHaveLength(1)
    expect(await ask('players.release-payouts', { player: player.id }, true)).toMatchObject({ state: 'done' })
    await app.moveTo(now() + 3600)
    expect(await waiting(player.id)).toEqual([])
  })
})

describe('an exclusion by the operator', () => {
  it('is one of the player’s own, and is never made shorter', async () => {
    const player = await newPlayer()
    const until = now() + 200 * DAY
    expect(await ask('players.exclude', { player: player.id, until: now() + 20 * DAY })).toMatchObject({
      state: 'refused',
    })
    expect(await ask('players.exclude', { player: player.id, until })).toMatchObject({ state: 'done' })
    const exclusions = async () => (await support.call('GET', `/players/${player.id}`)).body.exclusions
    expect(await exclusions()).toEqual([{ from_at: null, until_at: until, by: 'support of the staff' }])
    const bearer = await app.logIn(player.email)
    expect((await order(bearer)).body.error.code).toBe('SELF_EXCLUDED')
    expect(await ask('players.exclude', { player: player.id, until: until - DAY })).toMatchObject({
      state: 'refused',
      result: { message: expect.stringContaining('never made shorter') },
    })
    expect(await ask('players.exclude', { player: player.id, until: until + DAY })).toMatchObject({ state: 'done' })
    expect(await rows(`select excluded_until from responsible_play where player_id = $1`, [player.id])).toEqual([
      { excluded_until: String(until + DAY) },
    ])
    await rows(`update responsible_play set excluded_until = $2 where player_id = $1`, [player.id, until + 2 * DAY])
    expect(await exclusions()).toMatchObject([{ until_at: until + 2 * DAY, by: 'the player' }])
  })
})

describe('the data of a player', () => {
  it('is in a file for the two who signed, each fetch of which is in the audit log, for a day', async () => {
    const player = await newPlayer()
    const owner = others.find((one) => one.name === 'owner')
    if (owner === undefined) throw new Error('nobody is owner')
    for (const staff of [support, owner, treasurer]) await staff.signIn()
    const asked = await support.propose('players.export', { player: player.id })
    await sweep()
    expect((await owner.approve(asked.id)).status).toBe(200)
    await sweep()
    const { file } = (await support.call('GET', `/requests/${asked.id}`)).body.result
    expect((await treasurer.call('GET', `/files/${file}`)).status).toBe(403)
    // Without a worker that notes it, nobody gets it.
    expect((await support.call('GET', `/files/${file}`)).status).toBe(503)
    const got = await fetched(support, file)
    expect((await fetched(owner, file)).status).toBe(200)
    expect(JSON.parse(got.body.content)).toMatchObject({ account: { email: player.email } })
    const fetches = await rows(`select from operator_actions where kind = 'files.fetch' and subject = $1`, [file])
    expect(fetches.length).toBeGreaterThanOrEqual(2)
    await app.moveTo(now() + DAY)
    await owner.signIn()
    expect((await owner.call('GET', `/files/${file}`)).status).toBe(404)
    expect(await rows(`select from console_files`)).toEqual([])
  })

  it('is erased by two people, unless money is owed that cannot be paid', async () => {
    const owner = others.find((one) => one.name === 'owner') ?? support
    const erase = async (id: string): Promise<Loose> => {
      for (const staff of [support, owner]) await staff.signIn()
      const asked = await support.propose('players.erase', { player: id })
      await sweep()
      await owner.approve(asked.id)
      await sweep()
      return (await rows(`select state, result from operator_requests where id = $1`, [asked.id]))[0]
    }
    const { id, email } = await newPlayer()
    expect(await erase(id)).toMatchObject({ state: 'done' })
    expect(await rows(`select from players where email = $1`, [email])).toEqual([])
    const { bearer, email: homeless } = await app.signUp({ address: null })
    await pay((await order(bearer)).body.transaction_id)
    const [row] = await rows(`select id from players where email = $1`, [homeless])
    expect(await erase(String(row.id))).toMatchObject({ state: 'refused', result: { code: 'REFUSED' } })
  })
})

it('what needs no signature is done and audited: notes, sessions, mails, payments read again', async () => {
  await support.signIn()
  const player = await newPlayer()
  const { transaction_id: id } = (await order(player.bearer)).body
  const unverified = await app.signUp({ isVerified: false })
  const [row] = await rows(`select id from players where email = $1`, [unverified.email])
  const wanted = [
    ['players.note', { player: player.id, text: 'Called about a late payment.' }],
    ['orders.refresh', { order: id }],
    ['players.resend-verification', { player: String(row.id) }],
    ['players.end-sessions', { player: player.id }],
    ['mail.test', {}],
  ] as const
  for (const [kind, args] of wanted) expect([kind, await ask(kind, args)]).toMatchObject([kind, { state: 'done' }])
  expect((await support.call('GET', `/players/${player.id}`)).body.notes).toEqual([
    { at: expect.any(Number), staff: { id: support.id, name: 'support' }, text: 'Called about a late payment.' },
  ])
  expect((await app.call('GET', '/settings/balance', { bearer: player.bearer })).status).toBe(401)
  const { body: mails } = await app.call('GET', `/dev/mail?to=${unverified.email}`)
  expect(mails.filter(({ subject }: Loose) => subject.includes('verify'))).toHaveLength(2)
  expect((await app.call('GET', '/dev/mail?to=support@lottery.example')).body[0].subject).toContain('A test mail')
  // The audit log leads to each of them.
  const { body: audit } = await support.call('GET', '/audit')
  for (const [kind] of wanted) {
    const { request } = audit.results.find((row: Loose) => row.kind === kind)
    expect(await treasurer.call('GET', `/requests/${request}`)).toMatchObject({
      status: 200,
      body: { id: request, kind, state: 'done', proposed_by: { name: 'support' }, needs: { signatures: 0, roles: [] } },
    })
  }
  const kinds = await rows(`select kind from operator_actions where kind = any($1)`, [wanted.map(([kind]) => kind)])
  expect(new Set(kinds.map(({ kind }) => kind)).size).toBe(wanted.length)
})

it('what is about players is proposed by support alone', async () => {
  const { id: player } = await newPlayer()
  const until = now() + 20 * DAY
  const wanted = {
    'players.block': { player, what: 'buy', until },
    'players.unblock': { player },
    'players.hold-payouts': { player, until, tell: true },
    'players.release-payouts': { player },
    'players.exclude': { player, until },
    'players.export': { player },
    'players.erase': { player },
    'players.note': { player, text: 'A note.' },
    'players.end-sessions': { player },
  }
  for (const one of others) await one.signIn()
  const people = [treasurer, ...others]
  for (const [kind, args] of Object.entries(wanted)) {
    for (const one of people) {
      const { status, body } = await one.call('POST', '/requests', { kind, args, reason: 'Agreed on Monday.' })
      expect([kind, one.name, status, body.error?.code]).toEqual([kind, one.name, 403, 'ACCESS_DENIED'])
    }
    expect((await support.propose(kind, args)).id).not.toBe('')
  }
})
