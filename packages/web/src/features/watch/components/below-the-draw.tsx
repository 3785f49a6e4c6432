import type { Game } from '../../../shared/data/games.ts'
import { useArrivals } from '../use-arrivals.ts'
import type { Watch } from '../use-watch.ts'
import { OtherGames } from './other-games.tsx'
import { PrizeList } from './prize-list.tsx'

/** The part below the draw: its prizes, and the draws of the other games. Each draw needs a key of its own. */
export default function BelowTheDraw({
  game,
  games,
  watch,
  hasResult,
}: {
  game: Game
  games: readonly Game[]
  watch: Watch
  hasResult: boolean
}) {
  const { prizes: areNew } = useArrivals(watch.data)
  return (
    <>
      <PrizeList
        game={game}
        prizes={watch.data?.prizes ?? false}
        phase={watch.phase}
        areNew={areNew}
        hasResult={hasResult}
      />
      <OtherGames games={games.filter(({ key }) => key !== game.key)} />
    </>
  )
}
