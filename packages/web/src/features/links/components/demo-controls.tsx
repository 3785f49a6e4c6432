import { errorText } from '../../../shared/api.ts'
import { useClockValue, useNow } from '../../../shared/use-clock.ts'
import type { Game } from '../../../shared/data/games.ts'
import { paths } from '../../../shared/paths.ts'
import { Ball } from '@fairball/ui/ball.tsx'
import { Banner } from '@fairball/ui/banner.tsx'
import { Button, LinkButton } from '@fairball/ui/button.tsx'
import { Card } from '@fairball/ui/card.tsx'
import { targetBeforeDraw, targetPastDraw } from '../clock-jumps.ts'
import { LINKS_TEXTS } from '../messages.ts'
import { useMoveClock } from '../use-links.ts'
import type { ClockMove } from '../use-links.ts'
import { writeTime } from '../write-time.ts'
import styles from './demo-controls.module.css'

/** Buttons that move the system's clock: by a step, to a draw, or past it. */
export function DemoControls({ games }: { games: readonly Game[] }) {
  const move = useMoveClock()
  const isMoving = move.isPending
  const start = (to: ClockMove) => move.mutate(to)
  return (
    <Card title={LINKS_TEXTS.controls} lead={LINKS_TEXTS.controlsLead}>
      <div className={styles['clock']}>
        <p className={styles['now']}>
          <span>{LINKS_TEXTS.clock}</span>
          <ClockNow />
        </p>
        <div role="group" aria-label={LINKS_TEXTS.advance} className={styles['steps']}>
          <span aria-hidden="true">{LINKS_TEXTS.advance}</span>
          {LINKS_TEXTS.steps.map(({ name, seconds }) => (
            <Button
              key={name}
              variant="secondary"
              size="small"
              disabled={isMoving}
              onClick={() => start({ to: { advance: seconds }, watchable: null })}
            >
              {name}
            </Button>
          ))}
        </div>
      </div>
      <Outcome move={move} />
      <div className={styles['draws']}>
        <h3>{LINKS_TEXTS.draws}</h3>
        <ul>
          {games.map((game) => (
            <DrawRow key={game.key} game={game} isMoving={isMoving} moving={move.variables} onMove={start} />
          ))}
        </ul>
      </div>
    </Card>
  )
}

function ClockNow() {
  const now = useNow()
  return <strong>{writeTime(now)}</strong>
}

/** The result of the last move, and the link to its draw. */
function Outcome({ move }: { move: ReturnType<typeof useMoveClock> }) {
  const watchable = move.variables?.watchable ?? null
  if (move.isPending)
    return (
      <Banner kind="info" live>
        {LINKS_TEXTS.moving}
      </Banner>
    )
  if (move.isError) return <Banner kind="danger">{errorText(move.error)}</Banner>
  if (!move.isSuccess) return null
  const watch =
    watchable === null ? undefined : (
      <LinkButton href={paths.watch(watchable)} size="small">
        {LINKS_TEXTS.watch}
      </LinkButton>
    )
  return (
    <Banner kind="success" live action={watch}>
      {LINKS_TEXTS.moved(writeTime(move.data.now))}
    </Banner>
  )
}

function DrawRow(props: {
  game: Game
  isMoving: boolean
  /** The move in progress, or the last one. */
  moving: ClockMove | undefined
  onMove: (to: ClockMove) => void
}) {
  const { game, isMoving, moving, onMove } = props
  const { next_draw: draw } = game
  const before = useClockValue((now) => targetBeforeDraw(draw, now))
  const past = useClockValue((now) => targetPastDraw(draw, now))
  const isBusy = (target: number | null) =>
    isMoving && moving !== undefined && 'to' in moving.to && moving.to.to === target && moving.watchable === game.key
  return (
    <li className={styles['draw']} data-game={game.key}>
      <span aria-hidden="true">
        <Ball number={game.sets[0]?.N} size={36} />
      </span>
      <p className={styles['name']}>
        <strong>{game.name}</strong>
        <span>{LINKS_TEXTS.drawOf(draw.number, writeTime(draw.start_at))}</span>
      </p>
      <Button
        size="small"
        aria-label={LINKS_TEXTS.jumpToOf(game.name)}
        disabled={before === null || (isMoving && !isBusy(before))}
        busy={isBusy(before)}
        onClick={() => before !== null && onMove({ to: { to: before }, watchable: game.key })}
      >
        {LINKS_TEXTS.jumpTo}
      </Button>
      <Button
        variant="secondary"
        size="small"
        aria-label={LINKS_TEXTS.jumpPastOf(game.name)}
        disabled={isMoving && !isBusy(past)}
        busy={isBusy(past)}
        onClick={() => onMove({ to: { to: past }, watchable: game.key })}
      >
        {LINKS_TEXTS.jumpPast}
      </Button>
      <LinkButton href={paths.watch(game.key)} variant="soft" size="small" aria-label={LINKS_TEXTS.watchOf(game.name)}>
        {LINKS_TEXTS.watch}
      </LinkButton>
    </li>
  )
}
