import { generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import Provider, {
  interactionPolicy,
  type AdapterFactory,
  type AdapterPayload,
  type Configuration,
  type JWK,
} from 'oidc-provider'

/** A person as the provider describes it. */
interface OpenIdPerson {
  readonly email: string | null
  readonly isEmailVerified: boolean
}

/** A real OpenID provider on this computer, in place of Google. */
export interface OpenIdProvider {
  /** `http://localhost:PORT`: also the `GOOGLE_API_URL`, with `/tokeninfo` and `/userinfo` behind it. */
  readonly issuer: string
  /** The `GOOGLE_AUTH_URL`: where a person logs in and agrees. */
  readonly authUrl: string
  /** Ends a token's life as if its hour were over. */
  expire(accessToken: string): Promise<void>
  close(): Promise<void>
}

/** What a provider is started with. */
interface OpenIdProviderOptions {
  /** The client of the site under test. */
  readonly clientId: string
  /** Addresses on this computer that the client may be sent back to. */
  readonly redirectUris: readonly string[]
  /** Clients of other sites, which are sent back to the same addresses. */
  readonly otherClientIds?: readonly string[]
  /** Default: any free one. */
  readonly port?: number
}

/** A person's name at the provider, its `sub`. */
const ACCOUNT = /^[\w-]{1,50}$/
const TOKEN_SECONDS = 3600

/**
 * Starts an OpenID provider with the implicit flow (`id_token token`), a page to log in on, and a page to agree on.
 *
 * The page to log in on asks for the person (`account`, which becomes `sub`), the email address, and whether the
 * provider vouches for it. So a browser, or a test with `fetch`, can be anyone, and the same person with another
 * address.
 */
export async function startOpenIdProvider(options: OpenIdProviderOptions): Promise<OpenIdProvider> {
  const people = new Map<string, OpenIdPerson>()
  const server = createServer()
  const port = await listen(server, options.port ?? 0)
  const issuer = `http://localhost:${port}`
  const provider = new Provider(issuer, configurationOf(options, people))
  const answerOthers = provider.callback()

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', issuer)
    if (url.pathname === '/tokeninfo') return await answerTokenInfo(url, response)
    if (url.pathname.startsWith('/interaction/')) return await answerInteraction(request, response)
    await answerOthers(request, response)
  }

  /** Google's own call, from the provider's storage: the audience and the person of a token. */
  async function answerTokenInfo(url: URL, response: ServerResponse): Promise<void> {
    const token = await provider.AccessToken.find(url.searchParams.get('access_token') ?? '')
    if (token === undefined) return sendJson(response, 400, { error: 'invalid_token' })
    sendJson(response, 200, { aud: token.clientId, sub: token.accountId, exp: String(token.exp), scope: token.scope })
  }

  async function answerInteraction(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const details = await provider.interactionDetails(request, response)
    const isLogin = details.prompt.name !== 'consent'
    if (request.method !== 'POST') return sendPage(response, isLogin ? LOGIN_PAGE : CONSENT_PAGE)
    const form = new URLSearchParams(await text(request))
    if (form.has('cancel'))
      return await provider.interactionFinished(request, response, { error: 'access_denied' }, MERGED)
    if (isLogin) {
      const accountId = form.get('account') ?? ''
      if (!ACCOUNT.test(accountId)) return sendPage(response, LOGIN_PAGE)
      people.set(accountId, { email: form.get('email') || null, isEmailVerified: form.has('email_verified') })
      return await provider.interactionFinished(request, response, { login: { accountId }, select_account: {} }, MERGED)
    }
    const grant = new provider.Grant({
      accountId: details.session?.accountId ?? '',
      clientId: String(details.params['client_id']),
    })
    grant.addOIDCScope('openid email')
    // With the answer from before: the account stays chosen.
    const consent = { grantId: await grant.save() }
    await provider.interactionFinished(request, response, { consent }, { mergeWithLastSubmission: true })
  }

  server.on('request', (request, response) => {
    answer(request, response).catch(() => sendJson(response, 500, { error: 'server_error' }))
  })
  return {
    issuer,
    authUrl: `${issuer}/auth`,
    async expire(accessToken) {
      const { adapter } = provider.AccessToken
      const kept = await adapter.find(accessToken) // an opaque token is its own id
      if (!kept) throw new Error('the provider knows no such token')
      await adapter.upsert(accessToken, { ...kept, exp: 1 }, TOKEN_SECONDS)
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const MERGED = { mergeWithLastSubmission: false }

function configurationOf(
  { clientId, redirectUris, otherClientIds = [] }: OpenIdProviderOptions,
  people: ReadonlyMap<string, OpenIdPerson>,
): Configuration {
  return {
    clients: [clientId, ...otherClientIds].map((client_id) => ({
      client_id,
      // The standard allows a web client only https addresses; a native one may be on this computer.
      application_type: 'native',
      redirect_uris: [...redirectUris],
      response_types: ['id_token token', 'id_token'],
      grant_types: ['implicit'],
      token_endpoint_auth_method: 'none',
    })),
    responseTypes: ['id_token token', 'id_token'],
    scopes: ['openid', 'email'],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    routes: { authorization: '/auth', userinfo: '/userinfo', revocation: '/revoke' },
    features: { devInteractions: { enabled: false }, revocation: { enabled: true, allowedPolicy: isOwn } },
    interactions: {
      url: (_context, interaction) => `/interaction/${interaction.uid}`,
      policy: promptsOfGoogle(),
    },
    findAccount: (_context, accountId) => {
      const person = people.get(accountId)
      if (person === undefined) return undefined
      const { email, isEmailVerified } = person
      const claims = email === null ? {} : { email, email_verified: isEmailVerified }
      return { accountId, claims: () => ({ sub: accountId, ...claims }) }
    },
    adapter: memory(),
    jwks: { keys: [signingKey()] },
    cookies: { keys: ['a provider of the tests'] },
    ttl: { AccessToken: TOKEN_SECONDS, IdToken: TOKEN_SECONDS, Grant: TOKEN_SECONDS, Interaction: 600, Session: 600 },
  }
}

/**
 * Besides logging in and agreeing, a site may ask that the person chooses an account, as with Google; here that is the
 * page to log in on.
 */
function promptsOfGoogle(): interactionPolicy.DefaultPolicy {
  const prompts = interactionPolicy.base()
  prompts.add(new interactionPolicy.Prompt({ name: 'select_account', requestable: true }), 0)
  return prompts
}

/** A key of this provider alone; without one it uses a published one, and says so. */
function signingKey(): JWK {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return { ...(privateKey.export({ format: 'jwk' }) as JWK), use: 'sig', alg: 'RS256' } // a key's export has this shape
}

/** The provider's storage, for its own life. */
function memory(): AdapterFactory {
  const kept = new Map<string, AdapterPayload>()
  return (model) => ({
    upsert: async (id, payload) => void kept.set(`${model}:${id}`, payload),
    find: async (id) => kept.get(`${model}:${id}`),
    findByUid: async (uid) =>
      [...kept].find(([key, payload]) => key.startsWith(`${model}:`) && payload.uid === uid)?.[1],
    findByUserCode: async () => undefined,
    consume: async () => undefined, // this flow has no codes
    destroy: async (id) => void kept.delete(`${model}:${id}`),
    async revokeByGrantId(grantId) {
      for (const [key, payload] of kept)
        if (key.startsWith(`${model}:`) && payload.grantId === grantId) kept.delete(key)
    },
  })
}

/** A client takes back its own tokens only. */
function isOwn(_context: unknown, client: { clientId: string }, token: { clientId?: string | undefined }): boolean {
  return client.clientId === token.clientId
}

async function listen(server: Server, port: number): Promise<number> {
  return await new Promise((resolve, reject) => {
    server.once('error', reject)
    // A server on a port has an address of this kind.
    server.listen(port, 'localhost', () => resolve((server.address() as AddressInfo).port))
  })
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  if (response.headersSent) return
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function sendPage(response: ServerResponse, body: string): void {
  const head =
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Test provider</title>'
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(`${head}<main>${body}</main></html>`)
}

const LOGIN_PAGE = `<h1>Log in at the test provider</h1>
<form method="post">
<p><label>Account <input name="account" required pattern="[A-Za-z0-9_\\-]{1,50}"></label></p>
<p><label>Email <input name="email" type="email"></label></p>
<p><label><input name="email_verified" type="checkbox" checked> The email address is verified</label></p>
<p><button>Log in</button> <button name="cancel" value="1" formnovalidate>Cancel</button></p>
</form>`

const CONSENT_PAGE = `<h1>Let the site know who you are?</h1>
<form method="post"><p><button>Continue</button> <button name="cancel" value="1">Cancel</button></p></form>`
