import { lazy, Suspense } from 'react'
import { useResponsiblePlay } from '../../shared/data/responsible-play.ts'
import { useReminder } from './use-reminder.ts'

const ReminderDialog = lazy(async () => ({
  default: (await import('./components/reminder-dialog.tsx')).ReminderDialog,
}))

/** Reminds a player of the time, if they have asked for it. */
export function Reminder({ player }: { player: string }) {
  const minutes = useResponsiblePlay().data?.reminder_minutes ?? null
  return minutes === null ? null : <Watch player={player} minutes={minutes} />
}

function Watch({ player, minutes }: { player: string; minutes: number }) {
  const reminder = useReminder(player, minutes)
  if (reminder.minutes === null) return null
  return (
    <Suspense>
      <ReminderDialog minutes={reminder.minutes} onAnswer={reminder.answer} onLeave={reminder.forget} />
    </Suspense>
  )
}
