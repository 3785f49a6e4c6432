const BASE = '/console/api/v1/reports'
const DAY_S = 86_400

/** The first and last day of a stretch, as date fields have them. */
interface Days {
  readonly from: string
  readonly to: string
}

/** The address of a report as a CSV file; null unless the days are a stretch. */
export function reportHref(report: string, { from, to }: Days, currency: string): string | null {
  const [start, last] = [startOf(from), startOf(to)]
  if (start === null || last === null || start > last) return null
  const end = String(last + DAY_S)
  const stretch = report === 'trial-balance' ? { at: end } : { from: String(start), to: end }
  return `${BASE}/${report}?${new URLSearchParams({ ...stretch, currency, format: 'csv' })}`
}

/** The address of a month's statement as a CSV file. */
export function monthHref(month: string, currency: string): string {
  return `${BASE}/months/${month}?${new URLSearchParams({ currency, format: 'csv' })}`
}

/** The month before the one that is now, `2026-10`. */
export function lastMonth(nowAt: number): string {
  const now = new Date(nowAt * 1000)
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1)).toISOString().slice(0, 7)
}

/** The days of a month. */
export function daysOf(month: string): Days {
  const [year = 0, number = 1] = month.split('-').map(Number)
  const last = new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10)
  return { from: `${month}-01`, to: last }
}

function startOf(day: string): number | null {
  const at = /^\d{4}-\d{2}-\d{2}$/u.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN
  return Number.isNaN(at) ? null : at / 1000
}
