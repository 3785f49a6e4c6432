// @vitest-environment happy-dom
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { find, press } from '../../testing/render.tsx'
import { renderPage } from '../../testing/render-page.tsx'
import type { RenderedPage } from '../../testing/render-page.tsx'
import { DesignScreen } from './design-screen.tsx'
import { DESIGN_TEXTS } from './messages.ts'

const UI = join(import.meta.dirname, '../../ui')
/** They show nothing: they hand something to the components below them. */
const WITHOUT_LOOKS = ['AnchorProvider', 'TimersProvider']

const components = readdirSync(UI).filter((file) => file.endsWith('.tsx') && !file.endsWith('.test.tsx'))
const sources = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.tsx') && !file.endsWith('.test.tsx'))
  .map((file) => readFileSync(join(import.meta.dirname, file), 'utf8'))
  .join('\n')

let page: RenderedPage
const open = async () => {
  vi.useFakeTimers()
  page = await renderPage(<DesignScreen />, { answers: {}, profile: null })
}
const close = () => {
  page.unmount()
  vi.useRealTimers()
}

describe('every component of src/ui is shown on the page of components', () => {
  beforeAll(open)
  afterAll(close)

  it.each(components)('%s: who adds a component shows it in its states', (file) => {
    const exported = [...readFileSync(join(UI, file), 'utf8').matchAll(/^export (?:default )?function ([A-Z]\w*)/gmu)]
      .map(([, name]) => name ?? '')
      .filter((name) => !WITHOUT_LOOKS.includes(name))
    // Icons are shown from a list of all of them.
    if (file.endsWith('icons.tsx')) {
      const shown = [...document.querySelectorAll('#icons li')].map((item) => `${item.textContent}Icon`)
      expect(shown).toEqual(expect.arrayContaining(exported.filter((name) => name !== 'Icon')))
      return
    }
    for (const name of exported) expect(sources, name).toMatch(new RegExp(`<${name}[\\s>]`, 'u'))
    if (exported.length > 0) expect(document.body.textContent).toContain(`ui/${file}`)
  })
})

describe('the page of components', () => {
  beforeEach(open)
  afterEach(close)

  it('shows everything in both themes side by side at first, and in one alone when asked', async () => {
    const themes = () =>
      new Set([...document.querySelectorAll<HTMLElement>('[data-theme]')].map((pane) => pane.dataset['theme']))
    expect([...themes()]).toEqual(['light', 'dark'])
    await press(chip(DESIGN_TEXTS.themes.dark))
    expect([...themes()]).toEqual(['dark'])
    await press(chip(DESIGN_TEXTS.themes.system))
    expect([...themes()]).toEqual([])
  })

  it('wears the colours of the game that is chosen', async () => {
    await press(chip('Mega Ball'))
    expect(find('#chips [role="group"]').dataset['game']).toBe('mega-ball')
  })

  it('leads to each section by its anchor, and has one heading of the page', () => {
    for (const id of Object.keys(DESIGN_TEXTS.sections)) expect(find(`#${id}`).tagName).toBe('SECTION')
    expect(document.querySelectorAll('h1')).toHaveLength(1)
    const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id)
    expect(ids).toHaveLength(new Set(ids).size)
  })
})

function chip(name: string): HTMLElement {
  const found = [...document.querySelectorAll<HTMLElement>('button[aria-pressed]')].find(
    (one) => one.textContent === name,
  )
  if (found === undefined) throw new Error(`There is no chip ${name}.`)
  return found
}
