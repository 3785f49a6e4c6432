import { useRouter, useRouterState } from '@tanstack/react-router'
import { useMemo, useState } from 'react'

/** State of an entry of the browser's history beside its address: the step of its page. It outlives a reload. */
export interface PageState {
  readonly step: number
  /** The name of the page's unfinished work, such as an order. */
  readonly draftId: string
  /** There is no entry of an earlier step before this one: the page was opened at this step. */
  readonly isFirst?: boolean
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    page?: PageState
  }
}

/** The steps of one page in the browser's history. The functions stay the same from render to render. */
interface PageSteps {
  /** Names the entry of the history; the same one after a reload, and after coming back to it. */
  readonly entry: string
  readonly state: PageState | null
  /** Continues to a step: a new entry at the same address, so that the browser's back button leads back from it. */
  readonly push: (state: PageState) => void
  /** Makes the present entry another step. */
  readonly replace: (state: PageState) => void
  /** Goes back as the browser's button does. */
  readonly back: () => void
}

/**
 * @returns this page's step in the history, and functions to move. Only for parts rendered in the browser: the server
 * has no history.
 */
export function usePageSteps(): PageSteps {
  const router = useRouter()
  const [address] = useState(() => addressOf(router.state.location))
  // While another page loads, `location` is already that page's; this one stays unchanged meanwhile.
  const { __TSR_key: entry = '', page: state = null } = useRouterState({
    select: ({ location, resolvedLocation = location }) =>
      (addressOf(location) === address ? location : resolvedLocation).state,
  })
  const moves = useMemo(() => {
    return {
      push(page: PageState) {
        void router.navigate({ href: addressOf(router.state.location), state: { page }, viewTransition: false })
      },
      replace(page: PageState) {
        const { href } = router.state.location
        void router.navigate({ href, state: { page }, replace: true, resetScroll: false, viewTransition: false })
      },
      back: () => router.history.back(),
    }
  }, [router])
  return useMemo(() => ({ entry, state, ...moves }), [entry, state, moves])
}

function addressOf({ pathname, searchStr }: { pathname: string; searchStr: string }): string {
  return `${pathname}${searchStr}`
}
