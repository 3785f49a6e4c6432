import type { BitcoinNetwork } from '@fairball/domain/btc-address'
import type { Config } from './config.ts'
import type { Db } from './db/pool.ts'
import { createNode } from './ports/bitcoin-node/rpc.ts'
import { createBitcoinCoreProvider } from './ports/payment-provider/bitcoin-core.ts'
import { createBtcpayProvider } from './ports/payment-provider/btcpay.ts'
import { createOpennodeProvider } from './ports/payment-provider/opennode.ts'
import { inSystemTime } from './ports/payment-provider/outside-time.ts'
import type { PaymentProvider } from './ports/payment-provider/payment-provider.ts'
import { createTestPaymentProvider } from './ports/payment-provider/test-wallet.ts'
import { createCoreWallet } from './ports/wallet/bitcoin-core.ts'
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
}): Promise<Bitcoin> {
  const { db, runtime, publicUrl, settings } = deps
  if (settings.payments === 'test') {
    const testChain = createTestChain({ db, runtime, seed: await deps.testSeed() })
    const provider = createTestPaymentProvider({ chain: testChain, publicUrl })
    return { provider, wallet: createTestWallet({ chain: testChain }), testChain, assertFit: async () => undefined }
  }
  const { bitcoinNetwork: network } = settings
  const node = nodeOf(runtime, settings)
  const provider = inSystemTime(providerOf({ db, runtime, publicUrl, settings, node, network }), runtime.clock)
  const wallet = createCoreWallet({ node, wallet: settings.bitcoinHotWallet, network })
  return {
    provider,
    wallet,
    testChain: null,
    async assertFit() {
      await provider.assertFit()
      await wallet.assertFit()
    },
  }
}

function providerOf(deps: {
  readonly db: Db
  readonly runtime: Runtime
  readonly publicUrl: string
  readonly settings: BitcoinSettings
  readonly node: ReturnType<typeof createNode>
  readonly network: BitcoinNetwork
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
