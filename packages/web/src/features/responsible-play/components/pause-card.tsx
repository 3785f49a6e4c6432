import { lazy, Suspense, useState } from 'react'
import { useMinuteNow } from '../../../shared/use-clock.ts'
import { usePlayerView } from '../../../shared/player-view.ts'
import { Banner } from '@fairball/ui/banner.tsx'
import { Button } from '@fairball/ui/button.tsx'
import { Card } from '@fairball/ui/card.tsx'
import { RadioChips } from '@fairball/ui/chips.tsx'
import { possiblePauses } from '../pauses.ts'
import type { Pause, PauseKind } from '../pauses.ts'
import { PAUSE_TEXTS } from '../pause-texts.ts'

const PauseDialog = lazy(async () => ({ default: (await import('./pause-dialog.tsx')).PauseDialog }))

/** Props of {@link PauseCard}. */
interface PauseCardProps {
  kind: PauseKind
  /** End of the running pause; null without one. */
  until: number | null
}

/**
 * A pause from playing: the running one, and the choice of one that ends later. A pause begins only after confirmation.
 */
export function PauseCard({ kind, until }: PauseCardProps) {
  const { dateTime } = usePlayerView()
  const nowAt = useMinuteNow()
  const [chosenKey, setChosenKey] = useState('')
  const [isAsking, setIsAsking] = useState(false)
  const texts = PAUSE_TEXTS[kind]
  const pauses = possiblePauses(kind, until, nowAt)
  const chosen = pauses.find(({ key }) => key === chosenKey) ?? pauses[0]
  return (
    <Card title={texts.title} lead={texts.lead}>
      {until !== null && (
        <Banner kind="warning" live>
          {texts.running(dateTime(until))}
        </Banner>
      )}
      {chosen === undefined ? (
        <p>{texts.longest}</p>
      ) : (
        <>
          <RadioChips
            legend={texts.legend}
            options={pauses.map(({ key, name }) => ({ value: key, label: name }))}
            chosen={chosen.key}
            onChange={setChosenKey}
          />
          <div>
            <Button variant={texts.variant} onClick={() => setIsAsking(true)}>
              {until === null ? texts.start : texts.longer}
            </Button>
          </div>
        </>
      )}
      {isAsking && chosen !== undefined && (
        <Suspense>
          <Asking kind={kind} pause={chosen} onClose={() => setIsAsking(false)} />
        </Suspense>
      )}
    </Card>
  )
}

/** The pause in the dialog stays the same while it is open, even after it has begun and is no longer a choice. */
function Asking({ kind, pause, onClose }: { kind: PauseKind; pause: Pause; onClose: () => void }) {
  const [asked] = useState(pause)
  return <PauseDialog kind={kind} pause={asked} onClose={onClose} />
}
