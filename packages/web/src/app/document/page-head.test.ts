import { describe, expect, it } from 'vitest'
import type { DrawDetails, Game } from '@fairball/contract/schemas/game'
import type { WebConfig } from '@fairball/contract/pages'
import { pageHead } from './page-head.ts'
import type { PageFacts } from './page-meta.ts'
import { pageMeta } from './page-meta.ts'

const SITE = 'https://fairball.example'
const START = Date.parse('2026-11-21T18:00:00Z') / 1000

const CONFIG: WebConfig = {
  testMode: false,
  publicUrl: SITE,
  network: 'mainnet',
  socialLogins: { google: null, facebook: null, twitter: null },
  siteName: 'Fairball',
  supportEmail: null,
  content: { operator: null, social: [], feedbackFormUrl: null },
  build: null,
}

const HERO: Game = {
  id: 2,
  key: 'bitcoin-hero',
  name: 'Bitcoin Hero',
  color: '#FF6F96',
  pattern: 'band',
  summary: '',
  currency: 'GBP',
  split: { prize_pool: 80, donation: 5, fee: 15 },
  sets: [{ n: 5, N: 36 }],
  tickets_won: 0,
  ticket_price: { fiat: { GBP: { value: 1, symbol: '£', position_of_symbol: 'LEFT' } } },
  jackpot: { crypto: { value: '1.00000000', code: 'BTC' }, fiat: {} },
  prizes: [],
  advanced_ticket_purchase: { days: [], max_weeks_ahead: 2 },
  next_draw: { number: 8, start_at: START, end_at: START + 160, ticket_sell_closes_at: START - 300 },
  is_on_sale: true,
  sales_note: null,
  change: null,
  open_draws: [],
  last_draw_at: null,
}

/** A draw with only the fields that a page's head reads. */
const draw = (changes: Partial<DrawDetails> = {}): DrawDetails =>
  ({
    number: 7,
    datetime: START,
    end_at: START + 160,
    numbers: [9, 3, 36, 12, 30],
    status: 'DRAWN',
    ...changes,
  }) as DrawDetails

const facts = (pattern: string, changes: Partial<PageFacts> = {}): PageFacts => ({
  siteName: 'Fairball',
  pattern,
  params: pattern.includes('$gameKey') ? { gameKey: 'bitcoin-hero', number: '7' } : {},
  games: [HERO],
  draw: null,
  ended: [],
  isMissing: false,
  ...changes,
})

