import { Resolver } from 'node:dns/promises'
import { type ClientRequest, type IncomingMessage, request as askPlainly } from 'node:http'
import { request as ask, type RequestOptions } from 'node:https'
import { isIP } from 'node:net'

/** A request over TLS to one address that the caller has checked, in the name of a host. */
export interface OutboundRequest {
  /** shown to the server, and named by its certificate */
  readonly host: string
  /** of IPv4 or IPv6: no name is resolved again */
  readonly address: string
  /** Default: 443. */
  readonly port?: number
  /** Who vouches for certificates (PEM). Default: whom the system trusts. */
  readonly authority?: string
  /** with its query */
  readonly path: string
  readonly signal: AbortSignal
}

/** A message to a server that the operator names. */
interface OutboundPost extends OutboundRequest {
  /** beside those that every request has */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Without TLS: for a server on the same computer. */
  readonly isPlain: boolean
}

/** An answer whose body comes in pieces. Who does not read it to its end ends it with the signal. */
export interface OutboundAnswer {
  readonly status: number
  /** by names in lower case; what came twice is left out */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: AsyncIterable<Uint8Array>
}

/** The network towards servers that players and the operator name. */
export interface Outbound {
  /** Every address of a host; none if it does not exist. */
  resolve(host: string, signal: AbortSignal): Promise<readonly string[]>
  /** One GET, without redirects, proxies, cookies or a connection that is kept. */
  get(request: OutboundRequest): Promise<OutboundAnswer>
  /** One POST, in the same way. */
  post(request: OutboundPost): Promise<OutboundAnswer>
}

const DNS_TIMEOUT_MS = 2_000
const HTTPS_PORT = 443
const HTTP_PORT = 80
const NO_ADDRESSES = ['ENODATA', 'ENOTFOUND']

/** The real network. */
export const systemOutbound: Outbound = { resolve, get, post }

/** Asks the name server, not the file of hosts, and holds no thread while it waits. */
async function resolve(host: string, signal: AbortSignal): Promise<readonly string[]> {
  signal.throwIfAborted()
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: 2 })
  const cancel = (): void => resolver.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  const none = (error: unknown): string[] => {
    if (NO_ADDRESSES.includes((error as NodeJS.ErrnoException).code ?? '')) return []
    throw error
  }
  try {
    const all = await Promise.all([resolver.resolve4(host).catch(none), resolver.resolve6(host).catch(none)])
    return all.flat()
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

function get(request: OutboundRequest): Promise<OutboundAnswer> {
  return answered(request, (options, onAnswer) => ask({ ...options, method: 'GET' }, onAnswer))
}

function post({ headers, body, isPlain, ...request }: OutboundPost): Promise<OutboundAnswer> {
  const { host, port = HTTPS_PORT } = request
  const sent = {
    host: `${isIP(host) === 6 ? `[${host}]` : host}${port === (isPlain ? HTTP_PORT : HTTPS_PORT) ? '' : `:${port}`}`,
    'user-agent': 'fairball',
    ...headers,
    'content-length': String(Buffer.byteLength(body)),
  }
  return answered(
    request,
    ({ servername, ca, ...options }, onAnswer) => {
      const whole = { ...options, method: 'POST', headers: { ...options.headers, ...sent } }
      return isPlain ? askPlainly(whole, onAnswer) : ask({ ...whole, servername, ca }, onAnswer)
    },
    body,
  )
}

/** How a request is made. */
type AskedOptions = Omit<RequestOptions, 'headers'> & { readonly headers: Readonly<Record<string, string>> }

/** @param begin makes the request, which then is sent with the body */
function answered(
  request: OutboundRequest,
  begin: (options: AskedOptions, onAnswer: (response: IncomingMessage) => void) => ClientRequest,
  body?: string,
): Promise<OutboundAnswer> {
  const { host, address, port = HTTPS_PORT, authority, path, signal } = request
  return new Promise((isAnswered, failed) => {
    const asking = begin(
      {
        host: address, // a number: it is connected to as it is
        ...(isIP(host) === 0 ? { servername: host } : {}),
        port,
        path,
        signal,
        ...(authority === undefined ? {} : { ca: authority }),
        agent: false, // a connection of its own, past any proxy of the environment
        headers: { host, accept: 'application/json', 'accept-encoding': 'identity' },
        maxHeaderSize: 16 * 1024,
      },
      (response) => {
        const headers = Object.entries(response.headers).filter(([, value]) => typeof value === 'string')
        isAnswered({
          status: response.statusCode ?? 0,
          headers: Object.fromEntries(headers) as Record<string, string>, // those that are texts
          body: response as AsyncIterable<Uint8Array>, // without an encoding it reads bytes
        })
      },
    )
    asking.on('error', failed) // also of a request that is ended while its answer is read
    asking.end(body)
  })
}
