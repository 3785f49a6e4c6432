import { useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { PersonIcon } from '@fairball/ui/basic-icons.tsx'
import { classNames } from '@fairball/ui/class-names.ts'
import { Anchor } from '@fairball/ui/link.tsx'
import { VisuallyHidden } from '@fairball/ui/visually-hidden.tsx'
import { owedFiat, useBalance } from '../../shared/data/balance.ts'
import { useUnreadMessages } from '../../shared/data/unread-messages.ts'
import { useNavigate } from '../../shared/navigation.tsx'
import { isAuthPage, paths } from '../../shared/paths.ts'
import { usePlayerView } from '../../shared/player-view.ts'
import { runtime } from '../../shared/runtime.ts'
import { useSession } from '../../shared/session/use-session.ts'
import type * as Companions from './companions.tsx'
import { Menu, MenuItem } from './menu.tsx'
import styles from './account-menu.module.css'

/** Delay after the menu appeared before the player's companions load, in ms: the page itself comes first. */
const AFTER_OPENING_MS = 1_500

/** The menu of the signed-in player, and their companions: not part of it, but both are on every page of a player. */
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
    { href: paths.tickets(), name: 'My tickets' },
    { href: paths.balance(), name: 'Balance', more: <Owed /> },
    { href: paths.personalDetails(), name: 'My profile' },
    { href: paths.myGames(), name: 'My games' },
    { href: paths.cryptoAccount(), name: 'Crypto account details' },
    { href: paths.messages(), name: 'Messages', more: <Unread count={unread} /> },
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
            {unread > 0 && (
              <>
                <span className={classNames(styles['unread'], styles['corner'])} aria-hidden="true">
                  {unread}
                </span>
                <VisuallyHidden>
                  , {unread} unread {unread === 1 ? 'message' : 'messages'}
                </VisuallyHidden>
              </>
            )}
          </>
        }
      >
        {entries.map((entry) => (
          <MenuItem key={entry.href}>
            <Anchor href={entry.href} aria-current={pathname === entry.href ? 'page' : undefined}>
              {entry.name}
              {entry.more}
            </Anchor>
          </MenuItem>
        ))}
        <MenuItem>
          <button type="button" onClick={() => void logOut()}>
            Log Out
          </button>
        </MenuItem>
      </Menu>
      <LaterCompanions player={username} />
    </>
  )
}

/**
 * The player's companions, once their script has loaded. React's `lazy` would show a fallback at first, and then hold
 * back the rest of the page for 300 ms.
 */
function LaterCompanions({ player }: { player: string }) {
  const [part, setPart] = useState<typeof Companions | null>(null)
  useEffect(
    () =>
      runtime.after(AFTER_OPENING_MS, () => {
        // Without a network they come with the next page.
        void import('./companions.tsx').then(setPart, () => undefined)
      }),
    [],
  )
  return part && <part.Companions player={player} />
}

/** What has not reached the player yet, beside the link; nothing if that is nothing. */
function Owed() {
  const { data: balance } = useBalance()
  const { money } = usePlayerView()
  const owed = balance === undefined ? null : owedFiat(balance)
  return owed !== null && <span className={styles['owed']}>{money(owed)}</span>
}

/** The number of unread messages, beside the link; nothing without any. */
function Unread({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <>
      <span className={styles['unread']} aria-hidden="true">
        {count}
      </span>
      <VisuallyHidden>, {count} unread</VisuallyHidden>
    </>
  )
}
