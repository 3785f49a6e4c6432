import { Mono } from '@fairball/ui/mono.tsx'
import { Amount } from '../../shared/amount.tsx'
import type { AnswerOf } from '../../shared/calls.ts'
import { Moment } from '../../shared/moment.tsx'
import { Nothing, Part } from '../../shared/screen.tsx'
import { ActionButton } from '../../shared/signing/action-button.tsx'
import { FormAction } from '../../shared/signing/form-action.tsx'
import { State } from '../../shared/state.tsx'
import styles from './treasury.module.css'

const FROM = [
  { value: 'operator-fee', label: 'The operator’s fee' },
  { value: 'bankroll', label: 'The bankroll' },
  { value: 'suspense', label: 'Unattributed money' },
  { value: 'losses', label: 'A loss' },
]

/** Spends that no batch ordered: each is accepted first, and booked then. */
export function Spends({ spends }: { spends: AnswerOf<'getTreasury'>['spends'] }) {
  const open = spends.filter(({ is_booked }) => !is_booked)
  return (
    <Part title="Spends to book">
      {open.length === 0 && <Nothing>Every spend is booked.</Nothing>}
      <ul className={styles['list']}>
        {open.map(({ txid, sats, found_at, is_accepted }) => (
          <li key={txid} className={styles['row']}>
            <Mono text={txid} />
            <span className={styles['side']}>
              {sats !== null && <Amount sats={sats} />}
              <Moment at={found_at} />
              {is_accepted ? (
                <FormAction
                  kind="treasury.withdraw"
                  title="Book a withdrawal"
                  label={`Book ${txid.slice(0, 8)}`}
                  fields={[{ name: 'from', label: 'What it was paid from', choices: FROM }]}
                  toArgs={({ from }) => ({ txid, from })}
                >
                  Book
                </FormAction>
              ) : (
                <>
                  <State mood="bad">Not accepted</State>
                  <ActionButton kind="payouts.accept" args={{ txids: [txid], may_be_payout: false }}>
                    Accept: not a payout
                  </ActionButton>
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </Part>
  )
}
