import type { Checkout } from '@fairball/contract/schemas/order'
import { lazy, Suspense } from 'react'
import { useClockValue } from '../../../shared/use-clock.ts'
import { DrawDates } from '../../../shared/draw-dates.tsx'
import { useMoments } from '../../../shared/moment.ts'
import { useSession } from '../../../shared/session/use-session.ts'
import { CHECKOUT_TEXTS } from '../messages.ts'
import styles from './paying-for.module.css'

const OwnLines = lazy(async () => ({ default: (await import('./own-lines.tsx')).OwnLines }))

/** What the payment buys: the game, its draws by their dates, and to the player who ordered, the lines. */
export function PayingFor({ checkout }: { checkout: Checkout }) {
  const isPlayer = useSession().status === 'player'
  return (
    <section className={styles['part']}>
      <h3>{CHECKOUT_TEXTS.payingFor}</h3>
      <p>
        <strong>{checkout.game_name}</strong>, {CHECKOUT_TEXTS.summary(checkout.lines, checkout.draws)}
      </p>
      <DrawDates draws={checkout.draw_refs} />
      <ConfirmBy draws={checkout.draw_refs} />
      {isPlayer && (
        <Suspense>
          <OwnLines orderId={checkout.transaction_id} />
        </Suspense>
      )}
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
