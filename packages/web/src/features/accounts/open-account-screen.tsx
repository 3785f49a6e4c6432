import { useWatch } from 'react-hook-form'
import type { Control } from 'react-hook-form'
import { errorText } from '../../app/api.ts'
import { paths } from '../../app/paths.ts'
import { SocialLogin } from '../../app/social-login.tsx'
import { Banner } from '../../ui/banner.tsx'
import { CheckboxInput, Form, FormActions, PasswordInput, TextInput, useSchemaForm } from '../../ui/form.tsx'
import { Link } from '../../ui/link.tsx'
import { SubmitButton } from '../../ui/submit-button.tsx'
import { openAccountRules } from './account-rules.ts'
import type { OpenAccountValues } from './account-rules.ts'
import { AuthPage, FootLine } from './components/auth-page.tsx'
import { PasswordStrength } from './components/password-strength.tsx'
import { ACCOUNT_TEXTS } from './messages.ts'
import { useOpenAccount } from './use-accounts.ts'
import { useRepeatedCheck } from './use-repeated-check.ts'

/** Opens an account: the address twice, a password, and that the player is of age. */
export function OpenAccountScreen({ path }: { path: string }) {
  const opening = useOpenAccount(path)
  const { control, handleSubmit, trigger, getFieldState } = useSchemaForm<OpenAccountValues>(openAccountRules, {
    email: '',
    emailConfirm: '',
    password: '',
    isAdult: false,
  })
  useRepeatedCheck({ control, trigger, getFieldState }, { of: 'email', repeated: 'emailConfirm' })

  return (
    <AuthPage
      title={ACCOUNT_TEXTS.openTitle}
      lead={ACCOUNT_TEXTS.openLead}
      foot={
        <FootLine>
          {ACCOUNT_TEXTS.haveAccount} <Link href={paths.login(path)}>{ACCOUNT_TEXTS.logIn}</Link>
        </FootLine>
      }
    >
      <Form onSubmit={handleSubmit((values) => opening.mutate(values))}>
        {opening.isError && <Banner kind="danger">{errorText(opening.error)}</Banner>}
        <TextInput
          control={control}
          name="email"
          label={ACCOUNT_TEXTS.email}
          type="email"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
        />
        <TextInput
          control={control}
          name="emailConfirm"
          label={ACCOUNT_TEXTS.emailConfirm}
          type="email"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
        />
        <PasswordInput control={control} name="password" label={ACCOUNT_TEXTS.password} autoComplete="new-password" />
        <TypedStrength control={control} />
        <CheckboxInput control={control} name="isAdult" label={ACCOUNT_TEXTS.adult} />
        <FormActions>
          <SubmitButton control={control} busy={opening.isPending}>
            {ACCOUNT_TEXTS.openButton}
          </SubmitButton>
        </FormActions>
      </Form>
      <SocialLogin path={path} />
    </AuthPage>
  )
}

function TypedStrength({ control }: { control: Control<OpenAccountValues> }) {
  return <PasswordStrength password={useWatch({ control, name: 'password' })} />
}
