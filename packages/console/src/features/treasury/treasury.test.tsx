import { it } from 'vitest'
import { pressNamed, renderConsole, said, seen } from '../../testing/console.tsx'

const OUTPOINT = `${'ab'.repeat(32)}:0`
const TREASURY = {
  wallets: [{ name: 'fairball-hot', sats: '220000000', read_at: 1_795_881_000 }],
  ledger: [{ account: 'bankroll', sats: '900000000' }],
  held_sats: '220000000',
  owed_sats: '0',
  difference_sats: '0',
  bankroll: { wanted_sats: '1', free_sats: '2' },
  float: { sats: '5', limit_sats: '100000', variable: 'PAYOUT_FLOAT_SATS' },
  deposits: [],
  own_transfers: [],
  spends: [],
}

it('wallets and ledger that agree are said to agree', async () => {
  renderConsole('/treasury', { 'GET /treasury': TREASURY })
  await said('Wallets and ledger agree to the satoshi.')
  await said('Everything that arrived is booked.')
  await said('Every spend is booked.')
  await said('PAYOUT_FLOAT_SATS')
})

it('a difference is an alarm, in the first place', async () => {
  renderConsole('/treasury', { 'GET /treasury': { ...TREASURY, difference_sats: '-1200' } })
  await seen('alert', 'differ by −0.00001200 BTC')
})

it('several deposits are booked with one request', async () => {
  const deposit = { outpoint: OUTPOINT, address: 'bcrt1q', sats: '5', at: 1_795_881_000, confirmations: 12 }
  const other = { ...deposit, outpoint: OUTPOINT.replace(':0', ':1') }
  renderConsole('/treasury', { 'GET /treasury': { ...TREASURY, deposits: [deposit, other] } })
  await said('12 deep')
  for (const box of document.querySelectorAll<HTMLInputElement>('main input[type=checkbox]')) box.click()
  await pressNamed('button', 'Book 2 as our own')
  await seen('dialog', `Book as the operator’s own money: ${OUTPOINT}`)
})
