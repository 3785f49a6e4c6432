import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { renderPage } from '../../testing/render-page.tsx'
import type { RenderedPage } from '../../testing/render-page.tsx'
import { Tab } from '../../testing/tab.tsx'
import { SettingsLayout } from './settings-layout.tsx'

let page: RenderedPage
beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  page.unmount()
  vi.useRealTimers()
})

const linksOf = (label: string) =>
  [...document.querySelectorAll(`nav[aria-label="${label}"] a`)].map(
    (link) => `${link.textContent}${link.getAttribute('aria-current') === 'page' ? ' (current)' : ''}`,
  )

it('the navigation has the groups of the specification, and marks the current page, even on page 2 of a list', async () => {
  page = await renderPage(<SettingsLayout />, { answers: {}, tab: new Tab('/settings/general/messages/2') })
  expect([...document.querySelectorAll('nav[aria-label="Settings"] h2')].map(({ textContent }) => textContent)).toEqual(
    ['General', 'Profile & Settings', 'Funds & Payments'],
  )
  expect(linksOf('Settings')).toContain('Messages (current)')
  expect(linksOf('Settings groups')).toEqual(['General (current)', 'Profile & Settings', 'Funds & Payments'])
  expect(linksOf('General')).toEqual(['My tickets', 'My games', 'Messages (current)'])
})

it.each([
  ['an account with a password', false, true],
  ['an account of a social network', true, false],
])('for %s (social: %s), the link to the password change is shown: %s', async (_, isSocial, isThere) => {
  page = await renderPage(<SettingsLayout />, {
    answers: {},
    profile: { is_social_account: isSocial },
    tab: new Tab('/settings/profile-and-settings/security'),
  })
  expect(linksOf('Settings').includes('Password change')).toBe(isThere)
  expect(linksOf('Profile & Settings').includes('Password change')).toBe(isThere)
})
