import { useState } from 'react'
import { Checkbox } from '@fairball/ui/checkbox.tsx'
import { Mono } from '@fairball/ui/mono.tsx'
import { Amount } from '../../shared/amount.tsx'
import type { AnswerOf } from '../../shared/calls.ts'
import { Moment } from '../../shared/moment.tsx'
import { Nothing, Part } from '../../shared/screen.tsx'
import { ActionButton } from '../../shared/signing/action-button.tsx'
import styles from './treasury.module.css'

type Treasury = AnswerOf<'getTreasury'>

/** Coins that arrived and belong to no order: several are booked with one signature. */
export function Deposits({
  deposits,
  transfers,
}: {
  deposits: Treasury['deposits']
  transfers: Treasury['own_transfers']
}) {
  const [chosen, setChosen] = useState<readonly string[]>([])
  const outpoints = chosen.filter((one) => deposits.some(({ outpoint }) => outpoint === one))
  const toggle = (outpoint: string, isChosen: boolean) =>
    setChosen((all) => (isChosen ? [...all, outpoint] : all.filter((one) => one !== outpoint)))
  return (
    <Part
      title="Deposits to book"
      actions={
        outpoints.length > 0 && (
          <ActionButton kind="treasury.deposit" args={{ outpoints }} variant="primary">
            {`Book ${outpoints.length} as our own`}
          </ActionButton>
        )
      }
    >
      {deposits.length === 0 && transfers.length === 0 && <Nothing>Everything that arrived is booked.</Nothing>}
      <ul className={styles['list']}>
        {deposits.map(({ outpoint, sats, at, confirmations }) => (
          <li key={outpoint} className={styles['row']}>
            <Checkbox
              label={<Mono text={outpoint} />}
              checked={chosen.includes(outpoint)}
              onChange={(isChosen) => toggle(outpoint, isChosen)}
            />
            <span className={styles['side']}>
              <Amount sats={sats} />
              <span>
                <Moment at={at} />, {confirmations} deep
              </span>
            </span>
          </li>
        ))}
        {transfers.map(({ outpoint, sats, at }) => (
          <li key={outpoint} className={styles['row']}>
            <Mono text={outpoint} />
            <span className={styles['side']}>
              <Amount sats={sats} /> <Moment at={at} />
              <ActionButton kind="treasury.own-transfer" args={{ outpoint }}>
                Book as a transfer of ours
              </ActionButton>
            </span>
          </li>
        ))}
      </ul>
    </Part>
  )
}
