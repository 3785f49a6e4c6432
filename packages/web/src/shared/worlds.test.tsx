import { afterEach, expect, it, vi } from 'vitest'
import { showWorlds, worldsText } from './worlds.ts'

const HERO = { key: 'bitcoin-hero', color: '#FF6F96', pattern: 'band' } as const
const STARTER = { key: 'starter', color: '#9BE15D', pattern: 'ring' } as const

afterEach(() => {
  document.head.innerHTML = ''
  document.adoptedStyleSheets = []
  vi.restoreAllMocks()
})

it('a game that the page was sent without gets its colours once, and again if it changes', async () => {
  document.head.innerHTML = `<style id="worlds" data-worlds="${worldsText([HERO])}"></style>`
  const written = vi.spyOn(CSSStyleSheet.prototype, 'replaceSync')
  showWorlds([HERO])
  showWorlds([HERO, STARTER])
  showWorlds([HERO, STARTER])
  await vi.waitFor(() => expect(document.adoptedStyleSheets).toHaveLength(1))
  showWorlds([HERO, { ...STARTER, color: '#FFD43B' }])
  await vi.waitFor(() => expect(document.adoptedStyleSheets).toHaveLength(2))
  const [first, second] = written.mock.calls.map(([rules]) => rules)
  expect(first).toMatch(/^@layer tokens\{\[data-game='starter'\]\{--g:#9BE15D;[^{}]*\}\}$/u)
  expect(second).toContain("[data-game='starter']{--g:#FFD43B;")
})
