import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useContext, useEffect } from 'react'
import { firstView, wholeView } from '../../shared/first-view.ts'
import { isAuthPage, isKeyPage, paths } from '../../shared/paths.ts'
import type { SessionEvent } from '../../shared/session/session.ts'
import { SessionContext } from '../../shared/session/use-session.ts'

/**
 * Keeps session, page and cached answers in step: starts the session's checks, and moves the visitor after a login or
 * logout in any tab.
 */
export function SessionMoves() {
  const session = useContext(SessionContext)
  const router = useRouter()
  const queryClient = useQueryClient()

  // A recognised player changes the page, so it has to be complete first.
  useEffect(() => {
    let stop: (() => void) | undefined
    let isGone = false
    void wholeView.then(() => {
      if (!isGone) stop = session?.start()
    })
    return () => {
      isGone = true
      stop?.()
    }
  }, [session])

  useEffect(() => {
    if (session === null) return
    const visitOfPlayer = () => (session.state().status === 'player' ? session.visit() : null)
    let known = visitOfPlayer()
    // Data of one visitor is never shown to the next.
    return session.subscribe(() => {
      const visit = visitOfPlayer()
      if (visit === known) return
      // If the visitor turns out to be a player, the page stays visible while the player's data is fetched.
      if (known === null) void queryClient.invalidateQueries()
      else void queryClient.resetQueries()
      known = visit
    })
  }, [session, queryClient])

  useEffect(() => {
    const move = async (event: SessionEvent) => {
      await firstView
      const { href, pathname } = router.state.location
      switch (event) {
        case 'login-elsewhere':
          return router.navigate({ href: paths.home() })
        case 'logout-elsewhere':
          return router.navigate({ href: paths.login() })
        case 'lost':
          return isAuthPage(pathname) || isKeyPage(pathname) ? undefined : router.navigate({ href: paths.login(href) })
        case 'restored':
          return isAuthPage(pathname) ? router.navigate({ href: paths.home(), replace: true }) : undefined
      }
    }
    return session?.onEvent((event) => void move(event))
  }, [session, router])

  return null
}
