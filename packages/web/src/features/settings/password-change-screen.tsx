import { EditableCard } from '../../shared/forms/editable-card.tsx'
import { ReadOnlyField } from '@fairball/ui/field.tsx'
import { PageTitle } from '@fairball/ui/page-title.tsx'
import { PasswordChangeForm } from './components/password-change-form.tsx'
import { SETTINGS_TEXTS } from './messages.ts'

/** Changes the password: Change opens the form, saving closes it and clears its fields. */
export function PasswordChangeScreen(_props: object) {
  return (
    <>
      <PageTitle>{SETTINGS_TEXTS.passwordTitle}</PageTitle>
      <EditableCard
        title={SETTINGS_TEXTS.passwordCard}
        lead={SETTINGS_TEXTS.passwordLead}
        editText={SETTINGS_TEXTS.change}
        editLabel={SETTINGS_TEXTS.changePassword}
        savedText={SETTINGS_TEXTS.passwordChanged}
        renderForm={(moves) => <PasswordChangeForm onCancel={moves.cancel} onSaved={moves.saved} />}
      >
        <ReadOnlyField label={SETTINGS_TEXTS.password}>{SETTINGS_TEXTS.passwordHidden}</ReadOnlyField>
      </EditableCard>
    </>
  )
}
