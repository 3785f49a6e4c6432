import { homeButtonsAt } from '@fairball/domain/draw-phase'
import { formatAbbreviated } from '@fairball/domain/fiat'
import { useClockValue } from '../../../shared/use-clock.ts'
import type { Game } from '../../../shared/data/games.ts'
import { paths } from '../../../shared/paths.ts'
import { useSession } from '../../../shared/session/use-session.ts'
import { LinkButton } from '@fairball/ui/button.tsx'
import { ArrowRightIcon } from '@fairball/ui/basic-icons.tsx'
import { HOME_TEXTS } from '../messages.ts'
import { fiatIn } from '../../../shared/player-view.ts'
import { priceOfTicket } from '../money-of-game.ts'
import { HeroBalls } from './hero-balls.tsx'
import { Jackpot } from './jackpot.tsx'
import { NextDraw } from './next-draw.tsx'
import { UntilDraw } from '../../../shared/until-draw.tsx'
import styles from './hero.module.css'

/** The game whose sales close next, in its full colour: jackpot, countdown, and the possible actions. */
export function Hero({ game, games }: { game: Game; games: readonly Game[] }) {
  const { currencyCode } = useSession()
  const pick = game.sets[0]?.n ?? 0
  return (
    <section className={styles['hero']} data-game={game.key} aria-labelledby="hero-game">
      <HeroBalls games={games} />
      <div className={styles['words']}>
        <NextDraw startAt={game.next_draw.start_at} />
        <h1 id="hero-game" className={styles['name']}>
          {game.name}
        </h1>
        <Jackpot
          amount={fiatIn(game.jackpot.fiat, currencyCode)}
          text={formatAbbreviated(fiatIn(game.jackpot.fiat, currencyCode))}
        />
        <p className={styles['lead']}>{HOME_TEXTS.lead(pick)}</p>
        <div className={styles['actions']}>
          <HeroButtons game={game} price={priceOfTicket(game, currencyCode)} />
          <UntilDraw startAt={game.next_draw.start_at} />
        </div>
      </div>
    </section>
  )
}

/** The four buttons of the home page, each by its rule (specification, section 2). */
function HeroButtons({ game, price }: { game: Game; price: string }) {
  const { next_draw: draw, key } = game
  const times = { closesAt: draw.ticket_sell_closes_at, startAt: draw.start_at, endAt: draw.end_at }
  const isOpen = useClockValue((now) => homeButtonsAt(times, now).play)
  const canPlay = isOpen && game.is_on_sale
  const canWatch = useClockValue((now) => homeButtonsAt(times, now).watch)
  const hasHistory = useClockValue((now) => homeButtonsAt(times, now).drawHistory)
  return (
    <div className={styles['buttons']}>
      {canPlay && (
        <LinkButton href={paths.game(key)} size="hero" onField iconEnd={<ArrowRightIcon />}>
          {HOME_TEXTS.playFor(price)}
        </LinkButton>
      )}
      {isOpen && !canPlay && <p className={styles['soon']}>{game.sales_note}</p>}
      {canWatch && (
        <LinkButton href={paths.watch(key)} {...lookBeside(canPlay)}>
          {HOME_TEXTS.watch}
        </LinkButton>
      )}
      {hasHistory && (
        <LinkButton href={paths.draws(key)} {...lookBeside(canPlay || canWatch)}>
          {HOME_TEXTS.history}
        </LinkButton>
      )}
      <LinkButton href={paths.results(key)} variant="secondary" onField>
        {HOME_TEXTS.results}
      </LinkButton>
    </div>
  )
}

/** One primary button a view: the first visible one. */
function lookBeside(hasPrimary: boolean) {
  return hasPrimary
    ? ({ variant: 'secondary', onField: true } as const)
    : ({ variant: 'primary', size: 'hero', onField: true } as const)
}
