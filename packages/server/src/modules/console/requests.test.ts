import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { TestPasskey } from '../../../test/authenticator.ts'
import { CONSOLE_ORIGIN, testConsole, type TestConsole, type TestStaff } from '../../../test/console.ts'
import { type PayoutCluster, startPayoutCluster } from '../../../test/payout-cluster.ts'
import { sql, t } from '../../db/sql.ts'

let cluster: PayoutCluster
let bench: TestConsole
let owner: TestStaff
let approver: TestStaff
let treasurer: TestStaff

beforeAll(async () => {
  cluster = await startPayoutCluster({ limits: { approvalSats: 50_000n, floatSats: null } })
  bench = await testConsole(cluster)
  await bench.begin()
  owner = await bench.person('owner', ['owner'])
  approver = await bench.person('approver', ['approver'])
  treasurer = await bench.person('treasurer', ['treasurer'])
})
// A session ends after 15 minutes without a call, and the tests move the clock.
beforeEach(async () => {
  for (const staff of [owner, approver, treasurer]) await staff.signIn()
})
afterAll(async () => {
  await bench.end()
  await cluster.drop()
})

const readNewest = sql({
  name: 'requests-test.read-newest',
  text: `select id, state from payout_batches order by id desc limit 1`,
  row: { id: t.bigint, state: t.text },
})

/** A batch that waits for approval: its number, and its state now. */
async function waitingBatch(): Promise<{ batch: string; state: () => Promise<string> }> {
  const { id } = await cluster.money.player()
  await cluster.money.owe(id, 60_000n)
  await cluster.pass(cluster.worker(), 0)
  const made = await cluster.db.one(readNewest, [])
  expect(made.state).toBe('WAITING_APPROVAL')
  return { batch: String(made.id), state: async () => (await cluster.db.one(readNewest, [])).state }
}

