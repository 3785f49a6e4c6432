import { lazy, Suspense } from 'react'
import type { Game } from '../../../shared/data/games.ts'
import { LaterPart } from '../../../shared/later-part.tsx'
import { useSession } from '../../../shared/session/use-session.ts'
import type { Outcome } from '../../../shared/stage/outcome.ts'
import { PayoutTracker } from '../../../shared/payout/payout-tracker.tsx'
import { HeldBack } from '../../../shared/stage/held-back.tsx'
import { STAGE_TEXTS } from '../../../shared/stage/messages.ts'
import { tiersOfDraw, tiersOfGame } from '../../../shared/stage/tiers.ts'
import { lineNamesOf } from '../../../shared/stage/use-own-tickets.ts'
import type { OwnTickets } from '../../../shared/stage/use-own-tickets.ts'
import { Card } from '@fairball/ui/card.tsx'
import { LoadFailed } from '@fairball/ui/empty-state.tsx'
import { Skeleton } from '@fairball/ui/skeleton.tsx'
import type { Watch } from '../use-watch.ts'
import { PlayNext } from './play-next.tsx'
import styles from './own-part.module.css'

// Only players have lines.
const OwnLines = lazy(() => import('../../../shared/stage/own-lines.tsx'))
// Below the first view, and still in the server's HTML. Requested with the screen, so that it becomes clickable soon
// after the part above it.
const loadBelow = () => import('./below-the-draw.tsx')
const BelowTheDraw = lazy(loadBelow)
loadBelow().catch(() => undefined)

/** Props of {@link OwnPart}. */
interface OwnPartProps {
  game: Game
  games: readonly Game[]
  watch: Watch
  own: OwnTickets
  lines: readonly (readonly number[])[]
  /** The balls that have landed. */
  drawn: readonly number[]
  /** How the draw ended for the player. */
  outcome: Outcome | null
}

/** Under the stage: the player's lines, then the prizes and the other games. Those wait until it is known whether there are lines, so that nothing moves. */
export function OwnPart({ game, games, watch, own, lines, drawn, outcome }: OwnPartProps) {
  const { currencyCode } = useSession()
  const prizes = watch.data?.prizes ?? false
  const tiers = prizes === false ? tiersOfGame(game, currencyCode) : tiersOfDraw(prizes, currencyCode)
  return (
    <div className={styles['parts']}>
      {own.status === 'FAILED' && <LoadFailed onRetry={own.refetch} />}
      {outcome !== null && (
        <div className={styles['after']}>
          {outcome.payout !== null && (
            <Card title={STAGE_TEXTS.wayOfPrize}>
              <PayoutTracker payout={outcome.payout} countedAt={outcome.countedAt} />
            </Card>
          )}
          <PlayNext game={game} />
        </div>
      )}
      {lines.length > 0 && (
        <Suspense fallback={<Skeleton shape="block" className={styles['skeleton']} />}>
          <OwnLines
            lines={lines}
            names={lineNamesOf(own.tickets)}
            drawn={drawn}
            pick={watch.data?.draw.length ?? game.sets[0]?.n ?? 0}
            tiers={tiers}
          />
        </Suspense>
      )}
      <HeldBack
        isWaiting={own.status === 'LOADING'}
        placeholder={<Skeleton shape="block" className={styles['skeleton']} />}
      >
        {watch.hasFailed && <LoadFailed onRetry={watch.refetch} />}
        <div className={styles['rest']}>
          <LaterPart fallback={<Skeleton shape="block" className={styles['below']} />}>
            <BelowTheDraw game={game} games={games} watch={watch} hasResult={outcome !== null} />
          </LaterPart>
        </div>
      </HeldBack>
    </div>
  )
}
