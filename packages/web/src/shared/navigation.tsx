import { useRouter } from '@tanstack/react-router'
import type { AnyRouter } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { MouseEvent } from 'react'
import type { AnchorProps } from '@fairball/ui/link.tsx'
import type { PageState } from './page-state.ts'

/** Goes to another page. */
type Navigate = (
  href: string,
  options?: {
    /** The new page replaces the present entry of the history. */
    replace?: boolean
    /** The step at which the page opens. */
    page?: PageState
  },
) => void

/** @returns a function that goes to an address of this site, from paths.ts; the same function at every render */
export function useNavigate(): Navigate {
  const router = useRouter()
  return useCallback<Navigate>(
    (href, { replace = false, page } = {}) =>
      void router.navigate({ href, replace, ...(page === undefined ? {} : { state: { page } }) }),
    [router],
  )
}

/** Links of the design system go through this: pages of this site change without loading, and start loading when pointed at. */
export function AppAnchor({ onClick, ...anchor }: AnchorProps) {
  const router = useRouter()
  if (!isPage(anchor.href) || anchor.target !== undefined || anchor.download !== undefined) {
    return <a onClick={onClick} {...anchor} />
  }
  const preload = () => void preloadPage(router, anchor.href)
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return
    event.preventDefault()
    void router.navigate({ href: anchor.href })
  }
  return <a onPointerEnter={preload} onFocus={preload} {...anchor} onClick={follow} />
}

/** Whether an address is a page of this app; the API, its reference and the documentation are the server's own. */
function isPage(href: string): boolean {
  return /^\/(?!\/|api\/|docs\b)/u.test(href)
}

async function preloadPage(router: AnyRouter, href: string): Promise<void> {
  const [to = href] = href.split(/[?#]/u)
  try {
    await router.preloadRoute({ to })
  } catch {
    // Only a head start: the click loads the page again and shows the error.
  }
}
