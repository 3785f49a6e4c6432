import { countdownTo } from '@fairball/domain/countdown'
import type { ShownBall, WatchPhase } from '@fairball/domain/draw-phase'
import { formatMoney } from '@fairball/domain/fiat'
import { useNow } from '../../../app/clock.ts'
import type { Game } from '../../../app/data/games.ts'
import { paths } from '../../../app/paths.ts'
import { useSession } from '../../../app/session/use-session.ts'
import { LinkButton } from '../../../ui/button.tsx'
import { Countdown } from '../../../ui/countdown.tsx'
import { Tag } from '../../../ui/tag.tsx'
import type { TagKind } from '../../../ui/tag.tsx'
import { Figure } from '../../../ui/ticket-card.tsx'
import { WATCH_TEXTS } from '../messages.ts'
import { useDrawTime } from '../../../app/player-view.ts'
import { BallMachine } from './ball-machine.tsx'
import { BallTray } from './ball-tray.tsx'
import styles from './draw-stage.module.css'

const TAG_KINDS: Record<WatchPhase, TagKind> = { PLAY: 'neutral', STARTS_SOON: 'soon', LIVE: 'live', ENDED: 'ended' }

/** The draw on its game's colour: how far it is, the machine, the balls, and where to go from here. */
export function DrawStage({
  game,
  balls,
  phase,
}: {
  game: Game
  balls: readonly ShownBall[] | null
  phase: WatchPhase
}) {
  const tag = WATCH_TEXTS.tags[phase]
  const isPending = balls?.some((ball) => typeof ball !== 'number') ?? true
  return (
    <section className={styles['stage']} aria-labelledby="watch-game">
      <div className={styles['words']}>
        <div className={styles['tag']} role="status">
          {tag !== null && <Tag kind={TAG_KINDS[phase]}>{tag}</Tag>}
        </div>
        <h1 id="watch-game" className={styles['name']}>
          {WATCH_TEXTS.title(game.name)}
        </h1>
        <Jackpot game={game} />
        <PhaseWords game={game} phase={phase} />
        <StageLinks gameKey={game.key} phase={phase} />
      </div>
      <div className={styles['machine']}>
        <BallMachine isTurning={phase === 'LIVE' && isPending} />
      </div>
      <div className={styles['tray']}>
        {/* Another draw has other balls: none of them was known before. */}
        <BallTray key={game.next_draw.start_at} balls={balls} pick={game.sets[0]?.n ?? 0} />
      </div>
    </section>
  )
}

function Jackpot({ game }: { game: Game }) {
  const { currencyCode } = useSession()
  const fiat = game.jackpot.fiat[currencyCode]
  return (
    <p className={styles['jackpot']}>
      <span className={styles['label']}>{WATCH_TEXTS.jackpot}</span>
      {fiat !== undefined && (
        <strong>
          <Figure text={formatMoney(fiat)} />
        </strong>
      )}
      <span className={styles['crypto']}>
        {game.jackpot.crypto.value} {game.jackpot.crypto.code}
      </span>
    </p>
  )
}

/** The countdown before the draw; a sentence from then on. */
function PhaseWords({ game, phase }: { game: Game; phase: WatchPhase }) {
  const { full: when } = useDrawTime(game.next_draw.start_at)
  switch (phase) {
    case 'PLAY':
    case 'STARTS_SOON':
      return (
        <div className={styles['until']}>
          <p>{WATCH_TEXTS.starts(when)}</p>
          <UntilDraw startAt={game.next_draw.start_at} />
        </div>
      )
    case 'LIVE':
      return <p className={styles['sentence']}>{WATCH_TEXTS.live}</p>
    case 'ENDED':
      return <p className={styles['sentence']}>{WATCH_TEXTS.ended}</p>
  }
}

function UntilDraw({ startAt }: { startAt: number }) {
  const now = useNow()
  return <Countdown {...countdownTo(startAt, now)} label={WATCH_TEXTS.untilDraw} />
}

/** Playing while sales are open, and again after the end, for the next draw; results at all times. */
function StageLinks({ gameKey, phase }: { gameKey: string; phase: WatchPhase }) {
  const hasEnded = phase === 'ENDED'
  const play = (
    <LinkButton href={paths.game(gameKey)} onField variant={hasEnded ? 'secondary' : 'primary'}>
      {WATCH_TEXTS.playGame}
    </LinkButton>
  )
  const results = (
    <LinkButton href={paths.results(gameKey)} onField variant={hasEnded ? 'primary' : 'secondary'}>
      {hasEnded ? WATCH_TEXTS.results : WATCH_TEXTS.previousResults}
    </LinkButton>
  )
  return (
    <div className={styles['links']}>
      {phase === 'PLAY' && play}
      {results}
      {hasEnded && play}
    </div>
  )
}
