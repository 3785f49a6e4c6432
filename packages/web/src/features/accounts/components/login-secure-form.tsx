import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import type { Control } from 'react-hook-form'
import { minutesAndSeconds } from '@fairball/domain/countdown'
import { useClockValue } from '../../../shared/use-clock.ts'
import { paths } from '../../../shared/paths.ts'
import { Banner } from '@fairball/ui/banner.tsx'
import { LinkButton } from '@fairball/ui/button.tsx'
import { Form, FormActions, SelectInput, TextInput, useSchemaForm } from '@fairball/ui/form.tsx'
import { ClockIcon } from '@fairball/ui/icons.tsx'
import { SubmitButton } from '@fairball/ui/submit-button.tsx'
import { isSecondStepComplete, loginSecureRules } from '../account-rules.ts'
import type { LoginSecureValues } from '../account-rules.ts'
import { isBadKey } from '../bad-key.ts'
import { ACCOUNT_TEXTS } from '../messages.ts'
import { useLoginSecure, useSecurityQuestions } from '../use-accounts.ts'
import { CodeOrRecovery } from './code-or-recovery.tsx'
import { Failure } from './failure.tsx'
import styles from './login-secure-form.module.css'

/** Props of {@link LoginSecureForm}. */
interface LoginSecureFormProps {
  loginKey: string
  path: string | null
  /** Epoch seconds. */
  expiresAt: number
  hasCode: boolean
  hasQuestion: boolean
}

/** A code of the authenticator app, a recovery code, or the answer to the security question. */
export function LoginSecureForm({ loginKey, path, expiresAt, hasCode, hasQuestion }: LoginSecureFormProps) {
  const login = useLoginSecure(loginKey, path)
  const { data: questions = [] } = useSecurityQuestions({ enabled: hasQuestion })
  const [usesRecovery, setUsesRecovery] = useState(false)
  const { control, handleSubmit, resetField, setFocus } = useSchemaForm<LoginSecureValues>(loginSecureRules, {
    code: '',
    recoveryCode: '',
    questionId: 0,
    answer: '',
  })
  const clearCode = () => {
    resetField('code')
    resetField('recoveryCode')
    if (hasCode) setFocus(usesRecovery ? 'recoveryCode' : 'code')
  }
  const send = (values: LoginSecureValues) => {
    if (isSecondStepComplete(values)) login.mutate(values, { onError: clearCode })
  }
  const changeWay = () => {
    resetField('code')
    resetField('recoveryCode')
    setUsesRecovery(!usesRecovery)
  }

  return (
    <Form onSubmit={handleSubmit(send)}>
      {login.isError && (
        <Banner
          kind="danger"
          // Too many tries use up the key.
          action={
            isBadKey(login.error) && (
              <LinkButton size="small" variant="secondary" href={paths.login(path ?? undefined)}>
                {ACCOUNT_TEXTS.secureTryAgain}
              </LinkButton>
            )
          }
        >
          <Failure error={login.error} />
        </Banner>
      )}
      <TimeLeft expiresAt={expiresAt} />
      {hasCode && (
        <CodeOrRecovery
          control={control}
          codeName="code"
          recoveryName="recoveryCode"
          label={ACCOUNT_TEXTS.code}
          usesRecovery={usesRecovery}
          onChangeWay={changeWay}
        />
      )}
      {hasCode && hasQuestion && <p className={styles['or']}>{ACCOUNT_TEXTS.secureOr}</p>}
      {hasQuestion && (
        <>
          <SelectInput
            control={control}
            name="questionId"
            label={ACCOUNT_TEXTS.question}
            placeholder={ACCOUNT_TEXTS.questionPlaceholder}
            options={questions.map(({ id, question }) => ({ value: id, label: question }))}
          />
          <TextInput control={control} name="answer" label={ACCOUNT_TEXTS.answer} autoComplete="off" />
        </>
      )}
      <FormActions>
        <SecureSubmit control={control} busy={login.isPending} ways={{ hasCode, hasQuestion }} />
      </FormActions>
    </Form>
  )
}

function SecureSubmit({
  control,
  busy,
  ways: { hasCode, hasQuestion },
}: {
  control: Control<LoginSecureValues>
  busy: boolean
  ways: Pick<LoginSecureFormProps, 'hasCode' | 'hasQuestion'>
}) {
  const isComplete = useWatch({ control, compute: isSecondStepComplete })
  const { code, question } = ACCOUNT_TEXTS.secureNeeds
  const ways = [...(hasCode ? [code] : []), ...(hasQuestion ? [question] : [])].join(' or ')
  return (
    <SubmitButton control={control} rules={loginSecureRules} busy={busy} alsoNeeded={isComplete ? '' : ways}>
      {ACCOUNT_TEXTS.submit}
    </SubmitButton>
  )
}

function TimeLeft({ expiresAt }: { expiresAt: number }) {
  const time = useClockValue((now) => minutesAndSeconds(expiresAt, now))
  return (
    <p className={styles['time']} role="timer">
      <ClockIcon size={20} />
      {ACCOUNT_TEXTS.secureTimeLeft(time)}
    </p>
  )
}
