import type { ReactNode } from 'react'
import { Banner } from '@fairball/ui/banner.tsx'
import { Button } from '@fairball/ui/button.tsx'
import { Card } from '@fairball/ui/card.tsx'
import { PencilIcon } from '@fairball/ui/icons.tsx'
import { Loading, Skeleton } from '@fairball/ui/skeleton.tsx'
import styles from './editable-card.module.css'
import { FORM_TEXTS } from './messages.ts'
import { useEditing } from './use-editing.ts'
import type { Editing } from './use-editing.ts'

/** Props of {@link EditableCard}. */
interface EditableCardProps {
  title: string
  lead?: ReactNode
  /** The word on the button that opens the form. Default "Edit". */
  editText?: string
  /** The purpose of the button, for assistive technology, if a page has several. */
  editLabel?: string
  /** Whether there is a button that opens the form. Default true. */
  canEdit?: boolean
  /** The notice after saving. Default "Your changes have been saved." */
  savedText?: string
  /** The form, which leaves by these two moves. */
  renderForm: (moves: Pick<Editing, 'cancel' | 'saved'>) => ReactNode
  /** Content under the values and under the form. */
  note?: ReactNode
  /** The saved values, shown while they are not edited. */
  children: ReactNode
}

/** A setting: read-only until Edit is pressed, then a form until Save or Cancel, with a notice after saving (specification, section 4). */
export function EditableCard(props: EditableCardProps) {
  const { title, lead, canEdit = true, savedText = FORM_TEXTS.saved, renderForm, note, children } = props
  const editing = useEditing()
  const editButton = (
    <Button
      variant="soft"
      size="small"
      icon={<PencilIcon size={18} />}
      aria-label={props.editLabel}
      // After Save and Cancel the focus comes back to where it was.
      autoFocus={editing.hasLeft}
      onClick={editing.edit}
    >
      {props.editText ?? FORM_TEXTS.edit}
    </Button>
  )
  return (
    <Card title={title} lead={lead} actions={canEdit && !editing.isEditing ? editButton : undefined}>
      {editing.hasSaved && (
        <Banner kind="success" live>
          {savedText}
        </Banner>
      )}
      {editing.isEditing ? renderForm({ cancel: editing.cancel, saved: editing.saved }) : children}
      {note}
    </Card>
  )
}

/** Props of {@link LoadingCard}. */
interface LoadingCardProps {
  title: string
  lead?: ReactNode
  rows: number
  /** Whether there will be a button that opens the form: the card keeps its room, whose lines depend on the width. */
  canEdit?: boolean
}

/** The place of a setting while it loads. */
export function LoadingCard({ title, lead, rows, canEdit = false }: LoadingCardProps) {
  return (
    <Card title={title} lead={lead} actions={canEdit ? <RoomOfButton /> : undefined}>
      <Loading>
        {Array.from({ length: rows }, (_, row) => (
          <Skeleton key={row} shape="block" className={styles['row']} />
        ))}
      </Loading>
    </Card>
  )
}

function RoomOfButton() {
  return (
    <Button
      variant="soft"
      size="small"
      icon={<PencilIcon size={18} />}
      disabled
      aria-hidden="true"
      className={styles['room']}
    >
      {FORM_TEXTS.edit}
    </Button>
  )
}
