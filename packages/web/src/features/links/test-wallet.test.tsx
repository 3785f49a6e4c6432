import type { TestWallet } from '@fairball/contract/calls/demo'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { pass, renderPage } from '../../testing/render-page.tsx'
import type { RenderedPage } from '../../testing/render-page.tsx'
import { TestWalletCard } from './components/test-wallet-card.tsx'

const PREIMAGE = 'cd'.repeat(32)
const SENT = {
  payment_hash: 'ab'.repeat(32),
  preimage: PREIMAGE,
  destination: 'ann@localhost:3000',
  amount: '0.00012345',
  at: 1_795_262_400,
}

let page: RenderedPage | null = null
beforeEach(() => vi.useFakeTimers({ now: Date.parse('2026-11-21T12:00:00Z') }))
afterEach(() => {
  page?.unmount()
  vi.useRealTimers()
})

async function shown(lightning: TestWallet['lightning']): Promise<string> {
  page = await renderPage(<TestWalletCard />, {
    answers: { getTestWallet: async () => ({ received: '0.00003000', sent: [], lightning }) },
  })
  await pass(0)
  return document.body.textContent ?? ''
}

it('the wallet shows each prize that arrived over Lightning, with its preimage', async () => {
  const text = await shown({ received: '0.00500000', sent: [SENT] })
  expect(text).toContain('Over Lightning')
  expect(text).toContain('0.00500000 BTC')
  const table = document.querySelector('table')
  expect(table?.caption?.textContent).toBe('Sent over Lightning')
  const cells = [...(table?.querySelectorAll('td') ?? [])].map((cell) => cell.textContent)
  expect(cells).toEqual([SENT.destination, expect.stringContaining('21'), '0.00012345 BTC', PREIMAGE])
})

it('the wallet says that nothing was sent over Lightning, and says nothing of it without a node', async () => {
  expect(await shown({ received: '0.00000000', sent: [] })).toContain('Nothing has been sent over Lightning yet.')
  page?.unmount()
  expect(await shown(null)).not.toContain('Lightning')
})
