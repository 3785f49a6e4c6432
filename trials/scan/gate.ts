import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { addressOf, createClient, PASSWORD, register, type Product } from '../product.ts'
import { textAt } from '../hostile/told.ts'

/** A problem of the product that no scanner looks for. */
interface Trouble {
  readonly status: number
  readonly ms: number
  readonly what: string
}

/** A proxy to the product for scanners, which know neither its tokens nor its limits. */
export interface Gate {
  readonly url: string
  /** Answers with 5xx, and answers over the time limit. */
  readonly troubles: readonly Trouble[]
  /** Number of forwarded requests. */
  requests(): number
  /** Requests from the product to a place that only a tricked server would call. */
  readonly tricked: readonly string[]
  /** The address that a tricked server would call. */
  readonly trapUrl: string
  /** What the scanners' player owns, by parameter name. */
  readonly owned: Readonly<Record<string, readonly (string | number)[]>>
  close(): Promise<void>
}

const LONGEST_MS = 2000
const QUARTER_HOUR = 900
const ADDRESS = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
/** The most body bytes kept to repeat a request. */
const MAX_BODY = 2 * 1024 * 1024

/**
 * Opens the proxy. Each request comes from its own address, with the token of a player whose session is renewed
 * whenever the scanners end it. If a limit is reached, the demo's clock moves by a quarter of an hour, so that the code
 * behind the limit is tested too.
 */
export async function openGate(product: Product, isSignedIn: boolean): Promise<Gate> {
  const client = createClient(product.port)
  const troubles: Trouble[] = []
  const tricked: string[] = []
  let players = 0
  let requests = 0
  let session: Promise<string> = isSignedIn ? newPlayer() : Promise.resolve('')

  async function api(method: 'GET' | 'POST' | 'PUT', path: string, bearer?: string, body?: unknown) {
    const token = bearer === undefined ? {} : { bearer }
    const answer = await client.call({ method, path: `/api/v1${path}`, body, from: addressOf(++requests), ...token })
    if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`)
    return JSON.parse(answer.text) as unknown
  }

  async function newPlayer(): Promise<string> {
    players += 1
    const email = `scanned${process.pid}.${players}@example.org`
    const { access } = await register(client, email, addressOf(++requests))
    const mails = await api('GET', `/dev/mail?to=${encodeURIComponent(email)}`)
    await api('PUT', '/auth/verify-email', undefined, { key: textAt(mails, 0, 'links', 0).split('/').at(-1) })
    await api('PUT', '/settings/crypto-account-details', access, { btc_address: ADDRESS, password: PASSWORD })
    return access
  }

  async function owned(): Promise<Gate['owned']> {
    const bearer = await session
    const tickets = [{ isLuckyDip: false, numbers: [1, 2, 3, 4, 5] }]
    const order = { type: 'lotto', key: 'bitcoin-hero', days: [1, 2, 3, 4, 5, 6, 7], weeks: 1, tickets }
    const orderId = textAt(await api('POST', '/payment', bearer, order), 'transaction_id')
    await api('POST', '/dev/pay', undefined, { transaction_id: orderId })
    const plays = await api('GET', '/games/bitcoin-hero/plays', bearer)
    const messages = await api('GET', '/settings/messages', bearer)
    const profile = await api('GET', '/profile', bearer)
    const [username, email] = [textAt(profile, 'username'), textAt(profile, 'email')]
    const [hash = ''] = /\b[0-9a-f]{64}\b/.exec(JSON.stringify(await api('GET', '/fairness/log'))) ?? []
    return {
      transaction_id: [orderId],
      play_id: [textAt(plays, 'data', 'results', 0, 'id')],
      id: [textAt(messages, 'results', 0, 'id')],
      username: [username],
      value: [username],
      email: [email],
      email_or_username: [email],
      to: [email],
      hash: [hash],
    }
  }

  async function passLimit(): Promise<void> {
    await api('POST', '/dev/clock', undefined, { advance: QUARTER_HOUR })
    if (isSignedIn) session = newPlayer()
    await session
  }

  async function forward(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await bodyOf(incoming)
    // An endless stream cannot be awaited.
    if (incoming.url?.includes('/watch/stream') === true) return void outgoing.writeHead(404).end()
    requests += 1
    const once = async (): Promise<{ status: number; answer: IncomingMessage; text: Buffer; ms: number }> => {
      const bearer = await session
      const startedMs = performance.now()
      const answer = await send(product.port, incoming, body, {
        ...(bearer === '' || incoming.headers.authorization !== undefined ? {} : { authorization: `Bearer ${bearer}` }),
        'x-forwarded-for': addressOf(requests),
      })
      const text = await bodyOf(answer)
      return { status: answer.statusCode ?? 0, answer, text, ms: performance.now() - startedMs }
    }
    let got = await once()
    const isEnded = got.status === 401 && isSignedIn
    if (got.status === 429 || isEnded) {
      if (isEnded) session = newPlayer()
      else await passLimit()
      got = await once()
    }
    const what = `${incoming.method} ${incoming.url} ${body.toString('utf8').slice(0, 500)}`
    if (got.status >= 500 || got.ms > LONGEST_MS) troubles.push({ status: got.status, ms: got.ms, what })
    const { 'transfer-encoding': _, connection: __, ...headers } = got.answer.headers
    outgoing.writeHead(got.status, { ...headers, 'content-length': got.text.length }).end(got.text)
  }

  const gate = createServer((incoming, outgoing) => {
    forward(incoming, outgoing).catch((error: unknown) => {
      troubles.push({ status: 0, ms: 0, what: `${incoming.method} ${incoming.url}: ${String(error)}` })
      outgoing.destroy()
    })
  })
  // A value in a request tricked the product into calling here. The two paths left out are the scanner's own queries
  // for its catch.
  const trap = createServer((incoming, outgoing) => {
    if (!/get_(ssrf|xxe)\.php/.test(incoming.url ?? '')) tricked.push(`${incoming.method} ${incoming.url}`)
    outgoing.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  const [gatePort, trapPort] = [await listening(gate), await listening(trap)]
  return {
    url: `http://127.0.0.1:${gatePort}`,
    trapUrl: `http://127.0.0.1:${trapPort}/`,
    troubles,
    tricked,
    requests: () => requests,
    owned: isSignedIn ? await owned() : {},
    async close() {
      client.close()
      for (const server of [gate, trap]) {
        server.closeAllConnections()
        server.close()
      }
    },
  }
}

async function listening(server: ReturnType<typeof createServer>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of message as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length <= MAX_BODY) chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function send(
  port: number,
  incoming: IncomingMessage,
  body: Buffer,
  more: Record<string, string>,
): Promise<IncomingMessage> {
  const { 'transfer-encoding': _, connection: __, ...headers } = incoming.headers
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        method: incoming.method ?? 'GET',
        path: incoming.url ?? '/',
        headers: { ...headers, ...more, ...(body.length === 0 ? {} : { 'content-length': body.length }) },
      },
      resolve,
    )
    sent.on('error', reject)
    sent.end(body)
  })
}
