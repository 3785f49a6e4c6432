import { array, sql, t } from '../../db/sql.ts'

/** The next index that no address of the test wallet has had. */
export const nextAddressIndex = sql({
  name: 'test-wallet.next-address-index',
  text: `select nextval('test_wallet_addresses') as index`,
  params: [],
  row: { index: t.bigint },
})

/**
 * One transaction: the outputs run in parallel, and the fee is with the first. Outputs already known stay as they are.
 */
export const insertTransaction = sql({
  name: 'test-wallet.insert-transaction',
  text: `insert into test_wallet_txs (outpoint, txid, address, sats, at, fee_sats, mined_confirmations, direction)
    select $txid || ':' || (o.place - 1), $txid, o.address, o.sats, $at, case when o.place = 1 then $feeSats::bigint else 0 end, $minedConfirmations, $direction
    from unnest($addresses::text[], $sats::bigint[]) with ordinality as o (address, sats, place)
    on conflict (outpoint) do nothing returning outpoint`,
  params: {
    txid: t.text,
    addresses: array(t.text),
    sats: array(t.bigint),
    at: t.epochSeconds,
    feeSats: t.bigint,
    minedConfirmations: t.int,
    direction: t.text,
  },
  row: { outpoint: t.text },
})

export const findOutputsTo = sql({
  name: 'test-wallet.find-outputs-to',
  text: `select outpoint, sats, at, mined_confirmations from test_wallet_txs
    where address = $1 and direction = 'in' order by at, outpoint`,
  params: [t.text],
  row: { outpoint: t.text, sats: t.bigint, at: t.epochSeconds, minedConfirmations: t.int },
  serves: 'each',
})

export const findTransaction = sql({
  name: 'test-wallet.find-transaction',
  text: `select at, mined_confirmations from test_wallet_txs where outpoint = $1 || ':0'`,
  params: [t.text],
  row: { at: t.epochSeconds, minedConfirmations: t.int },
})

/** What came in before the block at $1 or was mined immediately, and what went out, fees included. */
export const sumMoney = sql({
  name: 'test-wallet.sum-money',
  text: `select
      coalesce(sum(sats) filter (where direction = 'in' and (at < $1 or mined_confirmations > 0)), 0)::bigint as in_sats,
      coalesce(sum(sats + fee_sats) filter (where direction = 'out'), 0)::bigint as out_sats
    from test_wallet_txs`,
  params: [t.epochSeconds],
  row: { inSats: t.bigint, outSats: t.bigint },
})

export const sumReceived = sql({
  name: 'test-wallet.sum-received',
  text: `select coalesce(sum(sats), 0)::bigint as sats from test_wallet_txs where direction = 'in'`,
  row: { sats: t.bigint },
})

export const listTransactions = sql({
  name: 'test-wallet.list-transactions',
  text: `select txid, address, sats, at from test_wallet_txs where direction = $1
    order by at desc, outpoint limit $2`,
  params: [t.text, t.bigint],
  row: { txid: t.text, address: t.text, sats: t.bigint, at: t.epochSeconds },
})

/** The transactions that went out at $1 or later, oldest first. */
export const listOutgoing = sql({
  name: 'test-wallet.list-outgoing',
  text: `select txid, max(at) as at from test_wallet_txs where direction = 'out' and at >= $1 group by txid order by at, txid`,
  params: [t.epochSeconds],
  row: { txid: t.text, at: t.epochSeconds },
})
