import type { BitcoinNetwork } from '@fairball/domain/btc-address'
import type { Db } from '../db/pool.ts'
import type { Runtime } from '../runtime/runtime.ts'
import { pruneSettingOf } from './bitcoin-node/pruning.ts'
import { type BitcoinNode, createNode, NodeUnreachable } from './bitcoin-node/rpc.ts'
import { type ChainTip, readTip } from './bitcoin-node/tip.ts'
import type { LightningSettings } from './lightning/choose.ts'
import { parseAccountKey } from './payment-provider/account-key.ts'
import { createBitcoinCoreProvider } from './payment-provider/bitcoin-core.ts'
import { BTCPAY_CONFIRMATIONS, createBtcpayProvider } from './payment-provider/btcpay.ts'
import { createOpennodeProvider } from './payment-provider/opennode.ts'
import { inSystemTime } from './payment-provider/outside-time.ts'
import { type Holding, type PaymentProvider, ProviderUnfit } from './payment-provider/payment-provider.ts'
import { createTestPaymentProvider } from './payment-provider/test-wallet.ts'
import { createCoreWallet } from './wallet/bitcoin-core.ts'
import { createCoreMovements } from './wallet/core-movements.ts'
import { createCoreDepositCoins, type DepositCoins } from './wallet/deposit-coins.ts'
import type { Movements } from './wallet/movements.ts'
import { TestChain } from './wallet/test-chain.ts'
import { createTestWallet } from './wallet/test-wallet.ts'
import type { Wallet } from './wallet/wallet.ts'

/** The selectable payment providers. */
export const PAYMENTS_NAMES = ['test', 'bitcoin-core', 'btcpay', 'opennode'] as const
export type PaymentsName = (typeof PAYMENTS_NAMES)[number]

/** Access to the operator's bitcoin node. */
export interface BitcoinNodeSettings {
  /** The RPC address, without user, password or a slash at its end. */
  readonly url: string
  /** A user and password, or the file in which the node keeps those it made. */
  readonly login: { readonly user: string; readonly password: string } | { readonly cookieFile: string }
}

/** A store of a BTCPay Server. */
export interface BtcpaySettings {
  /** without a slash at its end */
  readonly url: string
  readonly apiKey: string
  readonly storeId: string
  readonly webhookSecret: string
}

/** An account at OpenNode. */
interface OpennodeSettings {
  /** without a slash at its end */
  readonly url: string
  readonly apiKey: string
}

/** What of the bitcoin part may change while the program runs. */
export interface MoneySettings {
  /** Number of confirmations from which a payment on the chain counts. */
  readonly bitcoinConfirmations: number
  /** A payout above this waits for the operator's approval, sats; null for none. */
  readonly payoutApprovalSats: bigint | null
  /** The intended maximum in the payout wallet, sats; null for no limit. */
  readonly payoutFloatSats: bigint | null
}

/** On mainnet, fewer confirmations than this would allow a free try at a double spend. */
export const LEAST_MAINNET_CONFIRMATIONS = 2
/** The most confirmations that a payment may have to wait for. */
export const MAX_CONFIRMATIONS = 100

/** The numbers of confirmations that may be required on a network, with a provider. */
export function confirmationsOf(network: BitcoinNetwork, payments: PaymentsName): { least: number; most: number } {
  return {
    least: network === 'mainnet' ? LEAST_MAINNET_CONFIRMATIONS : 1,
    most: payments === 'btcpay' ? BTCPAY_CONFIRMATIONS : MAX_CONFIRMATIONS,
  }
}

/** The bitcoin part of the configuration. */
export interface BitcoinSettings extends MoneySettings, LightningSettings {
  readonly bitcoinNetwork: BitcoinNetwork
  readonly payments: PaymentsName
  /** The operator's own node; null if no address of one is given. */
  readonly bitcoinNode: BitcoinNodeSettings | null
  /** The account of the deposits, with its key origin: `[fingerprint/84h/0h/0h]xpub…`; null if it is not set. */
  readonly bitcoinXpub: string | null
  /** The node's wallet that watches the deposits. */
  readonly bitcoinWatchWallet: string
  /** The node's wallet that payouts leave from. */
  readonly bitcoinHotWallet: string
  /** Null unless all of it is set. */
  readonly btcpay: BtcpaySettings | null
  /** Null unless the key is set. */
  readonly opennode: OpennodeSettings | null
  /** The address of a page that shows a transaction, up to its id; null for the network's usual explorer. */
  readonly explorerUrl: string | null
}

