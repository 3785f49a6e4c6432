/** What rows are compared by. */
export type SortValue = string | number | bigint | null

/** The rows in the order of a value; rows without one are last. */
export function sorted<Row>(rows: readonly Row[], by: (row: Row) => SortValue, isDown: boolean): readonly Row[] {
  return rows.toSorted((one, other) => {
    const [a, b] = [by(one), by(other)]
    if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1
    const order = typeof a === 'string' && typeof b === 'string' ? a.localeCompare(b, 'en') : a < b ? -1 : a > b ? 1 : 0
    return isDown ? -order : order
  })
}

/** Whether a row's text has every word of a filter in it. */
export function matches(text: string, filter: string): boolean {
  const found = text.toLowerCase()
  return filter
    .toLowerCase()
    .split(/\s+/u)
    .every((word) => found.includes(word))
}
