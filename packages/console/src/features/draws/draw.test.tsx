import { expect, it } from 'vitest'
import { allOf, renderConsole, said, seen } from '../../testing/console.tsx'

const DRAW = {
  game: 'hero',
  game_name: 'Hero',
  number: 214,
  state: 'closed',
  opened_at: 1_795_000_000,
  closes_at: 1_795_880_000,
  starts_at: 1_795_880_600,
  settled_at: null,
  entries: 12_034,
  plays: 3021,
  stake_sats: '340000000',
  numbers: null,
  beacon_round: null,
  late_seconds: 420,
  statements: [{ index: 9012, kind: 'close', at: 1_795_880_000, text: 'close hero 214' }],
  witnesses: [{ name: 'witness.example', signed_at: null }],
  tiers: [],
}

it('a draw can be read, and nothing about it can be changed', async () => {
  renderConsole('/draws/hero/214', { 'GET /draws/hero/214': DRAW })
  await seen('heading', 'Hero 214')
  await said('It is 7 minutes late.')
  await said('Has not signed')
  expect((await seen('row', 'close hero 214')).textContent).toContain('9012')
  expect(allOf('button', '').filter((button) => button.closest('main') !== null)).toEqual([])
})
