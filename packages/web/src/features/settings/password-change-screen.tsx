import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ReadOnlyField } from '../../ui/field.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { PasswordChangeForm } from './components/password-change-form.tsx'
import { SETTINGS_TEXTS } from './messages.ts'
import { useEditing } from './use-editing.ts'

/** Changes the password: Change opens the form, saving closes it and clears its fields. */
export function PasswordChangeScreen(_props: object) {
  const editing = useEditing()
  const change = (
    <Button variant="soft" size="small" autoFocus={editing.hasLeft} onClick={editing.edit}>
      {SETTINGS_TEXTS.change}
    </Button>
  )
  return (
    <>
      <PageTitle>{SETTINGS_TEXTS.passwordTitle}</PageTitle>
      <Card
        title={SETTINGS_TEXTS.passwordCard}
        lead={SETTINGS_TEXTS.passwordLead}
        actions={editing.isEditing ? undefined : change}
      >
        {editing.hasSaved && (
          <Banner kind="success" live>
            {SETTINGS_TEXTS.passwordChanged}
          </Banner>
        )}
        {editing.isEditing ? (
          <PasswordChangeForm onCancel={editing.cancel} onSaved={editing.saved} />
        ) : (
          <ReadOnlyField label={SETTINGS_TEXTS.password}>{SETTINGS_TEXTS.passwordHidden}</ReadOnlyField>
        )}
      </Card>
    </>
  )
}
