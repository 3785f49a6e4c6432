import { describe, expect, it } from 'vitest'
import { countOn, isReminderDue, LOOK_EVERY_MS, minutesHere, parsePlayTime, reminded } from './play-time.ts'
import type { PlayTime } from './play-time.ts'

const MINUTES = 15
const MINUTE_MS = 60_000
const START: PlayTime = { player: 'ann', countedMs: 0, remindedMs: 0, seenAtMs: 1_000_000 }

/** Checks every 5 seconds, for a number of minutes. */
function stay(from: PlayTime, minutes: number): PlayTime {
  let time = from
  for (let look = 0; look < (minutes * MINUTE_MS) / LOOK_EVERY_MS; look++)
    time = countOn(time, { player: 'ann', nowMs: time.seenAtMs + LOOK_EVERY_MS, minutes: MINUTES, wasHere: true })
  return time
}

describe('the time a player has been here', () => {
  it('a reminder is due after the chosen minutes, and not a check earlier', () => {
    const almost = stay(START, MINUTES - LOOK_EVERY_MS / MINUTE_MS)
    expect(isReminderDue(almost, MINUTES)).toBe(false)
    const due = stay(almost, LOOK_EVERY_MS / MINUTE_MS)
    expect(isReminderDue(due, MINUTES)).toBe(true)
    expect(minutesHere(due)).toBe(15)
  })

  it('the time stops while a reminder waits, and the next one is due after the same minutes', () => {
    const due = stay(START, MINUTES)
    const waited = stay(due, 40)
    expect(minutesHere(waited)).toBe(15)
    const next = stay(reminded(waited), MINUTES)
    expect(isReminderDue(next, MINUTES)).toBe(true)
    expect(minutesHere(next)).toBe(30)
  })

  it('each second counts once, however many tabs check', () => {
    const look = { player: 'ann', minutes: MINUTES, wasHere: true }
    let time = START
    for (let ms = 0; ms < MINUTE_MS; ms += LOOK_EVERY_MS) {
      time = countOn(time, { ...look, nowMs: START.seenAtMs + ms + 2_000 }) // one tab
      time = countOn(time, { ...look, nowMs: START.seenAtMs + ms + LOOK_EVERY_MS }) // another one
    }
    expect(time.countedMs).toBe(MINUTE_MS)
  })

  it.each([
    ['no tab was in view', 8_000, false, 0],
    ['the computer slept for an hour', 3_600_000, true, 0],
    ['the clock was set back', -50_000, true, 0],
    ['a timer came late', 12_000, true, 12_000],
  ])('if %s for %i ms (in view: %s), the time grows by %i ms', (_what, gapMs, wasHere, countedMs) => {
    const time = countOn(START, { player: 'ann', nowMs: START.seenAtMs + gapMs, minutes: MINUTES, wasHere })
    expect(time.countedMs).toBe(countedMs)
    expect(time.seenAtMs).toBe(START.seenAtMs + gapMs)
  })

  it('the time continues after a short absence, and restarts after six hours or for another player', () => {
    const time = stay(START, 10)
    const back = (hours: number, player: string) =>
      countOn(time, { player, nowMs: time.seenAtMs + hours * 3_600_000, minutes: MINUTES, wasHere: false })
    expect(minutesHere(back(1, 'ann'))).toBe(10)
    expect(minutesHere(back(6, 'ann'))).toBe(0)
    expect(minutesHere(back(0, 'ben'))).toBe(0)
  })

  it('a stored time is read back, and anything else is ignored', () => {
    expect(parsePlayTime(JSON.stringify(START))).toEqual(START)
    for (const text of [null, '', 'x', '5', 'null', '{}', '{"player":"ann","countedMs":"1"}'])
      expect(parsePlayTime(text)).toBeNull()
  })
})
