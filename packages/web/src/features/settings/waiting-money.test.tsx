import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Fiat } from '@fairball/contract/schemas/money'
import type { WaitingMoney } from '@fairball/contract/schemas/account'
import { renderPage, text } from '../../testing/render-page.tsx'
import type { RenderedPage } from '../../testing/render-page.tsx'
import { CryptoAccountDetailsScreen } from './crypto-account-details-screen.tsx'
import { TransactionHistoryScreen } from './transaction-history-screen.tsx'

let page: RenderedPage | null = null
beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  page?.unmount()
  page = null
  vi.useRealTimers()
})

const fiat = (value: number): Fiat => ({ GBP: { value, symbol: '£', position_of_symbol: 'LEFT' } })
const WAITING: WaitingMoney[] = [
  { kind: 'PRIZES', reason: 'NO_ADDRESS', amount: { crypto: { value: '0.00005000', code: 'BTC' }, fiat: fiat(5) } },
  { kind: 'RETURNS', reason: 'CHECKED', amount: { crypto: { value: '0.00000250', code: 'BTC' }, fiat: fiat(0.25) } },
]

describe('money that waits', () => {
  it.each([
    ['the crypto account details', <CryptoAccountDetailsScreen key="account" />],
    ['the transaction history', <TransactionHistoryScreen key="history" page={1} />],
  ])('waiting money is shown on %s, prizes and returns separately, with the reason', async (_title, screen) => {
    const answers = {
      getCryptoAccountDetails: () => ({ btc_address: null }),
      getTransactions: () => ({ results: [], total_pages: 0 }),
    }
    page = await renderPage(screen, { answers: { ...answers, getWaitingMoney: () => WAITING }, profile: {} })
    expect(text()).toContain('Waiting: £5.00 (0.00005000 BTC) Prizes: save your bitcoin address')
    expect(text()).toContain('Waiting: £0.25 (0.00000250 BTC) Refunds and overpaid amounts: a person checks this')
    page.unmount()
    page = await renderPage(screen, { answers: { ...answers, getWaitingMoney: () => [] }, profile: {} })
    expect(text()).not.toContain('Waiting:')
  })
})
