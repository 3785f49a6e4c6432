import { useState } from 'react'
import { errorText } from '../../../app/api.ts'
import { useClock, useMinuteNow } from '../../../app/clock.ts'
import { usePlayerView } from '../../../app/player-view.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { PLAY_LIMIT_TEXTS } from '../messages.ts'
import { PAUSE_TEXTS } from '../pause-texts.ts'
import { endOfPause } from '../pauses.ts'
import type { Pause, PauseKind } from '../pauses.ts'
import { useSaveLimits } from '../use-save-limits.ts'
import styles from './pause-dialog.module.css'

/** Props of {@link PauseDialog}. */
export interface PauseDialogProps {
  kind: PauseKind
  pause: Pause
  onClose: () => void
}

/** Says plainly what a pause means, and begins it when that is confirmed. */
export function PauseDialog({ kind, pause, onClose }: PauseDialogProps) {
  const { dateTime } = usePlayerView()
  const clock = useClock()
  const nowAt = useMinuteNow()
  const [isUnderstood, setIsUnderstood] = useState(false)
  const saving = useSaveLimits<number>((until) =>
    kind === 'time-out' ? { time_out_until: until } : { excluded_until: until },
  )
  const texts = PAUSE_TEXTS[kind]
  const begin = () => saving.mutate(endOfPause(pause.length, clock.now()), { onSuccess: onClose })
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={texts.ask(pause.name)}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            {PLAY_LIMIT_TEXTS.cancel}
          </Button>
          <Button
            variant="danger"
            busy={saving.isPending}
            disabled={texts.understood !== null && !isUnderstood}
            onClick={begin}
          >
            {texts.start}
          </Button>
        </>
      }
    >
      <div className={styles['body']}>
        {saving.isError && <Banner kind="danger">{errorText(saving.error)}</Banner>}
        <ul className={styles['meaning']}>
          {texts.meaning(dateTime(endOfPause(pause.length, nowAt))).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
        {texts.understood !== null && (
          <Checkbox label={texts.understood} checked={isUnderstood} onChange={setIsUnderstood} />
        )}
      </div>
    </Dialog>
  )
}
