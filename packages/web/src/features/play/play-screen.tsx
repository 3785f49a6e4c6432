import { lazyRouteComponent, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { ComingChange } from '../../shared/coming-change.tsx'
import { gamesQuery } from '../../shared/data/games.ts'
import type { Game } from '../../shared/data/games.ts'
import { forPlayers } from '../../shared/for-players.ts'
import { paths } from '../../shared/paths.ts'
import type { ScreenLoader } from '../../shared/screen.ts'
import { useSession } from '../../shared/session/use-session.ts'
import { Link } from '@fairball/ui/link.tsx'
import { LoadFailed } from '@fairball/ui/empty-state.tsx'
import { GameHeader } from './components/game-header.tsx'
import { PlaySkeleton, StepsSkeleton } from './components/play-skeleton.tsx'
import { usePlayedGame } from './use-played-game.ts'
import styles from './play-screen.module.css'

const AnonymousView = lazy(async () => ({ default: (await import('./components/anonymous-view.tsx')).AnonymousView }))
const PlayerSteps = forPlayers(lazyRouteComponent(() => import('./components/player-steps.tsx'), 'PlayerSteps'))
const EndedGame = lazy(() => import('../../shared/ended-game.tsx'))
const EndedPayment = lazy(() => import('./components/ended-payment.tsx'))

/** Props of {@link PlayScreen}. */
export interface PlayScreenProps {
  gameKey: string
  /** Lucky dips to start with. */
  luckyDips: number
  /** The order the player comes back from paying; null for a new one. */
  transactionId: string | null
}

/** Loads the games. */
export const load: ScreenLoader<PlayScreenProps> = async ({ api, queryClient }) => {
  await queryClient.ensureQueryData(gamesQuery(api))
}

/** A game: a description for visitors, and for players the three steps from numbers to a paid order. */
export function PlayScreen({ gameKey, luckyDips, transactionId }: PlayScreenProps) {
  const game = usePlayedGame(gameKey, transactionId === null)
  if (game.data !== undefined) return <Play game={game.data} luckyDips={luckyDips} transactionId={transactionId} />
  if (game.isPending) return <PlaySkeleton />
  if (game.isSuccess) {
    if (transactionId === null) return <EndedGame gameKey={gameKey} />
    return <EndedPayment gameKey={gameKey} transactionId={transactionId} />
  }
  return <LoadFailed onRetry={() => void game.refetch()} />
}

function Play({ game, luckyDips, transactionId }: { game: Game } & Omit<PlayScreenProps, 'gameKey'>) {
  return (
    <div className={styles['page']} data-game={game.key}>
      <GameHeader game={game} />
      <div className={styles['change']}>
        <ComingChange game={game} />
      </div>
      <PlayerOrVisitor game={game} luckyDips={luckyDips} transactionId={transactionId} />
    </div>
  )
}

function PlayerOrVisitor(props: { game: Game } & Omit<PlayScreenProps, 'gameKey'>) {
  const { status } = useSession()
  // An element that stays the same from `unknown` to `anonymous`: until its script has loaded, any change would replace
  // the server's HTML by the skeleton.
  const isPlayer = status === 'player'
  // For an order a visitor's description would be replaced immediately.
  if (status === 'unknown' && props.transactionId !== null)
    return (
      <>
        <noscript>{ORDER_NOTE}</noscript>
        <StepsSkeleton />
      </>
    )
  return (
    <Suspense key={isPlayer ? 'player' : 'visitor'} fallback={<StepsSkeleton />}>
      {isPlayer ? <PlayerSteps {...props} /> : <AnonymousView {...props} />}
    </Suspense>
  )
}

/** Only in the server's document. */
const ORDER_NOTE = import.meta.env.SSR && <OrderNote />

/** What an order is without scripts. */
function OrderNote() {
  const { transaction_id: orderId } = useSearch({ strict: false }) as { transaction_id: string }
  return (
    <p>
      Your order needs JavaScript. <Link href={paths.checkout(orderId)}>Its payment</Link> does not.
    </p>
  )
}
