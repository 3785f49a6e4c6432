import { useId, useState } from 'react'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { ChevronDownIcon } from './basic-icons.tsx'
import styles from './disclosure.module.css'

/** Props of {@link Disclosure}. */
interface DisclosureProps {
  /** The label of the button that opens and closes it. */
  title: ReactNode
  /** Stays visible beside the title when closed: a tag, a date. */
  aside?: ReactNode
  /** Open at first. Ignored if `isOpen` is given. */
  startsOpen?: boolean
  /** Controls the state from outside; needs `onToggle`. */
  isOpen?: boolean
  onToggle?: (isOpen: boolean) => void
  /** Its content is on paper even while it is closed. */
  isPrinted?: boolean
  /** Heading level around the button; no heading by default. */
  level?: 2 | 3 | 4
  children: ReactNode
  className?: string | undefined
}

/** A row that opens its content. */
export function Disclosure({
  title,
  aside,
  startsOpen = false,
  isOpen,
  onToggle,
  isPrinted = false,
  level,
  children,
  className,
}: DisclosureProps) {
  const [ownOpen, setOwnOpen] = useState(startsOpen)
  const panelId = useId()
  const open = isOpen ?? ownOpen
  const toggle = () => {
    setOwnOpen(!open)
    onToggle?.(!open)
  }
  const button = (
    <button type="button" className={styles['button']} aria-expanded={open} aria-controls={panelId} onClick={toggle}>
      <span className={styles['title']}>{title}</span>
      {aside}
      <span className={styles['chevron']}>
        <ChevronDownIcon size={20} />
      </span>
    </button>
  )
  const Heading = level === undefined ? 'div' : (`h${level}` as const)
  return (
    <div className={classNames(styles['disclosure'], className)}>
      <Heading className={styles['heading']}>{button}</Heading>
      <div id={panelId} className={styles['panel']} hidden={!open} data-printed={isPrinted || undefined}>
        {children}
      </div>
    </div>
  )
}
