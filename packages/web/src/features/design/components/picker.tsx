import { lazy, Suspense, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Countdown } from '../../../ui/countdown.tsx'
import { NumberPickerGrid } from '../../../ui/number-picker-grid.tsx'
import { ProgressBar } from '../../../ui/progress-bar.tsx'
import { Row, Section, Specimen, Stack } from './specimen.tsx'

const SampleDialog = lazy(() => import('./sample-dialog.tsx'))
const [PICK, POOL] = [6, 49] as const

/** Numbers to pick, bars that fill, and the time that is left. */
export function Picker() {
  return (
    <Section id="picker">
      <Specimen name="Number picker" of={['number-picker-grid.tsx']}>
        {() => <Grid />}
      </Specimen>
      <Specimen name="Progress" of={['progress-bar.tsx']}>
        {(at) => (
          <Stack>
            {[0, 4, 6].map((value) => (
              <ProgressBar
                key={value}
                label={`Sample ${value}, ${at}`}
                value={value}
                max={6}
                valueText={`${value} of 6`}
              />
            ))}
          </Stack>
        )}
      </Specimen>
      <Specimen name="Countdown" of={['countdown.tsx']}>
        {() => (
          <Stack>
            <Countdown label="Time until a draw" days={6} hours={23} mins={59} secs={8} />
            <Countdown label="Time until a draw has begun" days={0} hours={0} mins={0} secs={0} />
          </Stack>
        )}
      </Specimen>
    </Section>
  )
}

/** Dialogs, which cover the page and so are opened one at a time. */
export function Dialogs() {
  return (
    <Section id="dialogs">
      <Specimen name="Dialog" of={['dialog.tsx']}>
        {(at) => <Opener at={at} />}
      </Specimen>
    </Section>
  )
}

function Grid() {
  const [picked, setPicked] = useState([3, 8, 13, 27])
  const toggle = (number: number) =>
    setPicked(picked.includes(number) ? picked.filter((other) => other !== number) : [...picked, number])
  return <NumberPickerGrid pool={POOL} pick={PICK} picked={picked} onToggle={toggle} />
}

function Opener({ at }: { at: string }) {
  const [kind, setKind] = useState<'short' | 'long' | null>(null)
  return (
    <Row>
      <Button variant="secondary" onClick={() => setKind('short')} aria-label={`Open a dialog, ${at}`}>
        Open a dialog
      </Button>
      <Button variant="secondary" onClick={() => setKind('long')} aria-label={`Open one that scrolls, ${at}`}>
        Open one that scrolls
      </Button>
      {kind !== null && (
        <Suspense>
          <SampleDialog isLong={kind === 'long'} onClose={() => setKind(null)} />
        </Suspense>
      )}
    </Row>
  )
}
