import { useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { MouseEvent } from 'react'
import { CloseIcon } from '@fairball/ui/basic-icons.tsx'
import { LinkButton } from '@fairball/ui/button.tsx'
import { Anchor } from '@fairball/ui/link.tsx'
import { Wordmark } from '@fairball/ui/wordmark.tsx'
import { useConfig } from '../../shared/config.ts'
import { paths } from '../../shared/paths.ts'
import { useSession } from '../../shared/session/use-session.ts'
import { siteLinks } from './site-links.ts'
import styles from './mobile-menu.module.css'

/** Props of the menu. */
export interface MobileMenuProps {
  /** Removes the menu. */
  onClose: () => void
}

/**
 * The menu of narrow screens: all pages for which the bars have no room. It is the browser's own modal dialog: the page
 * behind cannot be reached, Escape and a phone's back gesture close it. Following a link closes it too, and so does
 * going back.
 */
export function MobileMenu({ onClose }: MobileMenuProps) {
  const { siteName, logo, content } = useConfig()
  const { status } = useSession()
  const { pathname, href } = useLocation()
  const dialog = useRef<HTMLDialogElement>(null)
  const openedAt = useRef(href)

  useEffect(() => {
    const { current } = dialog
    current?.showModal()
    // If React removed it while open, the page behind it would stay out of reach.
    return () => current?.close()
  }, [])

  useEffect(() => {
    if (href !== openedAt.current) onClose()
  }, [href, onClose])

  // The area around the sheet belongs to the dialog's element.
  const closeOutside = ({ target, currentTarget }: MouseEvent) => {
    if (target === currentTarget) onClose()
  }

  return (
    <dialog ref={dialog} className={styles['menu']} aria-label="Menu" onClose={onClose} onClick={closeOutside}>
      <div className={styles['sheet']}>
        <div className={styles['head']}>
          <Wordmark name={siteName} logo={logo} />
          <button type="button" className={styles['close']} aria-label="Close the menu" onClick={onClose}>
            <CloseIcon />
          </button>
        </div>
        <Anchor
          href={paths.winnersAndGoodCauses()}
          className={styles['link']}
          aria-current={pathname === paths.winnersAndGoodCauses() ? 'page' : undefined}
        >
          Winners & Good Causes
        </Anchor>
        {siteLinks(content).map(({ name, links }) => (
          <nav key={name} aria-label={name}>
            <h2 className={styles['title']}>{name}</h2>
            <ul>
              {links.map((link) => (
                <li key={link.href}>
                  <Anchor
                    href={link.href}
                    target={link.target}
                    className={styles['link']}
                    aria-current={pathname === link.href ? 'page' : undefined}
                    // The page that is open already: nothing else would close the menu.
                    onClick={pathname === link.href ? onClose : undefined}
                  >
                    {link.name}
                  </Anchor>
                </li>
              ))}
            </ul>
          </nav>
        ))}
        {status !== 'player' && (
          <div className={styles['account']}>
            <LinkButton href={paths.openAccount(href)} variant="secondary" block>
              Open an account
            </LinkButton>
            <LinkButton href={paths.login(href)} block>
              LOG IN
            </LinkButton>
          </div>
        )}
      </div>
    </dialog>
  )
}
