const formats = new Map<string, Intl.DateTimeFormat>()

/**
 * Offset of a time zone from UTC at a moment, in seconds, east positive, including summer time.
 *
 * @param zone IANA name, as `Europe/London`
 * @param at epoch seconds
 * @throws RangeError for a zone unknown to the runtime
 */
export function utcOffsetSeconds(zone: string, at: number): number {
  const format = formats.get(zone) ?? new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeZoneName: 'longOffset' })
  formats.set(zone, format)
  // "21/11/2026, GMT+05:45", or "GMT" alone.
  const [, sign, hours = 0, minutes = 0] = /GMT([+-])(\d{2}):?(\d{2})?$/.exec(format.format(at * 1000)) ?? []
  const seconds = Number(hours) * 3600 + Number(minutes) * 60
  return sign === '-' ? -seconds : seconds
}

/** The same for the zone that this computer is in now. @param at epoch seconds */
export function ownOffsetSeconds(at: number): number {
  return 0 - 60 * new Date(at * 1000).getTimezoneOffset()
}

/** The city that names a time zone: "London" of `Europe/London`. */
export function zoneCity(zone: string): string {
  return (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ')
}
