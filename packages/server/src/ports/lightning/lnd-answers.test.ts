import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readBolt11 } from '@fairball/domain/bolt11'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { channelsOf, RESERVED_SATS } from '../../../test/fake-lnd/answers.ts'
import { CERTIFICATES, type FakeLnd, startFakeLnd } from '../../../test/fake-lnd/fake-lnd.ts'
import { TEST_BITCOIN } from '../../../test/lottery.ts'
import { monotonicTime } from '../../runtime/system-runtime.ts'
import { testRuntime } from '../../runtime/test-runtime.ts'
import { chooseLightning } from './choose.ts'
import { LightningUnfit, NodeRefused, NodeSilent } from './lightning-node.ts'
import { createLndNode } from './lnd-node.ts'
import { assertUsable } from './node-watch.ts'

const NOW = 1_795_262_400
/** Every wait is a twentieth, and none is longer than half a second. */
const IMPATIENT = { sleep: (ms: number, signal?: AbortSignal) => monotonicTime.sleep(Math.min(ms / 20, 500), signal) }
const HASH = 'ab'.repeat(32)

let fake: FakeLnd
beforeEach(async () => void (fake = await startFakeLnd(() => NOW)))
afterEach(async () => {
  expect(fake.problems).toEqual([])
  await fake.stop()
})

const nodeOf = (changes: Partial<FakeLnd['server']> = {}) =>
  createLndNode({ ...fake.server, ...changes }, { monotonic: IMPATIENT, now: () => NOW })

type Node = ReturnType<typeof nodeOf>
const questions = (node: Node): (() => Promise<unknown>)[] => [
  () => node.info(),
  () => node.invoice(HASH),
  () => node.closeInvoice(HASH),
  () => node.createInvoice(requestOf('one')),
  () => node.settledSince(null),
  () => node.liquidity(),
  () => node.fees(),
  () => node.track(HASH),
  () => node.paidSince(null),
  () => node.send({ invoice: 'lnbcrt1', hash: HASH, maxFeeMsat: 1n, retrySeconds: 1, label: 'payout' }),
]

const requestOf = (name: string) => ({
  label: name,
  preimage: new Uint8Array(createHash('sha256').update(name).digest()),
  amountMsat: 5_000_000n,
  description: 'an order',
  expirySeconds: 600,
})
const hashOf = (bolt11: string): string => readBolt11(bolt11)?.hash ?? ''

async function paid(node: Node, invoice: string): Promise<string> {
  const hash = hashOf(invoice)
  await node
    .send({ invoice, hash, maxFeeMsat: 10_000n, retrySeconds: 1, label: 'payout' })
    .catch((error: unknown) => expect(error).toBeInstanceOf(NodeSilent))
  return hash
}

describe('an lnd node that does not answer as it should', () => {
  it('it is silent while it is away, frozen, in trouble, or answers what is no answer', async () => {
    const away = nodeOf({ url: 'https://127.0.0.1:1' })
    for (const question of questions(away)) await expect(question()).rejects.toThrow(NodeSilent)
    const troubles: FakeLnd['insteadOfAll'][] = [
      () => undefined, // it has taken the request
      (response) => response.socket?.destroy(),
      (response) => response.end('<html>'),
      (response) => response.writeHead(502).end('Bad Gateway'),
      (response) => response.writeHead(503).end('{"code":14,"message":"starting","details":[]}'),
      (response) => response.end('[]'),
    ]
    for (const [place, trouble] of troubles.entries()) {
      fake.insteadOfAll = trouble
      for (const question of questions(nodeOf()))
        await expect(question(), `trouble ${place}`).rejects.toThrow(NodeSilent)
    }
  })

  it('it is used with its own certificate and macaroon only, and no message has the macaroon', async () => {
    await expect(nodeOf({ certificate: CERTIFICATES.other }).info()).rejects.toThrow(NodeSilent)
    await expect(nodeOf({ url: fake.server.url.replace('https:', 'http:') }).info()).rejects.toThrow()
    const refused = await nodeOf({ macaroon: 'c0ffee' })
      .info()
      .catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(NodeRefused)
    expect(String(refused)).not.toContain('c0ffee')
    expect((await nodeOf().info()).version).toContain('0.19.3')
  })
})

