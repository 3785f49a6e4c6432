import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { LoadFailed } from '@fairball/ui/empty-state.tsx'
import { SkeletonRows } from '@fairball/ui/skeleton.tsx'
import { Failure, wordsFor } from './failure.ts'

/** Shows what was read, or that it is being read, or why it could not be. */
export function Loaded<Answer>({
  of,
  rows = 4,
  children,
}: {
  of: UseQueryResult<Answer>
  /** Rows of the placeholder. */
  rows?: number
  children: (answer: Answer) => ReactNode
}) {
  if (of.data !== undefined) return children(of.data)
  if (of.isPending) return <SkeletonRows rows={rows} />
  const isMissing = of.error instanceof Failure && of.error.status === 404
  if (isMissing) return <LoadFailed text="There is no such thing, or this console does not show it." />
  return <LoadFailed text={wordsFor(of.error)} onRetry={() => void of.refetch()} />
}
