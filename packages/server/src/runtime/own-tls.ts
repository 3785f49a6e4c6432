import { request } from 'node:https'

/** A server of the operator's own, with a certificate that nobody else vouches for. */
export interface OwnTlsServer {
  /** without a path */
  readonly url: string
  /** its certificate (PEM): the only one that is trusted */
  readonly certificate: string
}

/** A request to such a server. */
interface OwnTlsRequest {
  readonly method: 'GET' | 'POST'
  /** with its query */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal: AbortSignal
}

/** Its answer. The body comes in pieces; who does not read it to its end ends it with the signal. */
interface OwnTlsAnswer {
  readonly status: number
  readonly body: AsyncIterable<Uint8Array>
}

/** One request on a connection of its own, past any proxy, without redirects. */
export function askOwnTls(server: OwnTlsServer, asked: OwnTlsRequest): Promise<OwnTlsAnswer> {
  const { method, path, headers, body, signal } = asked
  return new Promise((answered, failed) => {
    const asking = request(
      new URL(path, server.url),
      { method, headers, signal, agent: false, ca: server.certificate, minVersion: 'TLSv1.2' },
      (response) => answered({ status: response.statusCode ?? 0, body: response as AsyncIterable<Uint8Array> }),
    )
    asking.once('error', failed)
    asking.end(body)
  })
}
