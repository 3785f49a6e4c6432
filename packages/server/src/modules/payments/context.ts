import type { BitcoinNetwork } from '@fairball/domain/btc-address'
import type { Db } from '../../db/pool.ts'
import type { Jobs } from '../../jobs/queue.ts'
import type { InvoiceSnapshot, PaymentProvider } from '../../ports/payment-provider/payment-provider.ts'
import { Loop } from '../../runtime/loop.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { OrdersContext } from '../orders/service.ts'

/** A payment counts from this many confirmations on. One block is what a test network needs. */
const REQUIRED_CONFIRMATIONS = 1

/** What invoices are made with, and what arrives for them is followed with. */
export interface PaymentsContext {
  readonly db: Db
  readonly runtime: Runtime
  readonly jobs: Jobs
  readonly provider: PaymentProvider
  readonly orders: OrdersContext
  /** Coins of ours were sent to an order in these transactions, which no payout asked for. */
  readonly onOwnCoins: (txids: readonly string[]) => Promise<void>
  /** the site's address without a slash at the end */
  readonly publicUrl: string
  readonly network: BitcoinNetwork
  /** whether the checkout page may offer the button that pays: demo mode */
  readonly canPayFromTestWallet: boolean
  /** the address of an explorer's page up to the transaction's id; the network's usual one without it */
  readonly explorerUrl: string | null
  readonly requiredConfirmations: number
  /** orders and outpoints that the log has something of */
  readonly alreadyLogged: Set<string>
  /** what the provider said of orders whose checkout page was read last, with the time in monotonic ms */
  readonly answers: Map<string, { readonly at: number; readonly answer: Promise<InvoiceSnapshot | null> }>
  readonly loop: Loop
}

type PaymentsOptions = Omit<
  PaymentsContext,
  'requiredConfirmations' | 'explorerUrl' | 'alreadyLogged' | 'answers' | 'loop'
> &
  Partial<Pick<PaymentsContext, 'requiredConfirmations' | 'explorerUrl'>>

/** The context of one process. */
export function paymentsContext(options: PaymentsOptions): PaymentsContext {
  return {
    requiredConfirmations: REQUIRED_CONFIRMATIONS,
    explorerUrl: null,
    ...options,
    alreadyLogged: new Set(),
    answers: new Map(),
    loop: new Loop(options.runtime.monotonic),
  }
}
