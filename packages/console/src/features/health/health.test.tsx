import { expect, it } from 'vitest'
import { renderConsole, said, seen } from '../../testing/console.tsx'

it('a process with other settings is marked, and a check says since when it fails', async () => {
  const process = { id: '1', role: 'worker', version: '1.4.0', settings: '77aa06a1c7e2', started_at: 1, seen_at: 2 }
  const check = { id: 'mail', state: 'fail', text: 'refused', since: 1_795_880_000, runbook: 'mail' }
  renderConsole('/health', { 'GET /health': { checks: [check], processes: [{ ...process, differs: true }] } })
  await said('mail: refused since Sat, Nov 28, 3:33 PM UTC')
  expect((await seen('row', 'worker')).textContent).toContain('Differ: 77aa06a1')
})
