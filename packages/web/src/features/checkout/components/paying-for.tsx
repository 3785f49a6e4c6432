import { useQuery } from '@tanstack/react-query'
import type { Checkout } from '@fairball/contract/schemas/order'
import { letterOf } from '@fairball/domain/line-letters'
import { useState } from 'react'
import { useApi } from '../../../shared/api.ts'
import { useClockValue } from '../../../shared/clock.ts'
import { DrawDates } from '../../../shared/draw-dates.tsx'
import { useMoments } from '../../../shared/moment.ts'
import { useSession } from '../../../shared/session/use-session.ts'
import { BallRow } from '../../../ui/ball-row.tsx'
import { Button } from '../../../ui/button.tsx'
import { CHECKOUT_TEXTS } from '../messages.ts'
import styles from './paying-for.module.css'

/** Lines shown before the player asks for all. */
const FIRST_LINES = 5

/** What the payment buys: the game, its draws by their dates, and to the player who ordered, the lines. */
export function PayingFor({ checkout }: { checkout: Checkout }) {
  const lines = useOwnLines(checkout.transaction_id)
  return (
    <section className={styles['part']}>
      <h3>{CHECKOUT_TEXTS.payingFor}</h3>
      <p>
        <strong>{checkout.game_name}</strong>, {CHECKOUT_TEXTS.summary(checkout.lines, checkout.draws)}
      </p>
      <DrawDates draws={checkout.draw_refs} />
      {lines !== undefined && <Lines lines={lines} />}
      <ConfirmBy draws={checkout.draw_refs} />
    </section>
  )
}

/** By when the payment has to be confirmed for the first draw; nothing once that has closed. */
function ConfirmBy({ draws }: { draws: Checkout['draw_refs'] }) {
  const moment = useMoments()
  const closesAt = draws[0]?.ticket_sell_closes_at ?? 0
  const isOpen = useClockValue((now) => now < closesAt)
  if (!isOpen) return null
  return <p className={styles['by']}>{CHECKOUT_TEXTS.confirmBy(moment(closesAt), draws.length)}</p>
}

/** @returns the lines of the signed-in player's own order; undefined for everyone else */
function useOwnLines(orderId: string): number[][] | undefined {
  const api = useApi()
  const { status } = useSession()
  const query = useQuery({
    queryKey: ['own-order', orderId],
    queryFn: ({ signal }) => api.call('getPayment', { query: { transaction_id: orderId }, signal }),
    enabled: status === 'player',
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
