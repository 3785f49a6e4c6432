import { useRouter } from '@tanstack/react-router'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { LoadFailed } from '@fairball/ui/empty-state.tsx'
import { PageWait } from '@fairball/ui/spinner.tsx'
import { arrivedAt } from './arrival.ts'
import { useFirstView } from './first-view.ts'
import { runtime } from './runtime.ts'

/** A small file that is available while the server is. */
const SIGN_OF_LIFE = '/favicon.svg'

/**
 * Shown in place of a page that crashed, or whose files could not be fetched. After an update the files of an older tab
 * are gone: the address is reloaded, once. The address at which this document was loaded never is, to avoid a loop.
 */
export function PageFailed(props: ErrorComponentProps) {
  const [isOutdated, setIsOutdated] = useState(isFetching(props.error) && globalThis.location?.href !== arrivedAt)
  useEffect(() => {
    if (!isOutdated) return
    const giveUp = () => setIsOutdated(false)
    runtime
      .fetch(SIGN_OF_LIFE, { method: 'HEAD', cache: 'no-store' })
      .then(({ ok }) => (ok ? location.reload() : giveUp()), giveUp)
  }, [isOutdated])
  return isOutdated ? <PageWait /> : <PartFailed {...props} />
}

/** Shown in place of a part of a page. */
export function PartFailed({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  useFirstView()
  const retry = () => {
    // A part whose script could not be fetched stays lost to this document: React keeps the failure.
    if (isFetching(error)) return location.reload()
    reset()
    void router.invalidate()
  }
  return <LoadFailed onRetry={retry} />
}

/** Whether a script or its styles could not be fetched; for styles Vite has its own error. */
function isFetching(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof Error && error.message.startsWith('Unable to preload'))
}
