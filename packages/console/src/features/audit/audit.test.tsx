import { expect, it } from 'vitest'
import { pressNamed, renderConsole, said, seen } from '../../testing/console.tsx'

const ROW = {
  id: '9',
  at: 1_795_881_000,
  kind: 'payouts.hold',
  staff: { id: '4', name: 'demo-approver' },
  approver: null,
  request: '6f2c1c1e-6d0f-4a52-9a3e-5c1f0d6f7b11',
  reason: 'The bank asks where the money is from.',
  args: { batch: '4' },
  detail: { text: 'Batch 4 is held.' },
  prev_hash: '0a'.repeat(32),
  hash: '5b'.repeat(32),
}
const AUDIT = { results: [ROW], total_pages: 1 }

it('the audit says who did what and why, and opens a row at its own address', async () => {
  const chain = { ok: true, rows: 9, first_bad: null, head: '5b'.repeat(32) }
  renderConsole('/audit', { 'GET /audit': AUDIT, 'GET /audit/verify': chain })
  await said('All 9 rows are as written.')
  expect((await seen('row', 'Hold payouts')).textContent).toContain('demo-approver')
  await pressNamed('link', '9')
  await seen('dialog', 'Batch 4 is held.')
  expect(location.search).toBe('?row=9')
})

it('a broken chain names its first bad row', async () => {
  const chain = { ok: false, rows: 9, first_bad: '7', head: '5b'.repeat(32) }
  renderConsole('/audit', { 'GET /audit': AUDIT, 'GET /audit/verify': chain })
  await seen('alert', 'The chain is broken at row 7')
})
