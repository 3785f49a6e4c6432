import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { satsToBtc } from '@fairball/domain/money'
import { monotonicTime } from '../../runtime/system-runtime.ts'
import { createNode, NodeError, type NodeOptions, NodeUnreachable, RPC, satsOfBtc } from './rpc.ts'

interface Asked {
  readonly path: string | undefined
  readonly authorization: string | undefined
  readonly body: { jsonrpc: string; id: number; method: string; params: unknown }
}

/** A node with the test's answers, on a real socket. */
async function standIn(answer: (asked: Asked, response: ServerResponse) => void, options: Partial<NodeOptions> = {}) {
  const asked: Asked[] = []
  const server = createServer((request: IncomingMessage, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString('utf8'))
      asked.push({ path: request.url, authorization: request.headers.authorization, body })
      answer(asked.at(-1)!, response)
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const stop = () =>
    new Promise<void>((closed) => {
      server.close(() => closed())
      server.closeAllConnections()
    })
  onTestFinished(stop)
  const { port } = server.address() as AddressInfo // it listens on a port
  const url = `http://us%40er:pa%3Ass@127.0.0.1:${port}/`
  const node = createNode({ url, fetch: globalThis.fetch, sleep: monotonicTime.sleep, ...options })
  return { node, asked, stop }
}

const json = (response: ServerResponse, status: number, value: unknown) => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}
const basic = (login: string) => `Basic ${Buffer.from(login).toString('base64')}`
const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => null,
    (error: unknown) => error as Error,
  )

