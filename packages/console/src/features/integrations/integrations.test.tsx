import { expect, it } from 'vitest'
import { pressNamed, renderConsole, said, seen } from '../../testing/console.tsx'

const WEBHOOK = {
  id: '3',
  url: 'https://shop.example/hook',
  types: ['order.paid'],
  created_at: 1,
  disabled_at: null,
  disabled_reason: null,
  last_success_at: null,
  failing_since: 5,
}
const DELIVERY = {
  id: '70',
  type: 'order.paid',
  at: 1,
  tries: 3,
  status: 500,
  error: null,
  delivered_at: null,
  next_at: 9,
}

it('a webhook that fails opens its deliveries at an address of their own', async () => {
  renderConsole('/integrations', {
    'GET /webhooks': { results: [WEBHOOK] },
    'GET /webhooks/3/deliveries': { results: [DELIVERY], total_pages: 1 },
    'GET /api-keys': { results: [], widgets: [{ game: 'hero', html: '<iframe src="https://x/embed/hero"></iframe>' }] },
  })
  expect((await seen('row', 'shop.example')).textContent).toContain('Fails')
  await said('There is no API key.')
  await said('<iframe src="https://x/embed/hero"></iframe>')
  await pressNamed('link', 'https://shop.example/hook')
  expect((await seen('row', 'order.paid')).textContent).toContain('order.paid')
  await said('Answered 500')
  expect(location.search).toBe('?webhook=3')
})
