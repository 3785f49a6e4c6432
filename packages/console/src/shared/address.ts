import { useSyncExternalStore } from 'react'

// The console's router: the browser's own history, and a table of pages (app/pages.tsx). The site's router would be a
// quarter of the first page, for what the server of a site needs.

const CHANGED = 'console:address'

/** Goes to an address of the console. A new page begins at its top; the same page with another query stays. */
export function goTo(href: string, { replace = false }: { replace?: boolean } = {}): void {
  const { pathname } = location
  if (replace) history.replaceState(null, '', href)
  else history.pushState(null, '', href)
  dispatchEvent(new Event(CHANGED))
  if (location.pathname !== pathname) scrollTo(0, 0)
}

/** The path and the query of the present page. */
export function useAddress(): { readonly path: string; readonly search: string } {
  const address = useSyncExternalStore(subscribe, () => location.pathname + location.search)
  const [path = '/'] = address.split('?')
  return { path, search: address.slice(path.length) }
}

function subscribe(onChange: () => void): () => void {
  const events = ['popstate', CHANGED]
  for (const event of events) addEventListener(event, onChange)
  return () => {
    for (const event of events) removeEventListener(event, onChange)
  }
}

/**
 * The parts of a path that a pattern names: `/payouts/$batch` of `/payouts/5` is `{batch: '5'}`.
 *
 * @returns null if the path is another page's
 */
export function partsOf(pattern: string, path: string): Readonly<Record<string, string>> | null {
  const wanted = pattern.split('/')
  const given = path.replace(/\/$/u, '').split('/')
  const segments = given.length === 1 ? ['', ''] : given
  if (wanted.length !== segments.length) return null
  const parts: Record<string, string> = {}
  for (const [index, part] of wanted.entries()) {
    const value = segments[index] ?? ''
    if (part.startsWith('$')) {
      const decoded = textOfPart(value)
      if (decoded === null || decoded === '') return null
      parts[part.slice(1)] = decoded
    } else if (part !== value) return null
  }
  return parts
}

function textOfPart(value: string): string | null {
  try {
    return decodeURIComponent(value)
  } catch {
    return null
  }
}
