import { Ball } from './ball.tsx'
import { Figure } from './figure.tsx'
import { Anchor } from './link.tsx'
import styles from './ticket-card.module.css'

/** Props of {@link TicketCard}. */
interface TicketCardProps {
  world: string
  /** The target of the whole card. */
  href: string
  title: string
  /** The large figure, such as "£1.2M". */
  amount: string
  /** The line under it. */
  note: string
  /** The number on the ball in the corner. */
  ball: number
  /** The time on the stub, in two lines. */
  when: string
  time: string
  /** The words on the stub's button. */
  action: string
  /** What stands in place of the button while the game is not on sale; null while it is. */
  salesNote: string | null
}

/**
 * A game's card: a field in its colour, and below the notches a white stub with time and price. The whole card is one
 * link.
 */
export function TicketCard({ world, href, title, amount, note, ball, when, time, action, salesNote }: TicketCardProps) {
  return (
    <article className={styles['ticket']} data-game={world}>
      <div className={styles['field']}>
        <h3 className={styles['title']}>
          <Anchor href={href} className={styles['link']}>
            {title}
          </Anchor>
        </h3>
        <p className={styles['amount']}>
          <Figure text={amount} />
        </p>
        <p className={styles['note']}>{note}</p>
        <span className={styles['ball']} aria-hidden="true">
          <Ball number={ball} size={92} onField />
        </span>
      </div>
      <div className={styles['stub']}>
        <p className={styles['when']}>
          <strong>{when}</strong>
          <span>{time}</span>
        </p>
        <span className={styles[salesNote === null ? 'action' : 'soon']}>{salesNote ?? action}</span>
      </div>
    </article>
  )
}
