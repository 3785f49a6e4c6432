import { useQuery } from '@tanstack/react-query'
import { letterOf } from '@fairball/domain/line-letters'
import { useState } from 'react'
import { useApi } from '../../../shared/api.ts'
import { BallRow } from '@fairball/ui/ball-row.tsx'
import { Button } from '@fairball/ui/button.tsx'
import { CHECKOUT_TEXTS } from '../messages.ts'
import styles from './own-lines.module.css'

/** Lines shown before the player asks for all. */
const FIRST_LINES = 5

/** The lines of the signed-in player's own order; nothing if it is another's. */
export function OwnLines({ orderId }: { orderId: string }) {
  const lines = useOwnLines(orderId)
  return lines === undefined ? null : <Lines lines={lines} />
}

function useOwnLines(orderId: string): number[][] | undefined {
  const api = useApi()
  const query = useQuery({
    queryKey: ['own-order', orderId],
    queryFn: ({ signal }) => api.call('getPayment', { query: { transaction_id: orderId }, signal }),
    staleTime: Infinity,
    // Most likely another player's order, whose lines are not shown.
    retry: false,
  })
  return query.data?.order.lines.map(({ numbers }) => numbers)
}

function Lines({ lines }: { lines: readonly (readonly number[])[] }) {
  const [areAllShown, setAllShown] = useState(false)
  const shown = areAllShown ? lines : lines.slice(0, FIRST_LINES)
  return (
    <>
      <ul className={styles['lines']} aria-label={CHECKOUT_TEXTS.yourLines}>
        {shown.map((numbers, index) => {
          const letter = letterOf(index)
          return (
            <li key={letter}>
              <span className={styles['letter']} aria-hidden="true">
                {letter}
              </span>
              <BallRow places={numbers} size={36} label={CHECKOUT_TEXTS.lineName(letter)} />
            </li>
          )
        })}
      </ul>
      {shown.length < lines.length && (
        <div>
          <Button variant="soft" size="small" onClick={() => setAllShown(true)}>
            {CHECKOUT_TEXTS.moreLines(lines.length - shown.length)}
          </Button>
        </div>
      )}
    </>
  )
}
