const formats = new Map<string, Intl.DateTimeFormat>()

/**
 * Offset of a time zone from UTC at a moment, in seconds, east positive, including summer time.
 *
 * @param zone IANA name, as `Europe/London`
 * @param at epoch seconds
 * @throws RangeError for a zone unknown to the runtime
 */
export function utcOffsetSeconds(zone: string, at: number): number {
  const parts = formatOf(zone).formatToParts(new Date(at * 1000))
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const [, sign, hours, minutes = '0'] = /^GMT([+-])(\d{2}):?(\d{2})?$/.exec(name) ?? []
  if (sign === undefined) return 0
  const seconds = Number(hours) * 3600 + Number(minutes) * 60
  return sign === '-' ? -seconds : seconds
}

/** The city that names a time zone: "London" of `Europe/London`. */
export function zoneCity(zone: string): string {
  return (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ')
}

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeZoneName: 'longOffset' })
  formats.set(zone, format)
  return format
}
