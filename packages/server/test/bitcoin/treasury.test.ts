import { randomBytes } from 'node:crypto'
import { btcToSats } from '@fairball/domain/money'
import { HDKey } from '@scure/bip32'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type ConfigAsRead, readConfig } from '../../src/config/config.ts'
import { sql, t } from '../../src/db/sql.ts'
import { Refused } from '../../src/kernel/errors.ts'
import { bankroll, networkFees, suspense, wallet as walletAccount } from '../../src/modules/ledger/accounts.ts'
import { balanceOf, ledgerViolations } from '../../src/modules/ledger/service.ts'
import type { OperatorCommand } from '../../src/modules/operator/command.ts'
import { treasuryCommands } from '../../src/modules/operator/treasury-commands.ts'
import {
  bookUnknown,
  followProvider,
  moneyOf,
  openInvoice,
  refreshPayments,
} from '../../src/modules/payments/service.ts'
import { payoutsStatus, reconcileWallet } from '../../src/modules/payouts/service.ts'
import {
  isPayout,
  lookAtWallets,
  solvency,
  treasuryContext,
  type TreasuryContext,
  treasuryStatus,
} from '../../src/modules/treasury/service.ts'
import { satsOfBtc } from '../../src/ports/bitcoin-node/rpc.ts'
import { parseAccountKey } from '../../src/ports/payment-provider/account-key.ts'
import { createBitcoinCoreProvider } from '../../src/ports/payment-provider/bitcoin-core.ts'
import type { PaymentProvider } from '../../src/ports/payment-provider/payment-provider.ts'
import { createCoreWallet } from '../../src/ports/wallet/bitcoin-core.ts'
import { createCoreMovements } from '../../src/ports/wallet/core-movements.ts'
import { createCoreDepositCoins } from '../../src/ports/wallet/deposit-coins.ts'
import { OPENING_SATS } from '../../src/ports/wallet/test-chain.ts'
import type { Wallet } from '../../src/ports/wallet/wallet.ts'
import { createSeal } from '../../src/runtime/seal.ts'
import { systemClock } from '../../src/runtime/system-runtime.ts'
import { testRuntime, type TestRuntime } from '../../src/runtime/test-runtime.ts'
import { testDatabase, type TestDatabase } from '../database.ts'
import { FIXTURE_DUE_SATS as DUE, moneyFixture, type MoneyFixture } from '../money.ts'
import { acceptAll } from '../payout-cluster.ts'
import { TEST_VERSIONS, testAccount } from './account.ts'
import { btcOf, MINER, startNode, type TestNode } from './node.ts'

const WATCH = 'treasury-watch'
const HOT = 'treasury-hot'
/** The operator's own program, which has the keys of the deposits. */
const COLD = 'treasury-cold'
const MONTH = 30 * 86_400
/** More than one, so that some coins are mined and do not count yet. */
const DEEP = 2
/** A £1 coin each. */
const SMALL_COINS = 1_000
const BTC = 100_000_000n

const seed = randomBytes(32)
const readActions = sql({
  name: 'bitcoin-treasury-test.read-actions',
  text: `select action, subject, detail from operator_actions order by id`,
  row: { action: t.text, subject: t.text, detail: t.text },
})
const xpub = testAccount(seed)
let database: TestDatabase
let runtime: TestRuntime
let money: MoneyFixture
let payments: MoneyFixture['payments']
let treasury: TreasuryContext
let openTreasury: () => TreasuryContext
let provider: PaymentProvider
let hot: Wallet
let node: TestNode
let drawId: bigint
let addresses = 0

