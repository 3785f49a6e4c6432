import { lazy, Suspense, useRef } from 'react'
import type { Game } from '../../../shared/data/games.ts'
import { errorText } from '../../../shared/api.ts'
import { runtime } from '../../../shared/runtime.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { letterOf } from '@fairball/domain/line-letters'
import { ORDER_TEXTS } from '../order-messages.ts'
import type { Order } from '../use-order.ts'
import { useSavedNumbers, useSaveNumbers } from '../use-play.ts'
import { LineRow } from './line-row.tsx'
import { OwnNumbers } from './own-numbers.tsx'
import styles from './lines.module.css'

const loadPicker = async () => ({ default: (await import('./line-picker.tsx')).LinePicker })
const LinePicker = lazy(loadPicker)

/** The lines of the order, one row each, and an empty one to continue with. */
export function Lines({ game, order }: { game: Game; order: Order }) {
  const { lines, editing } = order.order
  const line = editing === null ? undefined : lines[editing]
  const { list, keepAt } = useKeptFocus()
  return (
    <Card title={ORDER_TEXTS.lines}>
      <ol ref={list} className={styles['rows']}>
        {lines.map((shown, index) => {
          // A line is identified by its place, which gives it its letter: it has no name of its own.
          const letter = letterOf(index)
          return (
            <LineRow
              key={letter}
              line={shown}
              letter={letter}
              pick={order.pick}
              isLast={index === lines.length - 1}
              isFull={order.room <= 0}
              onPreload={loadPicker}
              onDip={() => {
                order.addDips(1)
                keepAt(index + 1)
              }}
              onPick={() => order.dispatch({ type: 'pick', index })}
              onDelete={() => {
                order.dispatch({ type: 'delete', index })
                keepAt(index)
              }}
            />
          )
        })}
      </ol>
      {order.room <= 0 && <p>{ORDER_TEXTS.tooMany((order.complete.length + order.room).toLocaleString('en-US'))}</p>}
      <SaveNumbers gameKey={game.key} order={order} />
      <OwnNumbers gameKey={game.key} order={order} />
      {line !== undefined && (
        <Suspense fallback={null}>
          <LinePicker
            world={game.key}
            pick={order.pick}
            pool={order.pool}
            picked={line.numbers}
            onToggle={(number) => order.dispatch({ type: 'toggle', number, pick: order.pick })}
            onFill={order.fillRest}
            onClear={() => order.dispatch({ type: 'clear' })}
            onConfirm={() => {
              order.dispatch({ type: 'confirm', pick: order.pick })
              keepAt(editing ?? 0)
            }}
            onClose={() => {
              order.dispatch({ type: 'close', pick: order.pick })
              keepAt(editing ?? 0)
            }}
          />
        </Suspense>
      )}
    </Card>
  )
}

/** Time after which the dialog has returned the focus, if the focused element still exists, in ms. */
const FOCUS_MS = 50

/**
 * A line that was picked or deleted has other buttons than before: if the focused one is gone, the line's first one
 * gets the focus.
 */
function useKeptFocus() {
  const list = useRef<HTMLOListElement>(null)
  const keepAt = (index: number) =>
    void runtime.after(FOCUS_MS, () => {
      if (document.activeElement !== document.body) return
      list.current?.children[index]?.querySelector('button')?.focus()
    })
  return { list, keepAt }
}

/** Saves the chosen lines at the server. Shown once there is a line to save. */
function SaveNumbers({ gameKey, order }: { gameKey: string; order: Order }) {
  const save = useSaveNumbers(gameKey)
  const saved = useSavedNumbers(gameKey)
  if (!order.canSave) return null
  const chosen = order.complete.filter((line) => !line.isLuckyDip).map((line) => [...line.confirmedNumbers])
  // Once the lines change, they differ from the saved ones; once those are deleted, nothing is saved.
  const isKept = (saved.data ?? []).length > 0
  const isSaved = save.isSuccess && isKept && JSON.stringify(save.variables) === JSON.stringify(chosen)
  return (
    <div className={styles['save']}>
      <Button variant="soft" size="small" busy={save.isPending} onClick={() => save.mutate(chosen)}>
        {ORDER_TEXTS.save}
      </Button>
      <p className={styles['note']}>{ORDER_TEXTS.saveNote}</p>
      {isSaved && (
        <Banner kind="success" live>
          {ORDER_TEXTS.saved}
        </Banner>
      )}
      {save.isError && <Banner kind="danger">{errorText(save.error)}</Banner>}
    </div>
  )
}
