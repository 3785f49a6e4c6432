import { useState } from 'react'
import { Button } from '@fairball/ui/button.tsx'
import { Dialog } from '@fairball/ui/dialog.tsx'
import { NumberPickerGrid } from '@fairball/ui/number-picker-grid.tsx'
import { PICKER_TEXTS } from '../lower-messages.ts'

/** Props of {@link NumberPicker}. */
export interface NumberPickerProps {
  world: string
  pick: number
  pool: number
  /** Picked numbers when it opens; numbers that cannot be on a line are left out. */
  start: readonly number[]
  onClose: () => void
  /** A whole line was picked. */
  onConfirm: (numbers: number[]) => void
}

/** Picks one line from a grid; it is there only while it is open. Loaded when first opened: the dialog is 26 kB. */
export function NumberPicker({ world, pick, pool, start, onClose, onConfirm }: NumberPickerProps) {
  const [picked, setPicked] = useState(() =>
    [...new Set(start)].filter((number) => number >= 1 && number <= pool).slice(0, pick),
  )
  const toggle = (number: number) =>
    setPicked(picked.includes(number) ? picked.filter((other) => other !== number) : [...picked, number])
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={PICKER_TEXTS.title}
      aside={PICKER_TEXTS.progress(picked.length, pick)}
      world={world}
      closeButton={false}
      footer={
        <>
          <Button variant="soft" disabled={picked.length === 0} onClick={() => setPicked([])}>
            {PICKER_TEXTS.clear}
          </Button>
          <Button disabled={picked.length !== pick} onClick={() => onConfirm(picked)}>
            {PICKER_TEXTS.confirm}
          </Button>
        </>
      }
    >
      <NumberPickerGrid pool={pool} pick={pick} picked={picked} onToggle={toggle} world={world} />
    </Dialog>
  )
}
