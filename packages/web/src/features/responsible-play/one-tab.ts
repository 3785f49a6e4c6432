/**
 * Lets one tab at a time do something. When a tab is closed, its turn passes to the next.
 *
 * @param name of the task, the same in all tabs
 * @param onTurn called once when it is this tab's turn; immediately if the browser has no locks
 * @returns a function that gives the turn back, or stops waiting for it
 */
export function oneTab(name: string, onTurn: () => void): () => void {
  if (navigator.locks === undefined) {
    onTurn()
    return () => {}
  }
  const waiting = new AbortController()
  const { promise: givenBack, resolve: giveBack } = Promise.withResolvers<void>()
  const isGone = () => waiting.signal.aborted
  navigator.locks
    .request(name, { signal: waiting.signal }, () => {
      if (isGone()) return undefined
      onTurn()
      return givenBack
    })
    // Rejected only if the wait was ended.
    .catch(() => undefined)
  return () => {
    waiting.abort()
    giveBack()
  }
}
