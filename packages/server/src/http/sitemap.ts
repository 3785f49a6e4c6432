import type { Client } from '@fairball/contract/client'

/** The pages without a game that anybody may find. */
const PAGES = [
  '/how-to-claim',
  '/where-the-money-goes',
  '/winners-and-good-causes',
  '/about-us',
  '/fairness',
  '/help-and-contact-us',
  '/feedback',
  '/terms',
  '/privacy-policy',
  '/cookies',
  '/login',
  '/open-an-account',
] as const

/** One page of the sitemap. */
interface Entry {
  readonly path: string
  /** Epoch seconds. */
  readonly changedAt: number
}

/**
 * Writes the sitemap (sitemaps.org): every public page, every game, and every draw of the last 180 days with the time of its result.
 *
 * @param builtAt when the pages themselves last changed, in epoch seconds
 * @returns XML
 */
export async function sitemapOf({
  api,
  publicUrl,
  builtAt,
}: {
  api: Pick<Client, 'call'>
  publicUrl: string
  builtAt: number
}): Promise<string> {
  const entries: Entry[] = []
  let newest = builtAt
  for (const { key } of await api.call('getGames')) {
    const draws = await drawsOf(api, key)
    const changedAt = Math.max(builtAt, draws[0]?.changedAt ?? 0)
    newest = Math.max(newest, changedAt)
    const game = `/game/${key}`
    for (const path of [game, `${game}/watch`, `${game}/draws`, `${game}/statistics`]) entries.push({ path, changedAt })
    entries.push(...draws)
  }
  const pages = PAGES.map((path) => ({ path, changedAt: builtAt }))
  const all = [{ path: '/', changedAt: newest }, ...pages, ...entries]
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...all.map(
      ({ path, changedAt }) =>
        `<url><loc>${escaped(publicUrl + path)}</loc><lastmod>${new Date(changedAt * 1000).toISOString().replace('.000', '')}</lastmod></url>`,
    ),
    '</urlset>',
    '',
  ].join('\n')
}

/** @returns the game's drawn draws, newest first */
async function drawsOf(api: Pick<Client, 'call'>, key: string): Promise<Entry[]> {
  const draws = new Map<number, Entry>() // a draw that is added meanwhile moves the others: some come twice
  for (let page = 1, last = 1; page <= last; page++) {
    const answer = await api.call('getDraws', { params: { key }, query: { _page: page } })
    for (const { number, datetime } of answer.results)
      draws.set(number, { path: `/game/${key}/draw/${number}`, changedAt: datetime })
    last = answer.total_pages
  }
  return [...draws.values()]
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
