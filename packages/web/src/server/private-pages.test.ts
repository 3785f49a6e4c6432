import { expect, it } from 'vitest'
import type { Api } from '../app/api.ts'
import { render } from '../entry-server.tsx'
import { CHECKOUT_NOW as NOW } from '../testing/checkout.ts'
import { heroGame } from '../testing/hero-game.ts'

/** A page as it comes over the network, to somebody of whom nothing is known. */
async function pageOf(url: string) {
  const call = async (name: string) => {
    if (name !== 'getGames') throw new Error(`The page asks for ${name}.`)
    return [heroGame(NOW + 3600)]
  }
  return await render({
    url,
    // A stand-in that answers by name.
    api: { call, address: () => '' } as unknown as Api,
    now: NOW,
    nonce: 'nonce',
    config: {
      testMode: false,
      publicUrl: 'http://localhost',
      network: 'regtest',
      socialLogins: { google: null, facebook: null },
      supportEmail: null,
      content: { operator: null, social: [], feedbackFormUrl: null },
    },
    assets: { head: () => '' },
  })
}

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
