import { formatMoney } from '@fairball/domain/fiat'
import type { Game } from '../../../shared/data/games.ts'
import { useOpenDraw } from '../../../shared/data/games.ts'
import { useMoments } from '../../../shared/moment.ts'
import { paths } from '../../../shared/paths.ts'
import { useSession } from '../../../shared/session/use-session.ts'
import { LinkButton } from '@fairball/ui/button.tsx'
import { Figure } from '@fairball/ui/figure.tsx'
import { WATCH_TEXTS } from '../messages.ts'
import styles from './play-next.module.css'

/** The draw after the one that was watched: its jackpot, its time, and the link to play. */
export function PlayNext({ game }: { game: Game }) {
  const { currencyCode } = useSession()
  const moment = useMoments()
  const { draw } = useOpenDraw(game)
  const fiat = game.jackpot.fiat[currencyCode]
  return (
    <section className={styles['card']} aria-label={WATCH_TEXTS.nextDrawTitle}>
      <div>
        <h2 className={styles['title']}>{WATCH_TEXTS.nextDrawTitle}</h2>
        <p className={styles['when']}>{moment(draw.start_at)}</p>
      </div>
      <p className={styles['jackpot']}>
        {fiat !== undefined && (
          <strong>
            <Figure text={formatMoney(fiat)} />
          </strong>
        )}
        <span>
          {WATCH_TEXTS.jackpot} · {game.jackpot.crypto.value} {game.jackpot.crypto.code}
        </span>
      </p>
      {game.is_on_sale ? (
        <LinkButton href={paths.game(game.key)} variant="soft">
          {WATCH_TEXTS.playNext}
        </LinkButton>
      ) : (
        <p>{game.sales_note}</p>
      )}
    </section>
  )
}
