import { type ComponentType, useCallback, useState } from 'react'
import { type NewestDraw, useNewestDraw } from '../../../proof/newest-draw.ts'
import { type Part, ThreePictures } from '../../../proof/three-pictures.tsx'
import { paths } from '../../../shared/paths.ts'
import { Button } from '@fairball/ui/button.tsx'
import { Card } from '@fairball/ui/card.tsx'
import { Link } from '@fairball/ui/link.tsx'
import { BAND_TEXTS } from '../band-messages.ts'
import type { BandCheckProps } from './band-check.tsx'
import styles from './check-band.module.css'

/** How anyone can check a draw, by the newest one, which the browser verifies here at a press. */
export function CheckBand() {
  const draw = useNewestDraw()
  const [right, setRight] = useState<readonly Part[]>([])
  return (
    <Card title={BAND_TEXTS.title} id="check-band">
      <ThreePictures draw={draw ?? null} right={right} />
      {draw == null ? (
        <p className={styles['action']}>
          <Link href={paths.fairness()}>{BAND_TEXTS.toFairness}</Link>
        </p>
      ) : (
        <CheckHere key={`${draw.gameKey} ${draw.number}`} draw={draw} onRight={setRight} />
      )}
    </Card>
  )
}

/** The button, and what the verifier says. Its code is fetched at the press. */
function CheckHere({ draw, onRight }: { draw: NewestDraw; onRight: (right: readonly Part[]) => void }) {
  const [Check, setCheck] = useState<ComponentType<BandCheckProps> | null>(null)
  const [attempt, setAttempt] = useState(0)
  const [state, setState] = useState<'idle' | 'busy' | 'ended' | 'missing'>('idle')
  const start = async () => {
    setState('busy')
    setAttempt(attempt + 1)
    onRight([])
    try {
      const { BandCheck } = await import('./band-check.tsx')
      setCheck(() => BandCheck)
    } catch {
      setState('missing')
    }
  }
  const end = useCallback(
    (found: readonly Part[]) => {
      setState('ended')
      onRight(found)
    },
    [onRight],
  )
  return (
    <div className={styles['action']}>
      <Button variant={state === 'ended' ? 'soft' : 'primary'} busy={state === 'busy'} onClick={() => void start()}>
        {state === 'ended' ? BAND_TEXTS.again : BAND_TEXTS.check}
      </Button>
      <p role="status">
        {state === 'missing' && BAND_TEXTS.notLoaded}
        {Check !== null && state !== 'missing' && (
          <Check key={attempt} gameKey={draw.gameKey} number={draw.number} onEnd={end} />
        )}
      </p>
    </div>
  )
}
