import type { Clock } from '../../shared/clock.ts'

/** Handlers for leaving a page and coming back to it. */
interface PresenceFollower {
  /**
   * The shown data may be stale: the tab is visible again, the page comes back from the browser's memory (back and
   * forward), the network is back, the computer has slept with the page open, or its clock was set.
   */
  returned: () => void
  /** The tab is out of sight, or the page is left. */
  left?: () => void
}

/** Follows whether the page is visible. @returns a function that ends it */
export function followPresence(
  clock: Pick<Clock, 'subscribeToJumps'>,
  { returned, left = () => {} }: PresenceFollower,
): () => void {
  const seenOrNot = () => (document.visibilityState === 'visible' ? returned() : left())
  const shown = ({ persisted }: PageTransitionEvent) => {
    if (persisted) returned()
  }
  const woken = () => {
    if (document.visibilityState === 'visible') returned()
  }
  document.addEventListener('visibilitychange', seenOrNot)
  window.addEventListener('pagehide', left)
  window.addEventListener('pageshow', shown)
  window.addEventListener('online', woken)
  const stopJumps = clock.subscribeToJumps(woken)
  return () => {
    document.removeEventListener('visibilitychange', seenOrNot)
    window.removeEventListener('pagehide', left)
    window.removeEventListener('pageshow', shown)
    window.removeEventListener('online', woken)
    stopJumps()
  }
}
