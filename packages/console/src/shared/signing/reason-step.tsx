import { useMutation } from '@tanstack/react-query'
import { REASON_MAX, REASON_MIN, reasonProblem } from './reason.ts'
import { Banner } from '@fairball/ui/banner.tsx'
import { Button } from '@fairball/ui/button.tsx'
import { Form, TextAreaInput, useSchemaForm } from '@fairball/ui/form.tsx'
import { formRules } from '@fairball/ui/form-rules.ts'
import { SubmitButton } from '@fairball/ui/submit-button.tsx'
import { useApi, useReadAgain } from '../api.ts'
import type { SignedRequest } from '../calls.ts'
import { Failed } from '../failed.tsx'
import { useMe } from '../session.ts'
import type { Shown } from './check-text.ts'
import type { Result } from './outcome.tsx'
import { sentenceOf } from './sentences.ts'
import styles from './signing.module.css'

/** The values of the form. */
interface Reason {
  reason: string
}

const RULES = formRules<Reason>({ reason: 'Reason' }, ({ reason }) => ({ reason: reasonProblem(reason) }))

/** Asks why, and makes the request. */
export function ReasonStep(props: {
  kind: string
  args: Readonly<Record<string, unknown>>
  onSign: (shown: Shown, signatures: number) => void
  onEnd: (result: Result) => void
}) {
  const { kind, args, onSign, onEnd } = props
  const api = useApi()
  const me = useMe()
  const readAgain = useReadAgain()
  const make = useMutation({
    mutationFn: async ({ reason }: Reason) => {
      const line = reason.trim()
      const made = await api.call('makeRequest', { body: { kind, args, reason: line } })
      const { id, state, text, options, facts = {}, needs, result = null } = made
      if (text === undefined || options === undefined) {
        await readAgain()
        return onEnd({ id, state, result, roles: [] })
      }
      const shown = { request: id, part: 'propose' as const, staff: me.id, kind, args, facts, reason: line }
      onSign({ ...shown, text, options }, needs?.signatures ?? 1)
    },
  })
  return (
    <>
      <p className={styles['sentence']}>{sentenceOf(kind, args, {})}</p>
      <ReasonForm send={make.mutate} isBusy={make.isPending} error={make.error} button="Continue" />
    </>
  )
}

/** Asks why a request is rejected. */
export function RejectStep({ request, onEnd }: { request: SignedRequest; onEnd: (result: Result) => void }) {
  const api = useApi()
  const readAgain = useReadAgain()
  const reject = useMutation({
    mutationFn: async ({ reason }: Reason) => {
      const body = { reason: reason.trim() }
      const { state, result } = await api.call('rejectRequest', { params: { id: request.id }, body })
      await readAgain()
      onEnd({ id: request.id, state, result, roles: [] })
    },
  })
  return (
    <>
      <p className={styles['sentence']}>{sentenceOf(request.kind, request.args, request.facts)}</p>
      <ReasonForm send={reject.mutate} isBusy={reject.isPending} error={reject.error} button="Reject" />
    </>
  )
}

/** Takes a request of one's own back. */
export function CancelStep({ request, onEnd }: { request: SignedRequest; onEnd: (result: Result) => void }) {
  const api = useApi()
  const readAgain = useReadAgain()
  const cancel = useMutation({
    mutationFn: async () => {
      const { state, result } = await api.call('cancelRequest', { params: { id: request.id } })
      await readAgain()
      onEnd({ id: request.id, state, result, roles: [] })
    },
  })
  return (
    <div className={styles['step']}>
      <p className={styles['sentence']}>{sentenceOf(request.kind, request.args, request.facts)}</p>
      <Banner kind="info">Nobody can approve it afterwards. Nothing else changes.</Banner>
      <Failed error={cancel.error} />
      <Button block busy={cancel.isPending} onClick={() => cancel.mutate()}>
        Cancel the request
      </Button>
    </div>
  )
}

/** Props of {@link ReasonForm}. */
interface ReasonFormProps {
  send: (values: Reason) => void
  isBusy: boolean
  error: Error | null
  button: string
}

function ReasonForm({ send, isBusy, error, button }: ReasonFormProps) {
  const form = useSchemaForm<Reason>(RULES, { reason: '' })
  return (
    <Form onSubmit={(event) => void form.handleSubmit((values) => send(values))(event)}>
      <TextAreaInput
        control={form.control}
        name="reason"
        label="Reason"
        rows={3}
        maxLength={REASON_MAX}
        hint={`One line, ${REASON_MIN} to ${REASON_MAX} characters. It is signed, and stays in the audit log.`}
      />
      <Failed error={error} />
      <SubmitButton control={form.control} rules={RULES} busy={isBusy}>
        {button}
      </SubmitButton>
    </Form>
  )
}
