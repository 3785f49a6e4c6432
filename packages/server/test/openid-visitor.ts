import type { OpenIdProvider } from './openid-provider.ts'

/** How a person goes through the provider's pages. */
export interface ProviderLogin {
  readonly clientId: string
  readonly redirectUri: string
  /** who it is at the provider */
  readonly account: string
  readonly email: string | null
  readonly isEmailVerified: boolean
  readonly state?: string
  readonly nonce?: string
  /** Default: true. */
  readonly agrees?: boolean
}

/** More pages than any login has. */
const MAX_PAGES = 12

/**
 * Goes through a provider's pages like a browser, with its own cookies: the authorization endpoint, the page to log in
 * on, the page to agree on, and the redirect back.
 *
 * @returns the parameters in the fragment of the final address
 */
export async function logInAtProvider(
  provider: Pick<OpenIdProvider, 'authUrl' | 'issuer'>,
  login: ProviderLogin,
): Promise<URLSearchParams> {
  const { clientId, redirectUri, account, email, isEmailVerified, state = 's', nonce = 'n', agrees = true } = login
  const start = new URL(provider.authUrl)
  start.search = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'id_token token',
    scope: 'openid email',
    state,
    nonce,
  }).toString()
  const cookies = new Map<string, string>()
  let next: { url: URL; form: URLSearchParams | null } = { url: start, form: null }
  for (let page = 0; page < MAX_PAGES; page++) {
    if (next.url.href.startsWith(redirectUri)) return new URLSearchParams(next.url.hash.slice(1))
    const response = await fetch(next.url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(next.form === null ? {} : { method: 'POST', body: next.form }),
    })
    keepCookies(cookies, response)
    const body = await response.text()
    const location = response.headers.get('location')
    if (location !== null) next = { url: new URL(location, next.url), form: null }
    else if (body.includes('name="account"')) {
      const form = new URLSearchParams({ account, email: email ?? '' })
      if (isEmailVerified) form.set('email_verified', 'on')
      next = { url: next.url, form }
    } else if (body.includes('Continue'))
      next = { url: next.url, form: new URLSearchParams(agrees ? {} : { cancel: '1' }) }
    else throw new Error(`the provider answered ${response.status}: ${body.slice(0, 500)}`)
  }
  throw new Error('the provider sends its visitor round in circles')
}

function keepCookies(cookies: Map<string, string>, response: Response): void {
  for (const line of response.headers.getSetCookie()) {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (name === undefined || value === undefined) continue
    if (value === '' || /expires=Thu, 01 Jan 1970/i.test(line)) cookies.delete(name)
    else cookies.set(name, value)
  }
}
