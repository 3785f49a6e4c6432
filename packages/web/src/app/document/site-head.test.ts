import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { OWN_LOOK } from '../../testing/quiet-config.ts'
import { siteHead, siteRules } from './site-head.ts'

const COLORS = { paper: '#EAF4EC', ink: '#06281C' }
const TOKENS = readFileSync(new URL('../../../../ui/src/tokens.css', import.meta.url), 'utf8')

it("a site without colours of its own has the product's, and no rules", () => {
  expect(siteRules(null)).toBe('')
  const paper = /--paper: light-dark\((#[\da-f]{6}), (#[\da-f]{6})\)/u.exec(TOKENS)
  const colours = [...siteHead(OWN_LOOK).matchAll(/theme-color"[^>]*content="([^"]*)"/gu)].map(([, one]) => one)
  expect(colours).toEqual([paper?.[1], paper?.[2]])
})

it("a site's paper is the colour of the browser's bar in the light theme only", () => {
  const head = siteHead({ ...OWN_LOOK, colors: COLORS })
  expect(head).toContain('media="(prefers-color-scheme: light)" content="#EAF4EC"')
  expect(head).toContain('media="(prefers-color-scheme: dark)" content="#120d20"')
})

it('rules for a site replace light values of tokens and keep the dark ones', () => {
  const rules = siteRules(COLORS)
  expect(rules).toMatch(/^@layer tokens\{@media screen\{:root,\[data-theme\]\{[^{}]*\}\}\}$/u)
  expect(rules).toContain('--paper:light-dark(#EAF4EC,#120d20)')
  expect(rules).toContain('--ink:light-dark(#06281C,#f4f0fa)')
  const dark = [...rules.matchAll(/--([\w-]+):light-dark\(#[\dA-F]{6},(#[\da-f]{6})\)/gu)]
  expect(dark).toHaveLength(8)
  for (const [, name = '', value = ''] of dark)
    expect(TOKENS, name).toMatch(new RegExp(`--${name}: (?:light-dark\\(#[\\da-f]{6}, )?${value}`, 'u'))
})

it("a site without an icon of its own has the product's", () => {
  const links = [...siteHead(OWN_LOOK).matchAll(/<link [^>]*>/gu)].map(([link]) => link)
  expect(links).toEqual([
    '<link rel="icon" href="/favicon.svg" type="image/svg+xml"/>',
    '<link rel="apple-touch-icon" href="/icons/apple-touch-icon.png"/>',
    '<link rel="manifest" href="/manifest.webmanifest"/>',
  ])
})

it("a site's icon is that of the browser in both themes, and of the home screen", () => {
  const head = siteHead({ ...OWN_LOOK, icon: { light: '/content/a.png', dark: '/content/b.webp' } })
  const links = [...head.matchAll(/<link [^>]*>/gu)].map(([link]) => link)
  expect(links).toEqual([
    '<link rel="icon" href="/content/a.png" media="(prefers-color-scheme: light)"/>',
    '<link rel="icon" href="/content/b.webp" media="(prefers-color-scheme: dark)"/>',
    '<link rel="apple-touch-icon" href="/content/a.png"/>',
    '<link rel="manifest" href="/manifest.webmanifest"/>',
  ])
})
