import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { pressButton, renderPage, text } from '../../testing/render-page.tsx'
import type { RenderedPage } from '../../testing/render-page.tsx'
import { COMING_TEXTS_KEY, hideDismissed } from '../document/coming-texts.ts'
import ComingTexts from './coming-texts.tsx'

const TEXTS = [
  { name: 'terms', version: 3, fromAt: 1_800_446_400 },
  { name: 'privacy', version: 1, fromAt: 1_800_532_800 },
] as const

let page: RenderedPage
beforeEach(() => void vi.useFakeTimers({ now: 1_800_014_400_000 }))
afterEach(() => {
  page.unmount()
  localStorage.clear()
  delete document.documentElement.dataset['comingTexts']
  vi.useRealTimers()
})

it('announced texts are named with their day and a link, and stay dismissed until another version is announced', async () => {
  page = await renderPage(<ComingTexts texts={TEXTS} />, { answers: {}, profile: null })
  expect(text()).toContain('The terms change on Jan 20, 2027. Read the new terms')
  expect(text()).toContain('The privacy policy changes on Jan 21, 2027. Read the new policy')
  const links = [...document.querySelectorAll('a')].map((a) => a.getAttribute('href'))
  expect(links).toEqual(['/terms?version=3', '/privacy-policy?version=1'])

  await pressButton('Dismiss')
  expect(document.documentElement.dataset['comingTexts']).toBe('seen')
  expect(localStorage.getItem(COMING_TEXTS_KEY)).toBe('terms 3, privacy 1')
  expect(hideDismissed(TEXTS)).toContain(`==='${localStorage.getItem(COMING_TEXTS_KEY)}'`)
  expect(hideDismissed([{ ...TEXTS[0], version: 4 }])).toContain(`==='terms 4'`)
})
