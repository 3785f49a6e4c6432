import { nextBlockAt, type TestChain } from '../wallet/test-chain.ts'
import type { PaymentProvider } from './payment-provider.ts'

/** The name under which the test wallet's invoices are stored. */
const TEST_WALLET = 'test'

/**
 * The built-in test wallet as payment provider: a fresh regtest address per invoice, and our own page as checkout.
 *
 * @param deps.publicUrl the site's address without a slash at the end
 */
export function createTestPaymentProvider(deps: { chain: TestChain; publicUrl: string }): PaymentProvider {
  const { chain, publicUrl } = deps
  return {
    name: TEST_WALLET,
    tellsBlockTime: true,

    async createCheckout(request) {
      const address = await chain.freshAddress()
      const checkoutUrl = `${publicUrl}/checkout/${request.orderId}`
      return { ref: address, address, checkoutUrl, expiresAt: request.expiresAt }
    },

    async get(ref) {
      const outputs = await chain.outputsTo(ref)
      return {
        outputs: outputs.map(({ at, ...output }) => ({ ...output, seenAt: at, network: 'ONCHAIN' })),
      }
    },

    // The only payer is the demo's own control, which checks the order again itself.
    nextLookAt: (now, awaited) => (awaited === 'confirmation' ? nextBlockAt(now) : null),

    // It is a part of this process, on a chain of its own.
    assertFit: () => Promise.resolve(),
  }
}
