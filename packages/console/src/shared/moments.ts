const DAY: Intl.DateTimeFormatOptions = { weekday: 'short', month: 'short', day: 'numeric', timeZone: 'UTC' }
const TIME: Intl.DateTimeFormatOptions = { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' }
const THIS_YEAR = new Intl.DateTimeFormat('en-US', { ...DAY, ...TIME })
const OTHER_YEAR = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'UTC',
})
const CLOCK = new Intl.DateTimeFormat('en-US', TIME)

/**
 * A moment in UTC: "Sat, Nov 28, 4:12 PM", in another year "Nov 25, 2027 at 8:00 PM".
 *
 * @param at epoch seconds
 * @param nowAt epoch seconds, which say the year that goes without saying
 */
export function momentText(at: number, nowAt: number): string {
  const date = new Date(at * 1000)
  if (date.getUTCFullYear() === new Date(nowAt * 1000).getUTCFullYear()) return THIS_YEAR.format(date)
  return `${OTHER_YEAR.format(date)} at ${CLOCK.format(date)}`
}
