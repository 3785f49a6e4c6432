import type { TicketLine } from '@fairball/domain/line-drafts'
import { BallRow } from '../../../ui/ball-row.tsx'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { PencilIcon, TrashIcon } from '../../../ui/icons.tsx'
import { ORDER_TEXTS } from '../order-messages.ts'
import styles from './line-row.module.css'

/** Props of {@link LineRow}. */
interface LineRowProps {
  line: TicketLine
  letter: string
  pick: number
  /** The empty line at the end cannot be deleted: there is always one. */
  isLast: boolean
  /** No more lines fit into the order. */
  isFull: boolean
  /** Starts loading the picker, when a button that opens it is pointed at. */
  onPreload: () => unknown
  onPick: () => void
  /** Makes the empty line at the end a lucky dip. */
  onDip: () => void
  onDelete: () => void
}

/** One line: its letter, its balls or empty slots, and its buttons. */
export function LineRow({ line, letter, pick, isLast, isFull, onPreload, onPick, onDip, onDelete }: LineRowProps) {
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
            onClick={onPick}
          />
        ) : (
          <Button
            size="small"
            variant={isLast ? 'primary' : 'secondary'}
            aria-label={ORDER_TEXTS.chooseFor(letter)}
            disabled={isFull}
            onPointerEnter={onPreload}
            onClick={onPick}
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
            onClick={onDip}
          >
            {ORDER_TEXTS.dip}
          </Button>
        )}
        {!(isLast && !isComplete) && (
          <IconButton label={ORDER_TEXTS.remove(letter)} icon={<TrashIcon size={20} />} onClick={onDelete} />
        )}
      </span>
    </li>
  )
}
