import { expect, it } from 'vitest'
import { heroGame } from '../testing/hero-game.ts'
import { OWN_LOOK } from '../testing/quiet-config.ts'
import { visitorPage } from '../testing/visitor-page.ts'

const NOW = 1_800_000_000
const pageOf = async (...games: { key: string; color: string }[]) => {
  const list = games.map((game) => heroGame(NOW + 3600, game))
  return await (await visitorPage('/', NOW, (name) => (name === 'getGames' ? list : Promise.reject(name)))).text()
}

it('the page has the colours and the pattern of each game in the style element that its policy names', async () => {
  const html = await pageOf({ key: 'bitcoin-hero', color: '#FF6F96' }, { key: 'starter', color: '#9BE15D' })
  const [, attributes, rules] = /<style ([^>]*id="worlds"[^>]*)>(.*?)<\/style>/u.exec(html) ?? []
  expect(attributes).toContain('nonce="nonce"')
  expect(rules).toContain("[data-game='bitcoin-hero']{--g:#FF6F96;--g-shade:#E84A77;")
  expect(rules).toContain('--ball:var(--band);--ball-field:var(--band-field)}')
  expect(rules).toContain("[data-game='starter']{--g:#9BE15D;")
  expect(html.indexOf('id="worlds"')).toBeLessThan(html.indexOf('</head>'))
})

it('what is not a key or a colour is not written into the style element', async () => {
  const html = await pageOf({ key: 'starter', color: '#fff}</style><script>' }, { key: "x']{}", color: '#9BE15D' })
  expect(/<style [^>]*id="worlds" data-worlds="">@layer tokens\{\}<\/style>/u.test(html)).toBe(true)
})

it("a site's colours are in the same style element, after those of its games", async () => {
  const colors = { paper: '#EAF4EC', ink: '#06281C' }
  const list = [heroGame(NOW + 3600)]
  const answer = (name: string) => (name === 'getGames' ? list : Promise.reject(name))
  const html = await (await visitorPage('/', NOW, answer, { ...OWN_LOOK, colors })).text()
  const [, rules] = /<style nonce="nonce" id="worlds"[^>]*>(.*?)<\/style>/u.exec(html) ?? []
  expect(rules).toMatch(/\[data-game='bitcoin-hero'\].*--paper:light-dark\(#EAF4EC,#120d20\)/u)
  expect(html).toContain(
    '<meta name="theme-color" data-scheme="light" media="(prefers-color-scheme: light)" content="#EAF4EC"/>',
  )
})
