import { QueryClientProvider } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { AnchorProvider } from '@fairball/ui/link.tsx'
import { PageWait } from '@fairball/ui/spinner.tsx'
import { TimersProvider } from '@fairball/ui/timers.tsx'
import type { Timers } from '@fairball/ui/timers.tsx'
import { partsOf, useAddress } from '../shared/address.ts'
import { ApiContext } from '../shared/api.ts'
import type { Api } from '../shared/api.ts'
import { AppAnchor } from '../shared/navigation.tsx'
import { PasskeysContext } from '../shared/passkeys/passkeys.ts'
import type { Passkeys } from '../shared/passkeys/passkeys.ts'
import { CrashBoundary } from './crash-boundary.tsx'
import { ENTRANCE } from './pages.tsx'
import { createQueryClient } from './query-client.ts'
import { SignedIn } from './signed-in.tsx'

/** What the console works with. */
interface AppParts {
  api: Api
  passkeys: Passkeys
  timers: Timers
}

/** The whole console. */
export function App({ api, passkeys, timers }: AppParts) {
  const [client] = useState(createQueryClient)
  return (
    <QueryClientProvider client={client}>
      <ApiContext value={api}>
        <PasskeysContext value={passkeys}>
          <TimersProvider timers={timers}>
            <AnchorProvider anchor={AppAnchor}>
              <CrashBoundary>
                <Suspense fallback={<PageWait />}>
                  <Page />
                </Suspense>
              </CrashBoundary>
            </AnchorProvider>
          </TimersProvider>
        </PasskeysContext>
      </ApiContext>
    </QueryClientProvider>
  )
}

function Page() {
  const { path } = useAddress()
  const invite = partsOf(ENTRANCE.pattern, path)
  return invite === null ? <SignedIn /> : <ENTRANCE.Screen {...invite} />
}
