import { lazy, Suspense } from 'react'
import type { ComponentProps } from 'react'
import type { ActionButton } from './action-button.tsx'

const LoadedButton = lazy(async () => ({ default: (await import('./action-button.tsx')).ActionButton }))

/** An {@link ActionButton} on a first page: the rules of who may do what are loaded after the page. */
export function LaterActionButton(props: ComponentProps<typeof ActionButton>) {
  return (
    <Suspense fallback={null}>
      <LoadedButton {...props} />
    </Suspense>
  )
}
