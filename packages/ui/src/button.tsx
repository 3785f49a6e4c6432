import type { ComponentProps, ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { Anchor } from './link.tsx'
import type { AnchorProps } from './link.tsx'
import { Spinner } from './spinner.tsx'
import styles from './button.module.css'

/** The look of a button. One primary button a view. */
interface ButtonLook {
  /** `primary` ink fill, `secondary` outline, `soft` sunken fill, `danger` a destructive action's outline. Default `primary`. */
  variant?: 'primary' | 'secondary' | 'soft' | 'danger'
  /** 40, 48 or 64 px high. Default `normal`. */
  size?: 'small' | 'normal' | 'hero'
  /** As wide as its container. */
  block?: boolean
  /** Lies on a game's colour, where a button stays ink in both themes. */
  onField?: boolean
  /** An icon before the words. */
  icon?: ReactNode
  /** An icon after the words. */
  iconEnd?: ReactNode
}

/** Props of {@link Button}: its look and everything a native button takes. */
type ButtonProps = ButtonLook & {
  /** Busy: keeps its width, shows a spinner and ignores presses. */
  busy?: boolean
} & ComponentProps<'button'>

/** A button. It is `type="button"` by default. A disabled button needs a sentence nearby that says why. */
export function Button({
  variant,
  size,
  block,
  onField,
  icon,
  iconEnd,
  busy = false,
  className,
  ...button
}: ButtonProps) {
  const look = lookOf({ variant, size, block, onField }, className)
  return (
    <button
      type="button"
      {...button}
      className={look}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={busy ? stop : button.onClick}
    >
      {busy && <Spinner className={styles['spinner']} />}
      <span className={styles['content']}>
        {icon}
        {button.children}
        {iconEnd}
      </span>
    </button>
  )
}

/** A link that looks like a button, for navigation. */
export function LinkButton({
  variant,
  size,
  block,
  onField,
  icon,
  iconEnd,
  className,
  children,
  ...anchor
}: ButtonLook & AnchorProps) {
  return (
    <Anchor {...anchor} className={lookOf({ variant, size, block, onField }, className)}>
      <span className={styles['content']}>
        {icon}
        {children}
        {iconEnd}
      </span>
    </Anchor>
  )
}

interface Look {
  variant: ButtonLook['variant']
  size: ButtonLook['size']
  block: boolean | undefined
  onField: boolean | undefined
}

function lookOf({ variant = 'primary', size = 'normal', block, onField }: Look, className: string | undefined): string {
  return classNames(
    styles['button'],
    styles[variant],
    styles[size],
    block && styles['block'],
    onField && styles['onField'],
    className,
  )
}

// A busy button stays focusable, so that the focus is not lost afterwards, but it neither acts nor submits.
function stop(event: { preventDefault(): void }) {
  event.preventDefault()
}
