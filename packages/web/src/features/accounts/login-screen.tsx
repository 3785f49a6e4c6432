import { useConfig } from '../../shared/config.ts'
import { paths } from '../../shared/paths.ts'
import { SocialLogin } from '../../shared/social-login/social-login.tsx'
import { Banner } from '@fairball/ui/banner.tsx'
import { Form, FormActions, PasswordInput, TextInput, useSchemaForm } from '@fairball/ui/form.tsx'
import { Link } from '@fairball/ui/link.tsx'
import { SubmitButton } from '@fairball/ui/submit-button.tsx'
import { loginRules } from './account-rules.ts'
import type { LoginValues } from './account-rules.ts'
import { AuthPage, FootLine } from './components/auth-page.tsx'
import { Failure } from './components/failure.tsx'
import { ACCOUNT_TEXTS } from './messages.ts'
import { useLogin } from './use-accounts.ts'

/** Logs in with email address or username and password, then goes to `path`. */
export function LoginScreen({ path }: { path: string }) {
  const { siteName } = useConfig()
  const login = useLogin(path)
  const { control, handleSubmit } = useSchemaForm<LoginValues>(loginRules, { emailOrUsername: '', password: '' })

  return (
    <AuthPage
      title={ACCOUNT_TEXTS.loginTitle}
      foot={
        <>
          <FootLine>
            <Link href={paths.forgottenPassword(path)}>{ACCOUNT_TEXTS.forgotten}</Link>
          </FootLine>
          <FootLine>
            {ACCOUNT_TEXTS.noAccount(siteName)} <Link href={paths.openAccount(path)}>{ACCOUNT_TEXTS.openTitle}</Link>
          </FootLine>
          <FootLine>
            {ACCOUNT_TEXTS.needHelp} <Link href={paths.helpAndContactUs()}>{ACCOUNT_TEXTS.help}</Link>
          </FootLine>
        </>
      }
    >
      <Form onSubmit={handleSubmit((values) => login.mutate(values))}>
        {login.isError && (
          <Banner kind="danger">
            <Failure error={login.error} />
          </Banner>
        )}
        <TextInput
          control={control}
          name="emailOrUsername"
          label={ACCOUNT_TEXTS.emailOrUsername}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
        />
        <PasswordInput
          control={control}
          name="password"
          label={ACCOUNT_TEXTS.password}
          autoComplete="current-password"
        />
        <FormActions>
          <SubmitButton control={control} rules={loginRules} busy={login.isPending}>
            {ACCOUNT_TEXTS.loginButton}
          </SubmitButton>
        </FormActions>
      </Form>
      <SocialLogin path={path} />
    </AuthPage>
  )
}
