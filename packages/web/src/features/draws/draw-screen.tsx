import { lazyRouteComponent } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useGameName } from '../../shared/data/game-looks.ts'
import { forPlayers } from '../../shared/for-players.ts'
import { LaterPart } from '../../shared/later-part.tsx'
import { paths } from '../../shared/paths.ts'
import { pageNotFound } from '../../shared/screen.ts'
import type { ScreenLoader } from '../../shared/screen.ts'
import { HeldBack } from '../../shared/stage/held-back.tsx'
import { ReplayDraw } from '../../shared/stage/replay-draw.tsx'
import { useSeenDraws } from '../../shared/seen-draws.ts'
import { useOwnTickets } from '../../shared/stage/use-own-tickets.ts'
import { LoadFailed } from '@fairball/ui/empty-state.tsx'
import { Link } from '@fairball/ui/link.tsx'
import { Loading, Skeleton, SkeletonRows } from '@fairball/ui/skeleton.tsx'
import { DrawFacts } from './components/draw-facts.tsx'
import { DrawField } from './components/draw-field.tsx'
import { DrawPrizes } from './components/draw-prizes.tsx'
import styles from './draw-screen.module.css'
import { DRAWS_TEXTS } from './messages.ts'
import { drawQuery, isNoDraw, useDraw } from './use-draws.ts'

const loadAccounts = async () => ({ default: (await import('./components/draw-accounts.tsx')).DrawAccounts })
const DrawAccounts = lazy(loadAccounts)
// Requested with the screen, before it is rendered: hashing the draw's published record does not delay the first view.
loadAccounts().catch(() => undefined)
// Only players have a result and a proof of their own.
const OwnResult = forPlayers(lazyRouteComponent(() => import('../../shared/stage/own-result.tsx')))
const SealedNote = lazy(() => import('../../proof/sealed-note.tsx'))

/** Props of {@link DrawScreen}. */
export interface DrawScreenProps {
  gameKey: string
  /** The draw's number in its game, from 1. */
  number: number
}

export const load: ScreenLoader<DrawScreenProps> = async ({ api, queryClient }, { gameKey, number }) => {
  try {
    await queryClient.ensureQueryData(drawQuery(api, gameKey, number))
  } catch (error) {
    if (isNoDraw(error)) throw pageNotFound()
    throw error
  }
}

/** One draw: its numbers, its prizes, and the evidence that it was fair. */
export function DrawScreen({ gameKey, number }: DrawScreenProps) {
  const name = useGameName(gameKey)
  return (
    <div data-game={gameKey} className={styles['page']}>
      <p>
        <Link href={paths.draws(gameKey)}>{DRAWS_TEXTS.toHistory}</Link>
      </p>
      <DrawOf gameKey={gameKey} number={number} name={name} />
    </div>
  )
}

function DrawOf({ gameKey, number, name }: DrawScreenProps & { name: string }) {
  const draw = useDraw(gameKey, number)
  useSeenDraws(gameKey, draw.data?.status === 'DRAWN' ? [number] : [])
  const own = useOwnTickets({ gameKey, number }, 'DRAWN', draw.data?.status === 'DRAWN')
  if (draw.isPending) {
    return (
      <>
        <Loading>
          <Skeleton shape="block" className={styles['field']} />
        </Loading>
        <SkeletonRows rows={5} />
      </>
    )
  }
  if (draw.isLoadingError) {
    if (isNoDraw(draw.error)) throw pageNotFound()
    return <LoadFailed onRetry={() => void draw.refetch()} />
  }
  return (
    <>
      <DrawField gameKey={gameKey} name={name} draw={draw.data} />
      {draw.data.status === 'DRAWN' && (
        <LaterPart>
          <OwnResult gameKey={gameKey} number={number} hasLinks />
        </LaterPart>
      )}
      <HeldBack isWaiting={own.status === 'LOADING'}>
        {draw.data.status === 'DRAWN' && <ReplayDraw gameKey={gameKey} number={number} />}
        <Suspense>
          <SealedNote of={{ game: gameKey, draw: number }} />
        </Suspense>
        <div className={styles['panels']}>
          <DrawPrizes draw={draw.data} />
          <DrawFacts draw={draw.data} />
        </div>
        <LaterPart fallback={<SkeletonRows rows={5} />}>
          <DrawAccounts gameKey={gameKey} draw={draw.data} />
        </LaterPart>
      </HeldBack>
    </>
  )
}
