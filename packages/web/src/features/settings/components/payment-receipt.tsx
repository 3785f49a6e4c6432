import type { TransactionRow } from '@fairball/contract/schemas/account'
import { CopyButton } from '@fairball/ui/copy-button.tsx'
import { SETTINGS_TEXTS } from '../messages.ts'
import styles from './transaction-table.module.css'

/** What proves a payment over Lightning, folded; nothing for other rows. */
export function PaymentReceipt({ row: { receipt } }: { row: TransactionRow }) {
  if (receipt === null) return null
  const parts = [
    [SETTINGS_TEXTS.paymentHash, receipt.payment_hash],
    [SETTINGS_TEXTS.preimage, receipt.preimage],
    [SETTINGS_TEXTS.invoice, receipt.invoice],
  ] as const
  return (
    <details className={styles['receipt']}>
      <summary>{SETTINGS_TEXTS.receipt}</summary>
      <p className={styles['small']}>{SETTINGS_TEXTS.receiptMeaning}</p>
      <dl>
        {parts.map(([name, value]) => (
          <div key={name}>
            <dt className={styles['small']}>{name}</dt>
            <dd>
              <code className={styles['id']}>{value}</code>
              <CopyButton text={value} label={name.toLowerCase()} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
