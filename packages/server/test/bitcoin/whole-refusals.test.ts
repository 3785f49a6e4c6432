import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { explanationOf } from '../../src/main/explain.ts'
import { moneyOf } from '../../src/modules/payments/service.ts'
import { testDatabase, type TestDatabase } from '../database.ts'
import { testAccount } from './account.ts'
import { MINER, startNode, type TestNode } from './node.ts'
import { startServer } from './server.ts'
import { fundHotWallet, HOT, unspentAt, WATCH, type Whole, type WholePlayer, wholeProgram } from './whole.ts'

const LINE = [1, 2, 3, 4, 5]
const SATURDAY = 6
const ORDER = { type: 'lotto', key: 'bitcoin-hero', days: [SATURDAY], weeks: 1 }
const BODY = { ...ORDER, tickets: [{ isLuckyDip: false, numbers: LINE }] }
const NOBODY = 'http://127.0.0.1:1'
const PASSWORD_OF_NODE = 'Not-the-nodes-own-word'

let node: TestNode
let folder: string

beforeAll(async () => {
  node = await startNode()
  folder = await mkdtemp(join(tmpdir(), 'fairball-refusals-'))
})
afterAll(async () => {
  await node?.stop()
  await rm(folder, { recursive: true, force: true })
})

describe('a start', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await testDatabase()
  })
  afterAll(() => database.drop())

  it.each([
    {
      name: 'without a node there',
      login: { BITCOIN_RPC_URL: NOBODY, BITCOIN_RPC_COOKIE: '' },
      says: 'The bitcoin node cannot be used: getblockchaininfo: the node cannot be reached.',
    },
    {
      name: 'with a wrong password, which is repeated nowhere',
      login: { BITCOIN_RPC_URL: '', BITCOIN_RPC_COOKIE: '' },
      says: 'getblockchaininfo: the node refuses the login (HTTP 401)',
    },
  ])('a start with $name ends with status 1 and says what to do', async ({ login, says }) => {
    const url = (login.BITCOIN_RPC_URL || node.url).replace('//', `//operator:${PASSWORD_OF_NODE}@`)
    const server = startServer(
      {
        PORT: '0',
        DATA_DIR: folder,
        DATABASE_URL: database.url,
        PAYMENTS: 'bitcoin-core',
        BITCOIN_XPUB: testAccount(randomBytes(32)),
        ...login,
        BITCOIN_RPC_URL: url,
      },
      { isMain: true },
    )
    expect(await server.end()).toBe(1)
    expect(server.said()).toContain(says)
    expect(server.said()).toContain('BITCOIN_RPC_URL has to name its RPC port')
    expect(server.said()).not.toContain(PASSWORD_OF_NODE)
    expect(server.said()).not.toMatch(/^\s+at /m)
  })

  const cookie = (cookieFile: string) => ({ bitcoinNode: { url: node.url, login: { cookieFile } } })
  it.each([
    { name: 'a cookie that is not there', config: () => cookie('/nowhere/.cookie'), says: '/nowhere/.cookie' },
    {
      name: 'another chain',
      config: () => ({ bitcoinNetwork: 'signet' as const }),
      says: 'The bitcoin node is on regtest, and BITCOIN_NETWORK is signet.',
    },
    {
      name: 'a hot wallet that nobody made',
      config: () => ({ bitcoinHotWallet: 'nobody-made-it' }),
      says: 'bitcoin-cli createwallet nobody-made-it',
    },
    {
      name: 'a hot wallet that cannot sign',
      config: () => ({ bitcoinWatchWallet: 'one-watch', bitcoinHotWallet: 'other-watch' }),
      says: "The node's wallet other-watch has no keys to sign payouts with.",
    },
    {
      name: 'a watching wallet that can spend',
      config: () => ({ bitcoinWatchWallet: MINER }),
      says: `The node's wallet ${MINER} is no watching wallet`,
    },
  ])('a start is refused with $name', async ({ config, says }) => {
    await node
      .call('createwallet', { wallet_name: 'other-watch', disable_private_keys: true, blank: true })
      .catch(() => undefined) // it exists
    const refused = await wholeProgram({ node, config: config() }).then(
      () => null,
      (error: unknown) => error,
    )
    expect(explanationOf(refused)).toContain(says)
    expect(explanationOf(refused)).not.toMatch(/^\s+at /m)
  })

  it('a start is refused with a node that prunes blocks, by the name of that setting', async () => {
    const pruned = await startNode({ args: ['-txindex=0', '-prune=550'] })
    try {
      await fundHotWallet(pruned)
      const refused = await wholeProgram({ node: pruned }).then(
        () => null,
        (error: unknown) => error,
      )
      expect(explanationOf(refused)).toContain('The bitcoin node is pruned (prune=550).')
      expect(explanationOf(refused)).not.toMatch(/^\s+at /m)
    } finally {
      await pruned.stop()
    }
  })
})

