import { randomBytes } from 'node:crypto'
import { HDKey } from '@scure/bip32'
import { btcToSats } from '@fairball/domain/money'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { bankroll, networkFees, suspense, wallet as walletAccount } from '../../src/modules/ledger/accounts.ts'
import { createDesk } from '../../src/modules/payouts/desk.ts'
import { acceptAll } from '../payout-house.ts'
import { treasuryCommands } from '../../src/modules/treasury/commands.ts'
import { createTreasury, type Treasury } from '../../src/modules/treasury/service.ts'
import { CommandError, type OperatorCommand } from '../../src/operator-command.ts'
import { satsOfBtc } from '../../src/ports/bitcoin-node/rpc.ts'
import { parseAccountKey } from '../../src/ports/payment-provider/account-key.ts'
import { createBitcoinCoreProvider } from '../../src/ports/payment-provider/bitcoin-core.ts'
import type { PaymentProvider } from '../../src/ports/payment-provider/payment-provider.ts'
import { createCoreWallet } from '../../src/ports/wallet/bitcoin-core.ts'
import { createCoreMovements } from '../../src/ports/wallet/core-movements.ts'
import { OPENING_SATS } from '../../src/ports/wallet/test-chain.ts'
import type { Wallet } from '../../src/ports/wallet/wallet.ts'
import { createSeal } from '../../src/runtime/seal.ts'
import { systemClock } from '../../src/runtime/system-runtime.ts'
import { testRuntime, type TestRuntime } from '../../src/runtime/test-runtime.ts'
import { testDatabase, type TestDatabase } from '../database.ts'
import { FIXTURE_DUE_SATS as DUE, moneyFixture, type MoneyFixture } from '../money.ts'
import { testAccount } from './account.ts'
import { btcOf, MINER, startNode, type TestNode } from './node.ts'

const WATCH = 'treasury-watch'
const HOT = 'treasury-hot'
/** The operator's own program, which has the keys of the deposits. */
const COLD = 'treasury-cold'
const MONTH = 30 * 86_400
/** More than one, so that there are coins which are mined and do not count yet. */
const DEEP = 2
const BTC = 100_000_000n
const TEST_VERSIONS = { private: 0x04358394, public: 0x043587cf }

const seed = randomBytes(32)
const xpub = testAccount(seed)
let database: TestDatabase
let runtime: TestRuntime
let money: MoneyFixture
let payments: MoneyFixture['payments']
let treasury: Treasury
let openTreasury: () => Treasury
let provider: PaymentProvider
let hot: Wallet
let node: TestNode
let drawId: bigint
let addresses = 0

beforeAll(async () => {
  database = await testDatabase()
  node = await startNode()
  // The node tells when it saw a payment by the real time, so the lottery has to live in it.
  runtime = testRuntime({ startAt: systemClock().now() })
  const { db } = database
  await node.call('createwallet', { wallet_name: HOT, load_on_startup: true })
  await openCold()
  hot = createCoreWallet({ node: node.node, wallet: HOT, network: 'regtest' })
  const movements = createCoreMovements({
    node: node.node,
    wallets: { deposits: WATCH, payouts: HOT },
    requiredConfirmations: DEEP,
  })
  provider = createBitcoinCoreProvider({
    db,
    runtime,
    node: node.node,
    network: 'regtest',
    xpub,
    wallet: WATCH,
    publicUrl: 'http://fairball.test',
    requiredConfirmations: DEEP,
    movesWithinHouse: (txid) => treasury.movesWithinHouse(txid),
  })
  money = await moneyFixture({
    db,
    runtime,
    wrapWallet: () => hot,
    wrapProvider: () => provider,
    requiredConfirmations: DEEP,
  })
  payments = money.payments
  openTreasury = () =>
    createTreasury({
      db,
      runtime,
      ledger: money.ledger,
      sources: [
        { name: provider.name, read: async () => (await provider.balance?.()) ?? [] },
        { name: 'payouts', read: async () => [{ name: 'payouts', sats: (await hot.balances()).spendableSats }] },
        // What the fixture's ledger opens with lies elsewhere.
        { name: 'vault', read: async () => [{ name: 'vault', sats: OPENING_SATS }] },
      ],
      movements,
      bookUnknown: payments.bookUnknown,
    })
  treasury = openTreasury()
  drawId = await money.draw(1, runtime.clock.now() + MONTH)
  await provider.assertFit()
  await payments.follow()
  await treasury.look()
})
afterAll(async () => {
  await node?.stop()
  await database.drop()
})

