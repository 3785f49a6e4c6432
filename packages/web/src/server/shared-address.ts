/** What pages read of a query (app/routes/params.ts) and what belongs to one visitor: a way back, an order. */
const OF_ONE_VISITOR = ['path', 'transaction_id', 'wins']
/** The version of a legal text. */
const VERSION = /^[1-9]\d{0,3}$/u

/**
 * @returns the address whose page answers this one to every visitor: a query that no page reads, such as the mark of a
 *   campaign, is left out; null if the query belongs to one visitor
 */
export function sharedAddress(url: string): string | null {
  const [path = '', text] = url.split(/\?(.*)/su)
  if (text === undefined) return url
  const query = new URLSearchParams(text)
  if (OF_ONE_VISITOR.some((name) => query.has(name))) return null
  const versions = query.getAll('version')
  if (versions.length === 0) return path
  const [version = ''] = versions
  return versions.length === 1 && VERSION.test(version) ? `${path}?version=${version}` : null
}
