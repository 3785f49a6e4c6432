import { Button } from '@fairball/ui/button.tsx'
import { Dialog } from '@fairball/ui/dialog.tsx'
import { NumberPickerGrid } from '@fairball/ui/number-picker-grid.tsx'
import { PICKER_TEXTS } from '../order-messages.ts'

/** Props of {@link LinePicker}. */
export interface LinePickerProps {
  isOpen: boolean
  world: string
  pick: number
  pool: number
  picked: readonly number[]
  onToggle: (number: number) => void
  onClear: () => void
  /** Picks the missing numbers at random. */
  onFill: () => void
  onConfirm: () => void
  /** Escape, the button in the corner, or a press on the background. */
  onClose: () => void
  /** It has left the screen. */
  onGone: () => void
}

/** The numbers of one line are picked. Loaded when first needed. */
export function LinePicker({
  isOpen,
  world,
  pick,
  pool,
  picked,
  onToggle,
  onClear,
  onFill,
  onConfirm,
  onClose,
  onGone,
}: LinePickerProps) {
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      onGone={onGone}
      title={PICKER_TEXTS.title}
      aside={PICKER_TEXTS.progress(picked.length, pick)}
      world={world}
      footer={
        <>
          <Button variant="soft" disabled={picked.length === 0} onClick={onClear}>
            {PICKER_TEXTS.clear}
          </Button>
          <Button variant="soft" disabled={picked.length === pick} onClick={onFill}>
            {PICKER_TEXTS.fill}
          </Button>
          <Button disabled={picked.length !== pick} onClick={onConfirm}>
            {PICKER_TEXTS.confirm}
          </Button>
        </>
      }
    >
      <NumberPickerGrid pool={pool} pick={pick} picked={picked} onToggle={onToggle} world={world} />
    </Dialog>
  )
}