/** Node and ledger agree to the satoshi once everything is six deep, and the invariants of the ledger hold. */
afterEach(async () => {
  await settle(7)
  const balanceOf = async (name: string): Promise<bigint> => {
    const { mine } = await node.call<{ mine: { trusted: number } }>('getbalances', {}, { wallet: name })
    return satsOfBtc(mine.trusted)
  }
  const held = (await balanceOf(WATCH)) + (await balanceOf(HOT)) + OPENING_SATS
  expect(await balance(walletAccount)).toBe(held)
  expect(await money.ledger.violations(database.db)).toEqual([])
  expect(await treasury.status()).toMatchObject({ differenceSats: 0n, unexplainedSats: 0n, unbooked: 0 })
})

/** A wallet with the private keys of the account that the program only watches. */
async function openCold(): Promise<void> {
  await node.call('createwallet', { wallet_name: COLD, blank: true, load_on_startup: true })
  const key = HDKey.fromMasterSeed(seed, TEST_VERSIONS).derive("m/84'/1'/0'").privateExtendedKey
  const requests = []
  for (const branch of [0, 1]) {
    const desc = `wpkh(${key}/${branch}/*)`
    const { checksum } = await node.call<{ checksum: string }>('getdescriptorinfo', { descriptor: desc })
    const internal = branch === 1
    requests.push({ desc: `${desc}#${checksum}`, active: true, internal, range: [0, 100], timestamp: 'now' })
  }
  const results = await node.call<{ success: boolean }[]>('importdescriptors', { requests }, { wallet: COLD })
  expect(results.every((result) => result.success)).toBe(true)
}

const balance = (account: typeof walletAccount) => money.ledger.balance(database.db, account)
const newAddress = (name: string) => node.call<string>('getnewaddress', {}, { wallet: name })

/** Sends from a wallet with keys. @returns the transaction's id */
async function send(from: string, address: string, sats: bigint): Promise<string> {
  const txid = await node.call<string>(
    'sendtoaddress',
    { address, amount: btcOf(sats), fee_rate: 3, replaceable: true },
    { wallet: from },
  )
  await node.heard()
  return txid
}

/** Makes blocks one by one, and looks at everything after each: whatever is on its way explains the difference. */
async function settle(blocks: number): Promise<void> {
  for (let block = 0; block <= blocks; block += 1) {
    if (block > 0) await node.mine(1)
    await payments.follow()
    await money.queue.runDue()
    await treasury.look()
    expect((await treasury.status()).unexplainedSats, `after ${block} blocks`).toBe(0n)
  }
}

async function pass(looks: number): Promise<void> {
  for (let look = 0; look < looks; look += 1) {
    runtime.clock.set((Math.floor(runtime.clock.now() / 600) + 1) * 600)
    await settle(1)
  }
}

async function run(name: keyof typeof treasuryCommands, ...args: string[]): Promise<string> {
  const commands: Record<string, OperatorCommand> = treasuryCommands
  const seal = createSeal(new Uint8Array(32), runtime.random)
  const answer = await commands[name]?.run({ db: database.db, runtime, seal, config: readConfig({}) }, args)
  return answer ?? ''
}

