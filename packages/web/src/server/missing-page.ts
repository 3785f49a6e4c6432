import { pageTable as table } from './page-table.ts'

/** The address used to render the page for missing addresses: one that no page has. */
export const NOWHERE = '/no-such-page'

/**
 * @param games every game there is, by its key and by each alias
 * @returns whether no page has this address; found without rendering
 */
export function leadsNowhere(url: string, games: ReadonlyMap<string, unknown>): boolean {
  const { pathname, params, route } = matchOf(url)
  if (route === undefined) return pathname !== '/'
  if (route.path !== '/' && params['**'] !== undefined) return true
  const { gameKey } = params
  return gameKey !== undefined && !games.has(gameKey)
}

/**
 * @param games every game there is, by its key and by each alias
 * @returns the address with the game's own key; null if it has no other spelling of a game
 */
export function spelledRight(url: string, games: ReadonlyMap<string, { readonly key: string }>): string | null {
  const { gameKey = '' } = matchOf(url).params
  const key = games.get(gameKey)?.key ?? gameKey
  return key === gameKey ? null : url.replace(`/${gameKey}`, `/${key}`)
}

function matchOf(url: string) {
  const [href = '/', search = ''] = url.split(/(?=\?)/u)
  const { pathname } = table.parseLocation({ href, pathname: href, search, hash: '', state: { __TSR_index: 0 } })
  const [, params, route] = table.getMatchedRoutes(pathname)
  return { pathname, params, route }
}

/**
 * Makes the links of the page for missing addresses the same for every address: a login from there does not lead back
 * to it.
 */
export function withoutWayBack(html: string): string {
  return html.replaceAll(`?path=${NOWHERE}`, '')
}
