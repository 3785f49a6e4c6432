import { expect, it } from 'vitest'
import { pressNamed, renderConsole, said, seen, typeInto } from '../../testing/console.tsx'

const GAME = {
  key: 'hero',
  name: 'Hero',
  state: 'open',
  paused: null,
  price: '£2.50',
  jackpot_sats: '1200000000',
  next_draw: { number: 215, closes_at: 1_795_890_000 },
  coming: null,
}
const WHOLE = { ...GAME, versions: [], file: '{"games": []}' }

it('sales are paused with a note for players, and then signed', async () => {
  renderConsole('/games', { 'GET /games': { paused: null, results: [GAME] } })
  await seen('row', 'Hero')
  await pressNamed('button', 'Pause all sales')
  await typeInto('Note for players', 'Back at noon.')
  await pressNamed('button', 'Continue')
  await seen('dialog', 'Pause sales of all games. Pages show: “Back at noon.”')
})

it('a pause is shown, and can be ended', async () => {
  renderConsole('/games', { 'GET /games': { paused: { note: 'Back at noon.', since: 1 }, results: [GAME] } })
  await said('All sales are paused since')
  await pressNamed('button', 'Resume sales')
  await seen('dialog', 'Resume sales of all games.')
})

it('a price and a tier are changed field by field, and sent as the file that has them', async () => {
  const tiers = [
    { matches: 5, kind: 'jackpot' },
    { matches: 4, kind: 'fixed', prize_minor: 5000 },
  ]
  const rules = { price_minor: 250, pick: 5, tiers, draw_times: [{ day: 1, minute_of_day: 1200 }] }
  const file = {
    format: 'fairball-games/1',
    games: [
      { key: 'hero', rules, retire: null },
      { key: 'other', rules: 1 },
    ],
  }
  const { sent } = renderConsole('/games/hero', {
    'GET /games/hero': { ...WHOLE, file: JSON.stringify(file) },
    'POST /games/preview': { plan: ['The price rises to £3.00.'], problems: [] },
  })
  await typeInto('Price of a line', '3.5')
  await typeInto('Amount', '60')
  await pressNamed('button', 'Add tier')
  await pressNamed('button', 'Show the plan')
  await said('The price rises to £3.00.')
  const [body] = sent('POST /games/preview') as { file: string }[]
  const { games } = JSON.parse(body?.file ?? '') as typeof file
  expect(games).toHaveLength(2)
  expect(games[1]).toEqual(file.games[1])
  expect(games[0]?.rules).toMatchObject({
    price_minor: 350,
    pick: 5,
    tiers: [tiers[0], { ...tiers[1], prize_minor: 6000 }, { matches: 0, kind: 'jackpot' }],
  })
})

it('a file is proposed only with its plan, which goes when the file changes', async () => {
  const { sent } = renderConsole('/games/hero', {
    'GET /games/hero': WHOLE,
    'POST /games/preview': { plan: ['The price rises to £3.00.'], problems: [] },
  })
  await typeInto('The games file', '{"games": [1]}')
  await pressNamed('button', 'Show the plan')
  await said('The price rises to £3.00.')
  await pressNamed('button', 'Propose this plan')
  await seen('dialog', 'Announce the changes of this games file')
  expect(sent('POST /games/preview')).toEqual([{ file: '{"games": [1]}' }])
})

it('a file with a problem says where it is', async () => {
  const problems = [{ path: 'games[0].price', text: 'Must be at least 0.10.' }]
  renderConsole('/games/hero', { 'GET /games/hero': WHOLE, 'POST /games/preview': { plan: [], problems } })
  await typeInto('The games file', '{"games": [2]}')
  await pressNamed('button', 'Show the plan')
  await seen('alert', 'games[0].price: Must be at least 0.10.')
})
