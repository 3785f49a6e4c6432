import type { Queries } from '../../db/pool.ts'
import { findSiteName } from './site-queries.ts'

/** The site's name of a fresh installation. */
const USUAL_NAME = 'Fairball'

/** The site's name at a time, as its setting says. */
export async function siteNameOf(from: Queries, at: number): Promise<string> {
  const value = (await from.maybeOne(findSiteName, [at]))?.value
  return typeof value === 'string' ? value : USUAL_NAME
}
