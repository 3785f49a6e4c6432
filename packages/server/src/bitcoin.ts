import type { BitcoinNetwork } from '@fairball/domain/btc-address'
import type { Config } from './config.ts'
import type { Db } from './db/pool.ts'
import type { WalletSource } from './modules/treasury/reading.ts'
import { createNode, NodeUnreachable } from './ports/bitcoin-node/rpc.ts'
import { type ChainTip, readTip } from './ports/bitcoin-node/tip.ts'
import { parseAccountKey } from './ports/payment-provider/account-key.ts'
import { createBitcoinCoreProvider } from './ports/payment-provider/bitcoin-core.ts'
import { createBtcpayProvider } from './ports/payment-provider/btcpay.ts'
import { createOpennodeProvider } from './ports/payment-provider/opennode.ts'
import { inSystemTime } from './ports/payment-provider/outside-time.ts'
import { type PaymentProvider, ProviderUnfit } from './ports/payment-provider/payment-provider.ts'
import { createTestPaymentProvider } from './ports/payment-provider/test-wallet.ts'
import { createCoreWallet } from './ports/wallet/bitcoin-core.ts'
import { createCoreMovements } from './ports/wallet/core-movements.ts'
import type { Movements } from './ports/wallet/movements.ts'
import { createTestChain, type TestChain } from './ports/wallet/test-chain.ts'
import { createTestWallet } from './ports/wallet/test-wallet.ts'
import type { Wallet } from './ports/wallet/wallet.ts'
import type { Runtime } from './runtime/runtime.ts'

/** What the configuration says of bitcoin. */
export type BitcoinSettings = Pick<
  Config,
  | 'bitcoinNetwork'
  | 'payments'
  | 'bitcoinNode'
  | 'bitcoinXpub'
  | 'bitcoinWatchWallet'
  | 'bitcoinHotWallet'
  | 'bitcoinConfirmations'
  | 'btcpay'
  | 'opennode'
  | 'explorerUrl'
  | 'payoutApprovalSats'
  | 'payoutFloatSats'
>

/** Who takes bitcoin and who sends it. */
export interface Bitcoin {
  readonly provider: PaymentProvider
  readonly wallet: Wallet
  /** the chain that the test wallet makes up; null with a real one */
  readonly testChain: TestChain | null
  /** who says what is held */
  readonly sources: readonly WalletSource[]
  /** what moves coins of our own wallets; null with the test chain */
  readonly movements: Movements | null
  /** Asks the node for its newest block; missing with the test chain. */
  readonly readTip?: () => Promise<ChainTip>
  /**
   * Checks at the start that both can be trusted with money.
   *
   * @throws ProviderUnfit, WalletUnfit with a message for the operator; NodeUnreachable and what a provider throws that
   *   does not answer
   */
  assertFit(): Promise<void>
}

/**
 * Chooses who takes and sends bitcoin, as the configuration says. Nothing is asked of them yet.
 *
 * @param deps.testSeed 32 bytes the test wallet's addresses follow from; read only with `payments` `test`
 * @throws ProviderUnfit for settings that cannot work together
 */
export async function chooseBitcoin(deps: {
  readonly db: Db
  readonly runtime: Runtime
  readonly publicUrl: string
  readonly settings: BitcoinSettings
  readonly testSeed: () => Promise<Uint8Array>
  /** whether a transaction only moves coins between wallets of the house */
  readonly movesWithinHouse: (txid: string) => Promise<boolean>
}): Promise<Bitcoin> {
  const { db, runtime, publicUrl, settings } = deps
  if (settings.payments === 'test') {
    const testChain = createTestChain({ db, runtime, seed: await deps.testSeed() })
    const provider = createTestPaymentProvider({ chain: testChain, publicUrl })
    const read = async () => [{ name: 'wallet', sats: await testChain.balanceSats() }]
    return {
      provider,
      wallet: createTestWallet({ chain: testChain }),
      testChain,
      sources: [{ name: provider.name, read }],
      movements: null,
      assertFit: async () => undefined,
    }
  }
  const { bitcoinNetwork: network } = settings
  const node = nodeOf(runtime, settings)
  const provider = inSystemTime(providerOf({ ...deps, node, network }), runtime.clock)
  const wallet = createCoreWallet({ node, wallet: settings.bitcoinHotWallet, network })
  return {
    provider,
    wallet,
    testChain: null,
    sources: [
      { name: provider.name, read: async () => (await provider.balance?.()) ?? [] },
      { name: 'payouts', read: async () => [{ name: 'payouts', sats: (await wallet.balances()).spendableSats }] },
    ],
    movements: createCoreMovements({
      node,
      wallets: {
        deposits: settings.payments === 'bitcoin-core' ? settings.bitcoinWatchWallet : null,
        payouts: settings.bitcoinHotWallet,
      },
      requiredConfirmations: settings.bitcoinConfirmations,
    }),
    readTip: () => readTip(node),
    async assertFit() {
      try {
        await provider.assertFit()
        await wallet.assertFit()
        const { bitcoinXpub: xpub } = settings
        // Else the deposits would be counted twice, and leave as prizes.
        if (settings.payments === 'bitcoin-core' && xpub !== null)
          await wallet.assertNotOurs(parseAccountKey(xpub, network).addressAt(0))
      } catch (error) {
        throw error instanceof NodeUnreachable ? withAdvice(error) : error
      }
    },
  }
}

/** A node that gives no answer at the start, as the operator reads it. */
function withAdvice(error: NodeUnreachable): ProviderUnfit {
  return new ProviderUnfit(
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
  readonly node: ReturnType<typeof createNode>
  readonly network: BitcoinNetwork
  readonly movesWithinHouse: (txid: string) => Promise<boolean>
}): PaymentProvider {
  const { db, runtime, publicUrl, settings, node, network } = deps
  const requiredConfirmations = settings.bitcoinConfirmations
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
        movesWithinHouse: deps.movesWithinHouse,
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
  const { sleep } = runtime.steady
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
