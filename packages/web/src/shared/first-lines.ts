import { useDeferredValue } from 'react'

/** Lines that a phone shows at once. */
const AT_ONCE = 10

/** @returns the lines to show: the first ones with the press that opens the list, the others right after its first paint */
export function useFirstLines<Line>(lines: readonly Line[]): readonly Line[] {
  return useDeferredValue(lines, lines.slice(0, AT_ONCE))
}
