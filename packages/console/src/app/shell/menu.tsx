import { useState } from 'react'
import { ChevronDownIcon } from '@fairball/ui/basic-icons.tsx'
import { Anchor } from '@fairball/ui/link.tsx'
import { useRead } from '../../shared/api.ts'
import { usePlace } from '../../shared/navigation.tsx'
import { useWaitsForMe } from '../../shared/waiting.ts'
import { MENU } from './menu-items.ts'
import styles from './shell.module.css'

/** The pages of the console. Where there is no room beside the page, a button opens them. */
export function Menu() {
  const { path } = usePlace()
  const [openAt, setOpenAt] = useState<string | null>(null)
  const isOpen = openAt === path
  const current = MENU.find(({ href }) => isAt(path, href))
  return (
    <nav aria-label="Console" className={styles['nav']}>
      <button
        type="button"
        className={styles['menuButton']}
        aria-expanded={isOpen}
        aria-controls="console-pages"
        onClick={() => setOpenAt(isOpen ? null : path)}
      >
        <span>Menu{current === undefined ? '' : `: ${current.name}`}</span>
        <ChevronDownIcon size={20} />
      </button>
      <ul id="console-pages" className={styles['pages']} data-open={isOpen || undefined}>
        {MENU.map(({ href, name }) => (
          <li key={href}>
            <Anchor href={href} className={styles['page']} aria-current={isAt(path, href) ? 'page' : undefined}>
              {name}
              {href === '/inbox' && <Waiting />}
            </Anchor>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function isAt(path: string, href: string): boolean {
  return path === href || (href !== '/' && path.startsWith(`${href}/`))
}

/** How many requests wait for this person's signature. */
function Waiting() {
  const waitsForMe = useWaitsForMe()
  const { data } = useRead('listRequests', { query: { state: 'proposed' } }, { isRenewed: true })
  const count = data?.results.filter(waitsForMe).length ?? 0
  if (count === 0) return null
  return <span className={styles['count']}>{count} waiting</span>
}
