import { act } from 'react'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from '@fairball/contract/client'
import type { ResponsiblePlay } from '../../shared/data/responsible-play.ts'
import {
  alerts,
  button,
  control,
  fill,
  hasButton,
  pass,
  pressButton,
  renderPage,
  submit,
  text,
  tick,
} from '../../testing/render-page.tsx'
import type { RenderedPage } from '../../testing/render-page.tsx'
import { LOOK_EVERY_MS } from './play-time.ts'
import { Reminder } from './reminder.tsx'
import { ResponsiblePlayScreen } from './responsible-play-screen.tsx'
import { PLAY_TIME_KEY } from './use-reminder.ts'

const NOW = Date.parse('2026-11-21T12:00:00Z') / 1000
const DAY = 86_400
const NOTHING_SET: ResponsiblePlay = {
  weekly_limit: null,
  weekly_left: null,
  weekly_limit_next: null,
  weekly_limit_next_at: null,
  time_out_until: null,
  excluded_until: null,
  reminder_minutes: null,
}

// Lazily loaded parts of the screen are loaded beforehand, so that they show immediately.
beforeAll(() => Promise.all([import('./components/pause-dialog.tsx'), import('./components/reminder-dialog.tsx')]))

let page: RenderedPage | null = null
/** Stands in for the browser's locks; without them a tab takes its turn immediately. */
const haveLocks = (locks: unknown) => Object.defineProperty(navigator, 'locks', { value: locks, configurable: true })

beforeEach(() => {
  vi.useFakeTimers({ now: NOW * 1000 })
  haveLocks(undefined)
  localStorage.clear()
})
afterEach(() => {
  page?.unmount()
  page = null
  vi.useRealTimers()
})

const open = async (set: Partial<ResponsiblePlay>, save?: () => ResponsiblePlay) => {
  const saved = { ...NOTHING_SET, ...set }
  page = await renderPage(<ResponsiblePlayScreen />, {
    answers: {
      getResponsiblePlay: () => saved,
      saveResponsiblePlay: save ?? (({ body }) => ({ ...saved, ...body }) as ResponsiblePlay),
    },
  })
  return page
}

describe('the weekly limit', () => {
  it('the weekly limit is set as an amount in the player’s currency', async () => {
    const { calls } = await open({})
    expect(text()).toContain('No limit')
    await pressButton('Edit weekly spending limit')
    await tick('Limit what I spend in a week')
    expect(button('Save').disabled).toBe(true)
    await fill('Most in seven days (GBP)', '49,90')
    await submit()
    expect(calls('saveResponsiblePlay')).toEqual([{ weekly_limit: 49.9 }])
    expect(text()).toContain('£49.90 a week')
  })

  it('a loosened limit shows the present and the pending one with its time, and can be kept unchanged', async () => {
    const waiting = { weekly_limit: 50, weekly_limit_next: null, weekly_limit_next_at: NOW + DAY }
    const { calls } = await open(waiting, () => ({ ...NOTHING_SET, weekly_limit: 50 }))
    expect(text()).toContain('Limit now£50.00 a week')
    expect(text()).toContain('From Nov 22, 2026 at 12:00 PMNo limit')
    await pressButton('Keep the present limit')
    expect(calls('saveResponsiblePlay')).toEqual([{ weekly_limit: 50 }])
    expect(hasButton('Keep the present limit')).toBe(false)
  })

  it('an unchanged limit makes no call', async () => {
    const { calls } = await open({ weekly_limit: 50 })
    await pressButton('Edit weekly spending limit')
    await submit()
    expect(calls('saveResponsiblePlay')).toEqual([])
  })
})

describe('a pause', () => {
  const dialog = () => document.querySelector('dialog')?.textContent ?? ''

  it('a pause begins only after confirmation, counted from then', async () => {
    const { calls } = await open({})
    await tick('1 week')
    await pressButton('Take a time-out')
    await pass(0)
    expect(dialog()).toContain('Until Nov 28, 2026 at 12:00 PM you cannot buy tickets.')
    expect(calls('saveResponsiblePlay')).toEqual([])
    await pressIn('Take a time-out')
    expect(calls('saveResponsiblePlay')).toEqual([{ time_out_until: NOW + 7 * DAY }])
    await pass(500)
    expect(text()).toContain('You are taking a time-out until Nov 28, 2026 at 12:00 PM.')
  })

  it('a self-exclusion says that it cannot be undone, and requires a tick first', async () => {
    const { calls } = await open({})
    await tick('2 years')
    await pressButton('Exclude myself')
    await pass(0)
    expect(dialog()).toContain('This cannot be undone.')
    await pressIn('Exclude myself')
    expect(calls('saveResponsiblePlay')).toEqual([])
    await tick('I understand that this cannot be undone.')
    await pressIn('Exclude myself')
    expect(calls('saveResponsiblePlay')).toEqual([{ excluded_until: Date.parse('2028-11-21T12:00:00Z') / 1000 }])
  })

  it('a pause of more than 5 years is confirmed twice', async () => {
    const { calls } = await open({})
    await tick('10 years')
    await pressButton('Exclude myself')
    await pass(0)
    await tick('I understand that this cannot be undone.')
    await pressIn('Exclude myself')
    expect(calls('saveResponsiblePlay')).toEqual([])
    expect(dialog()).toContain('Really for 10 years?')
    expect(dialog()).toContain('Until Nov 21, 2036 at 12:00 PM you can')
    await pressIn('Exclude myself')
    expect(calls('saveResponsiblePlay')).toEqual([{ excluded_until: Date.parse('2036-11-21T12:00:00Z') / 1000 }])
  })

  it('a running pause can only be extended', async () => {
    await open({ time_out_until: NOW + 14 * DAY })
    expect(text()).toContain('You are taking a time-out until Dec 5, 2026 at 12:00 PM.')
    expect(() => control('2 weeks')).toThrow()
    expect(control('4 weeks')).toHaveProperty('checked', true)
  })

  it('a refused pause shows the reason in the dialog', async () => {
    await open({}, () => {
      throw new ApiError({ status: 503, code: 'INTERNAL_SERVER_ERROR', message: '' })
    })
    await pressButton('Take a time-out')
    await pass(0)
    await pressIn('Take a time-out')
    expect(alerts()).toEqual(['Error. Please wait a few minutes before you try again.'])
  })

  async function pressIn(name: string) {
    const found = [...document.querySelectorAll<HTMLButtonElement>('dialog button')].find(
      (one) => one.textContent === name,
    )
    await act(async () => found?.click())
    await pass(0)
  }
})

