import { useLocation } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { PersonIcon } from '../../ui/basic-icons.tsx'
import { Anchor } from '../../ui/link.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { useUnreadMessages } from '../../shared/data/unread-messages.ts'
import { useNavigate } from '../../shared/navigation.tsx'
import { isAuthPage, paths } from '../../shared/paths.ts'
import { useSession } from '../../shared/session/use-session.ts'
import { Menu, MenuItem } from './menu.tsx'
import styles from './account-menu.module.css'

// Not part of the menu, but every page has it for players only, who load this script anyway.
const Reminder = lazy(async () => ({
  default: (await import('../../features/responsible-play/reminder.tsx')).Reminder,
}))
const SealWatcher = lazy(async () => ({
  default: (await import('../../proof/seal-watcher.tsx')).SealWatcher,
}))

/**
 * The menu of the signed-in player, with the reminders they have chosen, and the watch over the seals of their draws.
 */
export default function AccountMenu({ username }: { username: string }) {
  const { signOut } = useSession()
  const navigate = useNavigate()
  const { href, pathname } = useLocation()
  const unread = useUnreadMessages()

  const logOut = async () => {
    await signOut()
    navigate(paths.login(isAuthPage(href) ? undefined : href))
  }

  const entries = [
    { href: paths.tickets(), name: 'My tickets', unread: 0 },
    { href: paths.personalDetails(), name: 'My profile', unread: 0 },
    { href: paths.myGames(), name: 'My games', unread: 0 },
    { href: paths.cryptoAccount(), name: 'Crypto account details', unread: 0 },
    { href: paths.messages(), name: 'Messages', unread },
  ]
  return (
    <>
      <Menu
        soft
        end
        name={
          <>
            <span className={styles['icon']}>
              <PersonIcon size={20} />
            </span>
            <span className={styles['words']}>My account</span>
            <VisuallyHidden>, signed in as {username}</VisuallyHidden>
          </>
        }
      >
        {entries.map((entry) => (
          <MenuItem key={entry.href}>
            <Anchor href={entry.href} aria-current={pathname === entry.href ? 'page' : undefined}>
              {entry.name}
              {entry.unread > 0 && <Unread count={entry.unread} />}
            </Anchor>
          </MenuItem>
        ))}
        <MenuItem>
          <button type="button" onClick={() => void logOut()}>
            Log Out
          </button>
        </MenuItem>
      </Menu>
      <Suspense>
        <Reminder player={username} />
      </Suspense>
      <Suspense>
        <SealWatcher player={username} />
      </Suspense>
    </>
  )
}

/** The number of unread messages, beside the link. */
function Unread({ count }: { count: number }) {
  return (
    <>
      <span className={styles['unread']} aria-hidden="true">
        {count}
      </span>
      <VisuallyHidden>, {count} unread</VisuallyHidden>
    </>
  )
}
