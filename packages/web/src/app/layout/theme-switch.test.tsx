import { act } from 'react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { render } from '@fairball/ui/testing/render.tsx'
import type { Rendered } from '@fairball/ui/testing/render.tsx'
import { THEME_KEY } from '../document/theme.ts'
import { ThemeSwitch } from './theme-switch.tsx'

let page: Rendered
beforeEach(() => {
  document.head.innerHTML = ['light', 'dark']
    .map((scheme) => `<meta name="theme-color" data-scheme="${scheme}" media="(prefers-color-scheme: ${scheme})">`)
    .join('')
  page = render(<ThemeSwitch />)
})
afterEach(() => {
  page.unmount()
  localStorage.clear()
  document.head.innerHTML = ''
  delete document.documentElement.dataset['theme']
})

const choices = () => [...document.querySelectorAll<HTMLInputElement>('fieldset input[type="radio"]')]
const chosen = () => choices().find(({ checked }) => checked)?.parentElement?.textContent
const barMedia = () => [...document.querySelectorAll('meta')].map(({ media }) => media)
const shown = () => document.documentElement.dataset['theme']

it('a chosen theme is shown, kept in the browser, and colours the browser’s bar, until the system’s is chosen', async () => {
  expect([chosen(), shown()]).toEqual(['System', undefined])
  await act(async () => choices()[2]?.click())
  expect([chosen(), shown(), localStorage.getItem(THEME_KEY)]).toEqual(['Dark', 'dark', 'dark'])
  expect(barMedia()).toEqual(['not all', 'all'])
  await act(async () => choices()[0]?.click())
  expect([chosen(), shown(), localStorage.getItem(THEME_KEY)]).toEqual(['System', undefined, null])
  expect(barMedia()).toEqual(['(prefers-color-scheme: light)', '(prefers-color-scheme: dark)'])
})

it('a theme that another tab chose is shown here too', async () => {
  localStorage.setItem(THEME_KEY, 'light')
  await act(async () => dispatchEvent(new StorageEvent('storage', { key: THEME_KEY })))
  expect([chosen(), shown()]).toEqual(['Light', 'light'])
})
