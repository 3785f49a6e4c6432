import { lazy, Suspense, useDeferredValue, useRef } from 'react'
import { MAX_LINES } from '@fairball/domain/games'
import { letterOf } from '@fairball/domain/line-letters'
import { runtime } from '../../../shared/runtime.ts'
import { ORDER_TEXTS } from '../order-messages.ts'
import type { Order } from '../use-order.ts'
import { usePicking } from '../use-picking.ts'
import type { PickedOrder } from '../use-picking.ts'
import { LineRow } from './line-row.tsx'
import styles from './lines.module.css'

const loadPicker = async () => ({ default: (await import('./line-picker.tsx')).LinePicker })
const LinePicker = lazy(loadPicker)

/** An order's lines, and what changes them: that of a player, or of a visitor. */
type LinesOfOrder = PickedOrder & Pick<Order, 'room' | 'addDips'>

/** The lines of the order, one row each, and an empty one to continue with. */
export function LineList({ world, order }: { /** The game's key. */ world: string; order: LinesOfOrder }) {
  const { dispatch, addDips, room } = order
  // The count and the price show a press first, and the rows follow.
  const lines = useDeferredValue(order.order.lines)
  const { list, keepAt } = useKeptFocus()
  const picking = usePicking(order)
  const dip = (index: number) => {
    addDips(1)
    keepAt(index + 1)
  }
  const remove = (index: number) => {
    dispatch({ type: 'delete', index })
    keepAt(index)
  }
  return (
    <>
      <ol ref={list} className={styles['rows']}>
        {lines.map((line, index) => (
          <LineRow
            // A line is identified by its place, which gives it its letter: it has no name of its own.
            key={letterOf(index)}
            line={line}
            index={index}
            pick={order.pick}
            isLast={index === lines.length - 1}
            isFull={room <= 0}
            onPreload={loadPicker}
            onDip={dip}
            onPick={picking.open}
            onDelete={remove}
          />
        ))}
      </ol>
      {room <= 0 && <p>{ORDER_TEXTS.tooMany(MAX_LINES.toLocaleString('en-US'))}</p>}
      {picking.line !== undefined && (
        <Suspense fallback={null}>
          <LinePicker
            isOpen={picking.isOpen}
            world={world}
            pick={order.pick}
            pool={order.pool}
            picked={picking.line.numbers}
            onToggle={picking.toggle}
            onFill={picking.fill}
            onClear={picking.clear}
            onConfirm={picking.confirm}
            onClose={picking.close}
            onGone={() => keepAt(picking.index)}
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
