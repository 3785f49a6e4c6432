import { pageTable as table } from './page-table.ts'

/** The address used to render the page for missing addresses: one that no page has. */
export const NOWHERE = '/no-such-page'

/**
 * @param games every game there is, by its key and by each alias
 * @returns whether no page has this address; found without rendering
 */
export function leadsNowhere(url: string, games: ReadonlyMap<string, unknown>): boolean {
  const [href = '/', search = ''] = url.split(/(?=\?)/u)
  const { pathname } = table.parseLocation({ href, pathname: href, search, hash: '', state: { __TSR_index: 0 } })
  const [, params, route] = table.getMatchedRoutes(pathname)
  if (route === undefined) return pathname !== '/'
  if (route.path !== '/' && params['**'] !== undefined) return true
  const { gameKey } = params
  return gameKey !== undefined && !games.has(gameKey)
}

/**
 * Makes the links of the page for missing addresses the same for every address: a login from there does not lead back
 * to it.
 */
export function withoutWayBack(html: string): string {
  return html.replaceAll(`?path=${NOWHERE}`, '')
}
