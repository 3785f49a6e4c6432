import { expect, it } from 'vitest'
import { renderConsole, said, seen } from '../../testing/console.tsx'

const DRAW = { game: 'hero', game_name: 'Hero', number: 214 }
const EVENT = { sats: null, txid: null, batch: null, draw: null }
const ORDER = {
  id: '6f2c1c1e-6d0f',
  player: { id: '17', username: 'janet_w' },
  state: 'PAID',
  game: 'hero',
  game_name: 'Hero',
  created_at: 1_795_880_000,
  expires_at: null,
  sats: '500000',
  received_sats: '500000',
  goodwill_sats: '0',
  lines: 3,
  draws: 1,
  address: null,
  timeline: [
    { ...EVENT, at: 1, kind: 'order', text: 'Ordered.' },
    { ...EVENT, at: 2, kind: 'win', text: 'Won in', sats: '180000000', draw: DRAW },
    { ...EVENT, at: 3, kind: 'payout', text: 'Paid out in', batch: '5' },
  ],
  plays: [],
  sentence: 'Your order of 3 lines in Hero is paid.',
}

it('an order is told from its beginning to its payout, with a sentence to send', async () => {
  renderConsole('/orders/6f2c1c1e-6d0f', { 'GET /orders/6f2c1c1e-6d0f': ORDER })
  await said('Your order of 3 lines in Hero is paid.')
  await seen('button', 'Copy the sentence')
  const events = [...document.querySelectorAll('ol li')].map(({ textContent }) => textContent)
  expect(events.map((text) => /Ordered|Won|Paid out/.exec(text ?? '')?.[0])).toEqual(['Ordered', 'Won', 'Paid out'])
  expect((await seen('link', 'Batch 5')).getAttribute('href')).toBe('/payouts/5')
  expect((await seen('link', 'Hero 214')).getAttribute('href')).toBe('/draws/hero/214')
  await said('It has no plays: it was not paid.')
})
