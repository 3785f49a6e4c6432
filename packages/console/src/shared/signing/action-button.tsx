import type { ReactNode } from 'react'
import { Button } from '@fairball/ui/button.tsx'
import { useMay } from './may.ts'
import { useSigning } from './signing.ts'
import styles from './signing.module.css'

/** Props of {@link ActionButton}. */
interface ActionButtonProps {
  kind: string
  args: Readonly<Record<string, unknown>>
  variant?: 'primary' | 'secondary' | 'soft' | 'danger'
  /** What it is about, for assistive technology, where a page has several. */
  label?: string
  children: ReactNode
}

/**
 * Starts a request. A person without a role for it sees the button disabled, and why; nothing is shown for what this
 * console cannot do.
 */
export function ActionButton({ kind, args, variant = 'secondary', label, children }: ActionButtonProps) {
  const may = useMay(kind, args)
  const signing = useSigning()
  if (!may.isKnown) return null
  return (
    <span className={styles['action']}>
      <Button
        size="small"
        variant={variant}
        disabled={!may.isAllowed}
        aria-label={label}
        onClick={() => signing.propose(kind, args)}
      >
        {children}
      </Button>
      {!may.isAllowed && <span className={styles['why']}>{may.why}</span>}
    </span>
  )
}
