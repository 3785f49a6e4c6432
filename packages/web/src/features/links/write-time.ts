import { dayWords, shortDayWords } from '@fairball/domain/day-words'
import { exactTimeLabel } from '@fairball/domain/draw-time-label'

/** @returns a moment of the system's clock: "Sat, Nov 21, 2026, 8:00:00 PM UTC" */
export function writeTime(at: number): string {
  return `${shortDayWords(at)}, ${dayWords(at).year}, ${exactTimeLabel(at, 0)} UTC`
}
