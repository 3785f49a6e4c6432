import { useState } from 'react'
import { Dialog } from '@fairball/ui/dialog.tsx'
import { ApprovalStep } from './approval-step.tsx'
import { Outcome } from './outcome.tsx'
import type { Result } from './outcome.tsx'
import { CancelStep, ReasonStep, RejectStep } from './reason-step.tsx'
import { kindTitle } from './sentences.ts'
import type { Shown } from './check-text.ts'
import { SignStep } from './sign-step.tsx'
import type { Job } from './signing.ts'

/** Where the dialog is. */
type Step = { at: 'start' } | { at: 'sign'; shown: Shown; signatures: number } | { at: 'end'; result: Result }

const TITLES = { approve: '', reject: 'Reject: ', cancel: 'Cancel: ' } as const

/** The dialog in which a request is made, signed, approved, rejected or cancelled. */
export default function SigningDialog({ job, isOpen, onClose }: { job: Job; isOpen: boolean; onClose: () => void }) {
  const [step, setStep] = useState<Step>({ at: 'start' })
  const kind = job.type === 'propose' ? job.kind : job.request.kind
  const title = job.type === 'propose' ? kindTitle(kind) : `${TITLES[job.type]}${kindTitle(kind)}`
  const end = (result: Result) => setStep({ at: 'end', result })
  const sign = (shown: Shown, signatures: number) => setStep({ at: 'sign', shown, signatures })
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title}>
      {step.at === 'start' && <Start job={job} onSign={sign} onEnd={end} onClose={onClose} />}
      {step.at === 'sign' && <SignStep shown={step.shown} signatures={step.signatures} onEnd={end} onClose={onClose} />}
      {step.at === 'end' && <Outcome result={step.result} onClose={onClose} />}
    </Dialog>
  )
}

/** Props of the first step. */
interface StartProps {
  job: Job
  onSign: (shown: Shown, signatures: number) => void
  onEnd: (result: Result) => void
  onClose: () => void
}

function Start({ job, onSign, onEnd, onClose }: StartProps) {
  switch (job.type) {
    case 'propose':
      return <ReasonStep kind={job.kind} args={job.args} onSign={onSign} onEnd={onEnd} />
    case 'approve':
      return <ApprovalStep request={job.request} onSign={onSign} onClose={onClose} />
    case 'reject':
      return <RejectStep request={job.request} onEnd={onEnd} />
    case 'cancel':
      return <CancelStep request={job.request} onEnd={onEnd} />
  }
}
