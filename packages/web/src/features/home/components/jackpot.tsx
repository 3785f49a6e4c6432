import type { FiatAmount } from '@fairball/contract/schemas/money'
import { Figure } from '@fairball/ui/figure.tsx'
import { VisuallyHidden } from '@fairball/ui/visually-hidden.tsx'
import { HOME_TEXTS } from '../messages.ts'
import styles from './jackpot.module.css'

/** Characters beyond which the figure does not shrink further. */
const LONGEST = 12

/**
 * The jackpot as large as its place allows. A symbol before the figure is small and raised, as on a price tag.
 *
 * @param props.text the amount as it is written, symbol included: "£1.2M"
 */
export function Jackpot({ amount, text }: { amount: Pick<FiatAmount, 'symbol' | 'position_of_symbol'>; text: string }) {
  const hasSymbolBefore = amount.position_of_symbol === 'LEFT' && text.startsWith(amount.symbol)
  const figure = hasSymbolBefore ? text.slice(amount.symbol.length) : text
  return (
    <div className={styles['room']}>
      <p className={styles['jackpot']} data-length={Math.min(LONGEST, text.length)}>
        <VisuallyHidden>{`${HOME_TEXTS.estimated}: `}</VisuallyHidden>
        {hasSymbolBefore && <span className={styles['symbol']}>{amount.symbol}</span>}
        <Figure text={figure} />
      </p>
      <p className={styles['note']} aria-hidden="true">
        {HOME_TEXTS.estimated}
      </p>
    </div>
  )
}
