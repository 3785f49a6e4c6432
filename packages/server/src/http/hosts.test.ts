import { connect } from 'node:net'
import { once } from 'node:events'
import { expect, it, onTestFinished } from 'vitest'
import { testRuntime } from '../runtime/test-runtime.ts'
import { createHttpApp } from './app.ts'

/** The status of a request with these header lines, to an application with a port of its own. */
async function statusOf(lines: string[], { isDemo = true, version = '1.1' } = {}): Promise<number> {
  const publicUrl = 'http://demo.fairball.test:3000'
  const app = createHttpApp({ runtime: testRuntime(), authenticate: async () => null, isDemo, publicUrl })
  onTestFinished(() => app.close())
  app.get('/', async () => 'a page')
  await app.listen({ port: 0, host: '127.0.0.1' })
  const address = app.server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const socket = connect(address.port, '127.0.0.1')
  socket.write(`GET / HTTP/${version}\r\n${[...lines, 'connection: close'].join('\r\n')}\r\n\r\n`)
  const [chunk] = (await once(socket, 'data')) as [Buffer]
  return Number(String(chunk).split(' ')[1])
}

it.each([
  'localhost',
  'LocalHost:3000',
  '127.0.0.1:3000',
  '[::1]:3000',
  '192.168.1.7',
  'demo.fairball.test',
  'demo.fairball.test:80',
])('a demo answers the host %s', async (host) => {
  expect(await statusOf([`host: ${host}`])).toBe(200)
})

it.each([
  'rebind.example',
  'rebind.example:3000',
  'localhost.rebind.example',
  '127.0.0.1.rebind.example',
  'demo.fairball.test.',
  '',
  '[::1',
])('a demo does not answer the host "%s", to which another’s DNS may lead a browser: 421', async (host) => {
  expect(await statusOf([`host: ${host}`])).toBe(421)
})

it('a request with two hosts is refused, in production too, and one of HTTP/1.0 needs none', async () => {
  for (const isDemo of [true, false]) {
    expect(await statusOf(['host: localhost', 'Host: localhost'], { isDemo })).toBe(400)
    expect(await statusOf(['host: localhost', 'host: rebind.example'], { isDemo })).toBe(400)
    expect(await statusOf([], { isDemo })).toBe(400)
    expect(await statusOf([], { isDemo, version: '1.0' })).toBe(200)
  }
})

it('production answers every host, as sent by its proxy', async () => {
  expect(await statusOf(['host: fairball-upstream'], { isDemo: false })).toBe(200)
})
