import { errorText } from '../../shared/api.ts'
import { paths } from '../../shared/paths.ts'
import { Banner } from '@fairball/ui/banner.tsx'
import { Form, FormActions, TextInput, useSchemaForm } from '@fairball/ui/form.tsx'
import { Link } from '@fairball/ui/link.tsx'
import { SubmitButton } from '@fairball/ui/submit-button.tsx'
import { forgottenPasswordRules } from './account-rules.ts'
import type { ForgottenPasswordValues } from './account-rules.ts'
import { AuthPage, FootLine } from './components/auth-page.tsx'
import { ACCOUNT_TEXTS } from './messages.ts'
import { useResetRequest } from './use-accounts.ts'

/** Sends a link with which a new password can be chosen. `path` is handed on to the login. */
export function ForgottenPasswordScreen({ path }: { path: string }) {
  const request = useResetRequest()
  const { control, handleSubmit, reset } = useSchemaForm<ForgottenPasswordValues>(forgottenPasswordRules, { email: '' })

  return (
    <AuthPage
      title={ACCOUNT_TEXTS.forgottenTitle}
      lead={ACCOUNT_TEXTS.forgottenLead}
      foot={
        <>
          <FootLine>
            <Link href={paths.login(path)}>{ACCOUNT_TEXTS.logIn}</Link>
          </FootLine>
          <FootLine>
            <Link href={paths.openAccount(path)}>{ACCOUNT_TEXTS.openButton}</Link>
          </FootLine>
          <FootLine>
            {ACCOUNT_TEXTS.forgottenSuspect}{' '}
            <Link href={paths.helpAndContactUs()}>{ACCOUNT_TEXTS.forgottenContact}</Link>
          </FootLine>
        </>
      }
    >
      <Form onSubmit={handleSubmit(({ email }) => request.mutate(email.trim(), { onSuccess: () => reset() }))}>
        {request.isError && <Banner kind="danger">{errorText(request.error)}</Banner>}
        {request.isSuccess && (
          <Banner kind="success" live>
            {ACCOUNT_TEXTS.forgottenSuccess}
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
        <FormActions>
          <SubmitButton control={control} rules={forgottenPasswordRules} busy={request.isPending}>
            {ACCOUNT_TEXTS.forgottenButton}
          </SubmitButton>
        </FormActions>
      </Form>
    </AuthPage>
  )
}