describe('invoices of an lnd node', () => {
  it('an invoice whose answer was lost is the same one when it is asked for again', async () => {
    const node = nodeOf()
    const { preimage, description, amountMsat, expirySeconds } = requestOf('lost')
    const valueMsat = amountMsat
    const made = fake.ledger.addInvoice({
      preimage: Buffer.from(preimage),
      memo: description,
      valueMsat,
      expirySeconds,
    })
    expect(await node.createInvoice(requestOf('lost'))).toBe(made.bolt11)
  })

  it('a node that never made an invoice knows none', async () => {
    const told = { code: 2, message: 'there are no existing invoices', details: [] }
    fake.insteadOfAll = (response) => response.writeHead(500).end(JSON.stringify(told))
    expect([await nodeOf().invoice(HASH), await nodeOf().closeInvoice(HASH)]).toEqual([{ state: 'unknown' }, 'unknown'])
  })

  it('one that is paid while it is being closed is paid', async () => {
    const node = nodeOf()
    const bolt11 = await node.createInvoice(requestOf('race'))
    const invoice = fake.ledger.find(hashOf(bolt11))
    const open = { state: 'OPEN', r_hash: '', payment_request: bolt11, value_msat: '1', expiry: '600' } as const
    const looks = [open]
    fake.instead.set('GET /v1/invoice/*', () => looks.pop() ?? null)
    fake.ledger.payIn(bolt11, 5_000_000n)
    expect(await node.closeInvoice(invoice.hash)).toBe('paid')
  })

  it('what was settled is told in its order, from any place, and new invoices are not told', async () => {
    const node = nodeOf()
    const invoices: string[] = []
    for (const name of ['a', 'b', 'c', 'd']) invoices.push(await node.createInvoice(requestOf(name)))
    const [a = '', b = '', c = '', d = ''] = invoices
    expect(await node.settledSince(null)).toEqual({ cursor: '0', hashes: [] })
    for (const paidNow of [c, a, d]) fake.ledger.payIn(paidNow, 5_000_000n)
    expect(await node.settledSince(null)).toEqual({ cursor: '3', hashes: [c, a, d].map(hashOf) })
    expect(await node.settledSince('1')).toEqual({ cursor: '3', hashes: [a, d].map(hashOf) })
    expect(await node.settledSince('3')).toEqual({ cursor: '3', hashes: [] })
    const waiting = node.waitSettled('3', new AbortController().signal)
    await node.createInvoice(requestOf('e'))
    fake.ledger.payIn(b, 5_000_000n)
    await waiting
    expect(await node.settledSince('3')).toEqual({ cursor: '4', hashes: [hashOf(b)] })
  })

  it('more invoices than one page has are read', async () => {
    const node = nodeOf()
    for (let count = 0; count < 505; count += 1) {
      const { bolt11 } = fake.ledger.addInvoice({
        preimage: createHash('sha256').update(`many ${count}`).digest(),
        memo: '',
        valueMsat: 1000n,
        expirySeconds: 60,
      })
      fake.ledger.payIn(bolt11, 1000n)
    }
    const first = await node.settledSince(null)
    expect([first.hashes.length, first.cursor]).toEqual([500, '500'])
    expect((await node.settledSince(first.cursor)).hashes).toHaveLength(5)
  })
})

/** lnd keeps no labels. */
const paidBy = (...hashes: string[]) => hashes.map((hash) => ({ hash, label: null }))

