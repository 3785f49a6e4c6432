import { act } from 'react'
import type { WebConfig } from '@fairball/contract/pages'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { button, pass, pressButton, renderPage } from '../../testing/render-page.tsx'
import type { RenderedPage } from '../../testing/render-page.tsx'
import { MobileMenuButton } from './mobile-menu-button.tsx'

let page: RenderedPage
beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  page.unmount()
  vi.useRealTimers()
})

const menu = () => document.querySelector('dialog')

async function openMenu(profile: null | object = null, config: Partial<WebConfig> = {}): Promise<void> {
  page = await renderPage(<MobileMenuButton />, { profile, answers: {}, config })
  await pressButton('Menu')
  await act(() => vi.dynamicImportSettled())
  await pass(0)
}

it('the menu opens with the groups of the specification and their links', async () => {
  await openMenu()
  expect(menu()?.open).toBe(true)
  const groups = [...document.querySelectorAll('dialog nav')].map((group) => [
    group.getAttribute('aria-label'),
    [...group.querySelectorAll('a')].map((link) => `${link.textContent} ${link.getAttribute('href')}`),
  ])
  expect(groups).toEqual([
    ['Games', ['How to claim /how-to-claim', 'Where the money goes /where-the-money-goes']],
    [
      'Additional',
      [
        'About Us /about-us',
        'Fairness (white paper) /fairness',
        'Help & Contact Us /help-and-contact-us',
        'Give Feedback /feedback',
      ],
    ],
    ['Legal', ['Terms & Rules /terms', 'Privacy Policy /privacy-policy']],
  ])
})

it('the menu closes by its button and by Escape, and returns the focus', async () => {
  await openMenu()
  expect(button('Menu').getAttribute('aria-expanded')).toBe('true')
  await pressButton('Close the menu')
  expect([menu(), document.activeElement]).toEqual([null, button('Menu')])
  await pressButton('Menu')
  await act(() => vi.dynamicImportSettled())
  await pass(0)
  // Acts like a browser on Escape.
  await act(async () => menu()?.close())
  await pass(0)
  expect([menu(), button('Menu').getAttribute('aria-expanded')]).toEqual([null, 'false'])
})

it('the menu offers the login to visitors only', async () => {
  await openMenu()
  expect(document.querySelector('dialog a[href^="/login"]')).not.toBeNull()
  page.unmount()
  await openMenu({})
  expect(document.querySelector('dialog a[href^="/login"]')).toBeNull()
})

it('the menu shows the logo of a site in place of the product’s sign', async () => {
  await openMenu(null, { logo: { light: '/content/a.png', dark: '/content/b.png' } })
  expect(document.querySelector<HTMLImageElement>('dialog img')?.getAttribute('src')).toBe('/content/a.png')
})
