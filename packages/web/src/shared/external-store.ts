import { useRef, useSyncExternalStore } from 'react'

/**
 * React's own store hook with a selection, for the router's store, which imports it under the name of the shim for
 * older Reacts (vite.config.ts). The selection stays the same object while it is equal.
 */
export function useSyncExternalStoreWithSelector<Snapshot, Selection>(
  subscribe: (onChange: () => void) => () => void,
  getSnapshot: () => Snapshot,
  getServerSnapshot: (() => Snapshot) | null | undefined,
  selector: (snapshot: Snapshot) => Selection,
  isEqual: (a: Selection, b: Selection) => boolean = Object.is,
): Selection {
  const last = useRef<{ selection: Selection } | null>(null)
  const select = (snapshot: Snapshot): Selection => {
    const selection = selector(snapshot)
    if (last.current !== null && isEqual(last.current.selection, selection)) return last.current.selection
    last.current = { selection }
    return selection
  }
  return useSyncExternalStore(
    subscribe,
    () => select(getSnapshot()),
    getServerSnapshot ? () => select(getServerSnapshot()) : undefined,
  )
}
