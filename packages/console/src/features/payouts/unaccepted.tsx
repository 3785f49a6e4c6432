import { Banner } from '@fairball/ui/banner.tsx'
import { Mono } from '@fairball/ui/mono.tsx'
import { Moment } from '../../shared/moment.tsx'
import { Part } from '../../shared/screen.tsx'
import { ActionButton } from '../../shared/signing/action-button.tsx'
import styles from './payouts.module.css'

/** Spends of the payouts' wallet that no batch ordered: they stop all payouts until somebody says what they were. */
export function Unaccepted({ spends }: { spends: readonly { txid: string; found_at: number }[] }) {
  if (spends.length === 0) return null
  const txids = spends.map(({ txid }) => txid)
  return (
    <Part title="Spends that no batch ordered">
      <Banner kind="danger">
        The payouts’ wallet spent coins in these transactions. If you don’t know why, assume that its keys are stolen,
        and move the coins first.
      </Banner>
      <ul className={styles['spends']}>
        {spends.map(({ txid, found_at }) => (
          <li key={txid} className={styles['spend']}>
            <Mono text={txid} />
            <span>
              found <Moment at={found_at} />
            </span>
          </li>
        ))}
      </ul>
      <div className={styles['buttons']}>
        <ActionButton kind="payouts.accept" args={{ txids, may_be_payout: true }}>
          Accept: may be our payouts
        </ActionButton>
        <ActionButton kind="payouts.accept" args={{ txids, may_be_payout: false }}>
          Accept: not our payouts
        </ActionButton>
      </div>
    </Part>
  )
}
