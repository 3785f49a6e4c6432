const FORMAT = new Intl.DateTimeFormat('en-US', {
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  second: '2-digit',
  timeZone: 'UTC',
})

/** @returns a moment of the system's clock: "Sat, Nov 21, 2026, 8:00:00 PM UTC" */
export function writeTime(at: number): string {
  return `${FORMAT.format(at * 1000)} UTC`
}
