import { useRouter } from '@tanstack/react-router'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { LoadFailed } from '../../ui/empty-state.tsx'
import { useFirstView } from '../first-view.ts'

/** Shown in place of a page that fell over, or whose files could not be fetched. */
export function PageFailed({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  useFirstView()
  const retry = () => {
    // A part whose script could not be fetched stays lost to this document: React keeps the failure.
    if (error instanceof TypeError) return location.reload()
    reset()
    void router.invalidate()
  }
  return <LoadFailed onRetry={retry} />
}
