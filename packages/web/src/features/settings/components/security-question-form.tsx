import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { choiceProblem, currentPasswordProblem, securityAnswerProblem } from '@fairball/domain/validation'
import { SaveForm } from '../../../shared/forms/save-form.tsx'
import { useSession } from '../../../shared/session/use-session.ts'
import type { SelectOption } from '@fairball/ui/field.tsx'
import { PasswordInput, SelectInput, TextInput, ToggleInput, useSchemaForm } from '@fairball/ui/form.tsx'
import { formRules } from '@fairball/ui/form-rules.ts'
import { SETTINGS_TEXTS } from '../messages.ts'
import { isLoginLate, useSaveSecurityQuestion } from '../use-security.ts'
import type { SecurityQuestionSetting, SecurityQuestionValues } from '../use-security.ts'

/** Props of {@link SecurityQuestionForm}. */
interface SecurityQuestionFormProps {
  saved: SecurityQuestionSetting
  questions: readonly SelectOption[]
  onCancel: () => void
  onSaved: () => void
}

const FIELD_OF = {
  INVALID_SECURITY_QUESTION: 'questionId',
  INVALID_SECURITY_ANSWER: 'answer',
  INVALID_CREDENTIALS: 'password',
  security_question_id: 'questionId',
  answer: 'answer',
} as const

/**
 * Question and answer count only while the question is active (specification, section 5). The saved answer is never
 * returned: an empty one represents it while nothing else has changed.
 */
function questionRules(saved: SecurityQuestionValues, isPasswordAsked: boolean) {
  const names = {
    isActive: SETTINGS_TEXTS.questionActive,
    questionId: SETTINGS_TEXTS.question,
    answer: SETTINGS_TEXTS.answer,
    password: SETTINGS_TEXTS.password,
  }
  return formRules<SecurityQuestionValues>(names, ({ isActive, questionId, answer, password }) => {
    const proof = { password: isPasswordAsked ? currentPasswordProblem(password) : null }
    const isUnchanged = saved.isActive && questionId === saved.questionId && answer === ''
    if (!isActive || isUnchanged) return proof
    return { ...proof, questionId: choiceProblem(questionId), answer: securityAnswerProblem(answer) }
  })
}

/** Switches the security question on or off, and chooses question and answer. Half an hour after the login it asks for the password as well. */
export function SecurityQuestionForm({ saved, questions, onCancel, onSaved }: SecurityQuestionFormProps) {
  const saving = useSaveSecurityQuestion()
  const { profile } = useSession()
  const [isPasswordAsked, setIsPasswordAsked] = useState(false)
  const isLate = isLoginLate(saving.error)
  const isSocial = profile?.is_social_account === true
  if (isLate && !isSocial && !isPasswordAsked) setIsPasswordAsked(true)
  const values = { isActive: saved.is_active, questionId: saved.security_question_id ?? 0, answer: '', password: '' }
  const rules = questionRules(values, isPasswordAsked)
  const { control, handleSubmit, setError } = useSchemaForm<SecurityQuestionValues>(rules, values)
  const isActive = useWatch({ control, name: 'isActive' })

  return (
    <SaveForm
      control={control}
      rules={rules}
      handleSubmit={handleSubmit}
      setError={setError}
      saving={saving}
      fieldOf={FIELD_OF}
      proofField="password"
      onCancel={onCancel}
      onSaved={onSaved}
    >
      <ToggleInput control={control} name="isActive" label={SETTINGS_TEXTS.questionActive} />
      {isActive && (
        <>
          <SelectInput
            control={control}
            name="questionId"
            label={SETTINGS_TEXTS.question}
            placeholder={SETTINGS_TEXTS.questionPlaceholder}
            options={questions}
          />
          <TextInput
            control={control}
            name="answer"
            label={SETTINGS_TEXTS.answer}
            hint={saved.is_active ? SETTINGS_TEXTS.answerKept : undefined}
            autoComplete="off"
          />
        </>
      )}
      {isLate && isSocial && <p>{SETTINGS_TEXTS.questionNeedsLogin}</p>}
      {isPasswordAsked && (
        <PasswordInput
          control={control}
          name="password"
          label={SETTINGS_TEXTS.password}
          hint={SETTINGS_TEXTS.twofaPassword}
          autoComplete="current-password"
          autoFocus
        />
      )}
    </SaveForm>
  )
}
