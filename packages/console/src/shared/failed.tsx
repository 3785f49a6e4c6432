import { Banner } from '@fairball/ui/banner.tsx'
import { Failure, wordsFor } from './failure.ts'

/** The words for an action that failed; nothing while none has. */
export function Failed({ error }: { error: Error | null }) {
  if (error === null) return null
  const fields = error instanceof Failure ? Object.entries(error.fields) : []
  return (
    <Banner kind="danger">
      {wordsFor(error)}
      {fields.map(([field, message]) => ` ${field}: ${message}`).join('')}
    </Banner>
  )
}
