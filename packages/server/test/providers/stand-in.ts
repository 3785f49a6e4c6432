import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Json } from './openapi.ts'

/**
 * How a request fails. `silent` does nothing and never answers; `lost` does what it is asked and then breaks the
 * connection; `half` breaks it in the middle of the answer; `html` is a proxy's answer in the server's place.
 */
type Fault = 'silent' | 'lost' | 'half' | 'html' | 'huge' | 'moved' | 429 | 500 | 503

/** A request as it came in, with its answer. */
interface Exchange {
  readonly method: string
  /** without the query */
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  readonly body: Json | undefined
  readonly status: number
  readonly answer: Json | undefined
}

/** What a stand-in answers to a request. */
export interface Answer {
  readonly status: number
  readonly body?: Json
}

export type StandInRequest = Pick<Exchange, 'method' | 'path' | 'query' | 'headers' | 'body'>

/** A provider's server on this computer. */
export interface StandIn {
  /** `http://127.0.0.1:PORT` */
  readonly url: string
  /** all answered requests so far, including faults */
  readonly exchanges: readonly Exchange[]
  /** How the next requests fail, one each; `when` selects them. */
  fail(fault: Fault, times?: number, when?: (request: StandInRequest) => boolean): void
  close(): Promise<void>
}

const HUGE = 2 * 1024 * 1024

/** Starts a server that answers with `answer`, and fails on request. */
export async function startStandIn(answer: (request: StandInRequest) => Answer): Promise<StandIn> {
  const exchanges: Exchange[] = []
  const faults: { fault: Fault; when: (request: StandInRequest) => boolean }[] = []

  async function respond(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(incoming.url ?? '/', 'http://stand-in')
    const written = await text(incoming)
    const request: StandInRequest = {
      method: incoming.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      headers: incoming.headers,
      body: written === '' ? undefined : (JSON.parse(written) as Json), // only our adapters write here
    }
    const place = faults.findIndex(({ when }) => when(request))
    const fault = place < 0 ? null : (faults.splice(place, 1)[0]?.fault ?? null)
    const isDone = fault === null || fault === 'lost' || fault === 'half'
    const { status, body } = isDone ? answer(request) : { status: typeof fault === 'number' ? fault : 200 }
    exchanges.push({ ...request, status, answer: body })
    const json = JSON.stringify(body ?? null)
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) }
    if (fault === 'silent') return
    if (fault === 'lost') return void response.destroy()
    if (fault === 'moved')
      return void response.writeHead(302, { location: `http://${incoming.headers.host}/else` }).end()
    if (fault === 'html')
      return void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Welcome</html>')
    if (fault === 'huge') return void response.writeHead(200).end(JSON.stringify('x'.repeat(HUGE)))
    if (fault === 'half') {
      response.writeHead(status, headers)
      return void response.write(json.slice(0, json.length / 2), () => response.destroy())
    }
    response.writeHead(status, headers).end(json)
  }

  const server = createServer((incoming, response) => {
    respond(incoming, response).catch(() => response.writeHead(500).end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    // A server on a port has such an address.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    exchanges,
    fail(fault, times = 1, when = () => true) {
      for (let time = 0; time < times; time += 1) faults.push({ fault, when })
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** A message of a provider as it comes in at the webhook. */
export interface Delivery {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}
