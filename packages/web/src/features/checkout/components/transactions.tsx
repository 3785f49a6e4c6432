import type { Checkout, CheckoutTransaction } from '@fairball/contract/schemas/order'
import { CopyButton } from '@fairball/ui/copy-button.tsx'
import { DefinitionList } from '@fairball/ui/definition-list.tsx'
import { ExternalIcon } from '@fairball/ui/icons.tsx'
import { Link } from '@fairball/ui/link.tsx'
import { VisuallyHidden } from '@fairball/ui/visually-hidden.tsx'
import { isSome } from '../checkout-state.ts'
import type { CheckoutState } from '../checkout-state.ts'
import { CHECKOUT_TEXTS } from '../messages.ts'
import styles from './transactions.module.css'

/** The transactions so far, each with its link to the explorer. */
export function Transactions({ checkout, state }: { checkout: Checkout; state: CheckoutState }) {
  const { transactions, confirmations_needed: needed } = checkout
  if (transactions.length === 0) return null
  return (
    <section className={styles['part']} aria-labelledby="checkout-transactions">
      <h3 id="checkout-transactions">{CHECKOUT_TEXTS.transactions(transactions.length)}</h3>
      <ul className={styles['list']}>
        {transactions.map((transaction) => (
          <li key={transaction.outpoint} className={styles['row']}>
            <span className={styles['amount']}>{transaction.amount.value} BTC</span>
            <span className={styles['depth']}>{CHECKOUT_TEXTS.confirmations(transaction.confirmations, needed)}</span>
            <Name transaction={transaction} />
          </li>
        ))}
      </ul>
      {state !== 'underpaid' && <DefinitionList items={sumsOf(checkout)} ruled />}
    </section>
  )
}

function Name({ transaction: { txid, link } }: { transaction: CheckoutTransaction }) {
  return (
    <span className={styles['name']}>
      <code className={styles['txid']}>{shortened(txid)}</code>
      {link === null ? (
        <span className={styles['copy']}>
          <CopyButton text={txid} label={CHECKOUT_TEXTS.transactionId} />
        </span>
      ) : (
        <Link href={link} target="_blank" rel="noreferrer" className={styles['link']}>
          {CHECKOUT_TEXTS.explorer}
          <VisuallyHidden>{CHECKOUT_TEXTS.explorerOf(shortened(txid))}</VisuallyHidden>
          <ExternalIcon size={16} />
        </Link>
      )}
    </span>
  )
}

function sumsOf({ amount, received, excess }: Checkout) {
  const price = { term: CHECKOUT_TEXTS.price, value: `${amount.crypto.value} BTC` }
  const got = { term: CHECKOUT_TEXTS.receivedAll, value: `${received.value} BTC` }
  return isSome(excess) ? [price, got, { term: CHECKOUT_TEXTS.excess, value: `${excess.value} BTC` }] : [price, got]
}

/** Enough of a transaction's id to distinguish it from others. */
function shortened(txid: string): string {
  return `${txid.slice(0, 8)}…${txid.slice(-8)}`
}
