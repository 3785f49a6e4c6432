/** Characters kept at each end of a text longer than the first number, largest first (spec section 5). */
const KEPT_ABOVE = [
  [15, 4],
  [8, 3],
  [6, 2],
  [4, 1],
] as const

const HIDDEN = '***'

/**
 * Hides the middle of a long text: 4 leading and trailing characters stay above 15, 3 above 8, 2 above 6, 1 above 4.
 * For a text of 4 characters or fewer the result is empty (spec section 5).
 */
export function maskMiddle(text: string): string {
  const characters = Array.from(text)
  const kept = KEPT_ABOVE.find(([length]) => characters.length > length)?.[1]
  if (kept === undefined) return ''
  return `${characters.slice(0, kept).join('')}${HIDDEN}${characters.slice(-kept).join('')}`
}
