import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { Anchor } from './link.tsx'
import styles from './link-tabs.module.css'

/** A tab: an address and its name. */
interface LinkTab {
  href: string
  name: string
  current: boolean
  icon?: ReactNode
}

/**
 * Tabs that change the address. They are links, so they open in a new tab and come back with the back button. If there
 * is no room for all of them, the current one is scrolled into view.
 */
export function LinkTabs({
  label,
  tabs,
  className,
}: {
  label: string
  tabs: readonly LinkTab[]
  className?: string | undefined
}) {
  const current = tabs.find((tab) => tab.current)?.href
  const nav = useRef<HTMLElement>(null)
  useEffect(() => {
    const bar = nav.current
    if (bar === null) return
    // It calls before the first paint, when the layout is known without another one, and when a phone is rotated.
    const width = new ResizeObserver(() => scrollToCurrent(bar))
    width.observe(bar)
    return () => width.disconnect()
  }, [current])
  return (
    <nav ref={nav} aria-label={label} className={classNames(styles['nav'], className)}>
      <ul className={styles['tabs']}>
        {tabs.map((tab) => (
          <li key={tab.href}>
            <Anchor href={tab.href} className={styles['tab']} aria-current={tab.current ? 'page' : undefined}>
              {tab.icon}
              {tab.name}
            </Anchor>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** Scrolls only the bar of tabs; the page does not move. */
function scrollToCurrent(nav: HTMLElement): void {
  const tab = nav.querySelector('[aria-current]')
  if (tab === null) return
  const [bar, place] = [nav.getBoundingClientRect(), tab.getBoundingClientRect()]
  nav.scrollLeft += place.left + place.width / 2 - (bar.left + bar.width / 2)
}
