import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createOperatorClient } from './operator-client.ts'
import { OperatorProblem } from './operator-connection.ts'

let server: Server
let base = ''
/** what the operator does with a request */
let reply: (request: IncomingMessage, response: ServerResponse) => void = () => undefined

beforeAll(async () => {
  server = createServer((request, response) => reply(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(() => {
  server.closeAllConnections()
  server.close()
})

function clientOf(fetchLike: typeof fetch = fetch) {
  return createOperatorClient({ fetch: fetchLike, nowMs: () => 5_000_000 }, base)
}

function json(value: unknown): typeof reply {
  return (_, response) => response.setHeader('content-type', 'application/json').end(JSON.stringify(value))
}

describe('a page of the log', () => {
  it('is given as it is served', async () => {
    reply = (request, response) => {
      expect(request.url).toBe('/api/v1/fairness/log?from=7')
      response.setHeader('x-fairball-now', '1800000000')
      json({ notes: ['a', 'b'], next: 9 })(request, response)
    }
    const client = clientOf()
    expect(client.operatorNow()).toBeNull()
    expect(await client.log(7)).toEqual({ notes: ['a', 'b'], next: 9 })
    expect(client.operatorNow()).toBe(1_800_000_000)
  })

  it.each<[string, unknown]>([
    ['no object', ['a']],
    ['null', null],
    ['a text', 'hello'],
    ['no notes', { next: null }],
    ['notes that are no texts', { notes: [1], next: null }],
    ['a note without end', { notes: ['x'.repeat(40_000)], next: null }],
    ['too many notes', { notes: Array.from({ length: 1001 }, () => 'a'), next: null }],
    ['a next that leaves something out', { notes: ['a'], next: 9 }],
    ['a next that stays', { notes: [], next: 7 }],
    ['a next that goes back', { notes: ['a'], next: 3 }],
    ['a next that is a text', { notes: ['a'], next: '8' }],
  ])('is refused with %s', async (_, value) => {
    reply = json(value)
    await expect(clientOf().log(7)).rejects.toThrow(OperatorProblem)
  })

  it.each<[string, typeof reply, RegExp]>([
    ['an error', (_, response) => response.writeHead(503).end('x'), /status 503/],
    ['bytes that are no JSON', (_, response) => response.end(Buffer.from([0xff, 0xfe, 0, 1])), /not JSON/],
    ['nested lists', (_, response) => response.end('['.repeat(1_000_000)), /not JSON/],
    ['a large body that says so', (_, response) => response.end(Buffer.alloc(5_000_000, 0x20)), /more than 4096 KiB/],
    ['a body without end', endless, /more than 4096 KiB/],
    ['a hung up line', (request) => request.socket.destroy(), /No answer/],
    [
      'half a body',
      (_, response) => void response.writeHead(200, { 'content-length': '100' }).write('{', () => response.destroy()),
      /broke off/,
    ],
    [
      'another host',
      (_, response) => response.writeHead(302, { location: 'http://localhost:1/x' }).end(),
      /another host, localhost:1/,
    ],
    ['a file', (_, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(), /another host/],
    ['no address', (_, response) => response.writeHead(302, { location: 'http://' }).end(), /no address/],
    [
      'itself again and again',
      (request, response) => response.writeHead(307, { location: request.url ?? '' }).end(),
      /without end/,
    ],
  ])('is refused from an operator who serves %s', async (_, answer, message) => {
    reply = answer
    await expect(clientOf().log(0)).rejects.toThrow(message)
  })

  it('is taken from another address of the same host', async () => {
    reply = (request, response) => {
      if (request.url === '/moved') json({ notes: ['a'], next: null })(request, response)
      else response.writeHead(301, { location: '/moved' }).end()
    }
    expect(await clientOf().log(0)).toEqual({ notes: ['a'], next: null })
  })

  it('is asked for with a limit of time, redirects by hand', async () => {
    const client = clientOf(async (_, init) => {
      expect(init).toMatchObject({ redirect: 'manual', method: 'GET' })
      expect(init?.signal).toBeInstanceOf(AbortSignal)
      throw new DOMException('The operation was aborted due to timeout', 'TimeoutError')
    })
    await expect(client.log(0)).rejects.toThrow('No answer: it took too long.')
  })

  it.each(Array.from({ length: 40 }, (_, seed) => seed))('never crashes on anything: %i', async (seed) => {
    const bytes = Buffer.from(Array.from({ length: 300 }, (_, at) => (seed * 7919 + at * at * 31 + at) % 256))
    const pieces = ['{"notes":[', '"a",', bytes.toString('latin1'), ']}', '"next":', '{'.repeat(seed)]
    reply = (_, response) => response.end(pieces.slice(seed % 5).join(''))
    await expect(clientOf().log(0)).rejects.toThrow(OperatorProblem)
  })
})

describe('a signature', () => {
  it('is handed over as plain text', async () => {
    let got = ''
    reply = (request, response) => {
      expect([request.method, request.headers['content-type']]).toEqual(['POST', 'text/plain; charset=utf-8'])
      request.on('data', (part: Buffer) => (got += part.toString()))
      request.on('end', () => json({ ok: true })(request, response))
    }
    expect(await clientOf().handOver('a note — x\n')).toBeNull()
    expect(got).toBe('a note — x\n')
  })

  it('that is not taken comes back with the reason', async () => {
    const error = { code: 'INVALID_PAYLOAD', message: 'Wrong.', fields: { note: 'Must not be dated in the future.' } }
    reply = (request, response) => {
      response.statusCode = 400
      json({ error })(request, response)
    }
    expect(await clientOf().handOver('x')).toBe('400 INVALID_PAYLOAD Wrong. Must not be dated in the future.')
  })
})

describe('what else is asked', () => {
  it('is given as it is served', async () => {
    reply = (request, response) => {
      if (request.url?.endsWith('/entries') === true) response.end(Buffer.from([1, 2, 3]))
      else if (request.url?.includes('/rules/') === true) response.end('rules')
      else json({ notes: ['n'], witnesses: ['w'], beacon: { round: 3, signature: 'ab' } })(request, response)
    }
    const client = clientOf()
    expect(await client.entries('g', 1)).toEqual(Buffer.from([1, 2, 3]))
    expect(await client.rules('00')).toBe('rules')
    expect(await client.record('g', 1)).toEqual({
      notes: ['n'],
      witnesses: ['w'],
      beacon: { round: 3, signature: 'ab' },
    })
  })

  it.each([
    { notes: ['n'], witnesses: 3, beacon: null },
    { witnesses: [], beacon: null },
    { notes: [], witnesses: [], beacon: { round: -1, signature: 'ab' } },
    { notes: [], witnesses: [], beacon: { round: 1.5, signature: 'ab' } },
    { notes: [], witnesses: [], beacon: { round: 1 } },
  ])('is refused in another shape: %o', async (value) => {
    reply = json(value)
    await expect(clientOf().record('g', 1)).rejects.toThrow(OperatorProblem)
  })

  it('has no entries before the close', async () => {
    reply = (_, response) => response.writeHead(404).end()
    expect(await clientOf().entries('g', 1)).toBeNull()
    await expect(clientOf().rules('00')).rejects.toThrow('status 404')
  })
})

function endless(_: IncomingMessage, response: ServerResponse): void {
  const part = Buffer.alloc(65_536, 0x20)
  const more = (): void => {
    while (!response.destroyed && response.write(part)) continue
    if (!response.destroyed) response.once('drain', more)
  }
  more()
}
