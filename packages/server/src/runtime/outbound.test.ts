import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { CERTIFICATES } from '../../test/fake-lnd/fake-lnd.ts'
import { type OutboundRequest, systemOutbound } from './outbound.ts'

const KEY = readFileSync(new URL('../../test/fake-lnd/tls.key', import.meta.url), 'utf8')

/** A server for `localhost`, and how it is asked. */
async function serverThat(answer: RequestListener): Promise<OutboundRequest> {
  const server = createServer({ cert: CERTIFICATES.own, key: KEY }, answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    host: 'localhost',
    address: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    authority: CERTIFICATES.own,
    path: '/.well-known/lnurlp/anna?x=1',
    signal: AbortSignal.timeout(5_000),
  }
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

it('a request names the host, asks for no compression, and is answered with status, headers and body', async () => {
  const seen: unknown[] = []
  const request = await serverThat(({ url, method, headers }, response) => {
    seen.push(method, url, headers)
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"tag":1}')
  })
  const { status, headers, body } = await systemOutbound.get(request)
  expect([status, headers['content-type'], await textOf(body)]).toEqual([200, 'application/json', '{"tag":1}'])
  expect(seen).toEqual([
    'GET',
    '/.well-known/lnurlp/anna?x=1',
    { host: 'localhost', accept: 'application/json', 'accept-encoding': 'identity', connection: 'close' },
  ])
})

it('a redirect is an answer, and is not followed', async () => {
  let count = 0
  const request = await serverThat((_request, response) => {
    count += 1
    response.writeHead(302, { location: '/elsewhere' }).end()
  })
  expect((await systemOutbound.get(request)).status).toBe(302)
  expect(count).toBe(1)
})

it('a certificate must be vouched for, and be that of the host', async () => {
  const request = await serverThat((_request, response) => response.end('{}'))
  for (const [change, code] of [
    [{ authority: CERTIFICATES.other }, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    [{ host: 'wallet.example' }, 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ] as const)
    await expect(systemOutbound.get({ ...request, ...change })).rejects.toMatchObject({ code })
})

it('a request goes to the address it was given, and shows the host without resolving it', async () => {
  const server = createTcpServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const greeted = once(server, 'connection').then(async (connected) => {
    const [socket] = connected as [Socket]
    const [hello] = (await once(socket, 'data')) as [Buffer]
    socket.destroy()
    return hello.toString('latin1')
  })
  const asking = systemOutbound.get({
    host: 'wallet.example', // no name server knows it
    address: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    path: '/',
    signal: AbortSignal.timeout(5_000),
  })
  await expect(asking).rejects.toThrow()
  expect(await greeted).toContain('wallet.example')
})

it('a request ends with its signal, before its answer and within it', async () => {
  for (const answer of [
    () => undefined,
    ((_request, response) => response.writeHead(200).write('{')) satisfies RequestListener,
  ]) {
    const stop = new AbortController()
    const request = await serverThat((asked, response) => {
      asked.socket.once('close', () => response.destroy())
      answer(asked, response)
      setImmediate(() => setImmediate(() => stop.abort()))
    })
    const whole = systemOutbound.get({ ...request, signal: stop.signal }).then(({ body }) => textOf(body))
    await expect(whole).rejects.toThrow(/abort/i)
  }
})
