import { expect, it } from 'vitest'
import { pressNamed, renderConsole, said, seen } from '../../testing/console.tsx'
import { widgetLine } from './widget-line.ts'

const WEBHOOK = {
  id: '3',
  url: 'https://shop.example/hook',
  types: ['order.paid'],
  created_at: 1,
  state: 'failing',
  failing_since: 5,
  disabled_at: null,
  disabled_because: null,
  revoked_at: null,
  both_sign_until: null,
}
const DELIVERY = {
  id: '70',
  event: '9',
  type: 'order.paid',
  at: 1,
  state: 'waiting',
  attempts: 3,
  next_at: 9,
  tried_at: 5,
}

it('a webhook that fails opens its deliveries at an address of their own', async () => {
  renderConsole('/integrations', {
    'GET /webhooks': [WEBHOOK],
    'GET /webhooks/3/deliveries': { results: [{ ...DELIVERY, status: 500, problem: null }], total_pages: 1 },
    'GET /api-keys': [],
  })
  expect((await seen('row', 'shop.example')).textContent).toContain('Fails')
  await said('There is no API key.')
  await pressNamed('link', 'https://shop.example/hook')
  await said('Waits: answered 500')
  expect(location.search).toBe('?webhook=3')
})

it('a webhook gets a new secret by a request that is signed', async () => {
  renderConsole('/integrations', { 'GET /webhooks': [WEBHOOK], 'GET /api-keys': [] })
  await pressNamed('button', 'New secret for the webhook to https://shop.example/hook')
  await said('Make a new secret for webhook 3. The old one signs for another 24 hours.')
})

it('a name cannot leave the attribute of a widget that it stands in', () => {
  const line = widgetLine('https://lottery.example', { key: 'hero', name: 'A "b" <c> & d' })
  expect(line).toBe(
    '<iframe src="https://lottery.example/embed/hero" title="A &quot;b&quot; &lt;c&gt; &amp; d" width="300" height="250" style="border: 0"></iframe>',
  )
})
