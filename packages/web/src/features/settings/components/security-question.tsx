import { Banner } from '../../../ui/banner.tsx'
import { Card } from '../../../ui/card.tsx'
import { LoadFailed } from '../../../ui/empty-state.tsx'
import { ReadOnlyField } from '../../../ui/field.tsx'
import { Loading, Skeleton } from '../../../ui/skeleton.tsx'
import { SETTINGS_TEXTS } from '../messages.ts'
import { useEditing } from '../use-editing.ts'
import { useSecurityQuestion, useSecurityQuestions } from '../use-security.ts'
import { EditButton } from './edit-button.tsx'
import { SecurityQuestionForm } from './security-question-form.tsx'

/** The security question: shown, or being edited. The answer is never shown. */
export function SecurityQuestion() {
  const setting = useSecurityQuestion()
  const questions = useSecurityQuestions()
  const editing = useEditing()
  const isLoaded = setting.data !== undefined && questions.data !== undefined
  const failed = [setting, questions].filter((query) => query.isLoadingError)
  const chosen = questions.data?.find(({ id }) => id === setting.data?.security_question_id)

  return (
    <Card
      title={SETTINGS_TEXTS.questionTitle}
      lead={SETTINGS_TEXTS.questionLead}
      actions={isLoaded ? <EditButton editing={editing} label={SETTINGS_TEXTS.questionEdit} /> : undefined}
    >
      {failed.length > 0 && <LoadFailed onRetry={() => failed.forEach((query) => void query.refetch())} />}
      {failed.length === 0 && !isLoaded && (
        <Loading>
          <Skeleton />
          <Skeleton />
        </Loading>
      )}
      {isLoaded && editing.hasSaved && (
        <Banner kind="success" live>
          {SETTINGS_TEXTS.saved}
        </Banner>
      )}
      {isLoaded && editing.isEditing && (
        <SecurityQuestionForm
          saved={setting.data}
          questions={questions.data.map(({ id, question }) => ({ value: id, label: question }))}
          onCancel={editing.cancel}
          onSaved={editing.saved}
        />
      )}
      {isLoaded && !editing.isEditing && (
        <div>
          <ReadOnlyField label={SETTINGS_TEXTS.state}>
            {setting.data.is_active ? SETTINGS_TEXTS.on : SETTINGS_TEXTS.off}
          </ReadOnlyField>
          {setting.data.is_active && (
            <ReadOnlyField label={SETTINGS_TEXTS.question}>{chosen?.question ?? SETTINGS_TEXTS.notSet}</ReadOnlyField>
          )}
        </div>
      )}
    </Card>
  )
}
