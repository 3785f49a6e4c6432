import { useEffect, useId, useRef, useState } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { classNames } from '@fairball/ui/class-names.ts'
import { ChevronDownIcon } from '@fairball/ui/basic-icons.tsx'
import styles from './menu.module.css'

/**
 * A list of links that a button opens below itself: navigation, not an ARIA menu, so Tab moves through it as through any links. The arrow keys do
 * too, and open it. It closes with Escape, by following a link, and when the focus or a press goes elsewhere.
 */
export function Menu({
  name,
  soft = false,
  end = false,
  children,
}: {
  name: ReactNode
  /** Drawn as a soft button. */
  soft?: boolean
  /** The list lines up with the button's right edge. */
  end?: boolean
  children: ReactNode
}) {
  const [isOpen, setIsOpen] = useState(false)
  const listId = useId()
  const root = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)

  useEffect(() => {
    if (!isOpen) return
    const closeOutside = (event: Event) => {
      if (event.target instanceof Node && root.current?.contains(event.target) === true) return
      setIsOpen(false)
    }
    document.addEventListener('pointerdown', closeOutside)
    document.addEventListener('focusin', closeOutside)
    return () => {
      document.removeEventListener('pointerdown', closeOutside)
      document.removeEventListener('focusin', closeOutside)
    }
  }, [isOpen])

  const moveByKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && isOpen) {
      setIsOpen(false)
      button.current?.focus()
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined || (step < 0 && !isOpen)) return
    event.preventDefault()
    // A link can take the focus only once it is visible.
    flushSync(() => setIsOpen(true))
    const stops = [...(root.current?.querySelectorAll<HTMLElement>('button, a') ?? [])]
    stops[stops.findIndex((stop) => stop === document.activeElement) + step]?.focus()
  }

  return (
    <div ref={root} className={styles['menu']} onKeyDown={moveByKey}>
      <button
        ref={button}
        type="button"
        className={classNames(styles['button'], soft && styles['soft'])}
        aria-expanded={isOpen}
        aria-controls={listId}
        onClick={() => setIsOpen(!isOpen)}
      >
        {name}
        <ChevronDownIcon size={18} />
      </button>
      <ul
        id={listId}
        hidden={!isOpen}
        className={classNames(styles['list'], end && styles['end'])}
        onClick={() => setIsOpen(false)}
      >
        {children}
      </ul>
    </div>
  )
}

/** An entry of a {@link Menu}: one link or button inside. */
export function MenuItem({ children }: { children: ReactNode }) {
  return <li className={styles['item']}>{children}</li>
}