describe('a program that runs', () => {
  let whole: Whole
  let player: WholePlayer

  beforeAll(async () => {
    await fundHotWallet(node)
    whole = await wholeProgram({ node })
    player = await whole.signUp()
  })
  afterAll(() => whole?.end())
  const buy = async (key?: string) =>
    await whole.call('POST', '/payment', {
      bearer: await whole.logIn(player),
      body: BODY,
      ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
    })

  async function paidOrder(orderId?: string, extraSats = 0n): Promise<void> {
    const id = orderId ?? String((await buy()).body.transaction_id)
    const { address, dueSats } = await moneyOf(whole.lottery.payments, id)
    await node.pay(address ?? '', dueSats + extraSats)
    await node.mine(1)
    await whole.look()
    expect(await whole.statusOf({ id })).toBe('PAID')
  }

  describe('without its node', () => {
    let waiting: string
    beforeAll(async () => {
      waiting = String((await buy()).body.transaction_id)
      await node.flush()
      await node.kill9()
    })
    afterAll(async () => {
      await node.restart()
      await node.heard()
    })

    it('an order without the node is refused in the words of the specification', async () => {
      const refused = await buy('refused')
      expect(refused.body).toEqual({ error: { code: 'INTERNAL_SERVER_ERROR', message: expect.any(String) as string } })
      expect(refused.status).toBe(503)
    })

    it('no order is left that waits for money and cannot be paid', async () => {
      await buy()
      const left = await whole.rows(
        `select o.id, o.status from orders o left join invoices i on i.order_id = o.id
          where i.order_id is null and o.status in ('PENDING', 'PROCESSING', 'UNDERPAID')`,
      )
      expect(left).toEqual([])
    })

    it('everything else is shown without the node, and the log mentions no logins', async () => {
      const bearer = await whole.logIn(player)
      for (const path of [
        '/games',
        '/games/bitcoin-hero/draws',
        '/solvency',
        `/checkout/${waiting}`,
        `/payment?transaction_id=${waiting}`,
        '/settings/transactions?_page=1',
        '/metrics',
      ])
        expect((await whole.call('GET', path, { bearer })).status, path).toBe(200)
      await whole.moveTo(whole.clock.now() + 30 * 60) // jobs that need the node fail and are retried
      const { body } = await whole.call('GET', `/checkout/${waiting}`)
      expect(body).toMatchObject({ transaction_id: waiting })
      expect(whole.logged.filter((line) => JSON.stringify(line).includes('__cookie__'))).toEqual([])
    })
  })

  it('the program resumes when the node is back, including the order that was refused', async () => {
    const made = await buy('refused')
    expect(made.status).toBe(201)
    await paidOrder(String(made.body.transaction_id))
    await paidOrder()
    expect(await whole.problems()).toEqual([])
  })

  it('the program loads wallets again that were unloaded, and pays out of one', async () => {
    for (const name of [WATCH, HOT]) await node.call('unloadwallet', { wallet_name: name })
    const made = await buy()
    await paidOrder(String(made.body.transaction_id), 50_000n)
    await whole.finishPayouts()
    expect(await unspentAt(node, [player.address])).toEqual(new Map([[player.address, [expect.any(BigInt)]]]))
    expect(await whole.problems()).toEqual([])
  })

  it('the program takes the new cookie of a node that was restarted', async () => {
    await node.restart()
    await node.heard()
    await paidOrder()
    expect(await whole.problems()).toEqual([])
  })
})
