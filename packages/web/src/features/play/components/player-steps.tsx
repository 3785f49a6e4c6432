import { lazyRouteComponent } from '@tanstack/react-router'
import { Suspense } from 'react'
import type { Game } from '../../../shared/data/games.ts'
import { PauseNotice } from './pause-notice.tsx'
import { StepsSkeleton } from './play-skeleton.tsx'
import { UnverifiedEmail } from './unverified-email.tsx'

const Configuration = lazyRouteComponent(() => import('./configuration.tsx'), 'Configuration')
const PaymentStep = lazyRouteComponent(() => import('./payment-step.tsx'), 'PaymentStep')
// The session is still being checked: meanwhile the step that the address names loads.
const isPaying = new URLSearchParams(window.location.search).has('transaction_id')
void (isPaying ? PaymentStep : Configuration).preload?.()

/** Props of {@link PlayerSteps}. */
export interface PlayerStepsProps {
  game: Game
  /** Lucky dips to start with. */
  luckyDips: number
  /** The order the player comes back from paying; null for a new one. */
  transactionId: string | null
}

/** A game's page for a player: the three steps from numbers to a paid order. */
export function PlayerSteps({ game, luckyDips, transactionId }: PlayerStepsProps) {
  return (
    <>
      <UnverifiedEmail />
      <PauseNotice />
      <Suspense fallback={<StepsSkeleton />}>
        {transactionId === null ? (
          // Another count in the address is another order.
          <Configuration key={`${game.key} ${luckyDips}`} game={game} luckyDips={luckyDips} />
        ) : (
          <PaymentStep key={transactionId} game={game} transactionId={transactionId} />
        )}
      </Suspense>
    </>
  )
}
