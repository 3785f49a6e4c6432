import { paths } from '../../../shared/paths.ts'
import { BallRow } from '@fairball/ui/ball-row.tsx'
import { Link } from '@fairball/ui/link.tsx'
import { Figure } from '@fairball/ui/figure.tsx'
import { VisuallyHidden } from '@fairball/ui/visually-hidden.tsx'
import { DRAWS_TEXTS } from '../messages.ts'
import { usePlayerView } from '../../../shared/player-view.ts'
import type { Draw } from '../use-draws.ts'
import styles from './draw-row.module.css'
import { Partners } from './partners.tsx'

/** A draw of the history: its time, its balls in the order drawn, the jackpot, and the partners' share. */
export function DrawRow({ gameKey, draw }: { gameKey: string; draw: Draw }) {
  const { date, figure, money } = usePlayerView()
  return (
    <article className={styles['row']}>
      <p className={styles['draw']}>
        <Link href={paths.draw(gameKey, draw.number)}>{DRAWS_TEXTS.draw(draw.number)}</Link>
        <span>{date(draw.datetime)}</span>
      </p>
      <BallRow
        places={draw.numbers}
        size={46}
        shrinks
        label={DRAWS_TEXTS.numbersOf(draw.number)}
        className={styles['balls']}
      />
      <p className={styles['jackpot']}>
        {draw.jackpot === false ? (
          <>
            <strong aria-hidden="true">{DRAWS_TEXTS.noJackpot}</strong>
            <VisuallyHidden>{DRAWS_TEXTS.noJackpotSpoken}</VisuallyHidden>
          </>
        ) : (
          <strong>
            <Figure text={figure(draw.jackpot.fiat)} />
          </strong>
        )}
        <span>{DRAWS_TEXTS.jackpot}</span>
      </p>
      {draw.donation !== false && (
        <p className={styles['donation']}>
          <span>
            {DRAWS_TEXTS.donation} {money(draw.donation.fiat)}
          </span>
          <Partners partners={draw.partners} />
        </p>
      )}
    </article>
  )
}
