import type { Checkout } from '@fairball/contract/schemas/order'
import { ProgressBar } from '../../../ui/progress-bar.tsx'
import { CHECKOUT_TEXTS } from '../messages.ts'
import styles from './confirmations.module.css'

/** The payment's confirmations, announced with each block. */
export function Confirmations({ checkout }: { checkout: Checkout }) {
  const { confirmations, confirmations_needed: needed } = checkout
  const words = CHECKOUT_TEXTS.confirmations(confirmations, needed)
  return (
    <div className={styles['progress']}>
      <ProgressBar label={CHECKOUT_TEXTS.confirmationsLabel} value={confirmations} max={needed} valueText={words} />
      <p aria-live="polite">{words}</p>
    </div>
  )
}
