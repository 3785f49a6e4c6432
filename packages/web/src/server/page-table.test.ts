import { expect, it } from 'vitest'
import { listedPages, pageTable } from './page-table.ts'

it('the sitemap lists every public page, and no other', () => {
  expect(listedPages().toSorted()).toEqual([
    '/',
    '/about-us',
    '/cookies',
    '/fairness',
    '/feedback',
    '/game/$gameKey',
    '/game/$gameKey/draw/$number',
    '/game/$gameKey/draws',
    '/game/$gameKey/statistics',
    '/game/$gameKey/watch',
    '/help-and-contact-us',
    '/how-to-claim',
    '/login',
    '/open-an-account',
    '/privacy-policy',
    '/terms',
    '/where-the-money-goes',
    '/winners-and-good-causes',
  ])
})

it('the server renders no page for a single player', () => {
  const settings = Object.values(pageTable.routesById).filter(({ fullPath }) => fullPath.startsWith('/settings/'))
  expect(settings.length).toBeGreaterThan(9)
  for (const { fullPath, options } of settings)
    expect(options.ssr === false || options.component === undefined, fullPath).toBe(true)
})
