import { clearLine, fillLine, toggleNumber } from '@fairball/domain/line-drafts'
import type { TicketLine, TicketLines } from '@fairball/domain/line-drafts'
import { fillUp } from '@fairball/domain/lucky-dip'
import { useState } from 'react'
import { runtime } from '../../shared/runtime.ts'
import type { Order } from './use-order.ts'

/** The picker's part of an order: that of a player, or of a visitor. */
export type PickedOrder = Pick<Order, 'dispatch' | 'pick' | 'pool'> & { order: Pick<Order['order'], 'lines'> }

/** The line in the picker. */
interface Picking {
  index: number
  /** As it was changed; null while it was not. */
  changed: TicketLine | null
  /** False once the picker was left: it stays until it has left the screen. */
  isOpen: boolean
}

/**
 * The line whose numbers are being picked. The order has it once the picker was left: a press on a number changes
 * nothing else on the page.
 */
export function usePicking({ order: { lines }, dispatch, pick, pool }: PickedOrder) {
  const [picking, setPicking] = useState<Picking | null>(null)
  const line = picking === null ? undefined : lineInPicker(picking, lines)
  const change = (changeLines: (one: TicketLines) => TicketLines) => {
    if (line === undefined) return
    const [changed = null] = changeLines([line])
    setPicking((before) => before && { ...before, changed })
  }
  const leave = (type: 'confirm' | 'close') => {
    if (picking === null || line === undefined) return
    dispatch({ type, index: picking.index, line, pick })
    setPicking({ ...picking, changed: line, isOpen: false })
  }
  return {
    isOpen: picking?.isOpen ?? false,
    index: picking?.index ?? 0,
    /** Undefined before the picker was opened. */
    line,
    open: (index: number) => setPicking({ index, changed: null, isOpen: true }),
    toggle: (number: number) => change((one) => toggleNumber(one, { index: 0, number, pick }).lines),
    clear: () => change((one) => clearLine(one, 0)),
    /** Picks the missing numbers at random. */
    fill: () => {
      const numbers = fillUp(line?.numbers ?? [], { pick, pool }, (bytes) => runtime.randomBytes(bytes))
      change((one) => fillLine(one, { index: 0, numbers }))
    },
    confirm: () => leave('confirm'),
    close: () => leave('close'),
  }
}

function lineInPicker({ index, changed }: Picking, lines: TicketLines): TicketLine | undefined {
  return changed ?? lines[index]
}
