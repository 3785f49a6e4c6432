/** A ticket's code in an address, before anything has read it. */
export interface ScannedCode {
  /** Path of the page that it was scanned for: the proof of the ticket's draw. */
  readonly path: string
  /** The part after `#`. It holds a secret: it stays in memory alone, and goes into no address, request or log. */
  readonly fragment: string
}

/** The parts of the browser that hold the address. */
type AddressHolder = Pick<Window, 'location' | 'history' | 'addEventListener'>

const MARK = '#t='
const listeners = new Set<() => void>()
let scanned: ScannedCode | null = null

/**
 * Takes a ticket's code out of the address, now and whenever one comes: before the router starts, because the address
 * is stored by what restores scroll positions.
 */
export function keepCodesFromAddress(browser: AddressHolder): void {
  takeCode(browser)
  // A code that is pasted into the address of an open page does not load it again.
  browser.addEventListener('popstate', () => takeCode(browser))
}

function takeCode({ location, history }: AddressHolder): void {
  const { pathname, search, hash } = location
  if (!hash.startsWith(MARK)) return
  history.replaceState(history.state, '', pathname + search)
  scanned = { path: pathname, fragment: hash.slice(1) }
  for (const listener of listeners) listener()
}

/** Calls when a code is scanned. @returns a function that ends it */
export function subscribeToCodes(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** @returns the code that was last scanned; null without one, as on the server */
export function lastCode(): ScannedCode | null {
  return scanned
}
