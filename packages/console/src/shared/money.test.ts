import { describe, expect, it } from 'vitest'
import { btcText, fiatText } from './money.ts'

const RATE = { currency: 'GBP', symbol: '£', position_of_symbol: 'LEFT', sats: '2500', at: 0 } as const

describe('an amount', () => {
  it.each([
    ['0', '0.00000000 BTC', '£0.00'],
    ['60000', '0.00060000 BTC', '£24.00'],
    ['-60000', '−0.00060000 BTC', '−£24.00'],
    ['2100000000000000', '21000000.00000000 BTC', '£840,000,000,000.00'],
  ])('%s satoshis are %s and %s', (sats, btc, fiat) => {
    expect([btcText(sats), fiatText(sats, RATE)]).toEqual([btc, fiat])
  })

  it('without a rate there is no amount in the currency', () => {
    expect(fiatText('60000', null)).toBeNull()
    expect(fiatText('60000', { ...RATE, sats: '0' })).toBeNull()
  })
})
