/** A draw as an event of a calendar; times in epoch seconds. */
export interface CalendarDraw {
  readonly gameKey: string
  readonly gameName: string
  readonly number: number
  readonly startAt: number
  readonly endAt?: number | undefined
  /** the number of lines in it */
  readonly lines: number
  /** the whole address of the page where it can be watched */
  readonly watchUrl: string
}

/** What a calendar file says beside its draws. */
interface CalendarMaker {
  /** host of the operator's site, the last part of each UID */
  readonly host: string
  /** name of the site */
  readonly siteName: string
  /** time at which the file is made, epoch seconds */
  readonly madeAt: number
}

/** Length of a line of the file, in octets without its CRLF (RFC 5545, section 3.1). */
const LINE_OCTETS = 75
/** Length of an event whose draw has no end yet, in seconds. */
const USUAL_SECONDS = 300

/**
 * Makes a calendar file (RFC 5545) with an event for each draw, each with an alarm 15 minutes before it. A UID names a
 * draw for good, so that a file with a new time replaces the event of an older one.
 *
 * @returns the text of the file, lines ending with CRLF
 */
export function calendarFile(draws: readonly CalendarDraw[], maker: CalendarMaker): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//${escaped(maker.siteName)}//Draws//EN`,
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    ...draws.flatMap((draw) => eventOf(draw, maker)),
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${folded(line)}\r\n`).join('')
}

function eventOf(draw: CalendarDraw, { host, madeAt }: CalendarMaker): string[] {
  const { gameKey, gameName, number, startAt, endAt = startAt + USUAL_SECONDS, lines, watchUrl } = draw
  const title = escaped(`${gameName}, draw ${number}`)
  return [
    'BEGIN:VEVENT',
    `UID:${gameKey}-${number}@${host}`,
    `DTSTAMP:${utcTime(madeAt)}`,
    // A later file is a later version: its time is the one that counts.
    `SEQUENCE:${Math.floor(madeAt / 60) % 2 ** 31}`,
    `DTSTART:${utcTime(startAt)}`,
    `DTEND:${utcTime(endAt)}`,
    `SUMMARY:${title}`,
    `DESCRIPTION:${escaped(`${lines} ${lines === 1 ? 'line' : 'lines'}. Watch: ${watchUrl}`)}`,
    `URL:${watchUrl}`,
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    `DESCRIPTION:${title}`,
    'TRIGGER:-PT15M',
    'END:VALARM',
    'END:VEVENT',
  ]
}

/** "20261125T200000Z". */
function utcTime(at: number): string {
  return new Date(at * 1000).toISOString().replace(/[-:]|\.\d+/gu, '')
}

/** Text of a value (RFC 5545, section 3.3.11). */
function escaped(text: string): string {
  return text.replace(/[\\;,]/gu, '\\$&').replace(/\r\n|\r|\n/gu, '\\n')
}

/** A long line continues after CRLF and a space; no character is cut in two. */
function folded(line: string): string {
  let octets = 0
  let text = ''
  for (const character of line) {
    const size = utf8Size(character)
    if (octets + size > LINE_OCTETS) {
      text += '\r\n '
      octets = 1
    }
    text += character
    octets += size
  }
  return text
}

/** The bytes of one character in UTF-8. */
function utf8Size(character: string): number {
  const code = character.codePointAt(0) ?? 0
  return [0x80, 0x800, 0x10000].filter((first) => code >= first).length + 1
}
