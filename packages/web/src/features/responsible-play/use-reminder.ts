import { useEffect, useState } from 'react'
import { runtime } from '../../shared/runtime.ts'
import { oneTab } from './one-tab.ts'
import { countOn, isReminderDue, LOOK_EVERY_MS, minutesHere, parsePlayTime, reminded } from './play-time.ts'

/** The key in the local storage under which the tabs count together. */
export const PLAY_TIME_KEY = 'fairball.play-time'
/**
 * Delay before a tab shows a reminder that another may already have answered, in ms: it learns of the answer a moment
 * late.
 */
const STORAGE_SETTLES_MS = 500

/** The reminder of the time, as this tab sees it. */
interface ReminderNow {
  /** Whole minutes here; null while this tab has nothing to show. */
  minutes: number | null
  /** It was answered: the next one comes after the same number of minutes. */
  answer: () => void
  /** The visit is over. */
  forget: () => void
}

/**
 * Counts the time here, and says when to remind of it. The tabs count together in the local storage, and only a visible
 * one shows the reminder.
 *
 * @param minutes between reminders
 */
export function useReminder(player: string, minutes: number): ReminderNow {
  const [dueMinutes, setDueMinutes] = useState<number | null>(null)
  const [hasTurn, setHasTurn] = useState(false)

  useEffect(() => {
    const look = (wasHere: boolean) => {
      const before = parsePlayTime(localStorage.getItem(PLAY_TIME_KEY))
      const time = countOn(before, { player, minutes, nowMs: runtime.nowMs(), wasHere })
      localStorage.setItem(PLAY_TIME_KEY, JSON.stringify(time))
      setDueMinutes(isReminderDue(time, minutes) ? minutesHere(time) : null)
    }
    let stop: (() => void) | null = null
    const follow = () => {
      stop?.()
      stop = null
      if (document.visibilityState === 'hidden') {
        setDueMinutes(null)
        return
      }
      look(false)
      stop = runtime.every(LOOK_EVERY_MS, () => look(true))
    }
    const onChange = () => {
      // Time up to now still counts.
      if (document.visibilityState === 'hidden' && stop !== null) look(true)
      follow()
    }
    const onStorage = (event: StorageEvent) => {
      if (event.key !== PLAY_TIME_KEY || document.visibilityState === 'hidden') return
      const time = parsePlayTime(event.newValue)
      if (time !== null && !isReminderDue(time, minutes)) setDueMinutes(null)
    }
    follow()
    document.addEventListener('visibilitychange', onChange)
    addEventListener('storage', onStorage)
    return () => {
      stop?.()
      document.removeEventListener('visibilitychange', onChange)
      removeEventListener('storage', onStorage)
    }
  }, [player, minutes])

  const isDue = dueMinutes !== null
  useEffect(() => {
    if (!isDue) return
    let wait: (() => void) | null = null
    const release = oneTab('fairball.reminder', () => {
      wait = runtime.after(STORAGE_SETTLES_MS, () => setHasTurn(true))
    })
    return () => {
      wait?.()
      release()
      setHasTurn(false)
    }
  }, [isDue])

  return {
    minutes: hasTurn ? dueMinutes : null,
    answer: () => {
      const time = parsePlayTime(localStorage.getItem(PLAY_TIME_KEY))
      if (time !== null) localStorage.setItem(PLAY_TIME_KEY, JSON.stringify(reminded(time)))
      setDueMinutes(null)
    },
    forget: () => {
      localStorage.removeItem(PLAY_TIME_KEY)
      setDueMinutes(null)
    },
  }
}