describe('the reminders', () => {
  const MINUTE = 60_000
  const note = () => document.querySelector('dialog h2')?.textContent ?? null
  const setVisible = (isVisible: boolean) => {
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(isVisible ? 'visible' : 'hidden')
    act(() => void document.dispatchEvent(new Event('visibilitychange')))
  }
  const arrive = async (minutes: number | null = 15) => {
    page = await renderPage(<Reminder player="ann" />, {
      answers: { getResponsiblePlay: () => ({ ...NOTHING_SET, reminder_minutes: minutes }) },
    })
    return page
  }
  /** Maximum duration of a check and the wait for the other tabs. */
  const settle = async () => {
    await pass(LOOK_EVERY_MS + 1_000)
    await pass(0)
  }

  it('reminders are chosen from off, 15, 30, 60 and 120 minutes', async () => {
    const { calls } = await open({ reminder_minutes: 60 })
    expect(text()).toContain('Every 60 minutes')
    await pressButton('Edit reminders')
    for (const name of ['Off', 'Every 15 minutes', 'Every 30 minutes', 'Every 120 minutes']) control(name)
    await tick('Off')
    await submit()
    expect(calls('saveResponsiblePlay')).toEqual([{ reminder_minutes: null }])
  })

  it('reminders come after the chosen minutes, and again after the same time', async () => {
    await arrive()
    await pass(14 * MINUTE)
    expect(note()).toBeNull()
    await pass(MINUTE)
    await settle()
    expect(note()).toBe('You have been here for 15 minutes')
    await pressButton('Continue')
    await pass(500)
    expect(note()).toBeNull()
    await pass(15 * MINUTE)
    await settle()
    expect(note()).toBe('You have been here for 30 minutes')
  })

  it('reminders count across a reload, but not while no tab is in view', async () => {
    const first = await arrive()
    await pass(10 * MINUTE)
    first.unmount()
    vi.setSystemTime(Date.now() + 3 * MINUTE)
    await arrive()
    setVisible(false)
    await pass(20 * MINUTE)
    setVisible(true)
    await pass(4 * MINUTE)
    await settle()
    expect(note()).toBeNull()
    await pass(MINUTE)
    await settle()
    expect(note()).toBe('You have been here for 15 minutes')
  })

  it('reminders do not count the sleep of the computer', async () => {
    await arrive()
    await pass(10 * MINUTE)
    vi.setSystemTime(Date.now() + 60 * MINUTE)
    await pass(4 * MINUTE)
    await settle()
    expect(note()).toBeNull()
  })

  it('a reminder disappears in a tab once it is answered in another', async () => {
    await arrive()
    await pass(15 * MINUTE)
    await settle()
    expect(note()).not.toBeNull()
    const counted = JSON.parse(localStorage.getItem(PLAY_TIME_KEY) ?? '') as { countedMs: number }
    const answered = JSON.stringify({ ...counted, remindedMs: counted.countedMs })
    localStorage.setItem(PLAY_TIME_KEY, answered)
    act(() => void window.dispatchEvent(new StorageEvent('storage', { key: PLAY_TIME_KEY, newValue: answered })))
    await pass(500)
    expect(note()).toBeNull()
  })

  it('a tab shows no reminder while another one does', async () => {
    const turns: (() => void)[] = []
    const request = vi.fn((_name: string, _options: object, task: () => Promise<void>) => {
      turns.push(() => void task())
      return new Promise(() => {})
    })
    haveLocks({ request })
    await arrive()
    await pass(15 * MINUTE)
    await settle()
    expect(request).toHaveBeenCalledTimes(1)
    expect(note()).toBeNull()
    turns[0]?.()
    await settle()
    expect(note()).toBe('You have been here for 15 minutes')
  })

  it('a reminder offers a break or a logout', async () => {
    await arrive()
    await pass(15 * MINUTE)
    await settle()
    await pressButton('Take a break')
    expect(page?.tab.entries.at(-1)).toBe('/settings/profile-and-settings/responsible-play')
    await pass(15 * MINUTE)
    await settle()
    await pressButton('Log out')
    expect(page?.tab.entries.at(-1)).toMatch(/^\/login/)
    expect(page?.session.state().status).toBe('anonymous')
    expect(localStorage.getItem(PLAY_TIME_KEY)).toBeNull()
  })

  it('players who have not asked for reminders get none', async () => {
    await arrive(null)
    await pass(180 * MINUTE)
    expect(note()).toBeNull()
    expect(localStorage.getItem(PLAY_TIME_KEY)).toBeNull()
  })
})
