import { QueryClientProvider } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { AnchorProvider } from '@fairball/ui/link.tsx'
import { TimersProvider } from '@fairball/ui/timers.tsx'
import { ApiContext } from '../shared/api.ts'
import type { Api } from '../shared/api.ts'
import { ClockContext } from '../shared/use-clock.ts'
import type { Clock } from '../shared/clock.ts'
import { ConfigContext } from '../shared/config.ts'
import type { WebConfig } from '@fairball/contract/pages'
import { AppAnchor } from '../shared/navigation.tsx'
import { runtime } from '../shared/runtime.ts'
import type { Session } from '../shared/session/session.ts'
import { SessionContext } from '../shared/session/use-session.ts'

/** The parts that all pages share: made once per request on the server, and once per document in the browser. */
export interface AppParts {
  api: Api
  queryClient: QueryClient
  clock: Clock
  config: WebConfig
  /** null on the server, which knows no tokens. */
  session: Session | null
}

/** Provides the parts to all components. */
export function AppProviders({ parts, children }: { parts: AppParts; children: ReactNode }) {
  return (
    <QueryClientProvider client={parts.queryClient}>
      <ConfigContext value={parts.config}>
        <ClockContext value={parts.clock}>
          <ApiContext value={parts.api}>
            <SessionContext value={parts.session}>
              <TimersProvider timers={runtime}>
                <AnchorProvider anchor={AppAnchor}>{children}</AnchorProvider>
              </TimersProvider>
            </SessionContext>
          </ApiContext>
        </ClockContext>
      </ConfigContext>
    </QueryClientProvider>
  )
}
