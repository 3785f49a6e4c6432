import { Resolver } from 'node:dns/promises'
import { request as ask } from 'node:https'

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

/** An answer whose body comes in pieces. Who does not read it to its end ends it with the signal. */
export interface OutboundAnswer {
  readonly status: number
  /** by names in lower case; what came twice is left out */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: AsyncIterable<Uint8Array>
}

/** The network towards servers that players name. */
export interface Outbound {
  /** Every address of a host; none if it does not exist. */
  resolve(host: string, signal: AbortSignal): Promise<readonly string[]>
  /** One GET, without redirects, proxies, cookies or a connection that is kept. */
  get(request: OutboundRequest): Promise<OutboundAnswer>
}

const DNS_TIMEOUT_MS = 2_000
const HTTPS_PORT = 443
const NO_ADDRESSES = ['ENODATA', 'ENOTFOUND']

/** The real network. */
export const systemOutbound: Outbound = { resolve, get }

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
  const { host, address, port = HTTPS_PORT, authority, path, signal } = request
  return new Promise((answered, failed) => {
    const asking = ask(
      {
        host: address, // a number: it is connected to as it is
        servername: host,
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
        answered({
          status: response.statusCode ?? 0,
          headers: Object.fromEntries(headers) as Record<string, string>, // those that are texts
          body: response as AsyncIterable<Uint8Array>, // without an encoding it reads bytes
        })
      },
    )
    asking.on('error', failed) // also of a request that is ended while its answer is read
    asking.end()
  })
}
