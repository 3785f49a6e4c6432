import { Outlet, useLocation, useRouterState } from '@tanstack/react-router'
import { classNames } from '@fairball/ui/class-names.ts'
import { Anchor } from '@fairball/ui/link.tsx'
import { LinkTabs } from '@fairball/ui/link-tabs.tsx'
import { PageTitle } from '@fairball/ui/page-title.tsx'
import { SkeletonRows } from '@fairball/ui/skeleton.tsx'
import { useFirstView } from '../../shared/first-view.ts'
import { paths } from '../../shared/paths.ts'
import { useSession } from '../../shared/session/use-session.ts'
import styles from './settings-layout.module.css'
import { WithoutScripts } from './without-scripts.tsx'

interface Entry {
  href: string
  name: string
}

interface Group {
  name: string
  entries: Entry[]
}

/** The settings' navigation around their pages: a menu at the side above 1023 px, bars of tabs below. */
export function SettingsLayout() {
  const { profile } = useSession()
  const { pathname } = useLocation()
  const groups = groupsFor(profile?.is_social_account ?? false)
  const isCurrent = (entry: Entry) => pathname === entry.href || pathname.startsWith(`${entry.href}/`)
  const group = groups.find((candidate) => candidate.entries.some(isCurrent))
  const isWaiting = useRouterState({ select: ({ matches }) => matches.at(-1)?.status === 'pending' })

  return (
    <div className={styles['layout']} data-foot="slim">
      <nav aria-label="Settings" className={styles['side']}>
        {groups.map(({ name, entries }) => (
          <div key={name} className={styles['group']}>
            <h2 className={styles['name']}>{name}</h2>
            <ul>
              {entries.map((entry) => (
                <li key={entry.href}>
                  <Anchor
                    href={entry.href}
                    className={classNames(styles['link'])}
                    aria-current={isCurrent(entry) ? 'page' : undefined}
                  >
                    {entry.name}
                  </Anchor>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <div className={styles['tabs']}>
        <LinkTabs
          label="Settings groups"
          tabs={groups.map(({ name, entries }) => ({
            name,
            href: entries[0]?.href ?? paths.home(),
            current: name === group?.name,
          }))}
        />
        {group !== undefined && (
          <LinkTabs
            label={group.name}
            tabs={group.entries.map((entry) => ({ ...entry, current: isCurrent(entry) }))}
            className={styles['second']}
          />
        )}
      </div>
      <div className={styles['page']}>
        {isWaiting ? <PageToCome title={group?.entries.find(isCurrent)?.name} /> : <Outlet />}
      </div>
    </div>
  )
}

/** A page that is not there yet: the browser knows who is signed in, and not the server. */
function PageToCome({ title }: { title: string | undefined }) {
  useFirstView()
  return (
    <>
      {/* React ignores content that a browser with scripts does not show: only the server needs the words. */}
      <noscript>{import.meta.env.SSR && <WithoutScripts />}</noscript>
      <PageTitle>{title}</PageTitle>
      <SkeletonRows rows={5} />
    </>
  )
}

/** Accounts that sign in through a social network have no password to change. */
function groupsFor(isSocialAccount: boolean): Group[] {
  const passwordChange = { href: paths.passwordChange(), name: 'Password change' }
  return [
    {
      name: 'General',
      entries: [
        { href: paths.tickets(), name: 'My tickets' },
        { href: paths.myGames(), name: 'My games' },
        { href: paths.messages(), name: 'Messages' },
      ],
    },
    {
      name: 'Profile & Settings',
      entries: [
        { href: paths.personalDetails(), name: 'Personal details' },
        { href: paths.security(), name: 'Security' },
        ...(isSocialAccount ? [] : [passwordChange]),
        { href: paths.emailPreferences(), name: 'Email preferences' },
        { href: paths.responsiblePlay(), name: 'Responsible play' },
        { href: paths.personalData(), name: 'Personal data' },
      ],
    },
    {
      name: 'Funds & Payments',
      entries: [
        { href: paths.balance(), name: 'Balance' },
        { href: paths.transactions(), name: 'Transaction history' },
        { href: paths.cryptoAccount(), name: 'Crypto account details' },
      ],
    },
  ]
}
