import { lazy, Suspense, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { STAGE_TEXTS } from './messages.ts'
import styles from './replay-draw.module.css'

const Replay = lazy(() => import('./replay.tsx'))

/** Plays a draw that is over once more, in place of the button that asks for it. */
export function ReplayDraw({ gameKey, number }: { gameKey: string; number: number }) {
  const [isOpen, setIsOpen] = useState(false)
  if (!isOpen) {
    return (
      <div>
        <Button variant="soft" size="small" onClick={() => setIsOpen(true)}>
          {STAGE_TEXTS.replay}
        </Button>
      </div>
    )
  }
  return (
    <Suspense fallback={<Skeleton shape="block" className={styles['room']} />}>
      <Replay gameKey={gameKey} number={number} />
    </Suspense>
  )
}
