import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { systemOutbound } from './outbound.ts'

it('a request goes to the address it was given, and shows the host without resolving it', async () => {
  const server = createServer().listen(0, '127.0.0.1')
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

it('a request ends with its signal', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const stop = new AbortController()
  server.once('connection', () => stop.abort())
  const asking = systemOutbound.get({
    host: 'wallet.example',
    address: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    path: '/',
    signal: stop.signal,
  })
  await expect(asking).rejects.toMatchObject({ name: 'AbortError' })
})