/** A player's order that is PAID on the chain, with the look at it that the queue would do. */
async function paidOrder(sats = DUE): Promise<string> {
  const { id } = await money.player()
  const orderId = await money.order(id, [drawId], { withInvoice: false })
  await payments.openInvoice(orderId)
  const { address } = await payments.moneyOf(orderId)
  await node.pay(address ?? '', sats)
  await node.mine(DEEP)
  expect(await payments.refresh(orderId)).toBe('PAID')
  return orderId
}

/** The outpoint at which a transaction pays an address. */
async function outpointAt(txid: string, address: string): Promise<string> {
  const { vout } = await node.call<{ vout: { n: number; scriptPubKey: { address?: string } }[] }>('getrawtransaction', {
    txid,
    verbose: true,
  })
  return `${txid}:${vout.find(({ scriptPubKey }) => scriptPubKey.address === address)?.n}`
}

const alerts = (text: string) => runtime.logged.filter((line) => String(line['msg']).includes(text)).length

describe('the operator’s money on a real chain', () => {
  it('comes to the hot wallet, stands in suspense when it is six deep, and becomes bankroll', async () => {
    const [before, inSuspense] = [await balance(bankroll), await balance(suspense)]
    const address = await newAddress(HOT)
    const txid = await node.pay(address, 3n * BTC)
    const outpoint = await outpointAt(txid, address)
    await settle(5)
    expect(await treasury.status()).toMatchObject({ differenceSats: 3n * BTC, unexplainedSats: 0n })
    await expect(run('bankroll-deposit', outpoint)).rejects.toThrow('There is no unknown deposit')
    await settle(1)
    expect(await balance(suspense)).toBe(inSuspense + 3n * BTC)
    expect(await run('treasury')).toContain(`${outpoint}  3.00000000 BTC at payouts`)
    expect(await run('bankroll-deposit', outpoint)).toContain('3.00000000 BTC')
    expect(await balance(bankroll)).toBe(before + 3n * BTC)
    await expect(run('bankroll-deposit', outpoint)).rejects.toThrow('taken out of suspense before: bankroll')
    expect(await balance(suspense)).toBe(inSuspense)
  })

  it('moves from the deposits to the hot wallet, with change back, and costs the fee alone', async () => {
    await paidOrder()
    await node.pay(parseAccountKey(xpub, 'regtest').addressAt(79), 60n * DUE)
    await settle(DEEP)
    const [fees, inSuspense, unknown] = [
      await balance(networkFees),
      await balance(suspense),
      alerts('belongs to no order'),
    ]
    const first = await send(COLD, await newAddress(HOT), 2n * DUE)
    await settle(0)
    const { txid } = await node.call<{ txid: string }>('bumpfee', { txid: first }, { wallet: COLD })
    await node.heard()
    const { fee } = await node.call<{ fee: number }>('gettransaction', { txid }, { wallet: COLD })
    await settle(6)
    expect(await balance(networkFees)).toBe(fees - satsOfBtc(fee))
    expect(await balance(suspense)).toBe(inSuspense)
    expect(alerts('belongs to no order')).toBe(unknown)
  })

  it('moves from the hot wallet to the deposits and is no unknown money there', async () => {
    const [inSuspense, unknown] = [await balance(suspense), alerts('belongs to no order')]
    await send(HOT, parseAccountKey(xpub, 'regtest').addressAt(80), BTC)
    await settle(6)
    expect(await balance(suspense)).toBe(inSuspense)
    expect(alerts('belongs to no order')).toBe(unknown)
    await money.payouts.reconcile()
    expect((await money.payouts.status()).stopReason).toContain('not ours')
    await resumePayouts()
  })

  it('leaves in payouts, which are nobody’s movement, also when one is sent to an address of the deposits', async () => {
    addresses += 1
    const { id } = await money.player({ hasAddress: false })
    const other = money.addressOf(20_000 + addresses)
    await money.saveAddress(id, other)
    await money.owe(id, 40_000n)
    const { id: odd } = await money.player({ hasAddress: false })
    await money.saveAddress(odd, parseAccountKey(xpub, 'regtest').addressAt(81))
    await money.owe(odd, 50_000n)
    const inSuspense = await balance(suspense)
    await pass(8)
    expect(await balance(suspense)).toBe(inSuspense + 50_000n)
    expect((await treasury.status()).unbooked).toBe(0)
  })

  it('leaves for elsewhere, waits for a word, and is booked from an account that holds it', async () => {
    const elsewhere = await newAddress(MINER)
    const txid = await send(HOT, elsewhere, BTC / 2n)
    await expect(run('withdraw', txid, 'bankroll')).rejects.toThrow('six blocks deep')
    const before = alerts('left for somebody else')
    await settle(6)
    expect(alerts('left for somebody else')).toBe(before + 1)
    expect(await treasury.status()).toMatchObject({ unexplainedSats: 0n, unbooked: 1 })
    expect(await run('treasury')).toContain(`${txid}  0.50000000 BTC, fee`)
    await expect(run('withdraw', txid, 'operator-fee')).rejects.toThrow('operator fee holds 0.00000000 BTC')
    await expect(run('withdraw', txid, 'wallet')).rejects.toThrow(CommandError)
    const held = await balance(bankroll)
    expect(await run('withdraw', txid, 'bankroll')).toContain('0.50000000 BTC')
    expect(await balance(bankroll)).toBe(held - BTC / 2n)
    await expect(run('withdraw', txid, 'bankroll')).rejects.toThrow('booked already')
    await money.payouts.reconcile()
    await resumePayouts()
  })

  it('pays an order of ours from the deposits, which counts as anybody’s payment', async () => {
    const { id } = await money.player()
    const orderId = await money.order(id, [drawId], { withInvoice: false })
    await payments.openInvoice(orderId)
    const { address } = await payments.moneyOf(orderId)
    const txid = await send(COLD, address ?? '', DUE)
    await node.mine(DEEP)
    await payments.refresh(orderId)
    await settle(6)
    expect((await treasury.status()).unbooked).toBe(1)
    await run('withdraw', txid, 'bankroll')
  })

  it('is mined to both wallets, and counts when it can be spent', async () => {
    const before = await balance(suspense)
    const subsidy = async (hash: string | undefined): Promise<bigint> => {
      const { tx } = await node.call<{ tx: { vout: { value: number }[] }[] }>('getblock', {
        blockhash: hash,
        verbosity: 2,
      })
      return satsOfBtc(tx[0]?.vout[0]?.value)
    }
    const [one] = await node.mine(1, await newAddress(HOT))
    const [other] = await node.mine(1, parseAccountKey(xpub, 'regtest').addressAt(82))
    await settle(7)
    expect(await balance(suspense)).toBe(before)
    await node.mine(94)
    await settle(3)
    expect(await balance(suspense)).toBe(before + (await subsidy(one)) + (await subsidy(other)))
  })
})

async function resumePayouts(): Promise<void> {
  await acceptAll(createDesk({ db: database.db, runtime, ledger: money.ledger, jobs: money.queue, actor: 'test' }))
}

describe('what the public is told', () => {
  it('is what the node’s wallets hold, and what they held last while the node is away', async () => {
    const live = await openTreasury().solvency()
    expect(live).toMatchObject({ difference: '0.00000000', solvent: true, read_at: runtime.clock.now() })
    expect(Object.keys(live.assets)).toEqual(['deposits', 'payouts', 'vault'])
    await node.flush()
    await node.kill9()
    runtime.clock.set(runtime.clock.now() + 600)
    const stored = await openTreasury().solvency()
    expect(stored.assets).toEqual(live.assets)
    expect(stored).toMatchObject({ read_at: runtime.clock.now() - 600, solvent: true })
    expect(btcToSats(stored.ledger)).toBe(await balance(walletAccount))
    await expect(treasury.look()).rejects.toThrow()
    await node.restart()
    await node.heard()
  })
})
