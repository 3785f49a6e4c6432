import { expect, it } from 'vitest'
import { CHECKOUT_NOW as NOW } from '../testing/checkout.ts'
import { heroGame } from '../testing/hero-game.ts'
import { visitorPage } from '../testing/visitor-page.ts'
import { pageTable } from './page-table.ts'

const pageOf = (url: string) =>
  visitorPage(url, NOW, (name) => {
    if (name === 'getFairnessDraw') return {}
    if (name !== 'getGames') throw new Error(`The page asks for ${name}.`)
    return [heroGame(NOW + 3600)]
  })

const PAGED = [
  '/settings/general/tickets',
  '/settings/general/messages',
  '/settings/profile-and-settings/security',
  '/settings/funds-and-payments/transaction-history',
  '/game/bitcoin-hero/results',
  '/game/bitcoin-hero/draws',
]

it.each(PAGED)('%s leads to the page for missing addresses if its page number is impossible', async (path) => {
  for (const page of ['0', '-1', '01', 'two']) {
    const { status, headers } = await pageOf(`${path}/${page}`)
    expect([status, headers.get('location')], page).toEqual([307, '/page-not-found'])
  }
  for (const page of ['', '/1', '/99']) expect((await pageOf(path + page)).status, page).toBe(200)
})

it.each(['/login', '/open-an-account', '/settings/general/my-games', '/game/bitcoin-hero/results'])(
  'without scripts %s says what needs them, and links to the readable pages',
  async (path) => {
    const html = await (await pageOf(path)).text()
    const words = /<main.*?<noscript>(.*?)<\/noscript>/su.exec(html)?.[1] ?? ''
    expect(words).toContain('This page needs JavaScript')
    for (const href of ['/', '/fairness', '/terms', '/help-and-contact-us']) expect(words).toContain(`href="${href}"`)
  },
)

const SETTINGS = Object.values(pageTable.routesById)
  .filter(({ fullPath, options }) => fullPath.startsWith('/settings/') && options.staticData?.screen !== undefined)
  .map(({ fullPath }) => fullPath.replace(/\/\{.*/u, ''))

it.each(SETTINGS)('%s comes with its title and the navigation, before it is known who is signed in', async (path) => {
  const html = await (await pageOf(path)).text()
  const [, name] = /<title>(.+) – /u.exec(html) ?? []
  expect(name).toMatch(/\w/u)
  expect(html).toContain(`<h1>${name}</h1>`)
  expect(html).toMatch(new RegExp(`<nav aria-label="Settings".*aria-current="page"[^>]*>${name}</a>`, 'su'))
})

it('a page that is readable without scripts has no such note', async () => {
  expect(await (await pageOf('/how-to-claim')).text()).not.toContain('This page needs JavaScript')
})

/** A page's text for visitors without scripts, in its HTML. */
const withoutScripts = (html: string) =>
  [...html.matchAll(/<noscript>(.*?)<\/noscript>/gsu)].map(([, words]) => words ?? '').join(' ')

it('without scripts a proof says so, and links to the verifier that works offline', async () => {
  const answer = (name: string) =>
    name === 'getGames' ? [heroGame(NOW + 3600)] : { notes: [], witnesses: [], beacon: null }
  const html = await (await visitorPage('/game/bitcoin-hero/draw/1/proof', NOW, answer)).text()
  expect(withoutScripts(html)).toContain('This page recalculates the draw in your browser and needs JavaScript.')
  expect(withoutScripts(html)).toContain('href="/fairness/fairball-verify.html"')
})

it('without scripts a game links to its rules instead of the explanation', async () => {
  const words = withoutScripts(await (await pageOf('/game/bitcoin-hero')).text())
  expect(words).toContain('“How to play” needs JavaScript.')
  expect(words).toContain('href="/terms"')
})

it('the page of an order comes without what is for visitors, and without scripts leads to its payment', async () => {
  const html = await (await pageOf('/game/bitcoin-hero?transaction_id=order-1')).text()
  expect(withoutScripts(html)).toContain('href="/checkout/order-1"')
  expect([html.includes('Bitcoin Hero</h1>'), html.includes('Log in To Play')]).toEqual([true, false])
})

it('a page mostly for players names the script of their menu, and one for a visitor does not', async () => {
  const named = async (url: string) =>
    /data-source="src\/app\/layout\/account-menu.tsx"/u.test(await (await pageOf(url)).text())
  for (const url of [
    '/settings/general/tickets',
    '/game/bitcoin-hero/results',
    '/game/bitcoin-hero?transaction_id=1',
    '/game/bitcoin-hero/draw/1/proof',
  ])
    expect(await named(url), url).toBe(true)
  for (const url of ['/', '/game/bitcoin-hero', '/login']) expect(await named(url), url).toBe(false)
})
