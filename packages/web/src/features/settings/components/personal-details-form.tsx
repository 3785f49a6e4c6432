import { useWatch } from 'react-hook-form'
import { emailProblem, usernameProblem } from '@fairball/domain/validation'
import { ProofInput } from '../../../shared/forms/proof-input.tsx'
import { SaveForm } from '../../../shared/forms/save-form.tsx'
import { paths } from '../../../shared/paths.ts'
import { Banner } from '@fairball/ui/banner.tsx'
import type { SelectOption } from '@fairball/ui/field.tsx'
import { SelectInput, useSchemaForm } from '@fairball/ui/form.tsx'
import { Link } from '@fairball/ui/link.tsx'
import { SETTINGS_TEXTS } from '../messages.ts'
import { isNewEmail, personalDetailsRules } from '../personal-details-rules.ts'
import { useAvailability, useSavePersonalDetails } from '../use-personal-details.ts'
import type { PersonalDetails, PersonalDetailsValues } from '../use-personal-details.ts'
import { AvailableTextInput } from './available-text-input.tsx'

/** Props of {@link PersonalDetailsForm}. */
interface PersonalDetailsFormProps {
  saved: PersonalDetails
  isSocial: boolean
  /** The email address cannot be changed: there is nothing yet to prove the player's identity. */
  isEmailLocked: boolean
  timezones: readonly SelectOption[]
  currencies: readonly SelectOption[]
  onCancel: () => void
  onSaved: (details: PersonalDetails) => void
}

const FIELD_OF = {
  INVALID_USERNAME: 'username',
  USERNAME_OCCUPIED: 'username',
  INVALID_EMAIL: 'email',
  EMAIL_OCCUPIED: 'email',
  INVALID_CREDENTIALS: 'proof',
  INVALID_2FA_CODE: 'proof',
  username: 'username',
  email: 'email',
  timezone_id: 'timezone_id',
  currency_id: 'currency_id',
  password: 'proof',
  twofa_code: 'proof',
} as const

/** Changes username, email address, time zone and currency. */
export function PersonalDetailsForm({
  saved,
  isSocial,
  isEmailLocked,
  timezones,
  currencies,
  onCancel,
  onSaved,
}: PersonalDetailsFormProps) {
  const saving = useSavePersonalDetails(isSocial)
  const rules = personalDetailsRules(saved, isSocial)
  const { control, handleSubmit, setError } = useSchemaForm<PersonalDetailsValues>(rules, { ...saved, proof: '' })
  const [username, email] = useWatch({ control, name: ['username', 'email'] })
  const isEmailNew = isNewEmail(email, saved.email)
  const usernameState = useAvailability({
    kind: 'username',
    value: username,
    isAskable: username !== saved.username && usernameProblem(username) === null,
  })
  const emailState = useAvailability({
    kind: 'email',
    value: email.trim(),
    isAskable: isEmailNew && emailProblem(email.trim()) === null,
  })

  return (
    <SaveForm
      control={control}
      rules={rules}
      handleSubmit={handleSubmit}
      setError={setError}
      saving={saving}
      fieldOf={FIELD_OF}
      proofField="proof"
      alsoNeeded={[
        ...(usernameState === 'taken' ? [SETTINGS_TEXTS.usernameOther] : []),
        ...(emailState === 'taken' ? [SETTINGS_TEXTS.emailOther] : []),
      ].join(', ')}
      onCancel={onCancel}
      onSaved={onSaved}
    >
      <AvailableTextInput
        control={control}
        name="username"
        label={SETTINGS_TEXTS.username}
        availability={usernameState}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
      />
      <AvailableTextInput
        control={control}
        name="email"
        label={SETTINGS_TEXTS.email}
        availability={emailState}
        type="email"
        inputMode="email"
        readOnly={isEmailLocked}
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
      />
      {isEmailLocked && (
        <Banner kind="info" action={<Link href={paths.security()}>{SETTINGS_TEXTS.toSecurity}</Link>}>
          {SETTINGS_TEXTS.emailNeedsTwofa}
        </Banner>
      )}
      {isEmailNew && saved.email !== '' && (
        <>
          <Banner kind="info">{isSocial ? SETTINGS_TEXTS.emailProofCode : SETTINGS_TEXTS.emailProof}</Banner>
          <ProofInput control={control} name="proof" isSocial={isSocial} />
        </>
      )}
      <SelectInput control={control} name="timezone_id" label={SETTINGS_TEXTS.timezone} options={timezones} />
      <SelectInput control={control} name="currency_id" label={SETTINGS_TEXTS.currency} options={currencies} />
    </SaveForm>
  )
}
