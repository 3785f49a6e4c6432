import type { BitcoinNetwork } from '@fairball/domain/btc-address'
import type { Db } from '../../db/pool.ts'
import { SharedTransactions } from '../../db/shared-transactions.ts'
import type { Jobs } from '../../jobs/queue.ts'
import type { InvoiceSnapshot, PaymentProvider } from '../../ports/payment-provider/payment-provider.ts'
import { atMost } from '../../runtime/at-most.ts'
import { Loop } from '../../runtime/loop.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { OrdersContext } from '../orders/service.ts'
import type { LightningDesk } from './lightning.ts'

/** Number of confirmations from which a payment counts. A test network needs one block. */
const REQUIRED_CONFIRMATIONS = 1
/** Questions to the provider at the same time: a real one refuses more than some. */
const QUESTIONS_AT_ONCE = 12

/** What making invoices and following their payments needs. */
export interface PaymentsContext {
  readonly db: Db
  /** stores what checks of several orders found, by their players */
  readonly portions: SharedTransactions
  readonly runtime: Runtime
  readonly jobs: Jobs
  readonly provider: PaymentProvider
  /** takes payments over Lightning too; null if only the chain is taken */
  readonly lightning: LightningDesk | null
  readonly orders: OrdersContext
  /** Coins of ours were sent to an order in these transactions without a payout. */
  readonly onOwnCoins: (txids: readonly string[]) => Promise<void>
  /** the site's address without a slash at the end */
  readonly publicUrl: string
  readonly network: BitcoinNetwork
  /** whether the checkout page may offer the button that pays: demo mode */
  readonly canPayFromTestWallet: boolean
  /** the address of an explorer's page up to the transaction's id; by default the network's usual one */
  readonly explorerUrl: string | null
  /** number of confirmations from which a payment counts, for orders made now: read once for each check */
  readonly requiredConfirmations: () => number
  /** asks the provider when there are not too many questions */
  readonly asking: <T>(question: () => Promise<T>) => Promise<T>
  /** orders and outpoints that are already in the log */
  readonly alreadyLogged: Set<string>
  /** the provider's answers for recently read checkout pages, with the time in monotonic ms */
  readonly answers: Map<string, { readonly at: number; readonly answer: Promise<InvoiceSnapshot | null> }>
  readonly loop: Loop
  /** waits for payments over Lightning */
  readonly hints: Loop
}

type PaymentsOptions = Omit<
  PaymentsContext,
  | 'requiredConfirmations'
  | 'explorerUrl'
  | 'lightning'
  | 'portions'
  | 'asking'
  | 'alreadyLogged'
  | 'answers'
  | 'loop'
  | 'hints'
> &
  Partial<Pick<PaymentsContext, 'requiredConfirmations' | 'explorerUrl' | 'lightning'>>

/** The context of one process. */
export function paymentsContext(options: PaymentsOptions): PaymentsContext {
  return {
    requiredConfirmations: () => REQUIRED_CONFIRMATIONS,
    explorerUrl: null,
    lightning: null,
    ...options,
    portions: new SharedTransactions(options.db, options.runtime.log),
    asking: atMost(QUESTIONS_AT_ONCE),
    alreadyLogged: new Set(),
    answers: new Map(),
    loop: new Loop(options.runtime.monotonic),
    hints: new Loop(options.runtime.monotonic),
  }
}
