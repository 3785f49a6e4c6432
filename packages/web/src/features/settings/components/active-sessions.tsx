import { lazy, Suspense, useRef } from 'react'
import { paths } from '../../../shared/paths.ts'
import { usePlayerView } from '../../../shared/player-view.ts'
import { Banner } from '@fairball/ui/banner.tsx'
import { Button } from '@fairball/ui/button.tsx'
import { Card } from '@fairball/ui/card.tsx'
import { EmptyState, LoadFailed } from '@fairball/ui/empty-state.tsx'
import { Link } from '@fairball/ui/link.tsx'
import { Tag } from '@fairball/ui/tag.tsx'
import { VisuallyHidden } from '@fairball/ui/visually-hidden.tsx'
import { SETTINGS_TEXTS } from '../messages.ts'
import { useRevokeSession, useSessions } from '../use-security.ts'
import type { Session } from '../use-security.ts'
import styles from './active-sessions.module.css'
import { SessionsLoading } from './sessions-loading.tsx'

// Few players have this many sessions.
const ListPages = lazy(async () => ({ default: (await import('./list-pages.tsx')).ListPages }))

/** Sessions on a page. */
const SESSIONS_A_PAGE = 10

/** The player's sessions, each with a button to end it; this device's session ends by logging out. */
export function ActiveSessions({ page }: { page: number }) {
  const revoking = useRevokeSession()
  const heading = useRef<HTMLDivElement>(null)
  // The row disappears with its button: the focus stays in its list.
  const revoke = (handle: string) => revoking.mutate(handle, { onSuccess: () => heading.current?.focus() })
  return (
    <Card title={SETTINGS_TEXTS.sessionsTitle} lead={SETTINGS_TEXTS.sessionsLead}>
      <div ref={heading} tabIndex={-1} className={styles['list']}>
        <VisuallyHidden live>{revoking.isSuccess ? SETTINGS_TEXTS.sessionEnded : ''}</VisuallyHidden>
        {revoking.isError && <Banner kind="danger">{SETTINGS_TEXTS.revokeFailed}</Banner>}
        <SessionList page={page} revokingHandle={revoking.isPending ? revoking.variables : null} onRevoke={revoke} />
      </div>
    </Card>
  )
}

interface SessionListProps {
  page: number
  /** The session that is being ended, null while none is. */
  revokingHandle: string | null
  onRevoke: (handle: string) => void
}

function SessionList({ page, revokingHandle, onRevoke }: SessionListProps) {
  const sessions = useSessions()
  if (sessions.isPending) return <SessionsLoading />
  if (sessions.isLoadingError) return <LoadFailed onRetry={() => void sessions.refetch()} />
  const totalPages = Math.ceil(sessions.data.length / SESSIONS_A_PAGE)
  const shown = sessions.data.slice((page - 1) * SESSIONS_A_PAGE, page * SESSIONS_A_PAGE)
  return (
    <>
      {shown.length === 0 && <EmptyState text={SETTINGS_TEXTS.noRecords} />}
      <ul>
        {shown.map((session) => (
          <SessionRow
            key={session.access_token}
            session={session}
            isRevoking={session.access_token === revokingHandle}
            onRevoke={() => onRevoke(session.access_token)}
          />
        ))}
      </ul>
      <p className={styles['source']}>
        {SETTINGS_TEXTS.sessionsPlaces}{' '}
        <Link href="https://lite.ip2location.com" rel="noreferrer">
          {SETTINGS_TEXTS.sessionsPlacesSource}
        </Link>
      </p>
      {totalPages > 1 && (
        <Suspense>
          <ListPages page={page} totalPages={totalPages} hrefOf={paths.security} label={SETTINGS_TEXTS.sessionsPages} />
        </Suspense>
      )}
    </>
  )
}

function SessionRow({
  session,
  isRevoking,
  onRevoke,
}: {
  session: Session
  isRevoking: boolean
  onRevoke: () => void
}) {
  const { dateTime } = usePlayerView()
  const since = dateTime(session.created_at)
  return (
    <li className={styles['session']}>
      <p className={styles['device']}>
        <strong>{session.fingerprint}</strong>
        <span>{SETTINGS_TEXTS.sessionSince(since)}</span>
      </p>
      {session.is_current_session ? (
        <Tag kind="success">{SETTINGS_TEXTS.sessionCurrent}</Tag>
      ) : (
        <Button
          variant="danger"
          size="small"
          busy={isRevoking}
          aria-label={SETTINGS_TEXTS.revokeLabel(session.fingerprint, since)}
          onClick={onRevoke}
        >
          {SETTINGS_TEXTS.revoke}
        </Button>
      )}
    </li>
  )
}
