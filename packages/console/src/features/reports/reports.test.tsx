import { expect, it } from 'vitest'
import { pressNamed, refused, renderConsole, said, seen } from '../../testing/console.tsx'

const BALANCE = { account: 'bankroll', sats: 900_000_000, fiat: '675168.79' }
const MONTH = {
  month: '2026-10',
  currency: 'GBP',
  opening: [BALANCE],
  lines: [{ key: 'gross_gaming_revenue', sats: -5, fiat: '0.00', events: ['draw.settled'] }],
  closing: [BALANCE],
  locked: false,
}

it('the statement of the last whole month is shown, and can be locked', async () => {
  renderConsole('/reports', { 'GET /reports/months/2026-10': MONTH })
  await seen('heading', 'Balances before 2026-10')
  expect((await seen('row', 'gross gaming revenue')).textContent).toContain('−0.00000005 BTC')
  await pressNamed('button', 'Lock the month')
  await seen('dialog', 'Lock 2026-10.')
})

it('a locked month says whether its journal is as it was', async () => {
  const verified = { month: '2026-10', ok: false, locked_at: 1, journal_hash: 'aa', computed_hash: 'bb' }
  renderConsole('/reports', {
    'GET /reports/months/2026-10': { ...MONTH, locked: true },
    'GET /reports/months/2026-10/verify': verified,
  })
  await seen('alert', 'The journal is not what was locked.')
})

it('a statement that does not add up is an error', async () => {
  renderConsole('/reports', {
    'GET /reports/months/2026-10': refused(400, 'INVALID', 'The statement of 2026-10 does not add up.'),
  })
  await seen('alert', 'does not add up')
  await said('Journal')
  expect((await seen('link', 'Journal as CSV')).getAttribute('href')).toContain('reports/journal?from=1790812800')
})
