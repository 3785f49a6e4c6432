import { lazy, Suspense, useState } from 'react'
import { Button } from '@fairball/ui/button.tsx'
import { Skeleton } from '@fairball/ui/skeleton.tsx'
import { STAGE_TEXTS } from './messages.ts'
import styles from './replay-draw.module.css'

const Replay = lazy(() => import('./replay.tsx'))

/** The draw to be played again. */
interface Replayed {
  gameKey: string
  number: number
}

/** Plays a draw that is over once more, in place of the button that asks for it. */
export function ReplayDraw(draw: Replayed) {
  const [isOpen, setIsOpen] = useState(false)
  if (isOpen) return <ReplayStage {...draw} />
  return (
    <div>
      <ReplayButton onClick={() => setIsOpen(true)} />
    </div>
  )
}

/** Asks for a {@link ReplayStage}. */
export function ReplayButton({ variant = 'soft', onClick }: { variant?: 'soft' | 'secondary'; onClick: () => void }) {
  return (
    <Button variant={variant} size={variant === 'soft' ? 'small' : 'normal'} onClick={onClick}>
      {STAGE_TEXTS.replay}
    </Button>
  )
}

/** The draw as it is played again. It has panels of its own, and takes the focus. */
export function ReplayStage({ gameKey, number }: Replayed) {
  return (
    <Suspense fallback={<Skeleton shape="block" className={styles['room']} />}>
      <Replay gameKey={gameKey} number={number} />
    </Suspense>
  )
}
