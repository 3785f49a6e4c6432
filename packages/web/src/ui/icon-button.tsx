import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { classNames } from './class-names.ts'
import styles from './icon-button.module.css'

/** Props of {@link IconButton}: the words it stands for, the icon, and everything a native button takes. */
type IconButtonProps = {
  /** What it does, in words: its accessible name and its tooltip. */
  label: string
  icon: ReactNode
  /** `plain` shows a background only when pointed at, `soft` always. Default `plain`. */
  variant?: 'plain' | 'soft'
} & ButtonHTMLAttributes<HTMLButtonElement>

/** A round button with an icon alone, 44 px. */
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
