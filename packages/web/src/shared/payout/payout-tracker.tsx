import type { Payout } from '@fairball/contract/schemas/account'
import { Link } from '@fairball/ui/link.tsx'
import { useMinuteNow } from '../use-clock.ts'
import { paths } from '../paths.ts'
import { useUtcOffset } from '../player-view.ts'
import { payoutStops, shortTxid } from './payout-words.ts'
import { WaitingReason } from './waiting-reason.tsx'
import styles from './payout-tracker.module.css'

/** The way of money to the player in three stops: counted, sent, in the wallet; and why it waits, if it does. */
export function PayoutTracker({ payout, countedAt }: { payout: Payout; countedAt: number }) {
  const utcOffsetAt = useUtcOffset()
  // Only the year of the present matters.
  const nowAt = useMinuteNow()
  const stops = payoutStops(payout, countedAt, { nowAt, utcOffsetAt })
  return (
    <div className={styles['tracker']}>
      <ol className={styles['stops']} aria-label="The way of your prize">
        {stops.map(({ name, text, isReached }, place) => (
          <li key={name} className={styles['stop']} data-reached={isReached || undefined}>
            <strong>{name}</strong>
            <span className={styles['text']}>
              {text}
              {place === stops.length - 1 && <Transaction payout={payout} />}
            </span>
          </li>
        ))}
      </ol>
      <WaitingReason payout={payout} />
    </div>
  )
}

/** The transaction, or the payment over Lightning, whose receipt with the preimage is in the transaction history. */
function Transaction({ payout: { txid, link, receipt } }: { payout: Payout }) {
  const id = txid ?? receipt?.payment_hash
  if (id === undefined) return null
  const elsewhere = receipt === null && { target: '_blank', rel: 'noopener noreferrer' }
  const href = receipt === null ? link : paths.transactions()
  return (
    <>
      {' · '}
      {href === null ? (
        <code title={id}>{shortTxid(id)}</code>
      ) : (
        <Link href={href} {...elsewhere} title={id}>
          {shortTxid(id)}
        </Link>
      )}
    </>
  )
}
