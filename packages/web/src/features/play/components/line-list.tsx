import { lazy, Suspense, useRef } from 'react'
import { MAX_LINES } from '@fairball/domain/games'
import { letterOf } from '@fairball/domain/line-letters'
import { runtime } from '../../../shared/runtime.ts'
import { ORDER_TEXTS } from '../order-messages.ts'
import type { Order } from '../use-order.ts'
import { LineRow } from './line-row.tsx'
import styles from './lines.module.css'

const loadPicker = async () => ({ default: (await import('./line-picker.tsx')).LinePicker })
const LinePicker = lazy(loadPicker)

/** An order's lines, and what changes them: that of a player, or of a visitor. */
type LinesOfOrder = Pick<Order, 'dispatch' | 'pick' | 'pool' | 'room' | 'addDips' | 'fillRest'> & {
  order: Pick<Order['order'], 'lines' | 'editing'>
}

/** The lines of the order, one row each, and an empty one to continue with. */
export function LineList({ world, order }: { /** The game's key. */ world: string; order: LinesOfOrder }) {
  const { lines, editing } = order.order
  const line = editing === null ? undefined : lines[editing]
  const { list, keepAt } = useKeptFocus()
  return (
    <>
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
      {order.room <= 0 && <p>{ORDER_TEXTS.tooMany(MAX_LINES.toLocaleString('en-US'))}</p>}
      {line !== undefined && (
        <Suspense fallback={null}>
          <LinePicker
            world={world}
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
    </>
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
