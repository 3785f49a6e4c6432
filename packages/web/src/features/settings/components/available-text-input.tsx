import { useController } from 'react-hook-form'
import type { Control } from 'react-hook-form'
import { ERROR_TEXTS } from '@fairball/domain/errors'
import { TextField } from '@fairball/ui/field.tsx'
import type { TextAttributes } from '@fairball/ui/field.tsx'
import { SETTINGS_TEXTS } from '../messages.ts'
import type { Availability, PersonalDetailsValues } from '../use-personal-details.ts'
import styles from './available-text-input.module.css'

/** Props of {@link AvailableTextInput}. */
type AvailableTextInputProps = TextAttributes & {
  control: Control<PersonalDetailsValues>
  name: 'username' | 'email'
  label: string
  availability: Availability
}

/** A username or email address in the form, with the server's answer whether it is available. */
export function AvailableTextInput({ control, name, label, availability, ...attributes }: AvailableTextInputProps) {
  const { field, fieldState } = useController({ control, name })
  const taken =
    availability === 'taken' ? ERROR_TEXTS[name === 'username' ? 'USERNAME_OCCUPIED' : 'EMAIL_OCCUPIED'] : undefined
  return (
    <TextField
      {...attributes}
      {...field}
      label={label}
      error={fieldState.error?.message ?? taken}
      hint={
        <span role="status" className={styles['status']} data-availability={availability}>
          {statusText(name, availability)}
        </span>
      }
    />
  )
}

function statusText(name: 'username' | 'email', availability: Availability): string {
  if (availability === 'asking') return SETTINGS_TEXTS.checking
  if (availability === 'free') return name === 'username' ? SETTINGS_TEXTS.usernameFree : SETTINGS_TEXTS.emailFree
  return ''
}
