import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { LoadFailed } from '../../../ui/empty-state.tsx'
import { SkeletonRows } from '../../../ui/skeleton.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { SETTINGS_TEXTS } from '../messages.ts'
import { usePlayerView } from '../../../app/player-view.ts'
import { useRevokeSession, useSessions } from '../use-security.ts'
import type { Session } from '../use-security.ts'
import styles from './active-sessions.module.css'

/** Where the player is logged in, each with a way to end it; this device's session ends by logging out. */
export function ActiveSessions() {
  const revoking = useRevokeSession()
  return (
    <Card title={SETTINGS_TEXTS.sessionsTitle} lead={SETTINGS_TEXTS.sessionsLead}>
      {revoking.isError && <Banner kind="danger">{SETTINGS_TEXTS.revokeFailed}</Banner>}
      <SessionList revokingHandle={revoking.isPending ? revoking.variables : null} onRevoke={revoking.mutate} />
    </Card>
  )
}

interface SessionListProps {
  /** The session that is being ended, null while none is. */
  revokingHandle: string | null
  onRevoke: (handle: string) => void
}

function SessionList({ revokingHandle, onRevoke }: SessionListProps) {
  const sessions = useSessions()
  if (sessions.isPending) return <SkeletonRows rows={2} />
  if (sessions.isLoadingError) return <LoadFailed onRetry={() => void sessions.refetch()} />
  return (
    <ul className={styles['sessions']}>
      {sessions.data.map((session) => (
        <SessionRow
          key={session.access_token}
          session={session}
          isRevoking={session.access_token === revokingHandle}
          onRevoke={() => onRevoke(session.access_token)}
        />
      ))}
    </ul>
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
