import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { LndServer } from '../../src/ports/lightning/lnd-rest.ts'
import { channelBalanceOf, channelsOf, type FakeNode, infoOf, invoiceOf, paymentOf } from './answers.ts'
import { FakeLedger, type FakePayment, LndError } from './ledger.ts'
import { LND_PATHS, problemsOf, problemsOfQuery } from './lnd-api.ts'

const file = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8')
const MACAROON = '0201036c6e64'
/** HTTP's status for codes of gRPC. */
const STATUS: Readonly<Record<number, number>> = { 2: 500, 5: 404, 6: 409, 14: 503, 16: 401 }

/** The certificate of the fake, and one of somebody else. */
export const CERTIFICATES = { own: file('tls.cert'), other: file('other.cert') }

type PathName = keyof typeof LND_PATHS
type Send = (message: object) => void

/** A fake lnd node behind real TLS. */
export interface FakeLnd extends FakeNode {
  readonly server: LndServer
  /** What was asked or answered otherwise than the API has it, in words. */
  readonly problems: readonly string[]
  /** The paths that were asked. */
  readonly asked: readonly string[]
  /** From now on each request is answered by this, or not at all if it returns without. Null: as lnd does. */
  insteadOfAll: ((response: ServerResponse) => void) | null
  stop(): Promise<void>
}

/**
 * Starts a node that answers as lnd does, and holds each request and each answer against what the API says.
 *
 * @param now epoch seconds
 */
export async function startFakeLnd(now: () => number): Promise<FakeLnd> {
  const ledger = new FakeLedger(now)
  const problems: string[] = []
  const asked: string[] = []
  const streams = new Set<() => void>()
  ledger.onChange = () => streams.forEach((look) => look())
  const listening = createServer({ cert: CERTIFICATES.own, key: file('tls.key') }, (request, response) => {
    if (fake.insteadOfAll !== null) return fake.insteadOfAll(response)
    void answer(request, response)
  }).listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const url = `https://127.0.0.1:${(listening.address() as AddressInfo).port}`
  const fake: FakeLnd = {
    ledger,
    problems,
    asked,
    version: '0.19.3-beta commit=v0.19.3-beta',
    network: 'regtest',
    isSynced: true,
    instead: new Map(),
    insteadOfAll: null,
    server: { url, macaroon: MACAROON, certificate: CERTIFICATES.own },
    async stop() {
      listening.closeAllConnections()
      listening.close()
      await once(listening, 'close')
    },
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', url)
    const name = nameOf(`${request.method} ${pathname}`)
    const path = name === null ? null : LND_PATHS[name]
    asked.push(name ?? pathname)
    const text = await textOf(request)
    try {
      if (name === null || path === null) throw new LndError(5, 'Not Found')
      if (request.headers['grpc-metadata-macaroon'] !== MACAROON) throw new LndError(2, 'verification failed')
      problems.push(...problemsOfQuery(searchParams, 'query' in path ? path.query : {}))
      if ('body' in path) problems.push(...problemsOf(JSON.parse(text), path.body))
      const body = 'body' in path ? (JSON.parse(text) as Record<string, never>) : {}
      const isStream = 'isStream' in path
      const send: Send = (message) => {
        problems.push(...problemsOf(message, path.answer))
        if (isStream) response.write(`${JSON.stringify({ result: message })}\n`)
        else response.end(JSON.stringify(message))
      }
      const rest = pathname.slice(pathname.lastIndexOf('/') + 1)
      if (isStream) follow(fake, { name, query: searchParams, body, rest, send, response, streams })
      else send(fake.instead.get(name)?.() ?? answerTo(fake, { name, query: searchParams, body, rest }))
    } catch (error) {
      const code = error instanceof LndError ? error.code : 2
      const told = { code, message: (error as Error).message, details: [] }
      const isStream = path !== null && 'isStream' in path
      response.writeHead(STATUS[code] ?? 500).end(JSON.stringify(isStream ? { error: told } : told))
    }
  }

  return fake
}

/** The name of a call in the table: exact, or with one part that differs. */
function nameOf(text: string): PathName | null {
  const names = [text, text.replace(/\/[^/]+$/, '/*')]
  return (Object.keys(LND_PATHS) as PathName[]).find((name) => names.includes(name)) ?? null
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const piece of request) text += String(piece)
  return text
}

interface Asked {
  readonly name: PathName
  readonly query: URLSearchParams
  readonly body: Readonly<Record<string, never>>
  /** the last part of the path */
  readonly rest: string
}

type Answer = (fake: FakeLnd, asked: Asked) => object
const offsetIn = ({ query }: Asked): number => Number(query.get('index_offset') ?? 0)

