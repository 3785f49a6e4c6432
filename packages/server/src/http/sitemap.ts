import type { Client } from '@fairball/contract/client'

/** One page of the sitemap. */
interface Entry {
  readonly path: string
  /** Epoch seconds. */
  readonly changedAt: number
}

/** The draws of a game, which the API lists. */
const DRAW_PAGE = '/game/$gameKey/draw/$number'

/**
 * Writes the sitemap (sitemaps.org): every public page, every game that is offered, and every draw of the last 180 days,
 * of retired games too, with the time of its result.
 *
 * @param site.builtAt when the pages themselves last changed, in epoch seconds
 * @param site.listedPages the pages to list, with `$gameKey` and `$number` for what varies
 * @returns XML
 */
export async function sitemapOf(site: {
  api: Pick<Client, 'call'>
  publicUrl: string
  builtAt: number
  listedPages: readonly string[]
}): Promise<string> {
  const { api, publicUrl, builtAt, listedPages } = site
  const entries: Entry[] = []
  let newest = builtAt
  const ofGames = listedPages.filter((page) => page.includes('$') && page !== DRAW_PAGE)
  const drawsListed = async (key: string) => (listedPages.includes(DRAW_PAGE) ? await drawsOf(api, key) : [])
  for (const { key } of await api.call('getRetiredGames')) entries.push(...(await drawsListed(key)))
  for (const { key } of await api.call('getGames')) {
    const draws = await drawsListed(key)
    const changedAt = Math.max(builtAt, draws[0]?.changedAt ?? 0)
    newest = Math.max(newest, changedAt)
    entries.push(...ofGames.map((page) => ({ path: page.replace('$gameKey', key), changedAt })), ...draws)
  }
  const pages = listedPages
    .filter((page) => !page.includes('$'))
    .map((path) => ({ path, changedAt: path === '/' ? newest : builtAt }))
  const all = [...pages, ...entries]
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
      draws.set(number, {
        path: DRAW_PAGE.replace('$gameKey', key).replace('$number', `${number}`),
        changedAt: datetime,
      })
    last = answer.total_pages
  }
  return [...draws.values()]
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
