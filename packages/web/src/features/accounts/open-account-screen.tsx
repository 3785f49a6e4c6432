import { useWatch } from 'react-hook-form'
import type { Control } from 'react-hook-form'
import { paths } from '../../shared/paths.ts'
import { SocialLogin } from '../../shared/social-login/social-login.tsx'
import { Banner } from '@fairball/ui/banner.tsx'
import { CheckboxInput, Form, FormActions, PasswordInput, TextInput, useSchemaForm } from '@fairball/ui/form.tsx'
import { Link } from '@fairball/ui/link.tsx'
import { SubmitButton } from '@fairball/ui/submit-button.tsx'
import { openAccountRules } from './account-rules.ts'
import type { OpenAccountValues } from './account-rules.ts'
import { AuthPage, FootLine } from './components/auth-page.tsx'
import { Failure } from './components/failure.tsx'
import { PasswordStrength } from './components/password-strength.tsx'
import { ACCOUNT_TEXTS } from './messages.ts'
import { useOpenAccount } from './use-accounts.ts'

/** Opens an account: the address twice, a password, and a confirmation that the player is of age. */
export function OpenAccountScreen({ path }: { path: string }) {
  const opening = useOpenAccount(path)
  const { control, handleSubmit } = useSchemaForm<OpenAccountValues>(openAccountRules, {
    email: '',
    emailConfirm: '',
    password: '',
    isAdult: false,
  })

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
        {opening.isError && (
          <Banner kind="danger">
            <Failure error={opening.error} />
          </Banner>
        )}
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
          <SubmitButton control={control} rules={openAccountRules} busy={opening.isPending}>
            {ACCOUNT_TEXTS.openButton}
          </SubmitButton>
        </FormActions>
      </Form>
      <SocialLogin path={path} />
    </AuthPage>
  )
}

function TypedStrength({ control }: { control: Control<OpenAccountValues> }) {
  const [email, password] = useWatch({ control, name: ['email', 'password'] })
  return <PasswordStrength password={password} email={email} />
}
