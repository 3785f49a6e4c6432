import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHttpApp } from '../../http/app.ts'
import { testRuntime } from '../../runtime/test-runtime.ts'
import { readContentFile } from './content-file.ts'
import { imageRoutes } from './image-routes.ts'

/** A page disguised as a picture: its first bytes are a JPEG's. */
const PICTURE = Buffer.from('\xff\xd8\xff\xe0<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)">', 'latin1')

let app: FastifyInstance
let address = ''
beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fairball-images-'))
  await writeFile(join(folder, 'a.svg'), PICTURE)
  const causes = [{ id: 'a', title: 'A', description: 'A', link: 'https://a.example', image: 'a.svg' }]
  await writeFile(join(folder, 'content.json'), JSON.stringify({ causes }))
  const problems: string[] = []
  const content = readContentFile(join(folder, 'content.json'), { network: 'regtest' }, problems)
  expect(problems).toEqual([])
  // From here on nothing is read from there any more.
  await rm(folder, { recursive: true })
  address = content.causes[0]?.image ?? ''
  app = createHttpApp({
    runtime: testRuntime(),
    authenticate: async () => null,
    isDemo: false,
    publicUrl: 'http://fairball.test',
  })
  imageRoutes(app, () => content.images)
  await app.ready()
})
afterAll(() => app.close())

describe('a picture of a cause', () => {
  it('a picture exists as long as the program runs, whatever happens to its file', async () => {
    const { statusCode, rawPayload, headers } = await app.inject(address)
    expect([statusCode, rawPayload]).toEqual([200, PICTURE])
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
  })

  it('a picture is never a page: its type is that of its first bytes, and a browser may guess no other', async () => {
    expect((await app.inject(address)).headers).toMatchObject({
      'content-type': 'image/jpeg',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    })
  })

  it.each(['same', 'weak', 'among others'])('a picture is not sent again to a client that has it: %s', async (how) => {
    const tag = String((await app.inject(address)).headers['etag'])
    const header = { same: tag, weak: `W/${tag}`, 'among others': `"x", ${tag}` }[how] ?? ''
    const { statusCode, rawPayload } = await app.inject({ url: address, headers: { 'if-none-match': header } })
    expect([statusCode, rawPayload.length]).toEqual([304, 0])
  })

  it.each([
    '/content/',
    '/content/a.svg',
    '/content/content.json',
    '/content/..%2f..%2fetc%2fpasswd',
    '/content/%2e%2e/config.ts',
    '/content/__proto__',
    '/content/a%00.jpg',
  ])('no picture exists at %s: nothing in a request becomes a path', async (url) => {
    expect((await app.inject(url)).statusCode).toBe(404)
  })
})
