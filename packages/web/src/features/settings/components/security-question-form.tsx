import { useFormState, useWatch } from 'react-hook-form'
import type { FormEvent } from 'react'
import { choiceProblem, securityAnswerProblem } from '@fairball/domain/validation'
import { Banner } from '../../../ui/banner.tsx'
import type { SelectOption } from '../../../ui/field.tsx'
import { Form, SelectInput, TextInput, ToggleInput, useSchemaForm } from '../../../ui/form.tsx'
import { formRules } from '../../../ui/form-rules.ts'
import { SETTINGS_TEXTS } from '../messages.ts'
import { fieldErrorsOf, saveErrorText } from '../save-errors.ts'
import { useSaveSecurityQuestion } from '../use-security.ts'
import type { SecurityQuestionSetting, SecurityQuestionValues } from '../use-security.ts'
import { SaveActions } from './save-actions.tsx'

/** Props of {@link SecurityQuestionForm}. */
export interface SecurityQuestionFormProps {
  saved: SecurityQuestionSetting
  questions: readonly SelectOption[]
  onCancel: () => void
  onSaved: () => void
}

const FIELD_OF = {
  INVALID_SECURITY_QUESTION: 'questionId',
  INVALID_SECURITY_ANSWER: 'answer',
  security_question_id: 'questionId',
  answer: 'answer',
} as const

/** Question and answer count only while the question is active (specification, section 5). */
const RULES = formRules<SecurityQuestionValues>(({ isActive, questionId, answer }) =>
  isActive ? { questionId: choiceProblem(questionId), answer: securityAnswerProblem(answer) } : {},
)

/** Switches the security question on or off, and chooses question and answer. */
export function SecurityQuestionForm({ saved, questions, onCancel, onSaved }: SecurityQuestionFormProps) {
  const saving = useSaveSecurityQuestion()
  const { control, handleSubmit, setError } = useSchemaForm<SecurityQuestionValues>(RULES, {
    isActive: saved.is_active,
    questionId: saved.security_question_id ?? 0,
    answer: '',
  })
  const { isDirty } = useFormState({ control })
  const isActive = useWatch({ control, name: 'isActive' })

  const save = (values: SecurityQuestionValues) =>
    saving.mutate(values, {
      onSuccess: onSaved,
      onError: (error) => {
        for (const [name, message] of fieldErrorsOf(error, FIELD_OF)) setError(name, { message })
      },
    })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isDirty) void handleSubmit(save)(event)
    else onCancel()
  }

  return (
    <Form onSubmit={submit}>
      {saving.isError && <Banner kind="danger">{saveErrorText(saving.error)}</Banner>}
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
          <TextInput control={control} name="answer" label={SETTINGS_TEXTS.answer} autoComplete="off" />
        </>
      )}
      <SaveActions control={control} busy={saving.isPending} onCancel={onCancel} />
    </Form>
  )
}
