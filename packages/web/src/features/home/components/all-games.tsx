import { formatAbbreviated } from '@fairball/domain/fiat'
import { type Game, useOpenDraw } from '../../../shared/data/games.ts'
import { paths } from '../../../shared/paths.ts'
import { useSession } from '../../../shared/session/use-session.ts'
import { SectionTitle } from '@fairball/ui/page-title.tsx'
import { TicketCard } from '@fairball/ui/ticket-card.tsx'
import { HOME_TEXTS } from '../messages.ts'
import { priceOfTicket } from '../money-of-game.ts'
import { fiatIn, useDrawTime } from '../../../shared/player-view.ts'
import styles from './all-games.module.css'

/** Every game as a ticket, three in a row. */
export function AllGames({ games }: { games: readonly Game[] }) {
  return (
    <section aria-labelledby="all-games">
      <SectionTitle id="all-games">{HOME_TEXTS.allGames}</SectionTitle>
      <ul className={styles['cards']}>
        {games.map((game) => (
          <li key={game.key} className={styles['place']}>
            <GameCard game={game} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function GameCard({ game }: { game: Game }) {
  const { currencyCode } = useSession()
  const { day, time } = useDrawTime(useOpenDraw(game).draw.start_at)
  const { n: pick, N: pool } = game.sets[0] ?? { n: 0, N: 0 }
  return (
    <TicketCard
      world={game.key}
      href={paths.game(game.key)}
      title={game.name}
      amount={formatAbbreviated(fiatIn(game.jackpot.fiat, currencyCode))}
      note={HOME_TEXTS.cardNote(pick, pool)}
      ball={pool}
      when={day}
      time={time}
      action={HOME_TEXTS.playFor(priceOfTicket(game, currencyCode))}
      salesNote={game.sales_note}
    />
  )
}
