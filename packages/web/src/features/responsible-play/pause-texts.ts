import { PLAY_LIMIT_TEXTS as TEXTS } from './messages.ts'
import type { PauseKind } from './pauses.ts'

/** The words of one kind of pause, and how its button looks. */
interface PauseTexts {
  title: string
  lead: string
  legend: string
  start: string
  longer: string
  longest: string
  variant: 'secondary' | 'danger'
  running: (when: string) => string
  ask: (length: string) => string
  meaning: (when: string) => string[]
  /** The box to tick before confirming; null for none. */
  understood: string | null
}

/** The words of both kinds of pauses. */
export const PAUSE_TEXTS: Readonly<Record<PauseKind, PauseTexts>> = {
  'time-out': {
    title: TEXTS.timeOutTitle,
    lead: TEXTS.timeOutLead,
    legend: TEXTS.timeOutLegend,
    start: TEXTS.timeOutStart,
    longer: TEXTS.timeOutLonger,
    longest: TEXTS.longest,
    variant: 'secondary',
    running: TEXTS.timeOutRunning,
    ask: TEXTS.timeOutAsk,
    meaning: TEXTS.timeOutMeaning,
    understood: null,
  },
  exclusion: {
    title: TEXTS.exclusionTitle,
    lead: TEXTS.exclusionLead,
    legend: TEXTS.exclusionLegend,
    start: TEXTS.exclusionStart,
    longer: TEXTS.exclusionLonger,
    longest: TEXTS.longest,
    variant: 'danger',
    running: TEXTS.exclusionRunning,
    ask: TEXTS.exclusionAsk,
    meaning: TEXTS.exclusionMeaning,
    understood: TEXTS.exclusionUnderstood,
  },
}
