import { useRef, useState } from 'react'
import type { ComponentType } from 'react'
import { MenuIcon } from '@fairball/ui/basic-icons.tsx'
import type { MobileMenuProps } from './mobile-menu.tsx'
import styles from './top-bar.module.css'

// Fetched when the button is pointed at or focused.
const load = () => import('./mobile-menu.tsx')

/** Opens the menu of narrow screens. Without a connection it leads to the foot of the page, where the same links are. */
export function MobileMenuButton() {
  const [Sheet, setSheet] = useState<ComponentType<MobileMenuProps> | null>(null)
  const button = useRef<HTMLButtonElement>(null)
  const open = async () => {
    try {
      const { MobileMenu } = await load()
      setSheet(() => MobileMenu)
    } catch {
      document.querySelector('footer')?.scrollIntoView()
    }
  }
  const close = () => {
    setSheet(null)
    button.current?.focus()
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        className={styles['more']}
        aria-label="Menu"
        aria-haspopup="dialog"
        aria-expanded={Sheet !== null}
        onPointerEnter={() => void load().catch(() => undefined)}
        onClick={() => void open()}
      >
        <MenuIcon />
      </button>
      {Sheet !== null && <Sheet onClose={close} />}
    </>
  )
}
