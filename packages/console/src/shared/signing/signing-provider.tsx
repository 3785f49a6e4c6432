import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { SigningContext } from './signing.ts'
import type { Job, Signing } from './signing.ts'

const SigningDialog = lazy(() => import('./signing-dialog.tsx'))

/** Holds the one dialog in which everything is signed. */
export function SigningProvider({ children }: { children: ReactNode }) {
  const [job, setJob] = useState<{ job: Job; count: number } | null>(null)
  const [isOpen, setOpen] = useState(false)
  const open = (next: Job) => {
    setJob((last) => ({ job: next, count: (last?.count ?? 0) + 1 }))
    setOpen(true)
  }
  const signing: Signing = {
    propose: (kind, args) => open({ type: 'propose', kind, args }),
    decide: (type, request) => open({ type, request }),
  }
  return (
    <SigningContext value={signing}>
      {children}
      {job !== null && (
        <Suspense fallback={null}>
          <SigningDialog key={job.count} job={job.job} isOpen={isOpen} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </SigningContext>
  )
}