describe('a call to the node', () => {
  it.each([
    ['2.0', (id: number) => ({ jsonrpc: '2.0', result: 'regtest', id })],
    ['1.x', (id: number) => ({ result: 'regtest', error: null, id })],
  ])('a call returns a result of JSON-RPC %s', async (_version, of) => {
    const { node, asked } = await standIn(({ body }, response) => json(response, 200, of(body.id)))
    expect(await node.call('getchain', { verbose: true })).toBe('regtest')
    expect(asked[0]).toMatchObject({
      path: '/',
      authorization: basic('us@er:pa:ss'),
      body: { jsonrpc: '2.0', method: 'getchain', params: { verbose: true } },
    })
  })

  it.each([
    ['2.0, with status 200', 200, (id: number) => ({ jsonrpc: '2.0', error: { code: -5, message: 'no block' }, id })],
    ['1.x, with status 500', 500, (id: number) => ({ result: null, error: { code: -5, message: 'no block' }, id })],
    ['1.x, with status 404', 404, (id: number) => ({ result: null, error: { code: -5, message: 'no block' }, id })],
  ])('a call throws an error of JSON-RPC %s', async (_version, status, of) => {
    const { node } = await standIn(({ body }, response) => json(response, status, of(body.id)))
    const error = await failureOf(node.call('getblock', { blockhash: '00' }))
    expect(error).toBeInstanceOf(NodeError)
    expect(error).toMatchObject({ code: RPC.unknown, method: 'getblock', message: 'getblock: no block (-5)' })
  })

  it('a call names its arguments, even if it has none', async () => {
    const { node, asked } = await standIn(({ body }, response) => json(response, 200, { result: 1, id: body.id }))
    await node.call('getblockcount')
    await node.call('gettransaction', { txid: 'ab', verbose: true })
    expect(asked.map((one) => one.body.params)).toEqual([{}, { txid: 'ab', verbose: true }])
  })

  it('a call goes to the wallet that is named, whatever its name', async () => {
    const { node, asked } = await standIn(({ body }, response) => json(response, 200, { result: 1, id: body.id }))
    await node.call('getbalance', {}, { wallet: 'a/b ü' })
    expect(asked[0]?.path).toBe('/wallet/a%2Fb%20%C3%BC')
  })

  it('a call waits while the node is warming up', async () => {
    let left = 2
    const { node, asked } = await standIn(({ body }, response) => {
      if (left-- > 0) json(response, 500, { result: null, error: { code: -28, message: 'Loading…' }, id: body.id })
      else json(response, 200, { jsonrpc: '2.0', result: 7, id: body.id })
    })
    expect(await node.call('getblockcount')).toBe(7)
    expect(asked).toHaveLength(3)
  })

  it('a call does not wait for ever while the node is warming up', async () => {
    const { node } = await standIn(({ body }, response) =>
      json(response, 200, { jsonrpc: '2.0', error: { code: -28, message: 'Verifying…' }, id: body.id }),
    )
    expect(await failureOf(node.call('getblockcount', {}, { timeoutMs: 600 }))).toMatchObject({ code: RPC.warmingUp })
  })

  it('a call ends if there is no answer in time, and is not repeated', async () => {
    const { node, asked } = await standIn(() => undefined)
    const error = await failureOf(node.call('sendrawtransaction', { hexstring: '00' }, { timeoutMs: 100 }))
    expect(error).toBeInstanceOf(NodeUnreachable)
    expect(error?.message).toBe('sendrawtransaction: no answer within 100 ms')
    expect(asked).toHaveLength(1)
  })

  it('a call ends if the answer begins and does not continue', async () => {
    const { node } = await standIn((_asked, response) => void response.writeHead(200).write('{"result":'))
    expect((await failureOf(node.call('getblock', {}, { timeoutMs: 200 })))?.message).toBe(
      'getblock: no answer within 200 ms',
    )
  })

  it('a call ends if the node is down', async () => {
    const { node, stop } = await standIn(() => undefined)
    await stop()
    const error = await failureOf(node.call('getblockcount'))
    expect(error).toBeInstanceOf(NodeUnreachable)
    expect(error?.message).toBe('getblockcount: the node cannot be reached')
  })

  it.each([
    ['refuses the login', 401, '', 'getblockcount: the node refuses the login (HTTP 401)'],
    [
      'does not let this login ask',
      403,
      'no',
      "getblockcount: this login may not ask for it, see the node's rpcwhitelist (HTTP 403)",
    ],
    [
      'is overloaded',
      503,
      'Work queue depth exceeded',
      'not an answer of a node (HTTP 503): Work queue depth exceeded',
    ],
    ['is no node', 200, '<html>', 'not an answer of a node (HTTP 200): <html>'],
    ['answers nothing', 200, '', 'not an answer of a node (HTTP 200)'],
    ['answers null', 200, 'null', 'not an answer of a node (HTTP 200): null'],
    ['answers another call', 200, '{"result":1,"id":99}', 'an answer to something else'],
    ['answers half', 200, '{"id":1}', 'an answer to something else'],
    ['fails without a code', 200, '{"id":1,"result":null,"error":"bad"}', 'an answer to something else'],
  ])('a call reports a server that %s', async (_title, status, text, message) => {
    const { node } = await standIn((_asked, response) => void response.writeHead(status).end(text))
    const error = await failureOf(node.call('getblockcount'))
    expect(error).toBeInstanceOf(NodeUnreachable)
    expect(error?.message).toContain(message)
    expect(error?.message).not.toContain('pa:ss')
  })

  it('a call does not follow a redirect with the login', async () => {
    const other = await standIn(({ body }, response) => json(response, 200, { result: 1, id: body.id }))
    const { node } = await standIn((_asked, response) => {
      response.writeHead(307, { location: 'http://127.0.0.1:9/' }).end()
    })
    expect(await failureOf(node.call('getblockcount'))).toBeInstanceOf(NodeUnreachable)
    expect(other.asked).toEqual([])
  })

  it('a question about many things is asked a hundred at a time, and each has its own answer', async () => {
    const { node, asked } = await standIn(({ body }, response) => {
      const requests = body as unknown as { id: number; params: { value: number } }[]
      const answers = requests.map(({ id, params: { value } }) =>
        value % 2 === 0 ? { result: value, id } : { result: null, error: { code: -5, message: 'odd' }, id },
      )
      json(response, 200, answers.toReversed())
    })
    const values = Array.from({ length: 250 }, (_, value) => value)
    const answers = await node.callEach<number>(
      'echo',
      values.map((value) => ({ value })),
      { wallet: 'watch' },
    )
    expect(answers.map((answer) => (answer instanceof NodeError ? answer.code : answer))).toEqual(
      values.map((value) => (value % 2 === 0 ? value : RPC.unknown)),
    )
    expect(asked.map(({ path, body }) => [path, (body as unknown as unknown[]).length])).toEqual([
      ['/wallet/watch', 100],
      ['/wallet/watch', 100],
      ['/wallet/watch', 50],
    ])
    expect(await node.callEach('echo', [])).toEqual([])
  })

  it('a question about many things has no answer if one of them has none', async () => {
    const { node } = await standIn(({ body }, response) => {
      const [first] = body as unknown as { id: number }[]
      json(response, 200, [{ result: 1, id: first?.id }])
    })
    const failed = await failureOf(node.callEach('echo', [{ value: 1 }, { value: 2 }]))
    expect(failed).toBeInstanceOf(NodeUnreachable)
  })

  it('a question about many things waits while the node is warming up', async () => {
    let left = 1
    const { node } = await standIn(({ body }, response) => {
      const requests = body as unknown as { id: number }[]
      const isWarm = left-- <= 0
      const answerOf = isWarm ? { result: 7 } : { result: null, error: { code: -28, message: 'Loading…' } }
      json(
        response,
        200,
        requests.map(({ id }) => ({ ...answerOf, id })),
      )
    })
    expect(await node.callEach('echo', [{}, {}])).toEqual([7, 7])
  })

  it('a call reads a huge answer completely, and stops at the limit', async () => {
    const transactions = Array.from({ length: 40_000 }, (_, i) => ({ txid: String(i).padStart(64, '0'), vout: i }))
    const answer = (asked: Asked, response: ServerResponse) =>
      json(response, 200, { result: { transactions }, id: asked.body.id })
    const { node } = await standIn(answer)
    expect((await node.call<{ transactions: unknown[] }>('listsinceblock')).transactions).toHaveLength(40_000)
    const small = await standIn(answer, { largestAnswer: 1_000_000 })
    expect((await failureOf(small.node.call('listsinceblock')))?.message).toBe(
      'listsinceblock: the answer is larger than 1000000 bytes',
    )
  })

  it('a call reads the cookie again, because a restart of the node writes another', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'fairball-cookie-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const cookieFile = join(folder, '.cookie')
    const { node, asked } = await standIn(({ body }, response) => json(response, 200, { result: 1, id: body.id }), {
      cookieFile,
    })
    const missing = await failureOf(node.call('getblockcount'))
    expect(missing).toBeInstanceOf(NodeUnreachable)
    expect(missing?.message).toContain('cookie file cannot be read')
    for (const cookie of ['__cookie__:one', '__cookie__:two\n']) {
      await writeFile(cookieFile, cookie)
      await node.call('getblockcount')
    }
    expect(asked.map((one) => one.authorization)).toEqual([basic('__cookie__:one'), basic('__cookie__:two')])
  })

  it('many concurrent calls each get their own answer', async () => {
    const { node } = await standIn(({ body }, response) => {
      const { value } = body.params as { value: number }
      setTimeout(() => json(response, 200, { result: value, id: body.id }), 20 - value)
    })
    const values = Array.from({ length: 20 }, (_, i) => i)
    expect(await Promise.all(values.map((value) => node.call('echo', { value })))).toEqual(values)
  })
})

describe('an amount of the node', () => {
  it.each([
    [0.1, 10_000_000n],
    [0.3 - 0.1, 20_000_000n],
    [0.00000001, 1n],
    [20999999.9769, 2_099_999_997_690_000n],
    [-0.00002, -2_000n],
    [0, 0n],
  ])('the amount %s is %s sats', (amount, sats) => {
    expect(satsOfBtc(amount)).toBe(sats)
  })

  it('an amount survives the round trip, to the last satoshi', () => {
    for (let sats = 2_099_999_999_999_000n; sats <= 2_100_000_000_000_000n; sats++)
      if (satsOfBtc(JSON.parse(satsToBtc(sats))) !== sats) throw new Error(`${sats} sats did not survive`)
  })

  it.each([['0.1'], [null], [undefined], [NaN], [Infinity], [21_000_001], [-21_000_001]])(
    '%s is no amount',
    (amount) => {
      expect(() => satsOfBtc(amount)).toThrow(TypeError)
    },
  )
})
