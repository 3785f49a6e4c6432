import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { fastify } from 'fastify'
import { expect, it, onTestFinished } from 'vitest'
import { missingPages } from './missing-page.ts'
import { pageOf } from './page-answer.ts'

function server() {
  const state = { now: 1_795_000_020, made: 0, isDown: false }
  const answer = missingPages({
    now: () => state.now,
    async make() {
      if (state.isDown) return null
      state.made += 1
      return pageOf({ status: 404, html: `<p>page ${state.made}</p>`, policy: `policy ${state.made}` })
    },
  })
  const app = fastify()
  app.get('/*', async (request, reply) => ((await answer(request, reply)) ? reply : 'rendered'))
  onTestFinished(() => app.close())
  return { state, get: (coding = 'identity') => app.inject({ url: '/x', headers: { 'accept-encoding': coding } }) }
}

it('one page answers every unknown address, rendered once a minute, in each coding', async () => {
  const { state, get } = server()
  const plain = await get()
  expect([plain.statusCode, plain.body]).toEqual([404, '<p>page 1</p>'])
  expect(plain.headers).toMatchObject({
    'cache-control': 'no-store',
    'content-security-policy': 'policy 1',
  })
  for (let time = 0; time < 2; time += 1) {
    expect(brotliDecompressSync((await get('br')).rawPayload).toString()).toBe('<p>page 1</p>')
    expect(gunzipSync((await get('gzip')).rawPayload).toString()).toBe('<p>page 1</p>')
  }
  state.now += 59
  expect((await get()).body).toBe('<p>page 1</p>')
  state.now += 1
  expect((await get('br')).headers['content-security-policy']).toBe('policy 2')
  state.now -= 3600 // the demo's clock was set back
  expect((await get()).body).toBe('<p>page 3</p>')
})

it('if the page cannot be made now, the address is rendered like any other', async () => {
  const { state, get } = server()
  state.isDown = true
  expect((await get()).body).toBe('rendered')
})
