import type { AnyRouter } from '@tanstack/react-router'
import type { WebConfig } from '@fairball/contract/pages'
import type { QueryClient } from '@tanstack/react-query'
import { pageFacts } from './page-facts.ts'
import { pageMeta } from './page-meta.ts'

/**
 * Updates the document's head for the current page: the parts that visitors, bookmarks and shared addresses use. Cards
 * and structured data are read from the server's HTML, and stay.
 */
export function updateHead(
  document: Document,
  router: AnyRouter,
  queryClient: QueryClient,
  site: Pick<WebConfig, 'siteName' | 'publicUrl'>,
): void {
  const { siteName, publicUrl } = site
  const { title, description, canonical } = pageMeta(pageFacts(router, queryClient, siteName))
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