describe('payments of an lnd node', () => {
  it('a payment that was undecided at one look is told once it is decided, though others came after it', async () => {
    const node = nodeOf()
    const ask = (): string => fake.ledger.askedByPayee(2_000_000n, 3600)
    const first = await paid(node, ask())
    fake.ledger.setMode('hold')
    const held = [await paid(node, ask()), await paid(node, ask())]
    const before = await node.paidSince(null)
    expect(before).toEqual({ cursor: '3,2,3', payments: paidBy(first) })
    expect(await node.paidSince(before.cursor)).toEqual({ cursor: '3,2,3', payments: [] })
    fake.ledger.setMode('take')
    const last = await paid(node, ask())
    expect(await node.paidSince(before.cursor)).toEqual({ cursor: '4', payments: paidBy(...held, last) })
    expect(await node.paidSince('4')).toEqual({ cursor: '4', payments: [] })
  })

  it('a payment that failed and was sent again has another place', async () => {
    const node = nodeOf()
    const invoice = fake.ledger.askedByPayee(2_000_000n, 3600)
    fake.ledger.setMode('hold')
    const hash = await paid(node, invoice)
    const { cursor } = await node.paidSince(null)
    fake.ledger.setMode('fail')
    expect(await node.track(hash)).toEqual({ is: 'failed' })
    fake.ledger.setMode('take')
    await paid(node, invoice)
    expect((await node.paidSince(cursor)).payments).toEqual(paidBy(hash))
  })

  it.each([
    ['invoice is already paid', 219],
    ['payment is in transition', -3],
    ['payment already exists', -3],
    ['invoice expired. Valid until 2026-01-01', 207],
    ['self-payments not allowed', 2],
  ])('"%s" is refused as %i', async (message, code) => {
    fake.insteadOfAll = (response) =>
      response.writeHead(500).end(JSON.stringify({ error: { code: 2, message, details: [] } }))
    const payment = { invoice: 'lnbcrt1', hash: HASH, maxFeeMsat: 1n, retrySeconds: 1, label: 'payout' }
    await expect(nodeOf().send(payment)).rejects.toMatchObject({ name: 'NodeRefused', code })
  })

  it.each([
    ['FAILURE_REASON_TIMEOUT', 210],
    ['FAILURE_REASON_ERROR', 209],
    ['FAILURE_REASON_INCORRECT_PAYMENT_DETAILS', 203],
  ])('a payment that failed by %s is refused as %i', async (failure, code) => {
    const result = { payment_hash: HASH, status: 'FAILED', failure_reason: failure }
    fake.insteadOfAll = (response) => response.end(`${JSON.stringify({ result })}\n`)
    const payment = { invoice: 'lnbcrt1', hash: HASH, maxFeeMsat: 1n, retrySeconds: 1, label: 'payout' }
    await expect(nodeOf().send(payment)).rejects.toMatchObject({ name: 'NodeRefused', code })
  })

  it('a payment without a word at its end is of unknown outcome, and a preimage of another hash is no proof', async () => {
    fake.insteadOfAll = (response) => response.end('')
    const payment = { invoice: 'lnbcrt1', hash: HASH, maxFeeMsat: 1n, retrySeconds: 1, label: 'payout' }
    await expect(nodeOf().send(payment)).rejects.toThrow(NodeSilent)
    const tell = (result: object): void => {
      fake.insteadOfAll = (response) => response.end(`${JSON.stringify({ result })}\n`)
    }
    tell({ payment_hash: HASH, status: 'SUCCEEDED', payment_preimage: 'cd'.repeat(32) })
    await expect(nodeOf().track(HASH)).rejects.toThrow('a preimage that is not of it')
    tell({ payment_hash: HASH, status: 'INITIATED' })
    expect(await nodeOf().track(HASH)).toEqual({ is: 'in-flight' })
  })
})

