import { expect } from 'vitest'
import type { PayoutLimits } from '../../src/modules/payouts/batch.ts'
import { satsOfBtc } from '../../src/ports/bitcoin-node/rpc.ts'
import { createCoreWallet, type CoreWallet } from '../../src/ports/wallet/bitcoin-core.ts'
import { type PayoutCluster, startPayoutCluster } from '../payout-cluster.ts'
import { MINER, type TestNode } from './node.ts'

/** The ledger's bankroll of the fixture: 50 BTC, in coins of several sizes. */
export const HOT_COINS: readonly bigint[] = [2_000_000_000n, 1_500_000_000n, 1_000_000_000n, 500_000_000n]

/** A player who is owed a prize. */
export interface Prize {
  readonly id: bigint
  readonly address: string
  readonly sats: bigint
}

/** Payouts over wallets of one test node. @param theNode called at each use: it starts after the tests are declared */
export function payoutsOn(theNode: () => TestNode) {
  let wallets = 0
  let addresses = 0

  /** A new hot wallet with coins six blocks deep, by default 50 bitcoins. */
  async function hotWallet(coins = HOT_COINS): Promise<{ name: string; wallet: CoreWallet }> {
    const node = theNode()
    wallets += 1
    const name = `hot-${wallets}`
    await node.call('createwallet', { wallet_name: name, load_on_startup: true })
    for (const sats of coins) await node.pay(await node.call<string>('getnewaddress', {}, { wallet: name }), sats)
    await node.mine(6)
    await node.flush()
    return { name, wallet: createCoreWallet({ node: node.node, wallet: name, network: 'regtest' }) }
  }

  /** The unspent outputs in blocks for an address, one amount per output. */
  async function minedTo(address: string): Promise<bigint[]> {
    const params = { action: 'start', scanobjects: [`addr(${address})`] }
    const { unspents } = await theNode().call<{ unspents: { amount: number }[] }>('scantxoutset', params)
    return unspents.map((unspent) => satsOfBtc(unspent.amount))
  }

  const minerAddress = (): Promise<string> => theNode().call<string>('getnewaddress', {}, { wallet: MINER })

  /** A block that takes nothing from the mempool: what waits was passed over. */
  async function mineEmpty(): Promise<void> {
    await theNode().call('generateblock', { output: await minerAddress(), transactions: [] })
  }

  return {
    hotWallet,
    minedTo,

    /**
     * Closes the wallets that were made so far: a node that is killed again and again opens each of them at every
     * start.
     */
    async closeWallets(): Promise<void> {
      const open = await theNode().call<string[]>('listwallets')
      for (const name of open.filter((one) => one !== MINER))
        await theNode().call('unloadwallet', { wallet_name: name, load_on_startup: false })
    },

    /** Payouts over a hot wallet of their own. */
    async coreCluster(options: { coins?: readonly bigint[]; limits?: PayoutLimits } = {}) {
      const hot = await hotWallet(options.coins)
      const heldSats = async (): Promise<bigint> => (await hot.wallet.balances()).spendableSats
      const limits = options.limits === undefined ? {} : { limits: options.limits }
      const cluster = await startPayoutCluster({ ...limits, outside: { wallet: hot.wallet, heldSats } })
      return { ...hot, cluster }
    },

    /** All clusters pay on one chain, so no two of their players may share an address. */
    async owePrize(cluster: PayoutCluster, sats: bigint): Promise<Prize> {
      const { id } = await cluster.money.player({ hasAddress: false })
      addresses += 1
      const address = cluster.money.addressOf(10_000 + addresses)
      await cluster.money.saveAddress(id, address)
      await cluster.money.owe(id, sats)
      return { id, address, sats }
    },

    mineEmpty,

    /** Lets time pass, with a block at each check, or one that leaves the mempool as it is. */
    async pass(
      cluster: PayoutCluster,
      working: ReturnType<PayoutCluster['worker']>,
      looks: number,
      blocks: number | 'empty' = 1,
    ): Promise<void> {
      await working.queue.runDue()
      for (let look = 0; look < looks; look += 1) {
        if (blocks === 'empty') await mineEmpty()
        else if (blocks > 0) await theNode().mine(blocks)
        cluster.runtime.clock.set((Math.floor(cluster.now() / 600) + 1) * 600)
        await working.queue.runDue()
      }
    },

    /** Each prize arrived once; wallet, ledger and chain agree. */
    async expectPaid(cluster: PayoutCluster, prizes: readonly Omit<Prize, 'id'>[], about = ''): Promise<void> {
      for (const { address, sats } of prizes) expect(await minedTo(address), about).toEqual([sats])
      expect(await cluster.problems(), about).toEqual([])
    },

    minerAddress,
  }
}
