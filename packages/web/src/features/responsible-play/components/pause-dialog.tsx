import { useId, useState } from 'react'
import { errorText } from '../../../shared/api.ts'
import { useClock, useMinuteNow } from '../../../shared/use-clock.ts'
import { usePlayerView } from '../../../shared/player-view.ts'
import { Banner } from '@fairball/ui/banner.tsx'
import { Button } from '@fairball/ui/button.tsx'
import { Checkbox } from '@fairball/ui/checkbox.tsx'
import { Dialog } from '@fairball/ui/dialog.tsx'
import { StillNeeded } from '@fairball/ui/still-needed.tsx'
import { PLAY_LIMIT_TEXTS } from '../messages.ts'
import { PAUSE_TEXTS } from '../pause-texts.ts'
import { endOfPause, isAskedTwice } from '../pauses.ts'
import type { Pause, PauseKind } from '../pauses.ts'
import { useSaveLimits } from '../use-save-limits.ts'
import styles from './pause-dialog.module.css'

/** Props of {@link PauseDialog}. */
export interface PauseDialogProps {
  kind: PauseKind
  pause: Pause
  onClose: () => void
}

/** Explains a pause plainly, and begins it after confirmation: twice for a very long one. */
export function PauseDialog({ kind, pause, onClose }: PauseDialogProps) {
  const { dateTime } = usePlayerView()
  const clock = useClock()
  const nowAt = useMinuteNow()
  const [isUnderstood, setIsUnderstood] = useState(false)
  const [isSecond, setIsSecond] = useState(false)
  const saving = useSaveLimits<number>((until) =>
    kind === 'time-out' ? { time_out_until: until } : { excluded_until: until },
  )
  const texts = PAUSE_TEXTS[kind]
  const when = dateTime(endOfPause(pause.length, nowAt))
  const mustTick = texts.understood !== null && !isUnderstood
  const noteId = useId()
  const begin = () => saving.mutate(endOfPause(pause.length, clock.now()), { onSuccess: onClose })
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={isSecond ? PLAY_LIMIT_TEXTS.exclusionAskAgain(pause.name) : texts.ask(pause.name)}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            {PLAY_LIMIT_TEXTS.cancel}
          </Button>
          <Button
            variant="danger"
            busy={saving.isPending}
            disabled={mustTick}
            aria-describedby={noteId}
            onClick={isAskedTwice(pause.length) && !isSecond ? () => setIsSecond(true) : begin}
          >
            {texts.start}
          </Button>
        </>
      }
    >
      <div className={styles['body']}>
        {saving.isError && <Banner kind="danger">{errorText(saving.error)}</Banner>}
        {isSecond ? (
          <p>{PLAY_LIMIT_TEXTS.exclusionAgain(pause.name, when)}</p>
        ) : (
          <ul className={styles['meaning']}>
            {texts.meaning(when).map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        )}
        {texts.understood !== null && !isSecond && (
          <Checkbox label={texts.understood} checked={isUnderstood} onChange={setIsUnderstood} />
        )}
        <StillNeeded id={noteId} names={mustTick ? PLAY_LIMIT_TEXTS.tickNeeded : ''} />
      </div>
    </Dialog>
  )
}
