import { lazy, Suspense, useState } from 'react'
import { canWatch } from '@fairball/domain/draw-phase'
import { formatAbbreviated, formatMoney } from '@fairball/domain/fiat'
import { useClockValue } from '../../../shared/use-clock.ts'
import { useOpenDraw } from '../../../shared/data/games.ts'
import type { Game } from '../../../shared/data/games.ts'
import { useMoments } from '../../../shared/moment.ts'
import { paths } from '../../../shared/paths.ts'
import { useSession } from '../../../shared/session/use-session.ts'
import { UntilDraw } from '../../../shared/until-draw.tsx'
import { Button, LinkButton } from '@fairball/ui/button.tsx'
import { Link } from '@fairball/ui/link.tsx'
import { InfoIcon } from '@fairball/ui/basic-icons.tsx'
import { Figure } from '@fairball/ui/figure.tsx'
import { PLAY_TEXTS } from '../messages.ts'
import { amountIn, useSaleTime } from '../../../shared/player-view.ts'
import styles from './game-header.module.css'

const loadHowToPlay = async () => ({ default: (await import('./how-to-play.tsx')).HowToPlay })
const HowToPlay = lazy(loadHowToPlay)

/** The game in its colour: name, jackpot, the next draw and the time until it, and the link to watch it. */
export function GameHeader({ game }: { game: Game }) {
  const { currencyCode, status } = useSession()
  const { draw, state } = useOpenDraw(game)
  const moment = useMoments()
  const { when, isNextOnSale } = useSaleTime(game)
  const jackpot = amountIn(game.jackpot.fiat, currencyCode)
  return (
    <header className={styles['header']} data-status={status}>
      <div className={styles['words']}>
        <h1 className={styles['name']}>{game.name}</h1>
        <p className={styles['facts']}>
          {jackpot !== null && (
            <>
              <strong className={styles['jackpot']}>
                <Figure text={formatAbbreviated(jackpot)} />
              </strong>{' '}
              <span className={styles['more']}>
                {PLAY_TEXTS.jackpot}
                {isNextOnSale && ', '}
              </span>
            </>
          )}
          {isNextOnSale && <span className={styles['more']}>{PLAY_TEXTS.draw(when)}</span>}
        </p>
        {!isNextOnSale && (
          <p className={styles['facts']}>{state === 'CLOSED' ? PLAY_TEXTS.closedFor(moment(draw.start_at)) : when}</p>
        )}
        <HeaderButtons game={game} />
      </div>
      <UntilDraw startAt={draw.start_at} />
    </header>
  )
}

function HeaderButtons({ game }: { game: Game }) {
  const { currencyCode } = useSession()
  const [isExplaining, setExplaining] = useState(false)
  const { start_at: startAt, end_at: endAt } = game.next_draw
  const isWatchable = useClockValue((now) => canWatch({ startAt, endAt }, now))
  const hasEnded = useClockValue((now) => now >= endAt)
  const price = amountIn(game.ticket_price.fiat, currencyCode)
  return (
    <div className={styles['buttons']}>
      {isWatchable && (
        <LinkButton href={paths.watch(game.key)} variant="secondary" size="small" onField>
          {PLAY_TEXTS.watch}
        </LinkButton>
      )}
      {hasEnded && (
        <LinkButton href={paths.draws(game.key)} variant="secondary" size="small" onField>
          {PLAY_TEXTS.history}
        </LinkButton>
      )}
      {/* React ignores what a browser with scripts does not show: only the server needs the words. */}
      <noscript>
        {import.meta.env.SSR && (
          <p>
            “How to play” needs JavaScript. Everything is in <Link href={paths.terms()}>the terms and rules</Link>
          </p>
        )}
      </noscript>
      <Button
        variant="secondary"
        size="small"
        onField
        className={styles['help']}
        icon={<InfoIcon size={18} />}
        aria-haspopup="dialog"
        onPointerEnter={() => void loadHowToPlay()}
        onClick={() => setExplaining(true)}
      >
        {PLAY_TEXTS.howToPlay}
      </Button>
      {isExplaining && (
        <Suspense fallback={null}>
          <HowToPlay
            world={game.key}
            facts={{
              pick: game.sets[0]?.n ?? 0,
              pool: game.sets[0]?.N ?? 0,
              price: price === null ? '' : formatMoney(price),
              maxWeeks: game.advanced_ticket_purchase.max_weeks_ahead,
            }}
            onClose={() => setExplaining(false)}
          />
        </Suspense>
      )}
    </div>
  )
}
