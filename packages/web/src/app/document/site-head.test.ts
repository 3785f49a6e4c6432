import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { siteHead, siteRules } from './site-head.ts'

const COLORS = { paper: '#EAF4EC', ink: '#06281C' }
const TOKENS = readFileSync(new URL('../../ui/tokens.css', import.meta.url), 'utf8')

it("a site without colours of its own has the product's, and no rules", () => {
  expect(siteRules(null)).toBe('')
  const paper = /--paper: light-dark\((#[\da-f]{6}), (#[\da-f]{6})\)/u.exec(TOKENS)
  const colours = [...siteHead({ colors: null }).matchAll(/theme-color"[^>]*content="([^"]*)"/gu)].map(([, one]) => one)
  expect(colours).toEqual([paper?.[1], paper?.[2]])
})

it("a site's paper is the colour of the browser's bar in the light theme only", () => {
  const head = siteHead({ colors: COLORS })
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
