import { useLayoutEffect, useRef } from 'react'
import type { RefObject } from 'react'

/** How long a row takes to its new place. */
const MOVES_MS = 320
const EASE_OUT = 'cubic-bezier(0.2, 0.7, 0.2, 1)'

/**
 * Lets the rows of a list glide to their new places when their order changes: each is drawn where it was and moves from
 * there by `transform`, which costs no layout. Without movement where the reader wants none.
 *
 * @param order changes with the order of the rows
 * @returns the list's ref; its children are known by `data-row`
 */
export function useMovingRows(order: string): RefObject<HTMLUListElement | null> {
  const list = useRef<HTMLUListElement>(null)
  const tops = useRef<ReadonlyMap<string, number>>(new Map())
  useLayoutEffect(() => {
    const before = tops.current
    const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
    tops.current = new Map(rows.map((row) => [row.dataset['row'] ?? '', row.offsetTop]))
    if (before.size === 0 || matchMedia('(prefers-reduced-motion: reduce)').matches) return
    for (const row of rows) {
      const top = before.get(row.dataset['row'] ?? '')
      const movedBy = top === undefined ? 0 : top - row.offsetTop
      if (movedBy === 0) continue
      row.animate([{ transform: `translateY(${movedBy}px)` }, { transform: 'none' }], {
        duration: MOVES_MS,
        easing: EASE_OUT,
      })
    }
  }, [order])
  return list
}
