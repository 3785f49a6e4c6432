import { useDeferredValue } from 'react'

/** Lines that a slow phone lays out within one press. */
const AT_ONCE = 6

/** @returns the lines to show: the first ones with the press that opens the list, the others right after its first paint */
export function useFirstLines<Line>(lines: readonly Line[]): readonly Line[] {
  return useDeferredValue(lines, lines.slice(0, AT_ONCE))
}
