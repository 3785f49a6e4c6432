import type { WatchPhase } from '@fairball/domain/draw-phase'
import { timeLabel } from '@fairball/domain/draw-time-label'
import { formatMoney } from '@fairball/domain/fiat'
import type { Game } from '../../../shared/data/games.ts'
import { SameNumbersAgain } from '../../../shared/order/same-numbers-again.tsx'
import { paths } from '../../../shared/paths.ts'
import { useDrawTime, useUtcOffset } from '../../../shared/player-view.ts'
import { useSeenDraws } from '../../../shared/seen-draws.ts'
import { useSession } from '../../../shared/session/use-session.ts'
import { BallMachine } from '../../../shared/stage/ball-machine.tsx'
import { BallTray } from '../../../shared/stage/ball-tray.tsx'
import { BestLine } from '../../../shared/stage/best-line.tsx'
import { useCelebration } from '../../../shared/stage/celebrated.ts'
import { STAGE_TEXTS } from '../../../shared/stage/messages.ts'
import { outcomeOf } from '../../../shared/stage/outcome.ts'
import type { Outcome } from '../../../shared/stage/outcome.ts'
import { StageFrame } from '../../../shared/stage/stage-frame.tsx'
import { useScene } from '../../../shared/stage/use-scene.ts'
import { useLanded } from '../../../shared/stage/use-landed.ts'
import { linesOf, useOwnTickets } from '../../../shared/stage/use-own-tickets.ts'
import { WinBurst } from '../../../shared/stage/win-burst.tsx'
import { winningLines } from '../../../shared/stage/winning-lines.ts'
import { LinkButton } from '@fairball/ui/button.tsx'
import { Figure } from '@fairball/ui/figure.tsx'
import { Tag } from '@fairball/ui/tag.tsx'
import type { TagKind } from '@fairball/ui/tag.tsx'
import { VisuallyHidden } from '@fairball/ui/visually-hidden.tsx'
import { WATCH_TEXTS } from '../messages.ts'
import { spokenOf } from '../spoken.ts'
import { useArrivals } from '../use-arrivals.ts'
import { useDrawSound } from '../use-draw-sound.ts'
import { useEntries } from '../use-entries.ts'
import { ownTicketsAt } from '../watch-state.ts'
import type { Watch } from '../use-watch.ts'
import { OwnPart } from './own-part.tsx'
import { SoundToggle } from './sound-toggle.tsx'
import { StageWords } from './stage-words.tsx'
import styles from './draw-stage.module.css'

const TAG_KINDS: Record<WatchPhase, TagKind> = { PLAY: 'neutral', STARTS_SOON: 'soon', LIVE: 'live', ENDED: 'ended' }

/**
 * The draw on its game's colour: its progress, the machine, the balls and the next links; below it the player's own
 * lines, then the rest of the page. Each draw needs a key of its own.
 */
export function DrawStage({ game, games, watch: now }: { game: Game; games: readonly Game[]; watch: Watch }) {
  const { data } = now
  const set = game.sets[0]
  const balls = data?.draw ?? Array.from({ length: set?.n ?? 0 }, () => false as const)
  const arrivals = useArrivals(data)
  const landed = useLanded(arrivals)
  const drawn = balls.slice(0, landed.to).filter((ball) => typeof ball === 'number')
  const own = useOwnTickets({ gameKey: game.key, number: game.next_draw.number }, ownTicketsAt(now.phase, data))
  const lines = linesOf(own.tickets)
  const entries = useEntries(game, now.phase)
  const sound = useDrawSound(arrivals)
  const isPending = balls.some((ball) => typeof ball !== 'number')
  const { currencyCode } = useSession()
  const prizes = data?.prizes ?? false
  const newest = prizes === false ? null : outcomeOf(own.tickets, currencyCode)
  useSeenDraws(game.key, newest === null ? [] : [game.next_draw.number])
  const { shown, isTurning } = useScene({ phase: now.phase, outcome: newest }, `${now.phase} ${newest !== null}`)
  const { phase, outcome } = shown
  const watch = { ...now, phase }
  const isCelebrated = useCelebration(outcome?.hasWon ?? false, `${game.key}/${game.next_draw.number}`)
  return (
    <StageFrame
      gameKey={game.key}
      labelledBy="watch-game"
      isOver={outcome !== null}
      isWaiting={prizes !== false && own.status === 'LOADING'}
      isTurning={isTurning}
      head={
        <Head
          game={game}
          phase={phase}
          entries={entries}
          outcome={outcome}
          spoken={spokenOf(now, { landed, drawn, pick: balls.length, lines, own, outcome: newest })}
        />
      }
      now={
        <StageWords
          game={game}
          watch={watch}
          own={own}
          lineCount={lines.length}
          entries={entries}
          result={
            outcome !== null &&
            prizes !== false && <BestLine outcome={outcome} winningLines={winningLines(own.tickets, prizes)} />
          }
          toggle={outcome === null && <SoundToggle isOn={sound.isOn} onToggle={sound.toggle} />}
        />
      }
      machine={
        <BallMachine balls={balls} pool={set?.N ?? 0} isMixing={phase === 'LIVE' && isPending} arrivals={arrivals} />
      }
      tray={
        <>
          <BallTray balls={balls} arrivals={arrivals} />
          {isCelebrated && <WinBurst />}
        </>
      }
      foot={
        outcome === null ? (
          <StageLinks game={game} phase={phase} />
        ) : (
          <ResultLinks game={game} outcome={outcome} lines={lines} />
        )
      }
    >
      <OwnPart game={game} games={games} watch={watch} own={own} lines={lines} drawn={drawn} outcome={outcome} />
    </StageFrame>
  )
}

