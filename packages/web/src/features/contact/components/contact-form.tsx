import type { Country } from '@fairball/contract/schemas/content'
import { useEffect } from 'react'
import { errorText } from '../../../app/api.ts'
import { fieldErrorsOf } from '../../../app/forms/save-errors.ts'
import { useSession } from '../../../app/session/use-session.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Form, FormActions, SelectInput, TextAreaInput, TextInput, useSchemaForm } from '../../../ui/form.tsx'
import { SubmitButton } from '../../../ui/submit-button.tsx'
import { useTimers } from '../../../ui/timers.tsx'
import { contactRules } from '../contact-rules.ts'
import type { ContactValues } from '../contact-rules.ts'
import { CONTACT_TEXTS } from '../messages.ts'
import { useSendMessage } from '../use-contact.ts'

/** How long the notice of success stays, in ms (specification, section 9). */
const NOTICE_MS = 5000

/** The form's field by its name on the wire, or by the code of what the server refuses. */
const FIELDS = {
  name: 'name',
  email: 'email',
  country_id: 'countryId',
  message: 'message',
  INVALID_EMAIL: 'email',
} as const satisfies Record<string, keyof ContactValues>

/** Writes to the support. A player's address is filled in. */
export function ContactForm({ countries }: { countries: readonly Country[] }) {
  const { profile } = useSession()
  const email = profile?.email ?? ''
  const sending = useSendMessage()
  const { isSuccess, reset: clearOutcome } = sending
  const timers = useTimers()
  const { control, handleSubmit, reset, resetField, getFieldState, setError } = useSchemaForm<ContactValues>(
    contactRules,
    { name: '', email, countryId: 0, message: '' },
  )
  // Who is there may be known only after the form is; what somebody has typed stays.
  useEffect(() => {
    if (!getFieldState('email').isDirty) resetField('email', { defaultValue: email })
  }, [email, getFieldState, resetField])
  useEffect(() => (isSuccess ? timers.after(NOTICE_MS, clearOutcome) : undefined), [isSuccess, timers, clearOutcome])

  const send = (values: ContactValues) =>
    sending.mutate(values, {
      onSuccess: () => reset({ name: '', email, countryId: 0, message: '' }),
      onError: (error) => {
        for (const [name, message] of fieldErrorsOf(error, FIELDS)) setError(name, { message })
      },
    })

  return (
    <Form onSubmit={handleSubmit(send)}>
      {sending.isError && <Banner kind="danger">{errorText(sending.error)}</Banner>}
      <TextInput control={control} name="name" label={CONTACT_TEXTS.name} autoComplete="name" />
      <TextInput
        control={control}
        name="email"
        label={CONTACT_TEXTS.email}
        type="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
      />
      <SelectInput
        control={control}
        name="countryId"
        label={CONTACT_TEXTS.country}
        placeholder={CONTACT_TEXTS.countryPlaceholder}
        options={countries.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <TextAreaInput control={control} name="message" label={CONTACT_TEXTS.message} />
      <FormActions>
        <SubmitButton control={control} busy={sending.isPending}>
          {CONTACT_TEXTS.send}
        </SubmitButton>
      </FormActions>
      {isSuccess && (
        <Banner kind="success" live>
          {CONTACT_TEXTS.sent}
        </Banner>
      )}
    </Form>
  )
}
