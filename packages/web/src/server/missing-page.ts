import { canonicalGameKey, gameByKey } from '@fairball/domain/games'
import { pageTable as table } from './page-table.ts'

/** The address used to render the page for missing addresses: one that no page has. */
export const NOWHERE = '/no-such-page'

/** @returns whether no page has this address, whatever is in the database; found without rendering */
export function leadsNowhere(url: string): boolean {
  const [href = '/', search = ''] = url.split(/(?=\?)/u)
  const { pathname } = table.parseLocation({ href, pathname: href, search, hash: '', state: { __TSR_index: 0 } })
  const [, params, route] = table.getMatchedRoutes(pathname)
  if (route === undefined) return pathname !== '/'
  if (route.path !== '/' && params['**'] !== undefined) return true
  const { gameKey } = params
  return gameKey !== undefined && gameByKey(canonicalGameKey(gameKey)) === null
}

/**
 * Makes the links of the page for missing addresses the same for every address: a login from there does not lead back
 * to it.
 */
export function withoutWayBack(html: string): string {
  return html.replaceAll(`?path=${NOWHERE}`, '')
}
