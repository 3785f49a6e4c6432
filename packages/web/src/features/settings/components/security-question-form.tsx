import { useWatch } from 'react-hook-form'
import { choiceProblem, securityAnswerProblem } from '@fairball/domain/validation'
import { SaveForm } from '../../../app/forms/save-form.tsx'
import type { SelectOption } from '../../../ui/field.tsx'
import { SelectInput, TextInput, ToggleInput, useSchemaForm } from '../../../ui/form.tsx'
import { formRules } from '../../../ui/form-rules.ts'
import { SETTINGS_TEXTS } from '../messages.ts'
import { useSaveSecurityQuestion } from '../use-security.ts'
import type { SecurityQuestionSetting, SecurityQuestionValues } from '../use-security.ts'

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

/**
 * Question and answer count only while the question is active (specification, section 5). The saved answer is never given back: an empty
 * one stands for it as long as nothing else has changed.
 */
function questionRules(saved: SecurityQuestionValues) {
  return formRules<SecurityQuestionValues>(({ isActive, questionId, answer }) => {
    const isUnchanged = saved.isActive && questionId === saved.questionId && answer === ''
    if (!isActive || isUnchanged) return {}
    return { questionId: choiceProblem(questionId), answer: securityAnswerProblem(answer) }
  })
}

/** Switches the security question on or off, and chooses question and answer. */
export function SecurityQuestionForm({ saved, questions, onCancel, onSaved }: SecurityQuestionFormProps) {
  const saving = useSaveSecurityQuestion()
  const values = { isActive: saved.is_active, questionId: saved.security_question_id ?? 0, answer: '' }
  const { control, handleSubmit, setError } = useSchemaForm<SecurityQuestionValues>(questionRules(values), values)
  const isActive = useWatch({ control, name: 'isActive' })

  return (
    <SaveForm
      control={control}
      handleSubmit={handleSubmit}
      setError={setError}
      saving={saving}
      fieldOf={FIELD_OF}
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
    </SaveForm>
  )
}
