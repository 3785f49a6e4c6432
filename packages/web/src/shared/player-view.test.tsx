import { utcOffsetSeconds } from '@fairball/domain/time-zone'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { renderPage, text } from '../testing/render-page.tsx'
import type { RenderedPage } from '../testing/render-page.tsx'
import { useDate, useDrawTime, usePlayerView } from './player-view.ts'

const at = (utc: string): number => Date.parse(utc) / 1000

function Moment({ startAt }: { startAt: number }) {
  const { dateTime } = usePlayerView()
  return (
    <p>
      {useDrawTime(startAt).full} | {useDate(startAt)} | {dateTime(startAt)}
    </p>
  )
}

describe('a moment is written with the offset that the player’s clock has then', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => {
    page.unmount()
    vi.useRealTimers()
  })
  let page: RenderedPage

  it.each([
    // Clocks in London go forward on 28 March 2027, and back on 31 October.
    [
      'London, before the spring change',
      'Europe/London',
      '2027-03-26T12:00Z',
      '2027-03-28T17:00Z',
      'Sunday, Mar 28, at 6:00 PM | Sunday, Mar 28 | Mar 28, 2027 at 6:00 PM',
    ],
    [
      'London, before the autumn change',
      'Europe/London',
      '2027-10-29T12:00Z',
      '2027-10-31T17:00Z',
      'Sunday, Oct 31, at 5:00 PM | Sunday, Oct 31 | Oct 31, 2027 at 5:00 PM',
    ],
    [
      'Tokyo',
      'Asia/Tokyo',
      '2027-03-26T12:00Z',
      '2027-03-28T17:00Z',
      'Next Monday, Mar 29, at 2:00 AM | Monday, Mar 29 | Mar 29, 2027 at 2:00 AM',
    ],
    [
      'London, two days ahead by the calendar',
      'Europe/London',
      '2026-11-23T23:59Z',
      '2026-11-25T20:00Z',
      'Wednesday, Nov 25, at 8:00 PM | Wednesday, Nov 25 | Nov 25, 2026 at 8:00 PM',
    ],
    [
      'London, tomorrow',
      'Europe/London',
      '2026-11-24T00:01Z',
      '2026-11-25T20:00Z',
      'Wednesday at 8:00 PM | Wednesday, Nov 25 | Nov 25, 2026 at 8:00 PM',
    ],
    [
      'London, more than a week ahead',
      'Europe/London',
      '2026-11-20T12:00Z',
      '2026-12-05T20:00Z',
      'Dec 5, 2026 at 8:00 PM | Saturday, Dec 5 | Dec 5, 2026 at 8:00 PM',
    ],
    [
      'London, a November draw read in April',
      'Europe/London',
      '2027-04-15T12:00Z',
      '2026-11-20T20:00Z',
      'Soon | Friday, Nov 20 | Nov 20, 2026 at 8:00 PM',
    ],
    [
      'London, minutes before midnight of the change',
      'Europe/London',
      '2027-03-27T23:30Z',
      '2027-03-28T17:00Z',
      'Sunday at 6:00 PM | Sunday, Mar 28 | Mar 28, 2027 at 6:00 PM',
    ],
  ])('in %s', async (_, zone, now, start, written) => {
    vi.setSystemTime(at(now) * 1000)
    const profile = { time_zone: zone, timezone_utc_offset: utcOffsetSeconds(zone, at(now)) }
    page = await renderPage(<Moment startAt={at(start)} />, { answers: {}, profile })
    expect(text()).toBe(written)
  })

  it('a moment is written with the present offset if the browser does not know the zone', async () => {
    vi.setSystemTime(at('2027-03-26T12:00Z') * 1000)
    const profile = { time_zone: 'Europe/Atlantis', timezone_utc_offset: 7200 }
    page = await renderPage(<Moment startAt={at('2027-03-28T17:00Z')} />, { answers: {}, profile })
    expect(text()).toContain('Sunday, Mar 28, at 7:00 PM')
  })
})