describe('a request', () => {
  it('two people approve a batch: it leaves once, and the audit log names both with the reason', async () => {
    const { batch, state } = await waitingBatch()
    const proposed = await approver.propose('payouts.approve', { batch }, 'Prize, address known since March.')
    expect(proposed).toMatchObject({ status: 200, body: { state: 'proposed', result: null } })
    expect(await state()).toBe('WAITING_APPROVAL')
    const listed = await treasurer.call('GET', '/requests?state=proposed')
    expect(listed.body.results).toMatchObject([
      {
        id: proposed.id,
        kind: 'payouts.approve',
        state: 'proposed',
        is_changed: false,
        proposed_by: { name: 'approver' },
        facts: { state: 'WAITING_APPROVAL', payouts: [{ sats: '60000' }] },
        needs: { signatures: 2, roles: ['treasurer'] },
        signatures: [{ part: 'propose', staff: { name: 'approver' } }],
      },
    ])
    expect(await treasurer.approve(proposed.id)).toMatchObject({
      status: 200,
      body: { state: 'done', result: { text: `Batch ${batch} is approved.` } },
    })
    expect(await state()).toBe('BATCHED')
    const { body } = await owner.call('GET', '/audit')
    expect(body.results[0]).toMatchObject({
      kind: 'payouts.approve',
      staff: { name: 'approver' },
      approver: { name: 'treasurer' },
      request: proposed.id,
      reason: 'Prize, address known since March.',
      args: { batch },
    })
    expect((await owner.call('GET', '/audit/verify')).body).toMatchObject({ ok: true, first_bad: null })
    expect(await treasurer.approve(proposed.id)).toMatchObject({
      status: 409,
      body: { error: { code: 'REQUEST_CLOSED' } },
    })
  })

  it('nobody approves their own request, and nobody whose roles do not allow it', async () => {
    const { batch, state } = await waitingBatch()
    const proposed = await approver.propose('payouts.approve', { batch })
    expect(await approver.approve(proposed.id)).toMatchObject({
      status: 403,
      body: { error: { code: 'SECOND_PERSON_NEEDED' } },
    })
    expect(await owner.approve(proposed.id)).toMatchObject({ status: 403, body: { error: { code: 'ACCESS_DENIED' } } })
    expect(await treasurer.propose('payouts.approve', { batch: 'not a batch' })).toMatchObject({
      status: 403,
      body: { error: { code: 'ACCESS_DENIED' } },
    })
    expect(await state()).toBe('WAITING_APPROVAL')
  })

  it('a request is stale once what it is about has changed, and nothing happens', async () => {
    const { batch, state } = await waitingBatch()
    const proposed = await approver.propose('payouts.approve', { batch })
    expect(await treasurer.propose('payouts.hold', { batch })).toMatchObject({ body: { state: 'done' } })
    expect((await treasurer.call('GET', `/requests/${proposed.id}`)).body).toMatchObject({ is_changed: true })
    expect(await treasurer.approve(proposed.id)).toMatchObject({ status: 409, body: { error: { code: 'STALE' } } })
    expect(await state()).toBe('HALTED')
    expect((await approver.call('GET', `/requests/${proposed.id}`)).body).toMatchObject({
      state: 'refused',
      result: { code: 'STALE' },
    })
  })

  it('the desk refuses in its own words, and nothing happens', async () => {
    const { batch, state } = await waitingBatch()
    expect(await treasurer.propose('payouts.retry', { batch })).toMatchObject({
      status: 409,
      body: { error: { code: 'REFUSED', message: `Batch ${batch} waits for approval.` } },
    })
    expect(await state()).toBe('WAITING_APPROVAL')
  })

  it('a draft is signed within five minutes, and the second signature given within a day', async () => {
    const { batch } = await waitingBatch()
    const { body } = await approver.call('POST', '/requests', {
      kind: 'payouts.approve',
      args: { batch },
      reason: 'Checked by telephone.',
    })
    const response = approver.keys[0]?.sign(body.options, CONSOLE_ORIGIN)
    const proposed = await approver.propose('payouts.approve', { batch })
    cluster.runtime.clock.set(cluster.now() + 301)
    expect(await approver.call('POST', `/requests/${body.id}/sign`, { response })).toMatchObject({
      status: 409,
      body: { error: { code: 'REQUEST_CLOSED' } },
    })
    const state = async (): Promise<unknown> => (await owner.call('GET', `/requests/${proposed.id}`)).body.state
    cluster.runtime.clock.set(cluster.now() + 24 * 3600 - 400)
    await owner.signIn()
    expect(await state()).toBe('proposed')
    cluster.runtime.clock.set(cluster.now() + 100)
    expect(await state()).toBe('expired')
    await treasurer.signIn()
    expect(await treasurer.approve(proposed.id)).toMatchObject({
      status: 409,
      body: { error: { code: 'REQUEST_CLOSED' } },
    })
  })

  it.each([
    ['of another request', 'SIGNATURE_REFUSED'],
    ['of another origin', 'SIGNATURE_REFUSED'],
    ['without its person verified', 'SIGNATURE_REFUSED'],
    ['of a stranger', 'SIGNATURE_REFUSED'],
    ['of another person', 'SIGNATURE_REFUSED'],
    ['over another text', 'SIGNATURE_REFUSED'],
  ])('a signature %s is refused, and the draft stays as it is', async (slip, code) => {
    const { batch } = await waitingBatch()
    const draft = async (): Promise<{ id: string; options: Record<string, unknown> }> =>
      (await approver.call('POST', '/requests', { kind: 'payouts.approve', args: { batch }, reason: 'By telephone.' }))
        .body
    const [made, other] = [await draft(), await draft()]
    const [own = new TestPasskey()] = approver.keys
    const responses: Record<string, () => unknown> = {
      'of another request': () => own.sign(other.options, CONSOLE_ORIGIN),
      'of another origin': () => own.sign(made.options, CONSOLE_ORIGIN, { origin: 'http://localhost:3000' }),
      'without its person verified': () => own.sign(made.options, CONSOLE_ORIGIN, { flags: 0x01 }),
      'of a stranger': () => new TestPasskey().sign(made.options, CONSOLE_ORIGIN),
      'of another person': () => treasurer.keys[0]?.sign(made.options, CONSOLE_ORIGIN),
      'over another text': () => own.sign({ ...made.options, challenge: 'A'.repeat(43) }, CONSOLE_ORIGIN),
    }
    const response = responses[slip]?.()
    expect(await approver.call('POST', `/requests/${made.id}/sign`, { response })).toMatchObject({
      status: 400,
      body: { error: { code } },
    })
    expect((await approver.call('GET', `/requests/${made.id}`)).body).toMatchObject({ state: 'draft' })
  })

  it('a signature counts once', async () => {
    const { batch } = await waitingBatch()
    const { body } = await approver.call('POST', '/requests', {
      kind: 'payouts.hold',
      args: { batch },
      reason: 'Checked by telephone.',
    })
    const response = approver.keys[0]?.sign(body.options, CONSOLE_ORIGIN)
    const sign = () => approver.call('POST', `/requests/${body.id}/sign`, { response })
    const answers = await Promise.all([sign(), sign()])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const { rows } = await cluster.db.one(countHolds, [body.id as string])
    expect(rows).toBe(1)
  })

  it('whoever could approve a request rejects it with a reason; its maker takes it back', async () => {
    const { batch } = await waitingBatch()
    const first = await approver.propose('payouts.approve', { batch })
    expect(await owner.call('POST', `/requests/${first.id}/reject`, { reason: 'The address is new.' })).toMatchObject({
      status: 403,
      body: { error: { code: 'ACCESS_DENIED' } },
    })
    expect(
      await treasurer.call('POST', `/requests/${first.id}/reject`, { reason: 'The address is new.' }),
    ).toMatchObject({ status: 200, body: { state: 'rejected' } })
    expect(await treasurer.approve(first.id)).toMatchObject({ body: { error: { code: 'REQUEST_CLOSED' } } })
    const second = await approver.propose('payouts.approve', { batch })
    expect(await treasurer.call('POST', `/requests/${second.id}/cancel`)).toMatchObject({ status: 403 })
    expect(await approver.call('POST', `/requests/${second.id}/cancel`)).toMatchObject({
      status: 200,
      body: { state: 'cancelled' },
    })
  })

  it.each([
    ['a reason of nine characters', { kind: 'payouts.hold', args: { batch: 'all' }, reason: 'Too short' }, 'reason'],
    ['a reason of two lines', { kind: 'payouts.hold', args: { batch: 'all' }, reason: 'One line\nand more' }, 'reason'],
    ['a kind that there is not', { kind: 'draws.void', args: {}, reason: 'Checked by telephone.' }, 'kind'],
    ['arguments of another kind', { kind: 'payouts.hold', args: { txid: '1' }, reason: 'By telephone.' }, 'args.txid'],
  ])('a request with %s is answered with its field', async (_slip, sent, field) => {
    const { status, body } = await approver.call('POST', '/requests', sent)
    expect(status).toBe(400)
    expect(body.error.code).toBe('INVALID_PAYLOAD')
    expect(Object.keys(body.error.fields)).toContain(field)
  })
})

const countHolds = sql({
  name: 'requests-test.count-holds',
  text: `select count(*)::int as rows from operator_actions where request_id = $1`,
  params: [t.uuid],
  row: { rows: t.int },
})
