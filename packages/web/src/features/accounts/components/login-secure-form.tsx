import { useState } from 'react'
import { minutesAndSeconds } from '@fairball/domain/countdown'
import { errorText } from '../../../app/api.ts'
import { useClockValue } from '../../../app/clock.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { CodeInput, Form, FormActions, SelectInput, TextInput, useSchemaForm } from '../../../ui/form.tsx'
import { ClockIcon } from '../../../ui/icons.tsx'
import { loginSecureRules } from '../account-rules.ts'
import type { LoginSecureValues } from '../account-rules.ts'
import { ACCOUNT_TEXTS } from '../messages.ts'
import { useLoginSecure, useSecurityQuestions } from '../use-accounts.ts'
import styles from './login-secure-form.module.css'

/** Props of {@link LoginSecureForm}. */
export interface LoginSecureFormProps {
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
  const { control, handleSubmit, resetField } = useSchemaForm<LoginSecureValues>(loginSecureRules, {
    code: '',
    recoveryCode: '',
    questionId: 0,
    answer: '',
  })
  const send = (values: LoginSecureValues) => login.mutate(values, { onError: () => resetField('code') })
  const changeWay = () => {
    resetField('code')
    resetField('recoveryCode')
    setUsesRecovery(!usesRecovery)
  }

  return (
    <Form onSubmit={handleSubmit(send)}>
      {login.isError && <Banner kind="danger">{errorText(login.error)}</Banner>}
      <TimeLeft expiresAt={expiresAt} />
      {hasCode && (
        <>
          {usesRecovery ? (
            <TextInput
              control={control}
              name="recoveryCode"
              label={ACCOUNT_TEXTS.recoveryCode}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              mono
            />
          ) : (
            <CodeInput control={control} name="code" label={ACCOUNT_TEXTS.code} />
          )}
          <button type="button" className={styles['way']} onClick={changeWay}>
            {usesRecovery ? ACCOUNT_TEXTS.useCode : ACCOUNT_TEXTS.useRecoveryCode}
          </button>
        </>
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
        <Button type="submit" busy={login.isPending} block>
          {ACCOUNT_TEXTS.submit}
        </Button>
      </FormActions>
    </Form>
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