function Head({
  game,
  phase,
  entries,
  outcome,
  spoken,
}: {
  game: Game
  phase: WatchPhase
  entries: number | null
  outcome: Outcome | null
  /** The one sentence about the newest event, for those who do not see it. */
  spoken: string
}) {
  const tag = WATCH_TEXTS.tags[phase]
  const hasStarted = phase === 'LIVE' || phase === 'ENDED'
  const { full: starts } = useDrawTime(game.next_draw.start_at)
  return (
    <>
      <div className={styles['top']}>
        {/* Without a tag it stays in the document, so that what changes is announced. */}
        <div className={styles['status']} role="status" aria-atomic="false">
          {tag !== null && <Tag kind={TAG_KINDS[phase]}>{tag}</Tag>}
          <VisuallyHidden>{spoken}</VisuallyHidden>
        </div>
        {!hasStarted && <p>{starts}</p>}
      </div>
      <h1 id="watch-game" className={styles['name']}>
        {WATCH_TEXTS.title(game.name, game.next_draw.number)}
      </h1>
      {outcome === null ? (
        <div className={styles['facts']} data-ended={phase === 'ENDED' || undefined}>
          <Jackpot game={game} hasEnded={phase === 'ENDED'} />
          {hasStarted && entries !== null && (
            <Entries count={entries} closedAt={game.next_draw.ticket_sell_closes_at} />
          )}
        </div>
      ) : (
        <p className={styles['result']} data-won={outcome.hasWon || undefined}>
          <strong>{outcome.headline}</strong>
          {outcome.btc !== null && <span className={styles['btc']}>{outcome.btc} BTC</span>}
        </p>
      )}
    </>
  )
}

/** The jackpot of this draw, and once it is settled that of the next one, which the games have from then on. */
function Jackpot({ game, hasEnded }: { game: Game; hasEnded: boolean }) {
  const { currencyCode } = useSession()
  const fiat = game.jackpot.fiat[currencyCode]
  return (
    <p className={styles['jackpot']}>
      {fiat !== undefined && (
        <strong>
          <Figure text={formatMoney(fiat)} />
        </strong>
      )}
      <span className={styles['label']}>
        <span>{hasEnded ? WATCH_TEXTS.nextJackpot : WATCH_TEXTS.jackpot}</span>
        <span className={styles['crypto']}>
          {game.jackpot.crypto.value} {game.jackpot.crypto.code}
        </span>
      </span>
    </p>
  )
}

function Entries({ count, closedAt }: { count: number; closedAt: number }) {
  const utcOffsetAt = useUtcOffset()
  return (
    <p className={styles['entries']}>
      <strong>{WATCH_TEXTS.entries(count)}</strong> <span>{WATCH_TEXTS.inDraw}</span>
      <span>{WATCH_TEXTS.sealedAt(timeLabel(closedAt, utcOffsetAt(closedAt)))}</span>
    </p>
  )
}

/** After the end of a draw that the player was in. The draw to play next has a card of its own. */
function ResultLinks({
  game: { key: gameKey, next_draw: draw },
  outcome,
  lines,
}: {
  game: Game
  outcome: Outcome
  lines: readonly (readonly number[])[]
}) {
  return (
    <>
      <LinkButton href={paths.results(gameKey, 1, outcome.best?.playId)} onField>
        {STAGE_TEXTS.seeLines}
      </LinkButton>
      <LinkButton href={paths.proof(gameKey, draw.number)} onField variant="secondary">
        {WATCH_TEXTS.checkDraw}
      </LinkButton>
      <SameNumbersAgain gameKey={gameKey} lines={lines} onField />
      <LinkButton href={paths.results(gameKey)} onField variant="secondary">
        {WATCH_TEXTS.results}
      </LinkButton>
    </>
  )
}

/** Playing while sales are open; results at all times. After the end the draw to play is another one. */
function StageLinks({ game, phase }: { game: Game; phase: WatchPhase }) {
  const { key: gameKey, is_on_sale: isOnSale, sales_note: salesNote } = game
  const hasEnded = phase === 'ENDED'
  return (
    <>
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
      {/* React ignores what a browser with scripts does not show: only the server needs the words. */}
      <noscript>{import.meta.env.SSR && <p>Without JavaScript, reload this page to see new balls.</p>}</noscript>
    </>
  )
}
