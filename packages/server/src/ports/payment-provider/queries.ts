import { array, nullable, sql, t } from '../../db/sql.ts'

/** The account's next index, which is given out only once. An index that is not used in the end is a gap. */
export const takeAddressIndex = sql({
  name: 'deposit-addresses.take-index',
  text: `insert into deposit_accounts (account, next_index) values ($1, 1)
    on conflict (account) do update set next_index = deposit_accounts.next_index + 1
    returning next_index - 1 as index`,
  params: [t.text],
  row: { index: t.bigint },
})

/** Gives an order its address; an order that has one keeps it. */
export const giveAddress = sql({
  name: 'deposit-addresses.give',
  text: `insert into deposit_addresses (address, created_at, address_index, order_id, account) values ($address, $now, $index, $orderId, $account)
    on conflict (order_id) do nothing`,
  params: {
    address: t.text,
    now: t.epochSeconds,
    index: t.bigint,
    orderId: t.uuid,
    account: t.text,
  },
})

export const findAddressOf = sql({
  name: 'deposit-addresses.find-of-order',
  text: `select address from deposit_addresses where order_id = $1`,
  params: [t.uuid],
  row: { address: t.text },
})

/** Which of these addresses were given to an order, and to which. The operator's own belong to none. */
export const findGiven = sql({
  name: 'deposit-addresses.find-given',
  text: `select address, order_id from deposit_addresses where address = any($1) and order_id is not null`,
  params: [array(t.text)],
  row: { address: t.text, orderId: t.uuid },
})

/** Which of these addresses were kept for the operator. */
export const findKept = sql({
  name: 'deposit-addresses.find-kept',
  text: `select address from deposit_addresses where address = any($1) and order_id is null`,
  params: [array(t.text)],
  row: { address: t.text },
})

/** Keeps an address for the operator: no order ever gets it. */
export const keepAddress = sql({
  name: 'deposit-addresses.keep',
  text: `insert into deposit_addresses (address, created_at, address_index, account) values ($1, $2, $3, $4)`,
  params: [t.text, t.epochSeconds, t.bigint, t.text],
})

/** The highest index given out of an account, and when the first beyond an index was given out. */
export const findReach = sql({
  name: 'deposit-addresses.find-reach',
  text: `select max(address_index) as highest, min(created_at) filter (where address_index > $2) as beyond_since
    from deposit_addresses where account = $1`,
  params: [t.text, t.bigint],
  row: { highest: nullable(t.bigint), beyondSince: nullable(t.epochSeconds) },
})

/** Notes how much work the node's chain has. Returns the highest value ever. */
export const keepMostWork = sql({
  name: 'deposit-addresses.keep-most-work',
  text: `insert into deposit_chains (network, work) values ($1, $2)
    on conflict (network) do update set work = greatest(deposit_chains.work, excluded.work)
    returning work`,
  params: [t.text, t.text],
  row: { work: t.text },
})

/** The transactions that pay an address, as far as the wallet was listed. */
export const findTxsOf = sql({
  name: 'deposit-txs.find-of-address',
  text: `select txid from deposit_txs where address = $1`,
  params: [t.text],
  row: { txid: t.text },
})

/** Whether a wallet was listed from its beginning, and whether it is noted that something paid an address. */
export const findUse = sql({
  name: 'deposit-txs.find-use',
  text: `select exists (select from deposit_lists where wallet = $1 and newest_txid is not null) as is_listed,
    exists (select from deposit_txs where address = $2) as is_paid`,
  params: [t.text, t.text],
  row: { isListed: t.bool, isPaid: t.bool },
})

/** Notes which transaction pays which address, the lists side by side. */
export const noteTxs = sql({
  name: 'deposit-txs.note',
  text: `insert into deposit_txs (address, txid) select * from unnest($1::text[], $2::text[]) on conflict do nothing`,
  params: [array(t.text), array(t.text)],
})

/** How far a wallet was listed; null from its beginning. */
export const findNewest = sql({
  name: 'deposit-lists.find-newest',
  text: `select newest_txid as txid from deposit_lists where wallet = $1`,
  params: [t.text],
  row: { txid: nullable(t.text) },
})

/** Notes how far a wallet was listed, once everything up to there is noted. Null: from its beginning the next time. */
export const keepNewest = sql({
  name: 'deposit-lists.keep-newest',
  text: `insert into deposit_lists (wallet, newest_txid) values ($1, $2)
    on conflict (wallet) do update set newest_txid = excluded.newest_txid`,
  params: [t.text, nullable(t.text)],
})
