import { useGames } from '../../../shared/data/games.ts'
import { usePlayerView } from '../../../shared/player-view.ts'
import { Avatar } from '@fairball/ui/avatar.tsx'
import { Figure } from '@fairball/ui/figure.tsx'
import { WINNERS_TEXTS } from '../messages.ts'
import type { Winner } from '../use-winners.ts'
import styles from './winner-card.module.css'

/** One win: a ball of its game with a smile if the winner has no picture, the amount, the masked name. */
export function WinnerCard({ winner }: { winner: Winner }) {
  const { data: games = [] } = useGames()
  const { money, date } = usePlayerView()
  const world = games.find((game) => game.name === winner.game_name)?.key
  const { crypto, fiat } = winner.amount_won
  return (
    <li className={styles['winner']} data-game={world}>
      <span className={styles['picture']}>
        {winner.user_image === null ? (
          <Avatar world={world ?? ''} />
        ) : (
          <img src={winner.user_image} alt="" width="160" height="160" loading="lazy" />
        )}
      </span>
      <p className={styles['amount']}>
        <Figure text={money(fiat)} />
      </p>
      <p className={styles['crypto']}>
        {crypto.value} {crypto.code}
      </p>
      <p className={styles['name']}>{winner.user_name}</p>
      <p className={styles['game']}>{WINNERS_TEXTS.won(winner.game_name, date(winner.when))}</p>
    </li>
  )
}
