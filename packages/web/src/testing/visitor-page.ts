import type { Api } from '../shared/api.ts'
import { render } from '../entry-server.tsx'
import { QUIET_CONFIG } from './quiet-config.ts'

/**
 * A page as sent to an anonymous visitor.
 *
 * @param answer answers the calls of the API by their names, or fails
 */
export function visitorPage(url: string, now: number, answer: (name: string) => unknown): Promise<Response> {
  // A stand-in that answers by name.
  const api = { call: async (name: string) => answer(name), address: () => '' } as unknown as Api
  return render({ url, api, now, nonce: 'nonce', config: QUIET_CONFIG, assets: { head: () => '' } })
}
