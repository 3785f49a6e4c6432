import { lazy, Suspense } from 'react'
import { LoadFailed } from '@fairball/ui/empty-state.tsx'
import { PageWait } from '@fairball/ui/spinner.tsx'
import { SignInScreen } from '../features/sign-in/sign-in-screen.tsx'
import { wordsFor } from '../shared/failure.ts'
import { useSession } from '../shared/session.ts'

const Shell = lazy(() => import('./shell/shell.tsx'))

/** The frame with its page for somebody who is signed in; the sign-in for everybody else, at the same address. */
export function SignedIn() {
  const session = useSession()
  if (session.isPending) return <PageWait />
  if (session.data === undefined)
    return <LoadFailed text={wordsFor(session.error)} onRetry={() => void session.refetch()} />
  if (session.data === null) return <SignInScreen />
  return (
    <Suspense fallback={<PageWait />}>
      <Shell me={session.data.staff} />
    </Suspense>
  )
}
