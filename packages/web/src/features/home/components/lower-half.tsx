import { lazy } from 'react'
import type { Game } from '../../../shared/data/games.ts'
import { useHasScripts } from '../../../shared/has-scripts.ts'
import { LaterPart } from '../../../shared/later-part.tsx'
import { paths } from '../../../shared/paths.ts'
import { Card } from '@fairball/ui/card.tsx'
import { Link } from '@fairball/ui/link.tsx'
import { LOWER_TEXTS } from '../lower-messages.ts'
import { AllGames } from './all-games.tsx'
import { CheckNumbers } from './check-numbers.tsx'
import { LatestResults } from './latest-results.tsx'
import { ReturnsPanel } from './returns-panel.tsx'
import { TrustPoints } from './trust-points.tsx'
import styles from './lower-half.module.css'

const loadCheckBand = async () => ({ default: (await import('./check-band.tsx')).CheckBand })
const CheckBand = lazy(loadCheckBand)
// Without scripts it can check nothing, so its styles need not be in everyone's HTML: they come with its script.
loadCheckBand().catch(() => undefined)

/**
 * Loads the tickets of a player. It is here and not in the screen, because the styles of what that loads are in every
 * visitor's HTML.
 */
export const loadTicketStrip = () => import('./ticket-strip.tsx')

/** The part below the first view: all games, and what is under them. It is in the HTML from the start; its script loads after that of the first view. */
export function LowerHalf({ games, firstKey }: { games: readonly Game[]; firstKey: string }) {
  const hasScripts = useHasScripts()
  return (
    <>
      <TrustPoints games={games} />
      <AllGames games={games} />
      <div className={styles['band']}>
        <noscript>
          <Link href={paths.fairness()}>{LOWER_TEXTS.bandWithoutScripts}</Link>
        </noscript>
        {hasScripts && (
          <LaterPart>
            <CheckBand />
          </LaterPart>
        )}
      </div>
      <div className={styles['pair']}>
        <LatestResults games={games} />
        <ReturnsPanel games={games} />
      </div>
      <CheckNumbers games={games} firstKey={firstKey} />
      <Card
        title={LOWER_TEXTS.winnersTitle}
        lead={LOWER_TEXTS.winnersLead}
        actions={<Link href={paths.winnersAndGoodCauses()}>{LOWER_TEXTS.winnersLink}</Link>}
      />
    </>
  )
}
