import { describe, expect, it } from 'vitest'
import { utf8Bytes } from './protocol/bytes.ts'
import { calendarFile, type CalendarDraw } from './calendar-file.ts'

const DRAW: CalendarDraw = {
  gameKey: 'bitcoin-lotto',
  gameName: 'Bitcoin Lotto',
  number: 128,
  startAt: Date.UTC(2026, 10, 25, 20) / 1000,
  endAt: Date.UTC(2026, 10, 25, 20, 5) / 1000,
  lines: 3,
  watchUrl: 'https://play.example/game/bitcoin-lotto/watch',
}
const MAKER = { host: 'play.example', siteName: 'Fairball', madeAt: Date.UTC(2026, 10, 23, 8, 24) / 1000 }
const unfolded = (file: string) => file.replaceAll('\r\n ', '').split('\r\n')

describe('a calendar file', () => {
  it('a draw is one event at its UTC times, with an alarm 15 minutes before', () => {
    const lines = unfolded(calendarFile([DRAW], MAKER))
    expect(lines).toEqual([
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//Fairball//Draws//EN',
      'CALSCALE:GREGORIAN',
      'METHOD:PUBLISH',
      'BEGIN:VEVENT',
      'UID:bitcoin-lotto-128@play.example',
      'DTSTAMP:20261123T082400Z',
      `SEQUENCE:${MAKER.madeAt / 60}`,
      'DTSTART:20261125T200000Z',
      'DTEND:20261125T200500Z',
      'SUMMARY:Bitcoin Lotto\\, draw 128',
      'DESCRIPTION:3 lines. Watch: https://play.example/game/bitcoin-lotto/watch',
      'URL:https://play.example/game/bitcoin-lotto/watch',
      'BEGIN:VALARM',
      'ACTION:DISPLAY',
      'DESCRIPTION:Bitcoin Lotto\\, draw 128',
      'TRIGGER:-PT15M',
      'END:VALARM',
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ])
  })

  it('a moved draw keeps its UID and counts as a later version', () => {
    const later = { ...MAKER, madeAt: MAKER.madeAt + 3600 }
    const [first, second] = [
      calendarFile([DRAW], MAKER),
      calendarFile([{ ...DRAW, startAt: DRAW.startAt + 900 }], later),
    ]
    const field = (file: string, name: string) => unfolded(file).find((line) => line.startsWith(name))
    expect(field(second, 'UID')).toBe(field(first, 'UID'))
    expect(Number(field(second, 'SEQUENCE')?.slice(9))).toBeGreaterThan(Number(field(first, 'SEQUENCE')?.slice(9)))
    expect(field(second, 'DTSTART')).toBe('DTSTART:20261125T201500Z')
  })

  it('no line is longer than 75 octets and no character is cut, whatever its text', () => {
    const gameName = `Große; "Lotterie",\\ ${'🎱'.repeat(40)}\nzwei`
    const file = calendarFile([{ ...DRAW, gameName, lines: 1 }], MAKER)
    const sizes = file.split('\r\n').map((line) => utf8Bytes(line).length)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(75)
    expect(file.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/u)
    const lines = unfolded(file)
    expect(lines).toContain(`SUMMARY:Große\\; "Lotterie"\\,\\\\ ${'🎱'.repeat(40)}\\nzwei\\, draw 128`)
    expect(lines).toContain('DESCRIPTION:1 line. Watch: https://play.example/game/bitcoin-lotto/watch')
  })

  it('each draw has an event of its own', () => {
    const file = calendarFile([DRAW, { ...DRAW, number: 129, endAt: undefined }], MAKER)
    expect(file.match(/UID:.*/gu)).toEqual(['UID:bitcoin-lotto-128@play.example', 'UID:bitcoin-lotto-129@play.example'])
  })
})
