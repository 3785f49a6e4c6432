import { useMutation } from '@tanstack/react-query'
import { Banner } from '@fairball/ui/banner.tsx'
import { Button } from '@fairball/ui/button.tsx'
import { useApi } from '../api.ts'
import type { SignedRequest } from '../calls.ts'
import { Failed } from '../failed.tsx'
import { useMe } from '../session.ts'
import type { Shown } from './check-text.ts'
import { FactList } from './fact-list.tsx'
import { sentenceOf } from './sentences.ts'
import styles from './signing.module.css'

/** The second person sees the request, and asks for the text to sign. */
export function ApprovalStep(props: {
  request: SignedRequest
  onSign: (shown: Shown, signatures: number) => void
  onClose: () => void
}) {
  const { request, onSign, onClose } = props
  const { id, kind, args, facts, reason } = request
  const api = useApi()
  const me = useMe()
  const ask = useMutation({
    mutationFn: async () => {
      const { text, options, facts: shownFacts, is_changed } = await api.call('approvalOptions', { params: { id } })
      if (is_changed) return true
      onSign({ request: id, part: 'approve', staff: me.id, kind, args, facts: shownFacts, reason, text, options }, 2)
      return false
    },
  })
  const isChanged = ask.data === true || request.is_changed === true
  return (
    <div className={styles['step']}>
      <p className={styles['sentence']}>{sentenceOf(kind, args, facts)}</p>
      <p className={styles['reason']}>
        {request.proposed_by?.name ?? 'An invited person'} proposed it. Reason: {reason}
      </p>
      <FactList facts={facts} />
      {isChanged && (
        <Banner kind="warning">
          What this is about has changed since it was proposed, so it can’t be approved. Reject it, and propose it
          again.
        </Banner>
      )}
      <Failed error={ask.error} />
      {isChanged ? (
        <Button block variant="secondary" onClick={onClose}>
          Close
        </Button>
      ) : (
        <Button block busy={ask.isPending} onClick={() => ask.mutate()}>
          Show the text to sign
        </Button>
      )}
    </div>
  )
}
