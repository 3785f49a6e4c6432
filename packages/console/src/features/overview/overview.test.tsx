import { expect, it } from 'vitest'
import { allOf, renderConsole, said, seen } from '../../testing/console.tsx'

const GAME = { game: 'hero', game_name: 'Hero' }
const QUIET = {
  alarms: [],
  waiting: 0,
  today: { orders: 0, sales_sats: '0', refunds_sats: '0', payouts_sats: '0' },
  paused: [],
  draws: [],
  bankroll: [],
  checks: [{ id: 'database', state: 'ok', text: 'answers in 2 ms', since: null, runbook: null }],
}

it('a quiet installation has no alarm, and its checks are not shown while all are good', async () => {
  renderConsole('/', { 'GET /overview': QUIET })
  await seen('heading', 'Overview')
  await said('There are none.')
  expect(allOf('heading', 'Before everything is green')).toEqual([])
})

it('what is wrong is shown once, with its remedy, and what waits with the way to it', async () => {
  const text = 'refused by the mail server'
  const alarm = { id: 'check:mail', severity: 'page', text, since: 1_795_880_000, runbook: 'mail' }
  const check = { id: 'mail', state: 'fail', text, since: 1_795_880_000, runbook: 'mail' }
  const other = { id: 'witnesses', state: 'warn', text: 'no witness cosigns', since: null, runbook: 'witnesses' }
  renderConsole('/', {
    'GET /overview': {
      ...QUIET,
      alarms: [{ ...alarm, acknowledged_by: null }],
      waiting: 2,
      paused: [{ ...GAME, note: 'Back at noon.', since: 1_795_880_000 }],
      bankroll: [{ ...GAME, wanted_sats: '120000000', free_sats: '80000000' }],
      checks: [...QUIET.checks, check, other],
    },
  })
  await said('docs/operations.md#mail')
  await said('2 requests wait for your signature.')
  await said('Sales of Hero are paused')
  await said('witnesses: no witness cosigns')
  expect(document.querySelector('main')?.textContent.split(text)).toHaveLength(2)
  await seen('link', 'Type the code of a test mail')
  expect((await seen('row', 'Hero')).textContent).toContain('Too little')
  expect(allOf('link', 'Go to the inbox')).toHaveLength(1)
})
