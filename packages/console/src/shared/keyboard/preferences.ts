import { useSyncExternalStore } from 'react'

/** Keys that work without a modifier, which some people need off (WCAG 2.1.4). */
type Shortcut = 'search' | 'tables'

const PREFIX = 'fairball.console.keys.'
const listeners = new Set<() => void>()

/** Whether a shortcut is on, as this browser keeps it; it is unless somebody has turned it off. */
export function isShortcutOn(shortcut: Shortcut): boolean {
  try {
    return localStorage.getItem(PREFIX + shortcut) !== 'off'
  } catch {
    return true
  }
}

/** Turns a shortcut on or off in this browser. */
export function turnShortcut(shortcut: Shortcut, isOn: boolean): void {
  if (isOn) localStorage.removeItem(PREFIX + shortcut)
  else localStorage.setItem(PREFIX + shortcut, 'off')
  for (const listener of listeners) listener()
}

/** Whether a shortcut is on, for a component that shows it. */
export function useShortcut(shortcut: Shortcut): boolean {
  return useSyncExternalStore(subscribe, () => isShortcutOn(shortcut))
}

function subscribe(onChange: () => void): () => void {
  listeners.add(onChange)
  return () => listeners.delete(onChange)
}