/** A source of balances: the payment provider, the payout wallet, or the demo's chain. */
export interface WalletSource {
  /** the name of its stored readings */
  readonly name: string
  /** Its present balances, each wallet once. */
  read(): Promise<readonly Holding[]>
}

/** The parts that take and send bitcoin. */
export interface Bitcoin {
  readonly provider: PaymentProvider
  readonly wallet: Wallet
  /** the chain that the test wallet makes up; null with a real one */
  readonly testChain: TestChain | null
  /** the sources of balances */
  readonly sources: readonly WalletSource[]
  /** reports what moves coins of our own wallets; null with the test chain */
  readonly movements: Movements | null
  /** the coins of the deposits; missing if the node does not watch them */
  readonly depositCoins?: DepositCoins
  /** Asks the node for its newest block; missing with the test chain. */
  readonly readTip?: () => Promise<ChainTip>
  /**
   * Checks the part of `assertFit` that takes payments: a process that only sells needs nothing of the node that sends.
   * @throws as `assertFit`
   */
  assertFitToTake(): Promise<void>
  /**
   * Checks at the start that both can be trusted with money.
   *
   * @throws ProviderUnfit, WalletUnfit with a message for the operator; NodeUnreachable, and whatever a provider that
   *   does not answer throws
   */
  assertFit(): Promise<void>
}

/**
 * Chooses the parts that take and send bitcoin, by the configuration. None of them is called yet.
 *
 * @param deps.testSeed 32 bytes the test wallet's addresses are derived from; read only with `payments` `test`
 * @throws ProviderUnfit for settings that cannot work together
 */
export async function chooseBitcoin(deps: {
  readonly db: Db
  readonly runtime: Runtime
  readonly publicUrl: string
  readonly settings: BitcoinSettings
  /** number of confirmations from which a payment counts, now. Default: that of the settings. */
  readonly requiredConfirmations?: () => number
  readonly testSeed: () => Promise<Uint8Array>
  /** whether a transaction is a payout of ours */
  readonly isPayout: (txid: string) => Promise<boolean>
}): Promise<Bitcoin> {
  const { db, runtime, publicUrl, settings } = deps
  if (settings.payments === 'test') {
    const testChain = new TestChain({ db, runtime, seed: await deps.testSeed() })
    const provider = createTestPaymentProvider({ chain: testChain, publicUrl })
    const read = async () => [{ name: 'wallet', sats: await testChain.balanceSats() }]
    return {
      provider,
      wallet: createTestWallet({ chain: testChain }),
      testChain,
      sources: [{ name: provider.name, read }],
      movements: null,
      assertFitToTake: async () => undefined,
      assertFit: async () => undefined,
    }
  }
  const { bitcoinNetwork: network } = settings
  const { requiredConfirmations = () => settings.bitcoinConfirmations } = deps
  const node = nodeOf(runtime, settings)
  const movements = createCoreMovements({
    node,
    wallets: {
      deposits: settings.payments === 'bitcoin-core' ? settings.bitcoinWatchWallet : null,
      payouts: settings.bitcoinHotWallet,
    },
    requiredConfirmations,
  })
  // A payout may pay an address of the deposits: that one counts like anyone's.
  const isOwnMove = async (txid: string): Promise<boolean> =>
    !(await deps.isPayout(txid)) && (await movements.spendsOurs(txid))
  const provider = inSystemTime(providerOf({ ...deps, node, network, requiredConfirmations, isOwnMove }), runtime.clock)
  const wallet = createCoreWallet({ node, wallet: settings.bitcoinHotWallet, network })

  return {
    provider,
    wallet,
    testChain: null,
    sources: [
      { name: provider.name, read: async () => (await provider.balance?.()) ?? [] },
      { name: 'payouts', read: async () => [{ name: 'payouts', sats: (await wallet.balances()).spendableSats }] },
    ],
    movements,
    readTip: () => readTip(node),
    ...(settings.payments === 'bitcoin-core'
      ? { depositCoins: createCoreDepositCoins({ node, wallet: settings.bitcoinWatchWallet }) }
      : {}),
    assertFitToTake: () => assertFitToTake().catch(adviseAbout),
    assertFit: () => assertFit().catch(adviseAbout),
  }

  async function assertFitToTake(): Promise<void> {
    await assertKeepsBlocks(node)
    await provider.assertFit()
  }

  async function assertFit(): Promise<void> {
    await assertFitToTake()
    await wallet.assertFit()
    const { bitcoinXpub: xpub } = settings
    // Otherwise the deposits would be counted twice, and leave as prizes.
    if (settings.payments === 'bitcoin-core' && xpub !== null)
      await wallet.assertNotOurs(parseAccountKey(xpub, network).addressAt(0))
  }
}

