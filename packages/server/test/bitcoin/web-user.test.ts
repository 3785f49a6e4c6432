import { randomBytes, randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createNode } from '../../src/ports/bitcoin-node/rpc.ts'
import { chooseBitcoin } from '../../src/ports/bitcoin.ts'
import { monotonicTime } from '../../src/runtime/system-runtime.ts'
import { testRuntime } from '../../src/runtime/test-runtime.ts'
import { composeSetup } from '../compose-setup.ts'
import { testDatabase } from '../database.ts'
import { TEST_BITCOIN } from '../lottery.ts'
import { testAccount } from './account.ts'
import { startNode } from './node.ts'

const ROOT = join(import.meta.dirname, '../../../..')

/** The configuration of compose.yaml's node, and the web's login as the setup made it. */
async function composedNode() {
  const folder = await composeSetup()
  const conf = join(folder, 'bitcoin.conf')
  const sample = readFileSync(join(ROOT, 'deploy/compose/bitcoin.conf'), 'utf8')
  writeFileSync(conf, sample.replace('/run/private', join(folder, 'bitcoin')))
  const { username: user, password } = new URL(readFileSync(join(folder, 'web/bitcoin_rpc_url'), 'utf8').trim())
  return { conf, login: { user, password } }
}

it('the web’s user of the node, limited as in the guide, is enough to start and to sell, and cannot spend', async () => {
  const { conf, login } = await composedNode()
  const node = await startNode({ args: [`-conf=${conf}`] })
  onTestFinished(() => node.stop())
  const { db } = await testDatabase()
  const runtime = { ...testRuntime(), fetch: globalThis.fetch }
  const settings = {
    ...TEST_BITCOIN,
    payments: 'bitcoin-core',
    bitcoinXpub: testAccount(randomBytes(32)),
    bitcoinNode: { url: node.url, login },
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

  const url = new URL(node.url)
  Object.assign(url, { username: login.user, password: login.password })
  const { call } = createNode({ url: url.href, fetch: globalThis.fetch, sleep: monotonicTime.sleep })
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
