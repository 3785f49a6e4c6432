import { useEffect, useRef, useState } from 'react'
import { TextField } from './field.tsx'
import type { FieldLook, TextControl } from './field.tsx'
import { IconButton } from './icon-button.tsx'
import { EyeIcon, EyeOffIcon } from './icons.tsx'
import { useTimers } from './timers.tsx'

/** Time for which a password stays readable, in ms (specification, section 9). */
const REVEAL_MS = 5000

/** A password, controlled by its owner, with an eye that shows it for 5 seconds. In a form use `PasswordInput`. */
export function PasswordField({
  autoComplete,
  ...field
}: FieldLook & TextControl & { autoComplete: 'current-password' | 'new-password'; autoFocus?: boolean }) {
  const [shown, setShown] = useState(false)
  const timers = useTimers()
  const cancel = useRef<() => void>(null)
  useEffect(() => () => cancel.current?.(), [])

  const toggle = () => {
    cancel.current?.()
    if (!shown) cancel.current = timers.after(REVEAL_MS, () => setShown(false))
    setShown(!shown)
  }

  return (
    <TextField
      {...field}
      type={shown ? 'text' : 'password'}
      autoComplete={autoComplete}
      autoCapitalize="none"
      spellCheck={false}
      end={
        <IconButton
          label={shown ? 'Hide password' : 'Show password'}
          icon={shown ? <EyeOffIcon size={20} /> : <EyeIcon size={20} />}
          onClick={toggle}
        />
      }
    />
  )
}
