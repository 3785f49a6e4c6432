import { countdownTo } from '@fairball/domain/countdown'
import type { WatchPhase } from '@fairball/domain/draw-phase'
import { formatMoney } from '@fairball/domain/fiat'
import { useClockValue, useNow } from '../../../shared/clock.ts'
import type { Game } from '../../../shared/data/games.ts'
import { paths } from '../../../shared/paths.ts'
import { useDrawTime } from '../../../shared/player-view.ts'
import { useSession } from '../../../shared/session/use-session.ts'
import { LinkButton } from '../../../ui/button.tsx'
import { Countdown } from '../../../ui/countdown.tsx'
import { Tag } from '../../../ui/tag.tsx'
import type { TagKind } from '../../../ui/tag.tsx'
import { Figure } from '../../../ui/figure.tsx'
import { WATCH_TEXTS } from '../messages.ts'
import { timesOf } from '../use-watch.ts'
import type { Watch } from '../use-watch.ts'
import { isPostponed, liveStateAt } from '../watch-state.ts'
import { DrawShow } from './draw-show.tsx'
import styles from './draw-stage.module.css'

const TAG_KINDS: Record<WatchPhase, TagKind> = { PLAY: 'neutral', STARTS_SOON: 'soon', LIVE: 'live', ENDED: 'ended' }

/** The draw on its game's colour: its progress, the machine, the balls, and the next links. */
export function DrawStage({ game, watch }: { game: Game; watch: Watch }) {
  const { phase } = watch
  const tag = WATCH_TEXTS.tags[phase]
  return (
    <section className={styles['stage']} aria-labelledby="watch-game">
      <div className={styles['words']}>
        <div className={styles['tag']} role="status">
          {tag !== null && <Tag kind={TAG_KINDS[phase]}>{tag}</Tag>}
        </div>
        <h1 id="watch-game" className={styles['name']}>
          {WATCH_TEXTS.title(game.name)}
        </h1>
        <Jackpot game={game} hasEnded={phase === 'ENDED'} />
        <div className={styles['now']}>
          <PhaseWords game={game} watch={watch} />
        </div>
      </div>
      {/* Another draw has other balls: none of them was known before. */}
      <DrawShow key={game.next_draw.number} game={game} watch={watch} />
      <StageLinks game={game} phase={phase} />
    </section>
  )
}

/** The jackpot of this draw, and once it is settled that of the next one, which the games have from then on. */
function Jackpot({ game, hasEnded }: { game: Game; hasEnded: boolean }) {
  const { currencyCode } = useSession()
  const fiat = game.jackpot.fiat[currencyCode]
  return (
    <p className={styles['jackpot']}>
      <span className={styles['label']}>{hasEnded ? WATCH_TEXTS.nextJackpot : WATCH_TEXTS.jackpot}</span>
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
function PhaseWords({ game, watch }: { game: Game; watch: Watch }) {
  const { full: when } = useDrawTime(game.next_draw.start_at)
  switch (watch.phase) {
    case 'PLAY':
    case 'STARTS_SOON':
      return (
        <div className={styles['until']}>
          {isPostponed(timesOf(game)) && <p>{WATCH_TEXTS.postponed}</p>}
          <p>{WATCH_TEXTS.starts(when)}</p>
          <UntilDraw startAt={game.next_draw.start_at} />
        </div>
      )
    case 'LIVE':
      return <LiveWords game={game} watch={watch} />
    case 'ENDED':
      return <EndedWords watch={watch} />
  }
}

function UntilDraw({ startAt }: { startAt: number }) {
  const now = useNow()
  return <Countdown {...countdownTo(startAt, now)} label={WATCH_TEXTS.untilDraw} />
}

function LiveWords({ game, watch }: { game: Game; watch: Watch }) {
  const balls = watch.data?.draw ?? null
  const state = useClockValue((now) => liveStateAt(timesOf(game), balls, now))
  return (
    <p className={styles['sentence']} role="status">
      {watch.isCutOff ? WATCH_TEXTS.cutOff : WATCH_TEXTS.live[state]}
    </p>
  )
}

function EndedWords({ watch: { data } }: { watch: Watch }) {
  const prizes = data?.prizes ?? false
  const sentence =
    prizes === false
      ? WATCH_TEXTS.prizesCounting
      : prizes.some((prize) => prize.youWin)
        ? WATCH_TEXTS.youWinSentence
        : WATCH_TEXTS.ended
  return (
    <p className={styles['sentence']} role="status">
      {sentence}
    </p>
  )
}

/** Playing while sales are open; results at all times. After the end the draw to play is another one. */
function StageLinks({ game, phase }: { game: Game; phase: WatchPhase }) {
  const { key: gameKey, is_on_sale: isOnSale, sales_note: salesNote } = game
  const hasEnded = phase === 'ENDED'
  return (
    <div className={styles['links']}>
      {salesNote !== null && phase === 'PLAY' && <p>{salesNote}</p>}
      {isOnSale && phase === 'PLAY' && (
        <LinkButton href={paths.game(gameKey)} onField>
          {WATCH_TEXTS.playGame}
        </LinkButton>
      )}
      <LinkButton href={paths.results(gameKey)} onField variant={hasEnded ? 'primary' : 'secondary'}>
        {hasEnded ? WATCH_TEXTS.results : WATCH_TEXTS.previousResults}
      </LinkButton>
      {isOnSale && hasEnded && (
        <LinkButton href={paths.game(gameKey)} onField variant="secondary">
          {WATCH_TEXTS.playNext}
        </LinkButton>
      )}
    </div>
  )
}
