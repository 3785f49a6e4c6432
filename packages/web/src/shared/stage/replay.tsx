import { useQuery } from '@tanstack/react-query'
import type { DrawDetails } from '@fairball/contract/schemas/game'
import { useEffect, useId, useMemo, useRef } from 'react'
import { Button } from '@fairball/ui/button.tsx'
import { LoadFailed } from '@fairball/ui/empty-state.tsx'
import { Skeleton } from '@fairball/ui/skeleton.tsx'
import { Tag } from '@fairball/ui/tag.tsx'
import { VisuallyHidden } from '@fairball/ui/visually-hidden.tsx'
import { useApi } from '../api.ts'
import { useGameName } from '../data/game-looks.ts'
import { useGame } from '../data/games.ts'
import { useMoments } from '../moment.ts'
import { useSession } from '../session/use-session.ts'
import { BallMachine } from './ball-machine.tsx'
import { BallTray } from './ball-tray.tsx'
import { spokenBalls } from './ball-words.ts'
import { BestLine } from './best-line.tsx'
import { STAGE_TEXTS } from './messages.ts'
import { outcomeOf } from './outcome.ts'
import OwnLines from './own-lines.tsx'
import styles from './replay.module.css'
import { StageFrame } from './stage-frame.tsx'
import { tiersOfDraw } from './tiers.ts'
import { useLanded } from './use-landed.ts'
import { lineNamesOf, linesOf, useOwnTickets } from './use-own-tickets.ts'
import type { OwnTickets } from './use-own-tickets.ts'
import { useReplay } from './use-replay.ts'
import { winningLines } from './winning-lines.ts'

/** A draw that is over, played again from its record, with the player's own lines. */
export default function Replay({ gameKey, number }: { gameKey: string; number: number }) {
  const api = useApi()
  const draw = useQuery({
    queryKey: ['draw', gameKey, number],
    queryFn: ({ signal }) => api.call('getDraw', { params: { key: gameKey, number }, signal }),
    // Another page may have seen the draw before it was settled.
    staleTime: ({ state }) => (state.data?.prizes === false ? 0 : Infinity),
  })
  const own = useOwnTickets({ gameKey, number }, 'DRAWN')
  if (draw.isLoadingError) return <LoadFailed onRetry={() => void draw.refetch()} />
  if (draw.data === undefined || draw.data.numbers.length === 0 || own.status === 'LOADING') {
    return <Skeleton shape="block" className={styles['room']} />
  }
  return <Stage gameKey={gameKey} draw={draw.data} own={own} />
}

function Stage({ gameKey, draw, own }: { gameKey: string; draw: DrawDetails; own: OwnTickets }) {
  const { currencyCode } = useSession()
  const headingId = useId()
  const { numbers } = draw
  const pick = numbers.length
  const { data: game } = useGame(gameKey)
  const replay = useReplay(pick)
  const { arrivals, isPaused, isMoving } = replay
  const landed = useLanded(arrivals)
  const isOver = landed.to === pick
  const drawn = useMemo(() => numbers.slice(0, landed.to), [numbers, landed.to])
  const lines = useMemo(() => linesOf(own.tickets), [own.tickets])
  const prizes = draw.prizes === false ? [] : draw.prizes
  const outcome = isOver ? outcomeOf(own.tickets, currencyCode) : null
  return (
    <StageFrame
      gameKey={gameKey}
      labelledBy={headingId}
      head={
        <Head gameKey={gameKey} draw={draw} headingId={headingId}>
          {outcome?.spoken ?? spokenBalls(landed, { drawn, pick, lines })}
        </Head>
      }
      now={
        <div className={styles['now']}>
          <p className={styles['sentence']}>
            {outcome?.headline ??
              (isOver ? STAGE_TEXTS.allDrawn(pick) : STAGE_TEXTS.ballOf(Math.min(arrivals.to + 1, pick), pick))}
          </p>
          {outcome !== null && <BestLine outcome={outcome} winningLines={winningLines(own.tickets, prizes)} />}
        </div>
      }
      machine={
        <BallMachine
          balls={numbers.slice(0, arrivals.to)}
          // A game that is no longer drawn has no rules here: its highest number is at least the highest ball.
          pool={game?.sets[0]?.N ?? Math.max(...numbers)}
          isMixing={isMoving && !isPaused && arrivals.to < pick}
          arrivals={arrivals}
        />
      }
      tray={<BallTray balls={ballsAfter(numbers, arrivals.to)} arrivals={arrivals} />}
      foot={<Controls replay={replay} isOver={arrivals.to === pick} />}
    >
      {lines.length > 0 && (
        <OwnLines
          lines={lines}
          names={lineNamesOf(own.tickets)}
          drawn={drawn}
          pick={pick}
          tiers={tiersOfDraw(prizes, currencyCode)}
        />
      )}
    </StageFrame>
  )
}

/** The places of the tray: the balls so far, the one that comes next, and those after it. */
function ballsAfter(numbers: readonly number[], count: number): (number | boolean)[] {
  return numbers.map((number, place) => (place < count ? number : place === count))
}

function Head({
  gameKey,
  draw,
  headingId,
  children,
}: {
  gameKey: string
  draw: DrawDetails
  headingId: string
  /** The one sentence about the newest ball, for those who do not see it. */
  children: string
}) {
  const name = useGameName(gameKey)
  const moment = useMoments()
  const heading = useRef<HTMLHeadingElement>(null)
  // The stage has taken the place of the button that was pressed.
  useEffect(() => heading.current?.focus(), [])
  return (
    <>
      <div role="status" aria-atomic="false">
        <Tag>{STAGE_TEXTS.replayTag}</Tag>
        <VisuallyHidden>{children}</VisuallyHidden>
      </div>
      <h2 id={headingId} ref={heading} tabIndex={-1} className={styles['title']}>
        {STAGE_TEXTS.replayTitle(name, draw.number, moment(draw.datetime))}
      </h2>
      {draw.entries !== null && <p>{STAGE_TEXTS.entries(draw.entries)}</p>}
    </>
  )
}

/** Pausing and skipping; for those who want no movement, one ball at a time. */
function Controls({ replay, isOver }: { replay: ReturnType<typeof useReplay>; isOver: boolean }) {
  const { isMoving, isPaused, next, pause, skip, again } = replay
  const first = useRef<HTMLButtonElement>(null)
  const onSkip = () => {
    skip()
    // This button goes away, and the first one stays.
    first.current?.focus()
  }
  return (
    <>
      <Button
        ref={first}
        onField
        variant={isMoving || isOver ? 'secondary' : 'primary'}
        size="small"
        onClick={isOver ? again : isMoving ? pause : next}
      >
        {isOver
          ? STAGE_TEXTS.replayAgain
          : isMoving
            ? isPaused
              ? STAGE_TEXTS.resume
              : STAGE_TEXTS.pause
            : STAGE_TEXTS.nextBall}
      </Button>
      {!isOver && (
        <Button onField variant="secondary" size="small" onClick={onSkip}>
          {STAGE_TEXTS.skip}
        </Button>
      )}
    </>
  )
}
