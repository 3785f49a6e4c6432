import type { SiteLook, WebConfig } from '@fairball/contract/pages'
import type { Api } from '../shared/api.ts'
import { render } from '../entry-server.tsx'
import { OWN_LOOK, QUIET_CONFIG } from './quiet-config.ts'

/**
 * A page as sent to an anonymous visitor.
 *
 * @param answer answers the calls of the API by their names, or fails
 * @param look default: the product's own
 * @param config what of the quiet configuration differs
 */
export function visitorPage(
  url: string,
  now: number,
  answer: (name: string) => unknown,
  look: SiteLook = OWN_LOOK,
  config: Partial<WebConfig> = {},
): Promise<Response> {
  // A stand-in that answers by name.
  const api = { call: async (name: string) => answer(name), address: () => '' } as unknown as Api
  return render({
    url,
    api,
    now,
    nonce: 'nonce',
    config: { ...QUIET_CONFIG, ...config },
    look,
    assets: { head: (screens) => screens.map((source) => `<link data-source="${source}">`).join('') },
  })
}
