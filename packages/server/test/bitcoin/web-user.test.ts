import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createNode } from '../../src/ports/bitcoin-node/rpc.ts'
import { chooseBitcoin } from '../../src/ports/bitcoin.ts'
import { monotonicTime } from '../../src/runtime/system-runtime.ts'
import { testRuntime } from '../../src/runtime/test-runtime.ts'
import { testDatabase } from '../database.ts'
import { TEST_BITCOIN } from '../lottery.ts'
import { testAccount } from './account.ts'
import { startNode } from './node.ts'

const USER = 'fairball-web'
const GUIDE = join(import.meta.dirname, '../../../../docs/operations.md')

/** `rpcauth` of a user, as made by Bitcoin Core's share/rpcauth. */
function rpcAuth(user: string, password: string): string {
  const salt = randomBytes(16).toString('hex')
  return `${user}:${salt}$${createHmac('sha256', salt).update(password).digest('hex')}`
}

it('the web’s user of the node, limited as in the guide, is enough to start and to sell, and cannot spend', async () => {
  const [, methods = ''] = new RegExp(`^rpcwhitelist=${USER}:(\\S+)$`, 'm').exec(readFileSync(GUIDE, 'utf8')) ?? []
  const password = randomBytes(12).toString('hex')
  const args = [`-rpcauth=${rpcAuth(USER, password)}`, '-rpcwhitelistdefault=0', `-rpcwhitelist=${USER}:${methods}`]
  const node = await startNode({ args })
  onTestFinished(() => node.stop())
  const { db } = await testDatabase()
  const runtime = { ...testRuntime(), fetch: globalThis.fetch }
  const settings = {
    ...TEST_BITCOIN,
    payments: 'bitcoin-core',
    bitcoinXpub: testAccount(randomBytes(32)),
    bitcoinNode: { url: node.url, login: { user: USER, password } },
  } as const
  const web = () =>
    chooseBitcoin({
      db,
      runtime,
      publicUrl: 'http://localhost:3000',
      settings,
      testSeed: () => Promise.reject(new Error('there is no test wallet')),
      isPayout: () => Promise.resolve(true),
    })
  const sell = async (): Promise<string> => {
    const { assertFitToTake, provider } = await web()
    await assertFitToTake()
    const { address } = await provider.createCheckout({
      orderId: randomUUID(),
      amountSats: 1_000n,
      description: 'lines',
      expiresAt: runtime.clock.now() + 900,
      returnUrl: 'http://localhost:3000',
    })
    return String(address)
  }
  const first = await sell()
  expect(await sell()).not.toBe(first)

  const login = new URL(node.url)
  Object.assign(login, { username: USER, password })
  const { call } = createNode({ url: login.href, fetch: globalThis.fetch, sleep: monotonicTime.sleep })
  for (const method of [
    'walletprocesspsbt',
    'signrawtransactionwithwallet',
    'sendtoaddress',
    'send',
    'dumpprivkey',
    'gethdkeys',
  ])
    await expect(call(method), method).rejects.toThrow('this login may not ask for it')
  // A process that makes payouts asks for more: the wallet they leave from.
  await expect((await web()).assertFit()).rejects.toThrow('The node has no wallet fairball-hot')
}, 120_000)
