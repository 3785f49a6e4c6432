import { TIMEZONE_LIST } from './timezone-list.ts'

/** A time zone a player can choose. */
interface Timezone {
  readonly id: number
  readonly label: string
  /** the IANA name, which knows when clocks change */
  readonly zone: string
}

/** The time zones by offset and city. */
export const TIMEZONES: readonly Timezone[] = TIMEZONE_LIST.map(([id, zone, label]) => ({ id, zone, label }))

const byId = new Map(TIMEZONES.map((timezone) => [timezone.id, timezone]))

/** The time zone with an id, or null. */
export function timezoneById(id: number): Timezone | null {
  return byId.get(id) ?? null
}

/**
 * The IANA name of a time zone.
 * @throws RangeError for an id that is not in the list
 */
export function zoneOf(timezoneId: number): string {
  const timezone = timezoneById(timezoneId)
  if (timezone === null) throw new RangeError(`no time zone ${timezoneId}`)
  return timezone.zone
}
