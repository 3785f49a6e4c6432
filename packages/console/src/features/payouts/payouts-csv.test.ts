import { expect, it } from 'vitest'
import type { Batch } from '@fairball/contract/console/read'
import { payoutsCsv } from './payouts-csv.ts'

it('a payee cannot put a formula or a column into the file', () => {
  const payout = {
    id: '31',
    payee: '=HYPERLINK("http://x", "y")',
    player: '17',
    player_since: null,
    address: 'bcrt1q',
    address_since: null,
    is_address_recent: false,
    sats: '60000',
    draws: [{ game: 'hero', game_name: 'Hero', number: 214 }],
    holds: [],
    other_wins: { count: 0, sats: '0' },
  }
  const batch: Batch = { id: '5', state: 'FINAL', created_at: 0, sats: '60000', reason: null, payouts: [payout] }
  expect(payoutsCsv([batch])).toBe(
    'batch,state,created_at,payout,payee,player,address,sats,draws\r\n' +
      `5,FINAL,1970-01-01T00:00:00.000Z,31,"'=HYPERLINK(""http://x"", ""y"")",17,bcrt1q,60000,hero 214\r\n`,
  )
})