beforeAll(async () => {
  database = await testDatabase()
  node = await startNode()
  // The node reports when it saw a payment by the real time, so the lottery has to use it too.
  runtime = testRuntime({ startAt: systemClock().now(), fetch: globalThis.fetch })
  const { db } = database
  await node.call('createwallet', { wallet_name: HOT, load_on_startup: true })
  await openCold()
  hot = createCoreWallet({ node: node.node, wallet: HOT, network: 'regtest' })
  const movements = createCoreMovements({
    node: node.node,
    wallets: { deposits: WATCH, payouts: HOT },
    requiredConfirmations: () => DEEP,
  })
  provider = createBitcoinCoreProvider({
    db,
    runtime,
    node: node.node,
    network: 'regtest',
    xpub,
    wallet: WATCH,
    publicUrl: 'http://fairball.test',
    requiredConfirmations: () => DEEP,
    isOwnMove: async (txid) => !(await isPayout(db, txid)) && (await movements.spendsOurs(txid)),
  })
  money = await moneyFixture({
    db,
    runtime,
    wrapWallet: () => hot,
    wrapProvider: () => provider,
    requiredConfirmations: DEEP,
  })
  payments = money.payments
  const coins = createCoreDepositCoins({ node: node.node, wallet: WATCH })
  openTreasury = () =>
    treasuryContext({
      db,
      runtime,
      sources: [
        { name: provider.name, read: async () => (await provider.balance?.()) ?? [] },
        { name: 'payouts', read: async () => [{ name: 'payouts', sats: (await hot.balances()).spendableSats }] },
        // What the fixture's ledger opens with is elsewhere.
        { name: 'vault', read: async () => [{ name: 'vault', sats: OPENING_SATS }] },
      ],
      movements,
      bookUnknown: (...args) => bookUnknown(payments, ...args),
      deposits: { list: coins.list, estimateFee: hot.estimateFee },
    })
  treasury = openTreasury()
  drawId = await money.draw(1, runtime.clock.now() + MONTH)
  await provider.assertFit()
  await followProvider(payments)
  await lookAtWallets(treasury)
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
  expect(await ledgerViolations(database.db)).toEqual([])
  expect(await treasuryStatus(treasury)).toMatchObject({ differenceSats: 0n, unexplainedSats: 0n, unbooked: 0 })
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

const balance = (account: typeof walletAccount) => balanceOf(database.db, account)
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

/** Makes blocks one by one, and checks everything after each: what is on its way always explains the difference. */
async function settle(blocks: number): Promise<void> {
  for (let block = 0; block <= blocks; block += 1) {
    if (block > 0) await node.mine(1)
    await followProvider(payments)
    await money.queue.runDue()
    await lookAtWallets(treasury)
    expect((await treasuryStatus(treasury)).unexplainedSats, `after ${block} blocks`).toBe(0n)
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
  const config: ConfigAsRead = {
    ...readConfig({}),
    payments: 'bitcoin-core',
    bitcoinNode: { url: node.url, login: { cookieFile: node.cookieFile } },
    bitcoinXpub: xpub,
    bitcoinWatchWallet: WATCH,
    bitcoinHotWallet: HOT,
  }
  const answer = await commands[name]?.run({ db: database.db, runtime, seal, config }, args, {})
  return answer ?? ''
}

/** A player's order that is PAID on the chain, including the check that the queue would do. */
async function paidOrder(sats = DUE): Promise<string> {
  const { id } = await money.player()
  const orderId = await money.order(id, [drawId], { withInvoice: false })
  await openInvoice(payments, orderId)
  const { address } = await moneyOf(payments, orderId)
  await node.pay(address ?? '', sats)
  await node.mine(DEEP)
  expect(await refreshPayments(payments, orderId)).toBe('PAID')
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
  it('a deposit comes to the hot wallet, is in suspense when it is six deep, and becomes bankroll', async () => {
    const [before, inSuspense] = [await balance(bankroll), await balance(suspense)]
    const address = await newAddress(HOT)
    const txid = await node.pay(address, 3n * BTC)
    const outpoint = await outpointAt(txid, address)
    await settle(5)
    expect(await treasuryStatus(treasury)).toMatchObject({ differenceSats: 3n * BTC, unexplainedSats: 0n })
    await expect(run('bankroll-deposit', outpoint)).rejects.toThrow('There is no unknown deposit')
    await settle(1)
    expect(await balance(suspense)).toBe(inSuspense + 3n * BTC)
    expect(await run('treasury')).toContain(`${outpoint}  3.00000000 BTC at payouts`)
    expect(await run('bankroll-deposit', outpoint)).toContain('3.00000000 BTC')
    expect(await balance(bankroll)).toBe(before + 3n * BTC)
    await expect(run('bankroll-deposit', outpoint)).rejects.toThrow('taken out of suspense before: bankroll')
    expect(await balance(suspense)).toBe(inSuspense)
  })

  it('money moves from the deposits to the hot wallet, with change back, and costs only the fee', async () => {
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

  it('money moves from the hot wallet to the deposits and is no unknown money there', async () => {
    const [inSuspense, unknown] = [await balance(suspense), alerts('belongs to no order')]
    await send(HOT, parseAccountKey(xpub, 'regtest').addressAt(80), BTC)
    await settle(6)
    expect(await balance(suspense)).toBe(inSuspense)
    expect(alerts('belongs to no order')).toBe(unknown)
    await reconcileWallet(money.payouts)
    expect((await payoutsStatus(money.payouts)).stopReason).toContain('not ours')
    await resumePayouts()
  })

  it('payouts are no one’s movement, even one sent to an address of the deposits', async () => {
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
    expect((await treasuryStatus(treasury)).unbooked).toBe(0)
  })

  it('money that leaves waits for the operator’s word, and is booked from an account that holds it', async () => {
    const elsewhere = await newAddress(MINER)
    const txid = await send(HOT, elsewhere, BTC / 2n)
    await expect(run('withdraw', txid, 'bankroll')).rejects.toThrow('six blocks deep')
    const before = alerts('left for somebody else')
    await settle(6)
    expect(alerts('left for somebody else')).toBe(before + 1)
    expect(await treasuryStatus(treasury)).toMatchObject({ unexplainedSats: 0n, unbooked: 1 })
    expect(await run('treasury')).toContain(`${txid}  0.50000000 BTC, fee`)
    await expect(run('withdraw', txid, 'operator-fee')).rejects.toThrow('operator fee holds 0.00000000 BTC')
    await expect(run('withdraw', txid, 'wallet')).rejects.toThrow(Refused)
    const held = await balance(bankroll)
    expect(await run('withdraw', txid, 'bankroll')).toContain('0.50000000 BTC')
    expect(await balance(bankroll)).toBe(held - BTC / 2n)
    await expect(run('withdraw', txid, 'bankroll')).rejects.toThrow('booked already')
    await reconcileWallet(money.payouts)
    await resumePayouts()
  })

  async function newOrder() {
    const { id } = await money.player()
    const orderId = await money.order(id, [drawId], { withInvoice: false })
    await openInvoice(payments, orderId)
    return { orderId, address: (await moneyOf(payments, orderId)).address ?? '' }
  }

  it.each([
    ['the deposits', COLD],
    ['the hot wallet', HOT],
  ])('a spend from %s pays no order: payouts stop, and the coins stay ours', async (_from, name) => {
    const { orderId, address } = await newOrder()
    const stops = alerts('payouts are stopped')
    await send(name, address, DUE)
    expect(await refreshPayments(payments, orderId)).toBe('PENDING')
    await node.mine(DEEP)
    expect(await refreshPayments(payments, orderId)).toBe('PENDING')
    expect((await payoutsStatus(money.payouts)).stopReason).toContain('not ours')
    expect(alerts('payouts are stopped')).toBeGreaterThan(stops)
    await settle(6)
    await reconcileWallet(money.payouts)
    await resumePayouts()
    await refreshPayments(payments, orderId)
    expect((await payoutsStatus(money.payouts)).stopReason).toBe(null)
  })

  it('a spend together with a stranger’s coins pays no order: what came with it waits for the operator', async () => {
    const { orderId, address } = await newOrder()
    const coinsOf = async (name: string) =>
      await node.call<{ txid: string; vout: number; amount: number }[]>('listunspent', {}, { wallet: name })
    const [own] = await coinsOf(HOT)
    const [other] = await coinsOf(MINER)
    if (own === undefined || other === undefined) throw new Error('there are no coins')
    const ownSats = satsOfBtc(own.amount)
    const raw = await node.call<string>('createrawtransaction', {
      inputs: [own, other].map(({ txid, vout }) => ({ txid, vout })),
      outputs: [
        { [address]: Number(ownSats + DUE) / 1e8 },
        { [await newAddress(MINER)]: Number(satsOfBtc(other.amount) - DUE - 2_000n) / 1e8 },
      ],
    })
    let hexstring = raw
    for (const name of [HOT, MINER])
      ({ hex: hexstring } = await node.call<{ hex: string }>(
        'signrawtransactionwithwallet',
        { hexstring },
        { wallet: name },
      ))
    const txid = await node.call<string>('sendrawtransaction', { hexstring })
    await node.heard()
    await node.mine(DEEP)
    expect(await refreshPayments(payments, orderId)).toBe('PENDING')
    expect((await payoutsStatus(money.payouts)).stopReason).toContain('not ours')
    const before = await balance(suspense)
    await settle(6)
    expect(await balance(suspense)).toBe(before + DUE)
    await run('bankroll-deposit', `${txid}:0`)
    await reconcileWallet(money.payouts)
    await resumePayouts()
  })

  it('a reward is mined to both wallets, and counts when it can be spent', async () => {
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
  await acceptAll({ db: database.db, runtime, jobs: money.queue, actor: 'test' })
}

describe('small coins of the deposits', () => {
  it(
    `${SMALL_COINS} small coins are shown with what they cost to move and joined, and the sweep books only its fee`,
    {
      timeout: 180_000,
    },
    async () => {
      const look = async () => {
        runtime.clock.set(runtime.clock.now() + 600)
        await lookAtWallets(treasury)
        const { deposits } = await treasuryStatus(treasury)
        if (deposits === null) throw new Error('the coins were not listed')
        return { coins: deposits.sizes.reduce((sum, size) => sum + size.coins, 0), small: deposits.sizes[1], deposits }
      }
      await settle(7)
      const before = await look()
      const addressesOfCoins = Array.from({ length: 20 }, (_, index) =>
        parseAccountKey(xpub, 'regtest').addressAt(50 + index),
      )
      for (let paid = 0; paid < SMALL_COINS; paid += addressesOfCoins.length) {
        const amounts = Object.fromEntries(addressesOfCoins.map((address) => [address, 0.000014]))
        await node.call('sendmany', { dummy: '', amounts }, { wallet: MINER })
      }
      await node.mine(7)
      await settle(0)
      const { coins, small, deposits } = await look()
      expect(coins).toBe(before.coins + SMALL_COINS)
      expect(small).toEqual({
        upToSats: 10_000n,
        coins: (before.small?.coins ?? 0) + SMALL_COINS,
        sats: (before.small?.sats ?? 0n) + 1_400n * BigInt(SMALL_COINS),
      })
      expect(deposits.costs.slice(1)).toEqual([
        { rate: '5', sats: 340n * BigInt(coins) },
        { rate: '50', sats: 3_400n * BigInt(coins) },
      ])
      expect(await run('treasury')).toContain('spending all at 50 sats/vB costs')

      expect(await run('sweep-plan', '9999')).toBe(
        'Fewer than two small coins of the deposits are worth their fee at 9999 sats/vB.',
      )
      const [joins = '', advice, psbt = ''] = (await run('sweep-plan', '2')).split('\n')
      expect(advice).toBe('Sign it where the keys are, and send it. Six blocks deep it books itself: its fee alone.')
      const [, count, sats, address = '', fee = ''] =
        /^Joins (\d+) coins of ([\d.]+) BTC at (\w+) for a fee of ([\d.]+) BTC\.$/.exec(joins) ?? []
      const plan = { coins: Number(count), feeSats: btcToSats(fee) }
      const { ismine: isOurs } = await node.call<{ ismine: boolean }>('getaddressinfo', { address }, { wallet: COLD })
      expect(isOurs).toBe(true)
      expect(plan.coins).toBeGreaterThanOrEqual(SMALL_COINS)
      expect((await database.db.run(readActions, [])).at(-1)).toEqual({
        action: 'sweep-plan',
        subject: address,
        detail: `${plan.coins} coins of ${sats} BTC`,
      })
      const [fees, inSuspense] = [await balance(networkFees), await balance(suspense)]
      const signed = await node.call<{ psbt: string }>('walletprocesspsbt', { psbt }, { wallet: COLD })
      const { hex, complete } = await node.call<{ hex: string; complete: boolean }>('finalizepsbt', {
        psbt: signed.psbt,
      })
      expect(complete).toBe(true)
      const txid = await node.call<string>('sendrawtransaction', { hexstring: hex })
      await node.heard()
      const { vsize } = await node.call<{ vsize: number }>('getrawtransaction', { txid, verbose: true })
      // The node calculates with the largest signatures: a quarter of a byte each.
      expect(plan.feeSats >= 2n * BigInt(vsize) && plan.feeSats <= 2n * BigInt(vsize + plan.coins)).toBe(true)
      await settle(6)
      expect(await balance(networkFees)).toBe(fees + plan.feeSats)
      expect(await balance(suspense)).toBe(inSuspense)
      expect((await treasuryStatus(treasury)).unbooked).toBe(0)
      expect((await look()).coins).toBe(coins - plan.coins + 1)
    },
  )
})

describe('the public treasury', () => {
  it('the public sees what the node’s wallets hold, and what they held last while the node is down', async () => {
    const live = await solvency(openTreasury())
    expect(live).toMatchObject({ difference: '0.00000000', solvent: true, read_at: runtime.clock.now() })
    expect(Object.keys(live.assets)).toEqual(['deposits', 'payouts', 'vault'])
    await node.flush()
    await node.kill9()
    runtime.clock.set(runtime.clock.now() + 600)
    const stored = await solvency(openTreasury())
    expect(stored.assets).toEqual(live.assets)
    expect(stored).toMatchObject({ read_at: runtime.clock.now() - 600, solvent: true })
    expect(btcToSats(stored.ledger)).toBe(await balance(walletAccount))
    await expect(lookAtWallets(treasury)).rejects.toThrow()
    await node.restart()
    await node.heard()
  })
})
