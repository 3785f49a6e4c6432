import type { TicketLine } from '@fairball/domain/line-drafts'
import { letterOf } from '@fairball/domain/line-letters'
import { memo } from 'react'
import { BallRow } from '@fairball/ui/ball-row.tsx'
import { Button } from '@fairball/ui/button.tsx'
import { IconButton } from '@fairball/ui/icon-button.tsx'
import { PencilIcon, TrashIcon } from '@fairball/ui/icons.tsx'
import { ORDER_TEXTS } from '../order-messages.ts'
import styles from './line-row.module.css'

/** Props of {@link LineRow}. */
interface LineRowProps {
  line: TicketLine
  /** Its place, which gives it its letter. */
  index: number
  pick: number
  /** The empty line at the end cannot be deleted: there is always one. */
  isLast: boolean
  /** No more lines fit into the order. */
  isFull: boolean
  /** Starts loading the picker, when a button that opens it is pointed at. */
  onPreload: () => unknown
  onPick: (index: number) => void
  /** Makes the empty line at the end a lucky dip. */
  onDip: (index: number) => void
  onDelete: (index: number) => void
}

/** One line: its letter, its balls or empty slots, and its buttons. A change of one line renders none of the others. */
export const LineRow = memo(function LineRow(props: LineRowProps) {
  const { line, index, pick, isLast, isFull, onPreload, onPick, onDip, onDelete } = props
  const letter = letterOf(index)
  const isComplete = line.confirmedNumbers.length === pick
  const places = Array.from({ length: pick }, (_, place) => line.confirmedNumbers[place] ?? null)
  return (
    <li className={styles['row']} data-complete={isComplete || undefined}>
      <span className={styles['letter']} aria-hidden="true">
        {letter}
      </span>
      <BallRow places={places} label={ORDER_TEXTS.lineName(letter)} size={46} className={styles['balls']} />
      {line.isLuckyDip && <span className={styles['kind']}>{ORDER_TEXTS.luckyDip}</span>}
      <span className={styles['buttons']}>
        {isComplete ? (
          <IconButton
            label={ORDER_TEXTS.edit(letter)}
            icon={<PencilIcon size={20} />}
            onPointerEnter={onPreload}
            onClick={() => onPick(index)}
          />
        ) : (
          <Button
            size="small"
            variant={isLast ? 'primary' : 'secondary'}
            aria-label={ORDER_TEXTS.chooseFor(letter)}
            disabled={isFull}
            onPointerEnter={onPreload}
            onClick={() => onPick(index)}
          >
            {ORDER_TEXTS.choose}
          </Button>
        )}
        {isLast && !isComplete && (
          <Button
            size="small"
            variant="secondary"
            aria-label={ORDER_TEXTS.dipFor(letter)}
            disabled={isFull}
            onClick={() => onDip(index)}
          >
            {ORDER_TEXTS.dip}
          </Button>
        )}
        {!(isLast && !isComplete) && (
          <IconButton
            label={ORDER_TEXTS.remove(letter)}
            icon={<TrashIcon size={20} />}
            onClick={() => onDelete(index)}
          />
        )}
      </span>
    </li>
  )
})
