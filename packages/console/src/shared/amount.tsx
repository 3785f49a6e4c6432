import { btcText, fiatText } from './money.ts'
import { useSite } from './site.ts'
import styles from './amount.module.css'

/** An amount in bitcoin and, where a rate is known, in the site's currency. */
export function Amount({ sats }: { sats: string }) {
  const { rate } = useSite()
  const fiat = fiatText(sats, rate)
  return (
    <span className={styles['amount']}>
      <span>{btcText(sats)}</span>
      {fiat !== null && <span className={styles['fiat']}>{fiat}</span>}
    </span>
  )
}
