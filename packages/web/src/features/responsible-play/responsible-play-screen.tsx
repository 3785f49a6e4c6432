import { LoadingCard } from '../../shared/forms/editable-card.tsx'
import { useResponsiblePlay } from '../../shared/data/responsible-play.ts'
import { Card } from '@fairball/ui/card.tsx'
import { LoadFailed } from '@fairball/ui/empty-state.tsx'
import { PageTitle } from '@fairball/ui/page-title.tsx'
import { PauseCard } from './components/pause-card.tsx'
import { ReminderCard } from './components/reminder-card.tsx'
import { WeeklyLimitCard } from './components/weekly-limit-card.tsx'
import { PLAY_LIMIT_TEXTS } from './messages.ts'
import styles from './responsible-play-screen.module.css'

/**
 * The player's settings for responsible play: a weekly limit, a time-out, self-exclusion, reminders (decisions, section
 * 6).
 */
export function ResponsiblePlayScreen(_props: object) {
  return (
    <>
      <PageTitle lead={PLAY_LIMIT_TEXTS.lead}>{PLAY_LIMIT_TEXTS.title}</PageTitle>
      <Limits />
    </>
  )
}

function Limits() {
  const limits = useResponsiblePlay()
  if (limits.isLoadingError) return <LoadFailed onRetry={() => void limits.refetch()} />
  const saved = limits.data
  return (
    <div className={styles['blocks']}>
      {saved === undefined ? (
        <>
          <LoadingCard title={PLAY_LIMIT_TEXTS.limitTitle} lead={PLAY_LIMIT_TEXTS.limitLead} rows={1} />
          <LoadingCard title={PLAY_LIMIT_TEXTS.reminderTitle} lead={PLAY_LIMIT_TEXTS.reminderLead} rows={1} />
          <LoadingCard title={PLAY_LIMIT_TEXTS.timeOutTitle} lead={PLAY_LIMIT_TEXTS.timeOutLead} rows={2} />
          <LoadingCard title={PLAY_LIMIT_TEXTS.exclusionTitle} lead={PLAY_LIMIT_TEXTS.exclusionLead} rows={2} />
        </>
      ) : (
        <>
          <WeeklyLimitCard saved={saved} />
          <ReminderCard minutes={saved.reminder_minutes} />
          {/* An exclusion makes a time-out needless. */}
          {saved.excluded_until === null && <PauseCard kind="time-out" until={saved.time_out_until} />}
          <PauseCard kind="exclusion" until={saved.excluded_until} />
        </>
      )}
      <Card title={PLAY_LIMIT_TEXTS.helpTitle}>
        <p>{PLAY_LIMIT_TEXTS.help}</p>
      </Card>
    </div>
  )
}
