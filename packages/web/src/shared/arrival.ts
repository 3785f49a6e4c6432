import { runtime } from './runtime.ts'

/** The address that this document was made for; undefined on the server. Inside the site the address changes and the document stays. */
export const arrivedAt: string | undefined = globalThis.location?.href

/** When it was, on the device's clock. */
const arrivedAtMs = runtime.nowMs()

/**
 * @returns the milliseconds since the document was made for an address with this in its query; 0 if it was made for
 *   another: then the visitor has just come from another page
 */
export function msSinceArrival(query: string): number {
  return arrivedAt?.includes(query) ? Math.max(0, runtime.nowMs() - arrivedAtMs) : 0
}
