import { Button } from '../../../ui/button.tsx'
import { PencilIcon } from '../../../ui/icons.tsx'
import { SETTINGS_TEXTS } from '../messages.ts'
import type { Editing } from '../use-editing.ts'

/** Opens a settings form. After Save and Cancel the focus comes back here. */
export function EditButton({
  editing,
  label,
}: {
  editing: Editing
  /** What is edited, for assistive technology. */ label?: string
}) {
  if (editing.isEditing) return null
  return (
    <Button
      variant="soft"
      size="small"
      icon={<PencilIcon size={18} />}
      aria-label={label}
      autoFocus={editing.hasLeft}
      onClick={editing.edit}
    >
      {SETTINGS_TEXTS.edit}
    </Button>
  )
}