describe('the money of an lnd node', () => {
  const open = {
    channel: { initiator: 'INITIATOR_LOCAL', commitment_type: 'ANCHORS', local_balance: '996530' },
    commit_fee: '2810',
  }

  it('what it holds is its side of the channels, with what they reserve for their end, and its coins', async () => {
    const { oursMsat, channels, sendableMsat, receivableMsat } = await nodeOf().liquidity()
    expect(oursMsat).toBe(5_000_000_000n + RESERVED_SATS * 1000n + 700_000_000n)
    expect([sendableMsat, receivableMsat]).toEqual([4_900_000_000n, 4_900_000_000n])
    expect(channels).toEqual([{ state: 'NORMAL', isConnected: true, sendableMsat, receivableMsat }])
  })

  it('a channel that opens costs its transaction alone, and one that closes is still counted', async () => {
    const node = nodeOf()
    const { oursMsat: before } = await node.liquidity()
    // A channel of 1,000,000 sat: 2,810 and 660 of it pay for its end; the transaction cost 1,540.
    fake.instead.set('GET /v1/channels/pending', () => ({ total_limbo_balance: '0', pending_open_channels: [open] }))
    fake.instead.set('GET /v1/balance/blockchain', () => ({ total_balance: '-301540', locked_balance: '0' }))
    fake.instead.set('GET /v1/balance/channels', () => ({
      local_balance: { sat: '5000000', msat: '5000000000' },
      pending_open_local_balance: { sat: '996530', msat: '996530000' },
    }))
    expect(before - (await node.liquidity()).oursMsat).toBe(1_540_000n)
    fake.instead.set('GET /v1/channels/pending', () => ({
      total_limbo_balance: '1000000',
      waiting_close_channels: [{ limbo_balance: '1000000', closing_txid: 'cd' }],
    }))
    fake.instead.set('GET /v1/balance/channels', () => ({ local_balance: { sat: '5000000', msat: '5000000000' } }))
    const closing = await node.liquidity()
    expect(before - closing.oursMsat).toBe(1_540_000n)
    expect(closing.channels.map(({ state }) => state)).toEqual(['NORMAL', 'CLOSING'])
  })

  it('with payments on their way in and out each amount out is rounded up', async () => {
    const node = nodeOf()
    const { oursMsat: before } = await node.liquidity()
    fake.instead.set('GET /v1/balance/channels', () => ({
      local_balance: { sat: '4999998', msat: '4999998500' },
      unsettled_local_balance: { sat: '7', msat: '7000' },
      unsettled_remote_balance: { sat: '1', msat: '1500' },
    }))
    const [channel = {}] = channelsOf(fake.ledger).channels
    const htlcs = [
      { incoming: true, amount: '7', expiration_height: 900 },
      { incoming: false, amount: '1', expiration_height: 900 },
    ]
    fake.instead.set('GET /v1/channels', () => ({ channels: [{ ...channel, pending_htlcs: htlcs }] }))
    const { oursMsat, inFlightMsat } = await node.liquidity()
    expect([oursMsat - before, inFlightMsat]).toEqual([500n, 8_500n])
  })

  it('fees are what it earned by passing on, and paid for transactions and for closing its own channels', async () => {
    const node = nodeOf()
    const pages = [
      { forwarding_events: [{ fee_msat: '1000' }, { fee_msat: '1' }], last_offset_index: 2 },
      { forwarding_events: [{ fee_msat: '20' }], last_offset_index: 3 },
    ]
    fake.instead.set('POST /v1/switch', () => pages.shift() ?? { forwarding_events: [], last_offset_index: 3 })
    const closed = (closing_tx_hash: string, open_initiator: string, close_type = 'COOPERATIVE_CLOSE') => ({
      closing_tx_hash,
      open_initiator,
      close_type,
      capacity: '1000000',
    })
    fake.instead.set('GET /v1/channels/closed', () => ({
      channels: [
        closed('01', 'INITIATOR_LOCAL'),
        closed('02', 'INITIATOR_REMOTE'),
        closed('03', 'INITIATOR_LOCAL', 'LOCAL_FORCE_CLOSE'),
        closed('04', 'INITIATOR_LOCAL'), // nothing of it came to us
      ],
    }))
    const to = (...amounts: string[]) => amounts.map((amount) => ({ amount }))
    fake.instead.set('GET /v1/transactions', () => ({
      transactions: [
        { tx_hash: 'aa', total_fees: '1540', output_details: to('1000000', '700000') },
        { tx_hash: '01', total_fees: '0', output_details: to('600000', '399817') },
        { tx_hash: '02', total_fees: '0', output_details: to('600000', '399800') },
        { tx_hash: '03', total_fees: '0', output_details: to('600000') },
      ],
    }))
    expect(await node.fees()).toEqual({ routedMsat: 1_021n, chainFeeMsat: 1_723_000n })
    pages.push({ forwarding_events: [{ fee_msat: '9' }], last_offset_index: 4 })
    expect((await node.fees()).routedMsat).toBe(1_030n)
  })
})

describe('the operator’s lnd node at a start', () => {
  it('a node of another network, or too old, is refused in words', async () => {
    const { db } = await testDatabase()
    const usable = () => assertUsable({ node: nodeOf(), db, network: 'regtest' })
    expect((await usable()).nodeId).toBe(fake.ledger.nodeId)
    fake.version = '0.18.5-beta commit=v0.18.5-beta'
    await expect(usable()).rejects.toThrow(
      'The Lightning node is lnd 0.18.5-beta commit=v0.18.5-beta. Use 0.19 or newer.',
    )
    fake.version = '0.21.0-beta'
    fake.network = 'mainnet'
    await expect(usable()).rejects.toThrow('The Lightning node is on mainnet, and BITCOIN_NETWORK is regtest.')
    fake.network = 'simnet'
    await expect(usable()).rejects.toThrow(LightningUnfit)
  })

  it('its files are read, and one that cannot be read is named', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'fairball-lnd-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const lnd = {
      url: fake.server.url,
      macaroonFile: join(folder, 'macaroon'),
      certificateFile: join(folder, 'tls.cert'),
    }
    await writeFile(lnd.macaroonFile, Buffer.from(fake.server.macaroon, 'hex'))
    await writeFile(lnd.certificateFile, CERTIFICATES.own)
    const { db } = await testDatabase()
    const choose = (files: typeof lnd) =>
      chooseLightning({
        db,
        runtime: { ...testRuntime(), monotonic: monotonicTime },
        settings: { ...TEST_BITCOIN, lightning: 'lnd', lnd: files },
        testSeed: () => Promise.reject(new Error('the demo’s wallet is not asked')),
        chainHeight: async () => null,
      })
    expect((await (await choose(lnd))?.node.info())?.nodeId).toBe(fake.ledger.nodeId)
    await expect(choose({ ...lnd, macaroonFile: join(folder, 'none') })).rejects.toThrow(
      /^LND_MACAROON_FILE=.*none cannot be read/,
    )
  })
})
