import { expect, it } from 'vitest'
import { CHECKOUT_NOW as NOW } from '../testing/checkout.ts'
import { heroGame } from '../testing/hero-game.ts'
import { visitorPage } from '../testing/visitor-page.ts'

const pageOf = (url: string) =>
  visitorPage(url, NOW, (name) => {
    if (name !== 'getGames') throw new Error(`The page asks for ${name}.`)
    return [heroGame(NOW + 3600)]
  })

const PAGED = [
  '/settings/general/messages',
  '/settings/profile-and-settings/security',
  '/settings/funds-and-payments/transaction-history',
  '/game/bitcoin-hero/results',
  '/game/bitcoin-hero/draws',
]

it.each(PAGED)('%s leads to the page for what is missing where the page of the list cannot be', async (path) => {
  for (const page of ['0', '-1', '01', 'two']) {
    const { status, headers } = await pageOf(`${path}/${page}`)
    expect([status, headers.get('location')], page).toEqual([307, '/page-not-found'])
  }
  for (const page of ['', '/1', '/99']) expect((await pageOf(path + page)).status, page).toBe(200)
})

it.each(['/login', '/open-an-account', '/settings/general/my-games', '/game/bitcoin-hero/results'])(
  '%s says without scripts what needs them, and leads to what can be read',
  async (path) => {
    const html = await (await pageOf(path)).text()
    const words = /<main.*?<noscript>(.*?)<\/noscript>/su.exec(html)?.[1] ?? ''
    expect(words).toContain('This page needs JavaScript')
    for (const href of ['/', '/fairness', '/terms', '/help-and-contact-us']) expect(words).toContain(`href="${href}"`)
  },
)

it('says it on no page that can be read without scripts', async () => {
  expect(await (await pageOf('/how-to-claim')).text()).not.toContain('This page needs JavaScript')
})