/** @throws ProviderUnfit for a node that prunes blocks: our own spends in them could not be read again */
async function assertKeepsBlocks(node: BitcoinNode): Promise<void> {
  const prune = await pruneSettingOf(node)
  if (prune === null) return
  throw new ProviderUnfit(
    `The bitcoin node is pruned (prune=${prune}). Payments and payouts in blocks that it threw away could not be read again.\n` +
      'Take prune out of its settings and let it read the chain again (bitcoind -reindex).',
  )
}

/** A node that gives no answer at the start, in words for the operator; other failures as they are. */
function adviseAbout(error: unknown): never {
  if (!(error instanceof NodeUnreachable)) throw error
  throw new ProviderUnfit(
    `The bitcoin node cannot be used: ${error.message}.\n` +
      'Is it running? BITCOIN_RPC_URL has to name its RPC port, with its user and password or BITCOIN_RPC_COOKIE beside it.',
    { cause: error },
  )
}

function providerOf(deps: {
  readonly db: Db
  readonly runtime: Runtime
  readonly publicUrl: string
  readonly settings: BitcoinSettings
  readonly node: BitcoinNode
  readonly network: BitcoinNetwork
  readonly requiredConfirmations: () => number
  readonly isOwnMove: (txid: string) => Promise<boolean>
}): PaymentProvider {
  const { db, runtime, publicUrl, settings, node, network, requiredConfirmations } = deps
  switch (settings.payments) {
    case 'bitcoin-core': {
      const xpub = present(settings.bitcoinXpub, 'BITCOIN_XPUB')
      return createBitcoinCoreProvider({
        db,
        runtime,
        node,
        network,
        xpub,
        wallet: settings.bitcoinWatchWallet,
        publicUrl,
        requiredConfirmations,
        isOwnMove: deps.isOwnMove,
      })
    }
    case 'btcpay': {
      const { url: baseUrl, ...store } = present(settings.btcpay, 'BTCPAY_URL')
      return createBtcpayProvider(runtime, { baseUrl, ...store, network, requiredConfirmations })
    }
    case 'opennode': {
      const { url: apiUrl, apiKey } = present(settings.opennode, 'OPENNODE_API_KEY')
      return createOpennodeProvider(runtime, { apiUrl, apiKey, network, requiredConfirmations, publicUrl })
    }
    case 'test':
      throw new Error('the test wallet has no node')
  }
}

function nodeOf(runtime: Runtime, { bitcoinNode }: BitcoinSettings) {
  const { url, login } = present(bitcoinNode, 'BITCOIN_RPC_URL')
  const { fetch } = runtime
  const { sleep } = runtime.monotonic
  if ('cookieFile' in login) return createNode({ url, cookieFile: login.cookieFile, fetch, sleep })
  const withLogin = new URL(url)
  withLogin.username = encodeURIComponent(login.user)
  withLogin.password = encodeURIComponent(login.password)
  return createNode({ url: withLogin.href, fetch, sleep })
}

/** The configuration was checked for everything its provider needs before it came here. */
function present<T>(value: T | null, variable: string): T {
  if (value === null) throw new Error(`${variable} is not set`)
  return value
}
