import { createRouter } from '@tanstack/react-router'
import { PageWait } from '@fairball/ui/spinner.tsx'
import { VisuallyHidden } from '@fairball/ui/visually-hidden.tsx'
import { useFirstView } from '../shared/first-view.ts'
import { PageFailed } from '../shared/page-failed.tsx'
import { NotFoundPage } from './layout/not-found-page.tsx'
import { WithoutScripts } from './layout/without-scripts.tsx'
import { fadePage } from './page-change.ts'
import { queryText } from '../shared/paths.ts'
import { AppProviders } from './providers.tsx'
import type { AppParts } from './providers.tsx'
import { routeTree } from './routes/route-tree.ts'

/**
 * Makes the router of one page view, on the server and in the browser alike.
 *
 * @param parts the parts that all pages share
 * @param nonce marks the router's inline scripts as the page's own; on the server only
 */
export function createAppRouter(parts: AppParts, nonce?: string) {
  const router = createRouter({
    routeTree,
    context: parts,
    Wrap: ({ children }) => <AppProviders parts={parts}>{children}</AppProviders>,
    // Values of a query are text and stay text; the router's own reading would make numbers of digits.
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: (search) => {
      const text = queryText(search)
      return text === '' ? '' : `?${text}`
    },
    scrollRestoration: placesPage,
    // Answers are kept by the query client, so going back to a page always runs its loader, which then finds them.
    defaultPreloadStaleTime: 0,
    defaultPendingComponent: Pending,
    // Pages that the server leaves to the browser begin with it: they show as soon as possible, not after the half
    // second the router would wait.
    defaultPendingMinMs: 0,
    defaultErrorComponent: PageFailed,
    defaultNotFoundComponent: NotFoundPage,
    ...(nonce !== undefined && { ssr: { nonce } }),
  })
  router.startViewTransition = (change) => {
    const isWanted = router.shouldViewTransition !== false
    delete router.shouldViewTransition
    return isWanted && !import.meta.env.SSR ? fadePage(change) : change()
  }
  let isArriving = true
  /**
   * Whether the router scrolls the new page to its restored position. A page rendered by the server was there before
   * React took it over (the browser and the script in its HTML restore its position): a visitor who has scrolled since,
   * on a slow phone, must not be thrown back.
   */
  function placesPage(): boolean {
    if (import.meta.env.SSR) return true
    const cameWhole = isArriving && router.state.matches.at(-1)?.ssr === true
    isArriving = false
    // The router has just dropped the scroll positions. A new event makes it keep the position for a reload.
    if (cameWhole) document.dispatchEvent(new Event('scroll'))
    return !cameWhole
  }
  return router
}

function Pending() {
  useFirstView()
  return (
    <>
      {/* React ignores content that a browser with scripts does not show: only the server needs the words. */}
      <noscript>{import.meta.env.SSR && <WithoutScripts />}</noscript>
      <h1>
        <VisuallyHidden>Loading</VisuallyHidden>
      </h1>
      <PageWait />
    </>
  )
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}
