import { useRef } from 'react'
import type { ReactNode } from 'react'
import { ballDueAt } from '@fairball/domain/draw-phase'
import { useClock, useClockValue, useTick } from '../../../shared/use-clock.ts'
import type { Game } from '../../../shared/data/games.ts'
import { useMoments } from '../../../shared/moment.ts'
import type { OwnTickets } from '../../../shared/stage/use-own-tickets.ts'
import { TickingText } from '../../../shared/ticking-text.tsx'
import { UntilDraw } from '../../../shared/until-draw.tsx'
import { WATCH_TEXTS } from '../messages.ts'
import { timesOf } from '../use-watch.ts'
import type { Watch } from '../use-watch.ts'
import { countDrawn, isPostponed, liveStateAt } from '../watch-state.ts'
import styles from './stage-words.module.css'

/** Props of {@link StageWords}. */
interface StageWordsProps {
  game: Game
  watch: Watch
  /** What the player holds in the draw, and the number of lines of that. */
  own: OwnTickets
  lineCount: number
  /** Lines of all players in the draw; null until they are sealed. */
  entries: number | null
  /** How the draw ended for the player, in place of the words about the draw. */
  result: ReactNode
  /** Stands at the end of the row. */
  toggle: ReactNode
}

/** What happens now: the time until the draw, or the ball that comes next. */
export function StageWords({ game, watch, own, lineCount, entries, result, toggle }: StageWordsProps) {
  const hasStarted = watch.phase === 'LIVE' || watch.phase === 'ENDED'
  return (
    <div className={styles['words']}>
      {!hasStarted && (
        <div className={styles['before']}>
          {isPostponed(timesOf(game)) && <p>{WATCH_TEXTS.postponed}</p>}
          {watch.phase === 'STARTS_SOON' && <p>{WATCH_TEXTS.sealed(entries)}</p>}
          <OwnCount game={game} isClosed={watch.phase === 'STARTS_SOON'} own={own} lineCount={lineCount} />
        </div>
      )}
      {hasStarted ? result || <DrawWords game={game} watch={watch} /> : <UntilDraw startAt={game.next_draw.start_at} />}
      {toggle}
    </div>
  )
}

/** How many lines the player has in the draw; without one, until when there can be some, or when the next draw is. */
function OwnCount({
  game,
  isClosed,
  own,
  lineCount,
}: Pick<StageWordsProps, 'game' | 'own' | 'lineCount'> & { isClosed: boolean }) {
  if (own.status === 'KNOWN' && lineCount > 0) return <p>{WATCH_TEXTS.ownLines(lineCount)}</p>
  const hasNone = own.status === 'KNOWN'
  if (!isClosed) return <SalesClose closesAt={game.next_draw.ticket_sell_closes_at} hasNone={hasNone} />
  return hasNone ? <NextDraw game={game} /> : null
}

function SalesClose({ closesAt, hasNone }: { closesAt: number; hasNone: boolean }) {
  const moment = useMoments()
  const left = useClockValue((now) => Math.max(0, Math.ceil((closesAt - now) / MINUTE)))
  const when = WATCH_TEXTS.salesClose(left < MINUTES_OF_A_DAY ? WATCH_TEXTS.inMinutes(left) : moment(closesAt))
  return <p>{hasNone ? `${WATCH_TEXTS.noLines} ${when}` : when}</p>
}

const MINUTE = 60
const MINUTES_OF_A_DAY = 24 * 60

/** The draw that a ticket bought now would be for. */
function NextDraw({ game }: { game: Game }) {
  const moment = useMoments()
  const next = game.open_draws.find(({ number }) => number > game.next_draw.number)
  return next === undefined ? null : <p>{WATCH_TEXTS.nextDraw(moment(next.start_at))}</p>
}

/** The ball that comes next, and when; or why none comes. */
function DrawWords({ game, watch: { data, phase, isCutOff } }: { game: Game; watch: Watch }) {
  const balls = data?.draw ?? null
  const state = useClockValue((now) => liveStateAt(timesOf(game), balls, now))
  if (isCutOff) return <p className={styles['sentence']}>{WATCH_TEXTS.cutOff}</p>
  if (phase === 'ENDED' || state === 'COUNTS') {
    const pick = balls?.length ?? game.sets[0]?.n ?? 0
    const isCounted = data !== null && data.prizes !== false
    return <p className={styles['sentence']}>{isCounted ? WATCH_TEXTS.ended : WATCH_TEXTS.counting(pick)}</p>
  }
  if (state === 'DRAWS' && balls !== null) {
    return <NextBall game={game} ball={countDrawn(balls) + 1} pick={balls.length} />
  }
  return <p className={styles['sentence']}>{state === 'LATE' ? WATCH_TEXTS.late : WATCH_TEXTS.begins}</p>
}

function NextBall({ game, ball, pick }: { game: Game; ball: number; pick: number }) {
  const times = timesOf(game)
  const [from, due] = [ballDueAt(times, pick, ball - 1), ballDueAt(times, pick, ball)]
  return (
    <div className={styles['ball']}>
      <Ring from={from} due={due} />
      <p className={styles['sentence']}>
        {/* After a late random number the balls come at the same pace, at times that only the server knows. */}
        <TickingText textAt={(now) => WATCH_TEXTS.nextBall(ball, pick, due - now)} />
      </p>
    </div>
  )
}

/** The part of the time between two moments that has passed, as a ring that fills. */
function Ring({ from, due }: { from: number; due: number }) {
  const { startedAt } = useClock()
  const filled = useRef<SVGCircleElement>(null)
  const dashesAt = (now: number) => `${Math.round(100 * Math.min(1, Math.max(0, (now - from) / (due - from))))} 100`
  useTick((now) => filled.current?.setAttribute('stroke-dasharray', dashesAt(now)))
  return (
    <svg className={styles['ring']} viewBox="0 0 44 44" aria-hidden="true" focusable="false">
      <circle cx="22" cy="22" r="20" />
      <circle ref={filled} cx="22" cy="22" r="20" pathLength="100" strokeDasharray={dashesAt(startedAt)} />
    </svg>
  )
}
