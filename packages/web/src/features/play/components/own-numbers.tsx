import { useEffect, useRef } from 'react'
import { errorText } from '../../../shared/api.ts'
import { Banner } from '@fairball/ui/banner.tsx'
import { Button } from '@fairball/ui/button.tsx'
import { LoadFailed } from '@fairball/ui/empty-state.tsx'
import { ORDER_TEXTS } from '../order-messages.ts'
import type { Order } from '../use-order.ts'
import { useDeleteSavedNumbers, useLastPlayedNumbers, useSavedNumbers } from '../use-play.ts'
import styles from './own-numbers.module.css'

/** The lines the player has saved, and those of the last order; nothing if there are neither. */
export function OwnNumbers({ gameKey, order }: { gameKey: string; order: Order }) {
  const savedNumbers = useSavedNumbers(gameKey)
  const lastNumbers = useLastPlayedNumbers(gameKey)
  const remove = useDeleteSavedNumbers(gameKey)
  const saved = savedNumbers.data ?? []
  const last = lastNumbers.data ?? []
  const failed = [savedNumbers, lastNumbers].filter((query) => query.isError && query.data === undefined)
  const hasNone = saved.length === 0 && last.length === 0
  const isDeleted = remove.isSuccess && saved.length === 0
  if (hasNone && failed.length === 0 && !isDeleted) return null
  const replay = (lines: number[][]) => order.dispatch({ type: 'replay', lines })
  return (
    <div className={styles['own']}>
      {!hasNone && (
        <ul className={styles['rows']}>
          {saved.length > 0 && (
            <li className={styles['row']}>
              <Name name={ORDER_TEXTS.ownSaved} count={saved.length} />
              <Button variant="secondary" size="small" onClick={() => replay(saved)}>
                {ORDER_TEXTS.playSaved}
              </Button>
              <Button variant="danger" size="small" busy={remove.isPending} onClick={() => remove.mutate()}>
                {ORDER_TEXTS.deleteSaved}
              </Button>
            </li>
          )}
          {last.length > 0 && (
            <li className={styles['row']}>
              <Name name={ORDER_TEXTS.ownLast} count={last.length} />
              <Button
                variant="secondary"
                size="small"
                aria-label={`${ORDER_TEXTS.playLast}: ${ORDER_TEXTS.ownLast}`}
                onClick={() => replay(last)}
              >
                {ORDER_TEXTS.playLast}
              </Button>
            </li>
          )}
        </ul>
      )}
      {!hasNone && <p className={styles['note']}>{ORDER_TEXTS.ownNote}</p>}
      {isDeleted && <Deleted />}
      {remove.isError && <Banner kind="danger">{errorText(remove.error)}</Banner>}
      {failed.length > 0 && <LoadFailed onRetry={() => failed.forEach((query) => void query.refetch())} />}
    </div>
  )
}

/** Takes over the focus from the button that disappeared with the numbers. */
function Deleted() {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => place.current?.focus(), [])
  return (
    <div ref={place} tabIndex={-1}>
      <Banner kind="success" live>
        {ORDER_TEXTS.deleted}
      </Banner>
    </div>
  )
}

function Name({ name, count }: { name: string; count: number }) {
  return (
    <p className={styles['name']}>
      <strong>{name}</strong>
      <span>{ORDER_TEXTS.ownLines(count)}</span>
    </p>
  )
}
