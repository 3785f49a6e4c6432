/** Pages that may be rendered for one network address, a second on average. */
const A_SECOND = 20
/** Pages that may be rendered for it at once. */
const BURST = 100
/** Addresses that are remembered. The one that was forgotten starts again with a whole burst. */
const ADDRESSES = 10_000

/**
 * Limits how many pages are rendered for one network address. Answers from the cache are not counted.
 *
 * @param nowMs time that no jump of the clock changes
 * @returns whether a page may be rendered for an address now, which counts it
 */
export function renderLimit(nowMs: () => number): (address: string) => boolean {
  const known = new Map<string, { readonly left: number; readonly at: number }>()
  return (address) => {
    const at = nowMs()
    const before = known.get(address)
    const left = before === undefined ? BURST : Math.min(BURST, before.left + ((at - before.at) * A_SECOND) / 1000)
    known.delete(address)
    known.set(address, { left: left < 1 ? left : left - 1, at })
    const [oldest] = known.keys()
    if (known.size > ADDRESSES && oldest !== undefined) known.delete(oldest)
    return left >= 1
  }
}
