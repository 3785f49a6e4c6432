import { useSyncExternalStore } from 'react'

/** @returns whether the page's scripts run: false in the server's HTML, which has to work without them */
export function useHasScripts(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}

// Scripts that run do not stop.
function never(): () => void {
  return () => {}
}
