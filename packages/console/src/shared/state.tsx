import { AlertIcon, CheckCircleIcon, ClockIcon, CloseIcon, InfoIcon } from '@fairball/ui/basic-icons.tsx'
import styles from './state.module.css'

/** How a state is: the icon and the colour only repeat the word. */
export type Mood = 'good' | 'waiting' | 'bad' | 'off' | 'plain'

const ICONS = { good: CheckCircleIcon, waiting: ClockIcon, bad: AlertIcon, off: CloseIcon, plain: InfoIcon } as const

/** A state as an icon and a word. */
export function State({ mood, children }: { mood: Mood; children: string }) {
  const Icon = ICONS[mood]
  return (
    <span className={styles['state']} data-mood={mood}>
      <Icon size={18} />
      {children}
    </span>
  )
}
