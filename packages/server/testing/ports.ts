// What stands outside of the program, as its adapters see it. A public face of the package, for trials alone.
export { type BeaconChain, lastRoundDueAt, localChain } from '../src/ports/beacon/chains.ts'
export { type BitcoinNode, satsOfBtc } from '../src/ports/bitcoin-node/rpc.ts'
export type { Bitcoin } from '../src/ports/bitcoin.ts'
export {
  type LightningInvoice,
  type LightningNode,
  type LightningRequest,
  type LightningSender,
  NodeRefused,
  NodeSilent,
} from '../src/ports/lightning/lightning-node.ts'
export { NodeWatch } from '../src/ports/lightning/node-watch.ts'
export type { Payees } from '../src/ports/lightning/payee.ts'
export { localOutbox } from '../src/ports/mail/local-outbox.ts'
export { MailNotTaken, type Mailer } from '../src/ports/mail/mailer.ts'
export { parseAccountKey } from '../src/ports/payment-provider/account-key.ts'
export { createBitcoinCoreProvider } from '../src/ports/payment-provider/bitcoin-core.ts'
export { createBtcpayProvider } from '../src/ports/payment-provider/btcpay.ts'
export type {
  InvoiceSnapshot,
  PaymentProvider,
  SeenOutput,
  WebhookHint,
} from '../src/ports/payment-provider/payment-provider.ts'
export { FIXED_RATES, fixedRates } from '../src/ports/rates/fixed-rates.ts'
export type { Rates } from '../src/ports/rates/rates.ts'
export { createCoreWallet } from '../src/ports/wallet/bitcoin-core.ts'
export type { FollowedWallet, Movements } from '../src/ports/wallet/movements.ts'
export { REGTEST } from '../src/ports/wallet/test-chain.ts'
export type { PrepareRequest, Wallet, WalletOutput } from '../src/ports/wallet/wallet.ts'
