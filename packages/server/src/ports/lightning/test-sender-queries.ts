import { nullable, sql, t } from '../../db/sql.ts'

const STATES = ['in-flight', 'complete', 'failed'] as const

/** Also whether the wallet made such an invoice: no other can be paid. */
export const findPayable = sql({
  name: 'test-sender.find-payable',
  text: `select i.bolt11, p.state from test_ln_wallet_invoices i left join test_ln_payments p using (payment_hash)
    where payment_hash = $1`,
  params: [t.text],
  row: { bolt11: t.text, state: nullable(t.oneOf(STATES)) },
})

export const findPayment = sql({
  name: 'test-sender.find-payment',
  text: `select p.state, p.amount_msat, p.fee_msat, i.preimage
    from test_ln_payments p join test_ln_wallet_invoices i using (payment_hash) where payment_hash = $1`,
  params: [t.text],
  row: { state: t.oneOf(STATES), amountMsat: t.bigint, feeMsat: t.bigint, preimage: t.bytea },
})

/** One that failed is tried again; touches no other that there is. */
export const storePayment = sql({
  name: 'test-sender.store-payment',
  text: `insert into test_ln_payments as p (payment_hash, amount_msat, fee_msat, sent_at, state)
    values ($hash, $amountMsat, $feeMsat, $now, $state)
    on conflict (payment_hash) do update set fee_msat = excluded.fee_msat, sent_at = excluded.sent_at, state = excluded.state
    where p.state = 'failed'`,
  params: {
    hash: t.text,
    amountMsat: t.bigint,
    feeMsat: t.bigint,
    now: t.epochSeconds,
    state: t.oneOf(['in-flight', 'failed']),
  },
})

/** Completes what is in flight at $1, numbered one after the other. */
export const completeInFlight = sql({
  name: 'test-sender.complete-in-flight',
  text: `update test_ln_payments p set state = 'complete', paid_at = $1, paid_index = n.paid_index
    from (select payment_hash, row_number() over (order by sent_at, payment_hash)
        + (select coalesce(max(paid_index), 0) from test_ln_payments) as paid_index
      from test_ln_payments where state = 'in-flight') n
    where p.payment_hash = n.payment_hash`,
  params: [t.epochSeconds],
})

export const failInFlight = sql({
  name: 'test-sender.fail-in-flight',
  text: `update test_ln_payments set state = 'failed' where state = 'in-flight'`,
})

export const listPaid = sql({
  name: 'test-sender.list-paid',
  text: `select payment_hash, paid_index from test_ln_payments where paid_index > $1 order by paid_index limit $2`,
  params: [t.bigint, t.bigint],
  row: { paymentHash: t.text, paidIndex: nullable(t.bigint) },
})

/** In one statement, so that the sums are of one moment. */
export const sumMoney = sql({
  name: 'test-sender.sum-money',
  text: `select (select coalesce(sum(received_msat), 0) from test_ln_invoices)::bigint as received_msat,
      coalesce(sum(amount_msat + fee_msat) filter (where state = 'complete'), 0)::bigint as sent_msat,
      coalesce(sum(amount_msat + fee_msat) filter (where state = 'in-flight'), 0)::bigint as in_flight_msat
    from test_ln_payments`,
  row: { receivedMsat: t.bigint, sentMsat: t.bigint, inFlightMsat: t.bigint },
})
