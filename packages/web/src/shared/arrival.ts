import { runtime } from './runtime.ts'

/** The address that this document was made for; undefined on the server. Inside the site the address changes and the document stays. */
export const arrivedAt: string | undefined = globalThis.location?.href

/**
 * @returns the milliseconds since the browser began to load the document, if that was for an address with this in its
 *   query; 0 for another: then the visitor has just come from another page
 */
export function msSinceArrival(query: string): number {
  return arrivedAt?.includes(query) ? runtime.sinceLoadMs() : 0
}
