import { EditableCard, LoadingCard } from '../../../shared/forms/editable-card.tsx'
import { Card } from '@fairball/ui/card.tsx'
import { LoadFailed } from '@fairball/ui/empty-state.tsx'
import { ReadOnlyField } from '@fairball/ui/field.tsx'
import { SETTINGS_TEXTS } from '../messages.ts'
import { useSecurityQuestion, useSecurityQuestions } from '../use-security.ts'
import { SecurityQuestionForm } from './security-question-form.tsx'

const HEAD = { title: SETTINGS_TEXTS.questionTitle, lead: SETTINGS_TEXTS.questionLead }

/** The security question: shown, or being edited. The answer is never shown. */
export function SecurityQuestion() {
  const setting = useSecurityQuestion()
  const questions = useSecurityQuestions()
  const saved = setting.data
  if (saved === undefined || questions.data === undefined) {
    const failed = [setting, questions].filter((query) => query.isLoadingError)
    if (failed.length === 0) return <LoadingCard {...HEAD} rows={1} canEdit />
    return (
      <Card {...HEAD}>
        <LoadFailed onRetry={() => failed.forEach((query) => void query.refetch())} />
      </Card>
    )
  }
  const options = questions.data.map(({ id, question }) => ({ value: id, label: question }))
  const chosen = options.find(({ value }) => value === saved.security_question_id)
  return (
    <EditableCard
      {...HEAD}
      editLabel={SETTINGS_TEXTS.questionEdit}
      renderForm={(moves) => (
        <SecurityQuestionForm saved={saved} questions={options} onCancel={moves.cancel} onSaved={moves.saved} />
      )}
    >
      <div>
        <ReadOnlyField label={SETTINGS_TEXTS.state}>
          {saved.is_active ? SETTINGS_TEXTS.on : SETTINGS_TEXTS.off}
        </ReadOnlyField>
        {saved.is_active && (
          <ReadOnlyField label={SETTINGS_TEXTS.question}>{chosen?.label ?? SETTINGS_TEXTS.notSet}</ReadOnlyField>
        )}
      </div>
    </EditableCard>
  )
}
