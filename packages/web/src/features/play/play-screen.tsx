import { gamesQuery } from '../../app/data/games.ts'
import type { Game } from '../../app/data/games.ts'
import type { ScreenLoader } from '../../app/screen.tsx'
import { useSession } from '../../app/session/use-session.ts'
import { LoadFailed } from '../../ui/empty-state.tsx'
import { AnonymousView } from './components/anonymous-view.tsx'
import { Configuration } from './components/configuration.tsx'
import { GameHeader } from './components/game-header.tsx'
import { PaymentStep } from './components/payment-step.tsx'
import { PlaySkeleton } from './components/play-skeleton.tsx'
import { UnverifiedEmail } from './components/unverified-email.tsx'
import { usePlayedGame } from './use-play.ts'
import styles from './play-screen.module.css'

/** Props of {@link PlayScreen}. */
export interface PlayScreenProps {
  gameKey: string
  /** So many lucky dips are there at first. */
  luckyDips: number
  /** The order somebody comes back from paying; null for a new one. */
  transactionId: string | null
}

/** Loads the games. */
export const load: ScreenLoader<PlayScreenProps> = async ({ api, queryClient }) => {
  await queryClient.ensureQueryData(gamesQuery(api))
}

/** A game: what it is for those who are not signed in, and for players the three steps from numbers to a paid order. */
export function PlayScreen({ gameKey, luckyDips, transactionId }: PlayScreenProps) {
  const game = usePlayedGame(gameKey)
  if (game.data !== undefined) return <Play game={game.data} luckyDips={luckyDips} transactionId={transactionId} />
  if (game.isPending) return <PlaySkeleton />
  return <LoadFailed onRetry={() => void game.refetch()} />
}

function Play({ game, luckyDips, transactionId }: { game: Game } & Omit<PlayScreenProps, 'gameKey'>) {
  return (
    <div className={styles['page']} data-game={game.key}>
      <GameHeader game={game} />
      <UnverifiedEmail />
      <Steps game={game} luckyDips={luckyDips} transactionId={transactionId} />
    </div>
  )
}

function Steps({ game, luckyDips, transactionId }: { game: Game } & Omit<PlayScreenProps, 'gameKey'>) {
  const { status } = useSession()
  if (status !== 'player') return <AnonymousView game={game} luckyDips={luckyDips} transactionId={transactionId} />
  if (transactionId !== null) return <PaymentStep key={transactionId} game={game} transactionId={transactionId} />
  // Another count in the address is another order.
  return <Configuration key={`${game.key} ${luckyDips}`} game={game} luckyDips={luckyDips} />
}
