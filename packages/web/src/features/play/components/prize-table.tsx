import { oneIn } from '@fairball/domain/odds'
import { formatMoney } from '@fairball/domain/fiat'
import type { Game } from '../../../shared/data/games.ts'
import { useSession } from '../../../shared/session/use-session.ts'
import { Card } from '@fairball/ui/card.tsx'
import { PLAY_TEXTS } from '../messages.ts'
import { amountIn } from '../../../shared/player-view.ts'
import styles from './prize-table.module.css'

/** The prize for each number of matches, and its odds. */
export function PrizeTable({ game }: { game: Game }) {
  const { currencyCode } = useSession()
  const { n: pick, N: pool } = game.sets[0] ?? { n: 1, N: 1 }
  return (
    <Card title={PLAY_TEXTS.prizes}>
      <ul className={styles['rows']}>
        {game.prizes.map(({ matches: [matches = 0], prize }) => {
          const amount = amountIn(prize.fiat, currencyCode)
          return (
            <li key={matches} className={styles['row']}>
              <span className={styles['dots']} aria-hidden="true">
                {Array.from({ length: pick }, (_, place) => (
                  <i key={place} className={styles['dot']} data-on={place < matches || undefined} />
                ))}
              </span>
              <span className={styles['matches']}>{PLAY_TEXTS.prizeMatches(matches)}</span>
              <span className={styles['odds']}>
                {PLAY_TEXTS.prizeOdds(oneIn({ pick, pool }, matches).toLocaleString('en-US'))}
              </span>
              <strong className={styles['prize']}>{amount === null ? '' : formatMoney(amount)}</strong>
            </li>
          )
        })}
      </ul>
      <p className={styles['note']}>{PLAY_TEXTS.prizesNote}</p>
    </Card>
  )
}
