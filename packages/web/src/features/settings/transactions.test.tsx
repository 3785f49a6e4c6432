import type { TransactionRow } from '@fairball/contract/schemas/account'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { heroGame } from '../../testing/hero-game.ts'
import { NOON } from '../../testing/pounds.ts'
import { renderPage } from '../../testing/render-page.tsx'
import type { RenderedPage } from '../../testing/render-page.tsx'
import { TransactionHistoryScreen } from './transaction-history-screen.tsx'

const ROW: TransactionRow = {
  id: '1',
  game_key: 'bitcoin-hero',
  draws: [2],
  play_id: '7',
  transaction_id: '8',
  datetime: NOON,
  type: 'PAYMENT',
  network: 'ONCHAIN',
  receipt: null,
  transactions: [],
  status: 'PAID',
  amount: {
    crypto: { value: '0.00012000', code: 'BTC' },
    fiat: { GBP: { value: 12, symbol: '£', position_of_symbol: 'LEFT' } },
  },
}

let page: RenderedPage
beforeEach(() => void vi.useFakeTimers({ now: NOON * 1000 }))
afterEach(() => {
  page.unmount()
  vi.useRealTimers()
})

it.each<[string, Partial<TransactionRow>]>([
  ['+£12.00 Won in Bitcoin Hero, draw 2', { type: 'PRIZE' }],
  ['+£12.00 Won', { type: 'PRIZE', game_key: null, draws: [] }],
  ['−£12.00 Tickets for Bitcoin Hero, draws 128 and 129', { draws: [128, 129] }],
  ['−£12.00 Tickets for Bitcoin Hero, draws 1, 2 and 3', { draws: [1, 2, 3] }],
  ['−£12.00 Tickets for Bitcoin Hero, draws 1, 2 and 3 more', { draws: [1, 2, 3, 4, 5] }],
  ['£12.00 Tickets for Bitcoin Hero, draw 2', { status: 'EXPIRED' }],
  ['+£12.00 Refund', { type: 'REFUND' }],
])('a transaction says "%s"; the network is under the transaction', async (words, changes) => {
  page = await renderPage(<TransactionHistoryScreen page={1} />, {
    answers: {
      getGames: () => [heroGame(NOON + 3600)],
      getTransactions: () => ({ results: [{ ...ROW, ...changes }], total_pages: 1 }),
    },
  })
  const cell = (heading: string) => document.querySelector(`td[data-heading="${heading}"]`)
  expect(cell('What')?.textContent).toBe(`${words}0.00012000 BTC`)
  const none = changes.status === 'EXPIRED' ? 'None' : 'None yet'
  expect(cell('Transaction')?.textContent).toBe(`${none}Bitcoin On-chain`)
})

it.each<[string, Partial<TransactionRow>]>([
  ['£12.00', { status: 'EXPIRED' }],
  [
    '£0.00',
    {
      amount: {
        crypto: { value: '0.00000000', code: 'BTC' },
        fiat: { GBP: { value: 0, symbol: '£', position_of_symbol: 'LEFT' } },
      },
    },
  ],
])('nothing was paid and no transaction is to come for %s', async (sum, changes) => {
  page = await renderPage(<TransactionHistoryScreen page={1} />, {
    answers: {
      getGames: () => [heroGame(NOON + 3600)],
      getTransactions: () => ({ results: [{ ...ROW, ...changes }], total_pages: 1 }),
    },
  })
  const cell = (heading: string) => document.querySelector(`td[data-heading="${heading}"]`)
  expect(cell('What')?.textContent).toMatch(new RegExp(`^${sum} Tickets`, 'u'))
  expect(cell('Transaction')?.textContent).toBe('NoneBitcoin On-chain')
})

it.each<[string, TransactionRow['status']]>([
  ['Paid', 'PAID'],
  ['Refunded', 'REFUNDED'],
  ['Expired', 'EXPIRED'],
])('the status of a transaction is "%s"', async (word, status) => {
  page = await renderPage(<TransactionHistoryScreen page={1} />, {
    answers: {
      getGames: () => [heroGame(NOON + 3600)],
      getTransactions: () => ({ results: [{ ...ROW, status }], total_pages: 1 }),
    },
  })
  expect(document.querySelector('td[data-heading="Status"]')?.textContent).toBe(word)
})

it('a transaction leads to its ticket, if it is about one order', async () => {
  page = await renderPage(<TransactionHistoryScreen page={1} />, {
    answers: {
      getGames: () => [heroGame(NOON + 3600)],
      getTransactions: () => ({ results: [ROW, { ...ROW, id: '2', transaction_id: null }], total_pages: 1 }),
    },
  })
  const links = [...document.querySelectorAll('td a')].map((link) => link.getAttribute('href'))
  expect(links).toEqual(['/game/bitcoin-hero?transaction_id=8'])
})

it('a prize paid over Lightning has a receipt with its preimage', async () => {
  const receipt = { payment_hash: 'aa'.repeat(32), preimage: 'bb'.repeat(32), invoice: 'lnbcrt1example' }
  const row = { ...ROW, type: 'PRIZE', network: 'LIGHTNING', receipt } as const
  const transactions = [{ tnx_link: null, tnx_label: 'Lightning' }]
  page = await renderPage(<TransactionHistoryScreen page={1} />, {
    answers: {
      getGames: () => [heroGame(NOON + 3600)],
      getTransactions: () => ({ results: [{ ...row, transactions }, ROW], total_pages: 1 }),
    },
  })
  const receipts = [...document.querySelectorAll('details')]
  expect(receipts.map((one) => [...one.querySelectorAll('code')].map((code) => code.textContent))).toEqual([
    Object.values(receipt),
  ])
})
