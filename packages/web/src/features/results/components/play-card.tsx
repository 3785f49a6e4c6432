import { lazy, Suspense, useEffect, useId, useRef } from 'react'
import { useMoments } from '../../../shared/moment.ts'
import { SameNumbersAgain } from '../../../shared/order/same-numbers-again.tsx'
import { paths } from '../../../shared/paths.ts'
import { runtime } from '../../../shared/runtime.ts'
import { LinkButton } from '@fairball/ui/button.tsx'
import { ChevronDownIcon } from '@fairball/ui/icons.tsx'
import { Tag } from '@fairball/ui/tag.tsx'
import { RESULTS_TEXTS } from '../messages.ts'
import { outcomeOf } from '../play-outcome.ts'
import type { PlayOutcome } from '../play-outcome.ts'
import type { Play } from '../use-results.ts'
import styles from './play-card.module.css'
import { PlayLines } from './play-lines.tsx'

const SealedNote = lazy(() => import('../../../proof/sealed-note.tsx'))
const PlaySlip = lazy(() => import('./play-slip.tsx'))
const PlayProof = lazy(() => import('../../../proof/play-proof.tsx'))

/** Delay in ms before the named play is scrolled into view: an opening page is first scrolled to its top. */
const AFTER_PAGE_CHANGE_MS = 100

/** Props of {@link PlayCard}. */
interface PlayCardProps {
  play: Play
  gameKey: string
  isOpen: boolean
  onToggle: () => void
  /** The address names this play: it comes into view. */
  isNamed: boolean
}

/** One play: the time of its draw and its outcome; its lines when opened. */
export function PlayCard({ play, gameKey, isOpen, onToggle, isNamed }: PlayCardProps) {
  const moment = useMoments()
  const outcome = outcomeOf(play)
  const panelId = useId()
  const card = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!isNamed) return
    return runtime.after(AFTER_PAGE_CHANGE_MS, () => card.current?.scrollIntoView({ block: 'start' }))
  }, [isNamed])

  return (
    <article ref={card} className={styles['card']} data-open={isOpen || undefined}>
      <div className={styles['head']}>
        <h3 className={styles['heading']}>
          <button
            type="button"
            className={styles['button']}
            aria-expanded={isOpen}
            aria-controls={panelId}
            onClick={onToggle}
          >
            <span className={styles['when']}>
              {moment(play.date)}
              <span>{RESULTS_TEXTS.lines(play.tickets.length)}</span>
            </span>
            <Tag kind={outcome.kind}>{outcome.text}</Tag>
            <span className={styles['chevron']}>
              <ChevronDownIcon size={20} />
            </span>
          </button>
        </h3>
        <PlayAction gameKey={gameKey} action={outcome.action} />
      </div>
      {play.draw === null && (
        <Suspense>
          <div className={styles['sealed']}>
            <SealedNote of={{ game: gameKey, startAt: play.date }} />
          </div>
        </Suspense>
      )}
      <div id={panelId} hidden={!isOpen}>
        {isOpen && (
          <div className={styles['panel']}>
            {outcome.action === 'claim' && <p className={styles['note']}>{RESULTS_TEXTS.claimNote}</p>}
            <PlayLines gameKey={gameKey} play={play} />
            <div>
              <SameNumbersAgain gameKey={gameKey} lines={play.tickets} size="small" />
            </div>
            <Suspense>
              {play.draw !== null && <SealedNote of={{ game: gameKey, draw: play.draw.number }} />}
              <PlayProof gameKey={gameKey} play={play} />
            </Suspense>
            <Suspense>
              <PlaySlip gameKey={gameKey} play={play} />
            </Suspense>
          </div>
        )}
      </div>
    </article>
  )
}

function PlayAction({ gameKey, action }: { gameKey: string; action: PlayOutcome['action'] }) {
  switch (action) {
    case 'watch':
      return (
        <LinkButton href={paths.watch(gameKey)} size="small" variant="secondary" className={styles['action']}>
          {RESULTS_TEXTS.watchDraw}
        </LinkButton>
      )
    case 'claim':
      return (
        <LinkButton href={paths.howToClaim()} size="small" className={styles['action']}>
          {RESULTS_TEXTS.claim}
        </LinkButton>
      )
    case null:
      return null
  }
}
