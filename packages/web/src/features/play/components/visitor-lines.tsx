import type { Game } from '../../../shared/data/games.ts'
import { ORDER_TEXTS } from '../order-messages.ts'
import { useVisitorOrder } from '../use-visitor-order.ts'
import { LineList } from './line-list.tsx'
import styles from './visitor-lines.module.css'

/** A visitor's lines for a game, without days, weeks or a price: those are chosen after the login. */
export function VisitorLines({ game, luckyDips }: { game: Game; luckyDips: number }) {
  const order = useVisitorOrder(game, luckyDips)
  return (
    <>
      <LineList world={game.key} order={order} />
      {order.count > 0 && <p className={styles['note']}>{ORDER_TEXTS.visitorNote}</p>}
    </>
  )
}
