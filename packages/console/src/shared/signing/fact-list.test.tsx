import { expect, it } from 'vitest'
import { render } from '@fairball/ui/testing/render.tsx'
import { FactList } from './fact-list.tsx'

it('facts are in the order that people look for, with amounts, states and lists in words', () => {
  const payout = { sats: '60000', address: 'bcrt1q', payee: 'janet', draws: [] }
  const facts = { is_two_person: true, payouts: [payout], why: null, state: 'WAITING_APPROVAL', batch: '5' }
  const { container, unmount } = render(<FactList facts={facts} />)
  const terms = [...container.querySelectorAll('dt')].map(({ textContent }) => textContent)
  expect(terms).toEqual(['Batch', 'State', 'Why', 'Payouts', 'Payee', 'Address', 'Amount', 'Draws'])
  expect(container.textContent).toContain('Waits for approval')
  expect(container.textContent).toContain('0.00060000 BTC')
  expect(container.textContent).toContain('none')
  unmount()
})