const dataOf = (head: string) => {
  const [, text = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/u.exec(head) ?? []
  return JSON.parse(text) as { '@graph': Record<string, unknown>[] }
}
const node = (head: string, type: string) => dataOf(head)['@graph'].find((one) => one['@type'] === type)

describe('the description of a page', () => {
  it.each([
    ['/', 'Fairball – the provably fair bitcoin lottery', '/'],
    ['/terms', 'Terms & rules – Fairball', '/terms'],
    ['/game/$gameKey/', 'Bitcoin Hero – Fairball', '/game/bitcoin-hero'],
    ['/game/$gameKey/lucky-dips/$count', 'Bitcoin Hero – Fairball', '/game/bitcoin-hero'],
    ['/game/$gameKey/watch', 'Watch Bitcoin Hero – Fairball', '/game/bitcoin-hero/watch'],
    ['/game/$gameKey/draws/{-$page}', 'Bitcoin Hero results – Fairball', '/game/bitcoin-hero/draws'],
    ['/game/$gameKey/draw/$number', 'Bitcoin Hero draw 7 – Fairball', '/game/bitcoin-hero/draw/7'],
    ['/game/$gameKey/draw/$number/proof', 'Check Bitcoin Hero draw 7 – Fairball', '/game/bitcoin-hero/draw/7/proof'],
    ['/game/$gameKey/results/{-$page}', 'My Bitcoin Hero results – Fairball', null],
    ['/settings/general/messages/{-$page}', 'Messages – Fairball', null],
    ['/reset-password/$key', 'Reset password – Fairball', null],
  ])('the page %s has the title "%s" and the canonical address %s', (pattern, title, canonical) => {
    expect(pageMeta(facts(pattern))).toMatchObject({ title, canonical })
  })

  it('each page of a list has its own title and address', () => {
    const meta = pageMeta(facts('/game/$gameKey/draws/{-$page}', { params: { gameKey: 'bitcoin-hero', page: '3' } }))
    expect([meta.title, meta.canonical]).toEqual([
      'Bitcoin Hero results, page 3 – Fairball',
      '/game/bitcoin-hero/draws/3',
    ])
  })

  it('the description of a game names its odds beside its price', () => {
    expect(pageMeta(facts('/game/$gameKey/')).description).toContain(
      'for £1 a line. One line wins the jackpot with a chance of 1 in 376,992.',
    )
  })

  it.each([
    [draw(), 'Draw 7 of Bitcoin Hero, Nov 21, 2026 at 6:00 PM UTC: 9, 3, 36, 12, 30.'],
    [draw({ numbers: [], status: 'OPEN' }), 'Draw 7 of Bitcoin Hero is on Nov 21, 2026 at 6:00 PM UTC.'],
    [draw({ numbers: [], status: 'VOID' }), 'Draw 7 of Bitcoin Hero, Nov 21, 2026 at 6:00 PM UTC, was void.'],
  ])('the description of a draw has its known facts', (known, words) => {
    expect(pageMeta(facts('/game/$gameKey/draw/$number', { draw: known })).description).toContain(words)
  })

  it('the description of every page is short enough to be shown completely', () => {
    for (const pattern of [
      '/',
      '/terms',
      '/cookies',
      '/fairness',
      '/game/$gameKey/',
      '/game/$gameKey/watch',
      '/game/$gameKey/statistics',
    ])
      expect(pageMeta(facts(pattern)).description.length, pattern).toBeLessThanOrEqual(170)
  })
})

describe('the head of a page', () => {
  it('the head has the cards for link previews, with absolute addresses', () => {
    const head = pageHead(facts('/game/$gameKey/draw/$number', { draw: draw() }), CONFIG)
    for (const part of [
      `<link rel="canonical" href="${SITE}/game/bitcoin-hero/draw/7">`,
      `<meta property="og:image" content="${SITE}/share/game/bitcoin-hero/draw/7.png">`,
      '<meta property="og:image:width" content="1200">',
      '<meta property="og:image:alt" content="Bitcoin Hero, draw 7: 9, 3, 36, 12, 30.">',
      '<meta name="twitter:card" content="summary_large_image">',
    ])
      expect(head).toContain(part)
    expect(head).not.toContain('noindex')
  })

  it.each(['/reset-password/$key', '/checkout/$order', '/settings/general/my-games', '/links'])(
    'the head of %s only forbids indexing, because the address may contain a key',
    (pattern) => {
      const head = pageHead(facts(pattern, { params: { key: 'secret', order: 'secret' } }), CONFIG)
      expect(head).toContain('<meta name="robots" content="noindex">')
      expect(head).not.toMatch(/secret|canonical|og:|ld\+json/u)
    },
  )

  it('the head of an address without a page says so', () => {
    const head = pageHead(facts('/game/$gameKey/draw/$number', { isMissing: true }), CONFIG)
    expect(head).toContain('<title>Page not found – Fairball</title>')
    expect(head).toContain('noindex')
  })

  it('no name can end an attribute or a script', () => {
    const content = { ...CONFIG.content, social: [{ network: 'x' as const, url: 'https://x.com/</script><b>' }] }
    const evil = { ...HERO, name: 'A "game" </script><script>' }
    const head = pageHead(facts('/game/$gameKey/', { games: [evil] }), { ...CONFIG, content })
    expect(head.match(/<script/gu)).toHaveLength(1)
    expect(head).toContain('content="A &quot;game&quot; &lt;/script>&lt;script> – Fairball"')
    expect(node(head, 'Organization')).toMatchObject({ sameAs: ['https://x.com/</script><b>'] })
  })
})

describe('structured data', () => {
  it("the organisation has the site's logo, and the product's icon without one", () => {
    const logoOf = (config: WebConfig) => node(pageHead(facts('/'), config), 'Organization')?.['logo']
    expect(logoOf(CONFIG)).toBe(`${SITE}/icons/icon-512.png`)
    const logo = { light: '/content/a.png', dark: '/content/b.png' }
    expect(logoOf({ ...CONFIG, logo })).toBe(`${SITE}/content/a.png`)
  })

  it('the breadcrumbs lead from the home page down to the page', () => {
    const head = pageHead(facts('/game/$gameKey/draw/$number', { draw: draw() }), CONFIG)
    expect(node(head, 'BreadcrumbList')).toMatchObject({
      itemListElement: [
        { position: 1, name: 'Fairball', item: `${SITE}/` },
        { position: 2, name: 'Bitcoin Hero' },
        { position: 3, name: 'Results', item: `${SITE}/game/bitcoin-hero/draws` },
        { position: 4, name: 'Draw 7', item: `${SITE}/game/bitcoin-hero/draw/7` },
      ],
    })
  })

  it('a draw is an event, with the price while it can be played', () => {
    const next = node(pageHead(facts('/game/$gameKey/'), CONFIG), 'Event')
    expect(next).toMatchObject({
      name: 'Bitcoin Hero draw 8',
      startDate: '2026-11-21T18:00:00Z',
      offers: { price: '1.00', priceCurrency: 'GBP', validThrough: '2026-11-21T17:55:00Z' },
    })
    const over = node(pageHead(facts('/game/$gameKey/draw/$number', { draw: draw() }), CONFIG), 'Event')
    expect(over).toMatchObject({ name: 'Bitcoin Hero draw 7', endDate: '2026-11-21T18:02:40Z' })
    expect(over).not.toHaveProperty('offers')
    const cancelled = draw({ status: 'VOID', numbers: [] })
    expect(node(pageHead(facts('/game/$gameKey/draw/$number', { draw: cancelled }), CONFIG), 'Event')).toMatchObject({
      eventStatus: 'https://schema.org/EventCancelled',
    })
  })

  it('the results of a game are a dataset', () => {
    expect(node(pageHead(facts('/game/$gameKey/draws/{-$page}'), CONFIG), 'Dataset')).toMatchObject({
      name: 'Bitcoin Hero results',
      distribution: [{ contentUrl: `${SITE}/api/v1/games/bitcoin-hero/draws` }],
    })
  })
})
