import type { Country } from '@fairball/contract/schemas/content'
import { useEffect, useMemo } from 'react'
import { errorText } from '../api.ts'
import { fieldErrorsOf } from '../forms/save-errors.ts'
import { useSession } from '../session/use-session.ts'
import { Banner } from '@fairball/ui/banner.tsx'
import { LoadFailed } from '@fairball/ui/empty-state.tsx'
import {
  Form,
  FormActions,
  SelectInput,
  SERVER_SAID,
  TextAreaInput,
  TextInput,
  useSchemaForm,
} from '@fairball/ui/form.tsx'
import { Loading, Skeleton } from '@fairball/ui/skeleton.tsx'
import { SubmitButton } from '@fairball/ui/submit-button.tsx'
import { useTimers } from '@fairball/ui/timers.tsx'
import { contactRules } from './contact-rules.ts'
import type { ContactValues } from './contact-rules.ts'
import { FORM_TEXTS } from './messages.ts'
import { useCountries, useSendMessage } from './use-contact.ts'

/** Time for which the notice of success stays, in ms (specification, section 9). */
const NOTICE_MS = 5000

/** The form's field by its name on the wire, or by the code of the server's refusal. */
const FIELDS = {
  name: 'name',
  email: 'email',
  country_id: 'countryId',
  message: 'message',
  INVALID_EMAIL: 'email',
} as const satisfies Record<string, keyof ContactValues>

/** Differences between the pages with the form. */
interface ContactFormProps {
  /** Prefix of every message, such as its subject. */
  before?: string
  /** Label of the field for the message. */
  messageLabel?: string
  send?: string
  sent?: string
  /** The message comes before the sender. */
  startsWithMessage?: boolean
}

/** The form, or a note that it is loading or could not be loaded. */
export function LoadedContactForm(props: ContactFormProps) {
  const countries = useCountries()
  if (countries.data !== undefined) return <ContactForm {...props} countries={countries.data} />
  if (countries.isError) return <LoadFailed text={FORM_TEXTS.loadFailed} onRetry={() => void countries.refetch()} />
  return (
    <Loading>
      <Skeleton />
      <Skeleton />
      <Skeleton shape="block" />
      <Skeleton shape="button" />
    </Loading>
  )
}

/** Writes to support. A player's address is filled in. */
function ContactForm({
  countries,
  before,
  messageLabel = FORM_TEXTS.message,
  send: sendText = FORM_TEXTS.send,
  sent = FORM_TEXTS.sent,
  startsWithMessage = false,
}: ContactFormProps & { countries: readonly Country[] }) {
  const { profile } = useSession()
  const email = profile?.email ?? ''
  const sending = useSendMessage(before)
  const { isSuccess, reset: clearOutcome } = sending
  const timers = useTimers()
  const rules = useMemo(() => contactRules(before, messageLabel), [before, messageLabel])
  const { control, handleSubmit, reset, resetField, getFieldState, setError } = useSchemaForm<ContactValues>(rules, {
    name: '',
    email,
    countryId: 0,
    message: '',
  })
  // The session may become known after the form is shown; typed values stay.
  useEffect(() => {
    if (!getFieldState('email').isDirty) resetField('email', { defaultValue: email })
  }, [email, getFieldState, resetField])
  useEffect(() => (isSuccess ? timers.after(NOTICE_MS, clearOutcome) : undefined), [isSuccess, timers, clearOutcome])

  const send = (values: ContactValues) =>
    sending.mutate(values, {
      onSuccess: () => reset({ name: '', email, countryId: 0, message: '' }),
      onError: (error) => {
        for (const [name, message] of fieldErrorsOf(error, FIELDS)) setError(name, { type: SERVER_SAID, message })
      },
    })

  const message = <TextAreaInput control={control} name="message" label={messageLabel} />
  return (
    <Form onSubmit={handleSubmit(send)}>
      {sending.isError && <Banner kind="danger">{errorText(sending.error)}</Banner>}
      {startsWithMessage && message}
      <TextInput control={control} name="name" label={FORM_TEXTS.name} autoComplete="name" />
      <TextInput
        control={control}
        name="email"
        label={FORM_TEXTS.email}
        type="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
      />
      <SelectInput
        control={control}
        name="countryId"
        label={FORM_TEXTS.country}
        placeholder={FORM_TEXTS.countryPlaceholder}
        options={countries.map(({ id, name }) => ({ value: id, label: name }))}
      />
      {!startsWithMessage && message}
      <FormActions>
        <SubmitButton control={control} rules={rules} busy={sending.isPending}>
          {sendText}
        </SubmitButton>
      </FormActions>
      {isSuccess && (
        <Banner kind="success" live>
          {sent}
        </Banner>
      )}
    </Form>
  )
}
