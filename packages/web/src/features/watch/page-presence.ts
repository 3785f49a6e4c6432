import type { Clock } from '../../shared/clock.ts'

/** What is done when somebody leaves a page and comes back to it. */
interface PresenceFollower {
  /**
   * What is shown may be over: the tab is seen again, the page comes back from the browser's memory (back and forward), the network is back, the
   * computer has slept with the page open, or its clock was set.
   */
  returned: () => void
  /** The tab is out of sight, or the page is left. */
  left?: () => void
}

/** Follows whether somebody looks at the page. @returns a function that ends it */
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
