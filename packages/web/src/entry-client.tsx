import '@vitejs/plugin-react/preamble'
import './styles.ts'
import { RouterProvider } from '@tanstack/react-router'
import { hydrate } from '@tanstack/react-router/ssr/client'
import { startTransition, StrictMode, use } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { api, clock, session, sayNow, start } from './app/first.ts'
import { firstViewStands, wholeView } from './shared/first-view.ts'
import { createQueryClient } from './app/query-client.ts'
import { createAppRouter } from './app/router.tsx'
import { isPlayersPage } from './shared/players-pages.ts'

/** A page's time is up to a minute older than the page, and a shared cache keeps it for a minute. */
const OLD_SECONDS = 130

const { now, config, queries } = start
const queryClient = createQueryClient(false)
for (const [key, answer] of queries) queryClient.setQueryData(key, answer)
const router = createAppRouter({ api, session, clock, config, queryClient })
// A page that a cache kept for too long, as one that the browser goes back to.
void sayNow().then(() => {
  if (clock.now() - now > OLD_SECONDS) void queryClient.invalidateQueries()
})

if (isPlayersPage(location.href)) void import('./app/early.ts').then(({ askEarly }) => askEarly(router))

// The server leaves its state on the window. If it could not render the page there is none, and the browser renders
// everything.
if (window.$_TSR !== undefined) {
  const state = window.$_TSR
  const taken = hydrate(router).finally(() => state.h())
  // The router's own component for this brings 0.5 kB for browsers without `use`.
  const Page = () => {
    use(taken)
    return <RouterProvider router={router} />
  }
  // As a transition it runs in slices of a few milliseconds, with the visitor's input handled in between.
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <Page />
      </StrictMode>,
    )
  })
} else {
  firstViewStands()
  createRoot(document).render(
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>,
  )
}

// Last of all: nothing on the page needs it. In development there is no build to keep.
if (import.meta.env.PROD) {
  void wholeView
    .then(() => import('./shared/offline/registration.ts'))
    .then(
      ({ keepOffline }) => keepOffline(),
      () => undefined,
    )
}
