import { useRef, useState } from 'react'
import { Button } from '@fairball/ui/button.tsx'
import { Dialog } from '@fairball/ui/dialog.tsx'
import { ProgressBar } from '@fairball/ui/progress-bar.tsx'
import { HOW_TO_PLAY_STEPS, HOW_TO_PLAY_TEXTS } from '../how-to-play-messages.ts'
import type { HowToPlayFacts } from '../how-to-play-messages.ts'
import styles from './how-to-play.module.css'

const MAX = HOW_TO_PLAY_STEPS.length

/** The game in six short steps; it is there only while it is open. Loaded when first opened: the dialog is 26 kB. */
export function HowToPlay({ world, facts, onClose }: { world: string; facts: HowToPlayFacts; onClose: () => void }) {
  const [step, setStep] = useState(1)
  const next = useRef<HTMLSpanElement>(null)
  const shown = HOW_TO_PLAY_STEPS[step - 1]
  const count = HOW_TO_PLAY_TEXTS.count(step, MAX)
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={HOW_TO_PLAY_TEXTS.title}
      aside={count}
      world={world}
      footer={
        <>
          {step > 1 ? (
            <Button
              variant="soft"
              onClick={() => {
                // On step 1 this button goes away, and the focus with it.
                if (step === 2) next.current?.querySelector('button')?.focus()
                setStep(step - 1)
              }}
            >
              {HOW_TO_PLAY_TEXTS.previous}
            </Button>
          ) : (
            <span />
          )}
          <span ref={next}>
            {step < MAX ? (
              <Button onClick={() => setStep(step + 1)}>{HOW_TO_PLAY_TEXTS.next}</Button>
            ) : (
              <Button onClick={onClose}>{HOW_TO_PLAY_TEXTS.done}</Button>
            )}
          </span>
        </>
      }
    >
      <ProgressBar label={HOW_TO_PLAY_TEXTS.progress} value={step} max={MAX} valueText={count} world={world} />
      <div className={styles['step']} aria-live="polite">
        <h3>{shown?.title}</h3>
        <p>{shown?.text(facts)}</p>
      </div>
    </Dialog>
  )
}
