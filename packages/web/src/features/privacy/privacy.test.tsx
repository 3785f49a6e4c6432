import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { OWN_TEXT } from '../../testing/legal-text.ts'
import { renderPage, text } from '../../testing/render-page.tsx'
import type { RenderedPage } from '../../testing/render-page.tsx'
import { find } from '@fairball/ui/testing/render.tsx'
import { PRIVACY_CHAPTERS } from './messages.ts'
import { PrivacyScreen } from './privacy-screen.tsx'

let page: RenderedPage
beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  page.unmount()
  vi.useRealTimers()
})

it('the policy has a section for every entry of the contents, and leads to the cookies and to one’s own data', async () => {
  page = await renderPage(<PrivacyScreen version={undefined} />, {
    answers: { getLegalText: () => OWN_TEXT },
    profile: null,
  })
  for (const { id, title } of PRIVACY_CHAPTERS) expect(find(`#${id} h2`).textContent).toBe(title)
  const links = [...document.querySelectorAll('a')].map((link) => link.getAttribute('href'))
  expect(links).toEqual(
    expect.arrayContaining(['/cookies', '/settings/profile-and-settings/personal-data', '/help-and-contact-us']),
  )
  expect(text()).toContain('One cookie is set, when you log in.')
})

it('every kind of data has a purpose and a retention period', async () => {
  page = await renderPage(<PrivacyScreen version={undefined} />, {
    answers: { getLegalText: () => OWN_TEXT },
    profile: null,
  })
  const rows = [...find('#kept tbody').querySelectorAll('tr')]
  expect(rows.length).toBeGreaterThan(10)
  for (const row of rows) for (const cell of row.querySelectorAll('td')) expect(cell.textContent).not.toBe('')
})

it.each(['messages.ts', '../cookies/kept-items.ts'])(
  'the policy takes every period from the server’s constants: %s',
  (file) => {
    const source = readFileSync(join(import.meta.dirname, file), 'utf8')
    const ofWords =
      /\b(?:\d+|an?|one|two|three|four|five|six|seven|ten|thirty) (?:second|minute|hour|day|week|month|year)s?\b/giu
    // Not about a person's data: the interval of the clean-up.
    expect(source.replace('once a day', '').match(ofWords)).toBeNull()
  },
)

it('the policy shows the server’s periods', async () => {
  page = await renderPage(<PrivacyScreen version={undefined} />, {
    answers: { getLegalText: () => OWN_TEXT },
    profile: null,
  })
  for (const told of [
    'changed it7 days',
    '30 days from the login',
    'lock you out90 days',
    'lock you out either180 days from the last login',
    'to delay a change by 24 hours',
    '400 days; the text',
    'is kept for 30 days',
    'From 5 minutes to 2 days',
    'counted for 24 hours at most',
  ])
    expect(find('#kept').textContent + find('#network').textContent).toContain(told)
})

it('the policy mentions the demo’s mails only in a demo', async () => {
  page = await renderPage(<PrivacyScreen version={undefined} />, {
    answers: { getLegalText: () => OWN_TEXT },
    profile: null,
    config: { testMode: false },
  })
  expect(text()).not.toContain('This demo')
})
