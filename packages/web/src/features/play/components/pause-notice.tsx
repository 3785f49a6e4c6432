import { useClockValue } from '../../../shared/use-clock.ts'
import { useResponsiblePlay } from '../../../shared/data/responsible-play.ts'
import { paths } from '../../../shared/paths.ts'
import { usePlayerView } from '../../../shared/player-view.ts'
import { Banner } from '@fairball/ui/banner.tsx'
import { Link } from '@fairball/ui/link.tsx'
import { ORDER_TEXTS } from '../order-messages.ts'
import styles from './unverified-email.module.css'

/** Informs players in a time-out or self-exclusion before they put an order together. Nothing for everyone else. */
export function PauseNotice() {
  const { dateTime } = usePlayerView()
  const { excluded_until: excludedUntil = null, time_out_until: timeOutUntil = null } = useResponsiblePlay().data ?? {}
  const until = excludedUntil ?? timeOutUntil
  const isRunning = useClockValue((now) => until !== null && until > now)
  if (until === null || !isRunning) return null
  const text = excludedUntil === null ? ORDER_TEXTS.timeOut : ORDER_TEXTS.excluded
  return (
    <div className={styles['place']}>
      <Banner kind="warning" live action={<Link href={paths.responsiblePlay()}>{ORDER_TEXTS.toLimits}</Link>}>
        {text(dateTime(until))}
      </Banner>
    </div>
  )
}
