import { ProgressBar } from '@fairball/ui/progress-bar.tsx'
import styles from './confirmations.module.css'

/** The confirmations of a payment, announced with each block. */
export function Confirmations({ have, need }: { have: number; need: number }) {
  const words = `${have} of ${need} ${have === 1 && need === 1 ? 'confirmation' : 'confirmations'}`
  return (
    <div className={styles['progress']}>
      <ProgressBar label="Confirmations of the payment" value={have} max={need} valueText={words} />
      <p aria-live="polite">{words}</p>
    </div>
  )
}
