import type { AnyRouter } from '@tanstack/react-router'
import type { QueryClient } from '@tanstack/react-query'
import { pageFacts } from './page-facts.ts'
import { pageMeta } from './page-meta.ts'

/**
 * Makes the document's head that of the page that is shown now: what a visitor, a bookmark or a shared address takes from it. Cards and
 * structured data are read from what the server sends, and stay.
 */
export function updateHead(document: Document, router: AnyRouter, queryClient: QueryClient, publicUrl: string): void {
  const { title, description, canonical } = pageMeta(pageFacts(router, queryClient))
  document.title = title
  document.querySelector('meta[name="description"]')?.setAttribute('content', description)
  const link = document.querySelector('link[rel="canonical"]')
  if (canonical === null) link?.remove()
  else if (link === null) {
    const made = document.createElement('link')
    made.rel = 'canonical'
    made.href = publicUrl + canonical
    document.head.append(made)
  } else link.setAttribute('href', publicUrl + canonical)
}
