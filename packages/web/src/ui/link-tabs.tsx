import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { Anchor } from './link.tsx'
import styles from './link-tabs.module.css'

/** A tab: an address and its name. */
export interface LinkTab {
  href: string
  name: string
  current: boolean
  icon?: ReactNode
}

/** Tabs that change the address. They are links, so they open in a new tab and come back with the back button. */
export function LinkTabs({
  label,
  tabs,
  className,
}: {
  label: string
  tabs: readonly LinkTab[]
  className?: string | undefined
}) {
  return (
    <nav aria-label={label} className={classNames(styles['nav'], className)}>
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