/** What lnd answers, but for streams. */
const ANSWERS: Readonly<Partial<Record<PathName, Answer>>> = {
  'GET /v1/getinfo': (fake) => infoOf(fake),
  'POST /v1/invoices'({ ledger }, { body }) {
    const made = ledger.addInvoice({
      preimage: Buffer.from(body['r_preimage'] ?? '', 'base64'),
      memo: body['memo'] ?? '',
      valueMsat: BigInt(body['value_msat'] ?? 0),
      expirySeconds: Number(body['expiry'] ?? 3600),
    })
    const { r_hash, payment_request, add_index } = invoiceOf(made)
    return { r_hash, payment_request, add_index }
  },
  'GET /v1/invoices'({ ledger }, asked) {
    const all = [...ledger.invoices.values()].filter((invoice) => invoice.addIndex > offsetIn(asked))
    const invoices = all.slice(0, Number(asked.query.get('num_max_invoices') ?? 100))
    return { invoices: invoices.map(invoiceOf), last_index_offset: String(invoices.at(-1)?.addIndex ?? 0) }
  },
  'GET /v1/invoice/*': ({ ledger }, { rest }) => invoiceOf(ledger.find(rest)),
  'POST /v2/invoices/cancel'({ ledger }, { body }) {
    ledger.cancel(Buffer.from(body['payment_hash'] ?? '', 'base64').toString('hex'))
    return {}
  },
  'GET /v1/payments'({ ledger }, asked) {
    const isAll = asked.query.get('include_incomplete') === 'true'
    const all = [...ledger.payments.values()]
      .filter((payment) => payment.index > offsetIn(asked) && (isAll || payment.status === 'SUCCEEDED'))
      .toSorted((a, b) => a.index - b.index)
    const payments = all.slice(0, Number(asked.query.get('max_payments') ?? 100))
    return { payments: payments.map(paymentOf), last_index_offset: String(payments.at(-1)?.index ?? 0) }
  },
  'GET /v1/balance/channels': ({ ledger }) => channelBalanceOf(ledger),
  'GET /v1/balance/blockchain': () => ({
    total_balance: '700000',
    confirmed_balance: '700000',
    unconfirmed_balance: '0',
    locked_balance: '0',
  }),
  'GET /v1/channels': ({ ledger }) => channelsOf(ledger),
  'GET /v1/channels/pending': () => ({
    total_limbo_balance: '0',
    pending_open_channels: [],
    waiting_close_channels: [],
  }),
  'GET /v1/channels/closed': () => ({ channels: [] }),
  'GET /v1/transactions': () => ({ transactions: [] }),
  'POST /v1/switch': () => ({ forwarding_events: [], last_offset_index: 0 }),
}

function answerTo(fake: FakeLnd, asked: Asked): object {
  const answer = ANSWERS[asked.name]
  if (answer === undefined) throw new LndError(5, 'Not Found')
  return answer(fake, asked)
}

function follow(
  fake: FakeLnd,
  asked: Asked & {
    readonly send: Send
    readonly response: ServerResponse
    readonly streams: Set<() => void>
  },
): void {
  const { name, query, body, rest, send, response, streams } = asked
  const { ledger } = fake
  const watch = (look: () => void): void => {
    streams.add(look)
    response.once('close', () => streams.delete(look))
  }
  if (name === 'GET /v1/invoices/subscribe') {
    const told = new Set<number>()
    const from = Number(query.get('settle_index') ?? 0)
    const settled = () =>
      [...ledger.invoices.values()]
        .filter((invoice) => invoice.settleIndex > 0 && !told.has(invoice.settleIndex))
        .toSorted((a, b) => a.settleIndex - b.settleIndex)
    // Without a place nothing of the past is told.
    for (const { settleIndex } of settled()) if (from === 0 || settleIndex <= from) told.add(settleIndex)
    const added = new Set(ledger.invoices.keys())
    const look = (): void => {
      for (const invoice of [...ledger.invoices.values()].filter((one) => !added.has(one.hash))) {
        added.add(invoice.hash)
        if (invoice.state === 'OPEN') send(invoiceOf(invoice))
      }
      for (const invoice of settled()) {
        told.add(invoice.settleIndex)
        send(invoiceOf(invoice))
      }
    }
    look()
    watch(look)
    return
  }
  const untilDecided = (payment: FakePayment, isQuiet: boolean): void => {
    if (!isQuiet || payment.status !== 'IN_FLIGHT') send(paymentOf(payment))
    if (payment.status !== 'IN_FLIGHT') return void response.end()
    watch(() => {
      if (payment.status === 'IN_FLIGHT' || response.writableEnded) return
      send(paymentOf(payment))
      response.end()
    })
  }
  if (name === 'POST /v2/router/send') {
    const payment = ledger.pay(body['payment_request'] ?? '', BigInt(body['fee_limit_msat'] ?? 0))
    return untilDecided(payment, body['no_inflight_updates'] === true)
  }
  const payment = ledger.payments.get(Buffer.from(decodeURIComponent(rest), 'base64url').toString('hex'))
  if (payment === undefined) throw new LndError(5, "payment isn't initiated")
  untilDecided(payment, query.get('no_inflight_updates') === 'true')
}
