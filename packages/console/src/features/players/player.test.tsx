import { expect, it } from 'vitest'
import { refused, renderConsole, said, seen } from '../../testing/console.tsx'

const PLAYER = {
  id: '17',
  username: 'janet_w',
  email: 'janet@example.org',
  is_email_verified: false,
  state: 'active',
  created_at: 1_761_321_600,
  last_seen_at: null,
  currency: 'GBP',
  has_two_factor: true,
  owed_sats: '180000000',
  limits: [],
  exclusions: [],
  holds: [],
  sessions: [],
  addresses: [],
  orders: [],
  plays: [],
  wins: [],
  payouts: [],
  messages: [],
  notes: [],
  audit: [],
}

it('a new player has nothing yet, and each list says so', async () => {
  renderConsole('/players/17', { 'GET /players/17': PLAYER })
  await seen('heading', 'janet_w')
  for (const text of [
    'The player has ordered nothing.',
    'The player is in no draw yet.',
    'The player has won nothing yet.',
    'Nothing was paid out yet.',
  ])
    await said(text)
})

it('a hold, an order, a play and a note are shown', async () => {
  const staff = { id: '4', name: 'demo-approver' }
  const order = {
    id: '6f2c1c1e-6d0f',
    at: 1_795_881_000,
    state: 'PAID',
    sats: '5',
    lines: 3,
    game: 'hero',
    game_name: 'Hero',
  }
  const play = {
    ...order,
    id: '9b1d2e3f-0a1b',
    order: '77aa88bb-1c2d',
    number: 12,
    state: 'open',
  }
  const hold = { kind: 'payouts', from_at: 1, until_at: null, reason: 'The bank asks.', request: null }
  renderConsole('/players/17', {
    'GET /players/17': {
      ...PLAYER,
      orders: [order],
      plays: [play],
      holds: [hold],
      notes: [{ at: 1, staff, text: 'Called.' }],
    },
  })
  await said('Payouts are on hold without an end: The bank asks.')
  expect((await seen('link', '6f2c1c1e')).getAttribute('href')).toBe('/orders/6f2c1c1e-6d0f')
  expect((await seen('link', '9b1d2e3f')).getAttribute('href')).toBe('/orders/77aa88bb-1c2d')
  await said('Hero 12')
  await said('Called.')
})

it('a player that there is not is said not to be there', async () => {
  renderConsole('/players/99', { 'GET /players/99': refused(404, 'NOT_FOUND') })
  await seen('alert', 'There is no such thing')
})
