import { TIMEZONE_LIST } from './timezone-list.ts'

/** A time zone a player can choose. */
export interface Timezone {
  readonly id: number
  readonly label: string
  /** the IANA name, which knows when clocks change */
  readonly zone: string
}

/** The time zones by offset and city. */
export const TIMEZONES: readonly Timezone[] = TIMEZONE_LIST.map(([id, zone, label]) => ({ id, zone, label }))

const byId = new Map(TIMEZONES.map((timezone) => [timezone.id, timezone]))
const formats = new Map<string, Intl.DateTimeFormat>()

/** The time zone with an id, or null. */
export function timezoneById(id: number): Timezone | null {
  return byId.get(id) ?? null
}

/**
 * How far a time zone's clocks are ahead of UTC at a moment, in seconds, summer time included.
 * @throws RangeError for an id that is not in the list
 */
export function utcOffsetSeconds(timezoneId: number, atMs: number): number {
  const timezone = timezoneById(timezoneId)
  if (timezone === null) throw new RangeError(`no time zone ${timezoneId}`)
  const parts = formatOf(timezone.zone).formatToParts(new Date(atMs))
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const [, sign, hours, minutes = '0'] = /^GMT([+-])(\d{2}):?(\d{2})?$/.exec(name) ?? []
  if (sign === undefined) return 0
  const seconds = Number(hours) * 3600 + Number(minutes) * 60
  return sign === '-' ? -seconds : seconds
}

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeZoneName: 'longOffset' })
  formats.set(zone, format)
  return format
}
