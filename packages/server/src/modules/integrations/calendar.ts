/** A draw in a calendar; times are epoch seconds. */
export interface CalendarDraw {
  readonly number: number
  readonly startAt: number
  /** when its show is over */
  readonly endAt: number
  readonly closesAt: number
}

/** The draws of a game to come, and where its page is. */
interface DrawCalendar {
  readonly gameKey: string
  readonly gameName: string
  /** when the game was added, in epoch seconds */
  readonly gameAddedAt: number
  readonly siteName: string
  readonly publicUrl: string
  readonly draws: readonly CalendarDraw[]
}

/** Longest line in octets, without its end (RFC 5545, section 3.1). */
const LONGEST_LINE = 75
/** How often calendars should ask again. */
const REFRESH = 'PT1H'

/**
 * The draws as an iCalendar object (RFC 5545). Each has a name that stays the same, so that a calendar that asks again
 * moves what it has.
 */
export function calendarOf(calendar: DrawCalendar): string {
  const { gameKey, gameName, gameAddedAt, siteName, publicUrl, draws } = calendar
  const host = new URL(publicUrl).hostname
  const page = `${publicUrl}/game/${encodeURIComponent(gameKey)}`
  const events = draws.flatMap((draw) => [
    'BEGIN:VEVENT',
    `UID:${icsText(`draw-${draw.number}-${gameKey}@${host}`)}`,
    // Without a method this is the time of the last change, which nothing here keeps: the same answer stays the same.
    `DTSTAMP:${timeText(gameAddedAt)}`,
    `DTSTART:${timeText(draw.startAt)}`,
    `DTEND:${timeText(draw.endAt)}`,
    `SUMMARY:${icsText(`${gameName}, draw ${draw.number}`)}`,
    `DESCRIPTION:${icsText(`Sales close at ${clockText(draw.closesAt)} UTC.\n${page}`)}`,
    `URL:${page}`,
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ])
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Fairball//Draws//EN',
    'CALSCALE:GREGORIAN',
    `X-WR-CALNAME:${icsText(`${siteName}: ${gameName}`)}`,
    `REFRESH-INTERVAL;VALUE=DURATION:${REFRESH}`,
    `X-PUBLISHED-TTL:${REFRESH}`,
    ...(events.length === 0 ? UTC : events),
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${folded(line)}\r\n`).join('')
}

/** A calendar must have a component (RFC 5545, section 3.6): where no draw is open, this one. */
const UTC = [
  'BEGIN:VTIMEZONE',
  'TZID:Etc/UTC',
  'BEGIN:STANDARD',
  'DTSTART:19700101T000000',
  'TZOFFSETFROM:+0000',
  'TZOFFSETTO:+0000',
  'END:STANDARD',
  'END:VTIMEZONE',
]

/** `20261127T180000Z` */
function timeText(at: number): string {
  return new Date(at * 1000).toISOString().replaceAll(/[-:]|\.\d+/gu, '')
}

function clockText(at: number): string {
  return new Date(at * 1000).toISOString().slice(11, 16)
}

/** A value of type TEXT (RFC 5545, section 3.3.11). */
function icsText(text: string): string {
  return (
    text
      .replaceAll(/[\\;,]/gu, String.raw`\$&`)
      .replaceAll(/\r\n|\r|\n/gu, String.raw`\n`)
      // oxlint-disable-next-line no-control-regex -- no value may have them
      .replaceAll(/[\u0000-\u0008\u000A-\u001F\u007F]/gu, '')
  )
}

/** A line in pieces of at most 75 octets, none of which splits a character. */
function folded(line: string): string {
  const pieces: string[] = []
  let piece = ''
  for (const character of line) {
    const isFull = Buffer.byteLength(piece + character) > LONGEST_LINE
    if (isFull) pieces.push(piece)
    piece = isFull ? ` ${character}` : piece + character
  }
  return [...pieces, piece].join('\r\n')
}
