import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { classNames } from './class-names.ts'
import styles from './icon-button.module.css'

/** Props of {@link IconButton}: its label, the icon, and everything a native button takes. */
type IconButtonProps = {
  /** Its action in words: the accessible name and the tooltip. */
  label: string
  icon: ReactNode
  /** `plain` shows a background only when pointed at, `soft` always. Default `plain`. */
  variant?: 'plain' | 'soft'
} & ButtonHTMLAttributes<HTMLButtonElement>

/** A round button with only an icon, 44 px. */
export function IconButton({ label, icon, variant = 'plain', className, ...button }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...button}
      className={classNames(styles['button'], styles[variant], className)}
    >
      {icon}
    </button>
  )
}
