import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from '@fairball/contract/client'
import { alerts, control, hasButton, pressButton, renderPage, submit, text, tick } from '../../testing/render-page.tsx'
import type { Answers, RenderedPage } from '../../testing/render-page.tsx'
import { WinnerConsent } from './components/winner-consent.tsx'

const SHOW = 'Show my wins under a masked name'
const CHANGE = 'Change what the Winners page shows'

let page: RenderedPage | null = null
beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  page?.unmount()
  page = null
  vi.useRealTimers()
})

async function open(isShown: boolean, more: { username?: string; answers?: Answers } = {}): Promise<RenderedPage> {
  const { username = 'player-abc123', answers = {} } = more
  page = await renderPage(<WinnerConsent />, {
    answers: {
      getWinnerConsent: () => ({ is_shown: isShown }),
      saveWinnerConsent: ({ body }) => body,
      ...answers,
    },
    profile: { username },
  })
  return page
}

describe('the consent to show wins', () => {
  it('the consent is off until the player switches it on, and the form first says what everyone would see', async () => {
    const { calls } = await open(false)
    expect(text()).toContain(`${SHOW}Off`)
    expect(text()).toContain('Yours are there only if you agree')
    await pressButton(CHANGE)
    expect(control(SHOW)).toHaveProperty('checked', false)
    expect(text()).toContain('You appear as pla***123.')
    expect(text()).toContain('your wins of the last 180 days and those to come')
    expect(text()).toContain('can be matched with that line')
    await tick(SHOW)
    expect(calls('saveWinnerConsent')).toEqual([])
    await submit()
    expect(calls('saveWinnerConsent')).toEqual([{ is_shown: true }])
    expect(text()).toContain(`${SHOW}On`)
    expect(text()).toContain('Your changes have been saved.')
  })

  it('the consent is withdrawn in the same way', async () => {
    const { calls } = await open(true)
    await pressButton(CHANGE)
    await tick(SHOW)
    await submit()
    expect(calls('saveWinnerConsent')).toEqual([{ is_shown: false }])
    expect(text()).toContain(`${SHOW}Off`)
  })

  it('Cancel, or Save without a change, leaves the consent unchanged', async () => {
    const { calls } = await open(false)
    await pressButton(CHANGE)
    await tick(SHOW)
    await pressButton('Cancel')
    await pressButton(CHANGE)
    expect(control(SHOW)).toHaveProperty('checked', false)
    await submit()
    expect(hasButton(CHANGE)).toBe(true)
    expect(calls('saveWinnerConsent')).toEqual([])
  })

  it('a name too short to be masked is hidden completely', async () => {
    await open(false, { username: 'Anna' })
    await pressButton(CHANGE)
    expect(text()).toContain('You appear as ***.')
    expect(text()).not.toContain('Anna')
  })

  it('a consent that cannot be saved stays open with an error, and one that cannot be loaded offers a retry', async () => {
    const saveWinnerConsent = () => {
      throw new ApiError({ status: 500, code: 'INTERNAL_SERVER_ERROR', message: 'of the server' })
    }
    const opened = await open(false, { answers: { saveWinnerConsent } })
    await pressButton(CHANGE)
    await tick(SHOW)
    await submit()
    expect(alerts()).toEqual(['Error. Please wait a few minutes before you try again.'])
    expect(hasButton('Save')).toBe(true)
    opened.unmount()

    const getWinnerConsent = () => {
      throw new ApiError({ status: 404, code: 'NOT_FOUND', message: 'of the server' })
    }
    await open(false, { answers: { getWinnerConsent } })
    expect(text()).toContain('Data cannot be loaded! Please try again later.')
    expect(document.querySelector('button')).not.toBeNull()
  })
})
