/** The program's output: one line per event, for people or as JSON. */
export interface Teller {
  /** an event, on standard output */
  say(event: string, text: string, fields?: object): void
  /** a warning that is not an alarm, on standard error */
  warn(event: string, text: string, fields?: object): void
  /** an alarm, on standard error */
  alarm(text: string, fields?: object): void
}

/** Maximum length of a text in characters; some texts come from the operator. */
const MAX_CHARACTERS = 2000

/** @param now the time at the start of each line, epoch seconds */
export function createTeller(options: {
  readonly isJson: boolean
  readonly now: () => number
  readonly out: (line: string) => void
  readonly err: (line: string) => void
}): Teller {
  const { isJson, now, out, err } = options
  const line = (event: string, mark: string, text: string, fields: object): string =>
    isJson
      ? JSON.stringify({ at: now(), event, text: printable(text), ...fields })
      : `${clockText(now())}  ${mark}${printable(text)}`
  return {
    say: (event, text, fields = {}) => out(line(event, '', text, fields)),
    warn: (event, text, fields = {}) => err(line(event, 'Note: ', text, fields)),
    alarm: (text, fields = {}) => err(line('alarm', 'ALARM: ', text, fields)),
  }
}

/** A text without characters that a terminal would act on. */
export function printable(text: string): string {
  const cut = text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text
  return cut.replaceAll(/[^\x20-\x7e…–—’≤≥]/g, '?')
}

/** `2026-08-31 18:05:13 UTC`. @param at epoch seconds */
export function clockText(at: number): string {
  return `${new Date(at * 1000).toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

/** `3 h 20 min`, `45 s`. */
export function lengthText(seconds: number): string {
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  const hours = Math.floor(minutes / 60)
  return hours === 0 ? `${minutes} min` : `${hours} h ${minutes % 60} min`
}
