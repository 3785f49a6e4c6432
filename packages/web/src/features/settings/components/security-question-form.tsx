import { useWatch } from 'react-hook-form'
import { choiceProblem, securityAnswerProblem } from '@fairball/domain/validation'
import type { SelectOption } from '../../../ui/field.tsx'
import { SelectInput, TextInput, ToggleInput, useSchemaForm } from '../../../ui/form.tsx'
import { formRules } from '../../../ui/form-rules.ts'
import { SETTINGS_TEXTS } from '../messages.ts'
import { useSaveSecurityQuestion } from '../use-security.ts'
import type { SecurityQuestionSetting, SecurityQuestionValues } from '../use-security.ts'
import { SaveForm } from './save-form.tsx'

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
          <TextInput control={control} name="answer" label={SETTINGS_TEXTS.answer} autoComplete="off" />
        </>
      )}
    </SaveForm>
  )
}
