const MONTH_NAMES = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const

/** The name of a moment's month in UTC: "November". @param at epoch seconds */
export function monthName(at: number): string {
  return MONTH_NAMES[new Date(at * 1000).getUTCMonth()] ?? ''
}
