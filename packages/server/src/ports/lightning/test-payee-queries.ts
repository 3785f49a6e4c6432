import { nullable, sql, t } from '../../db/sql.ts'

export const insertInvoice = sql({
  name: 'test-payee.insert-invoice',
  text: `insert into test_ln_wallet_invoices (payment_hash, amount_msat, created_at, expires_at, destination, preimage, bolt11)
    values ($hash, $amountMsat, $now, $expiresAt, $destination, $preimage, $bolt11)`,
  params: {
    hash: t.text,
    amountMsat: t.bigint,
    now: t.epochSeconds,
    expiresAt: t.epochSeconds,
    destination: t.text,
    preimage: t.bytea,
    bolt11: t.text,
  },
})

export const listArrived = sql({
  name: 'test-payee.list-arrived',
  text: `select p.payment_hash, i.preimage, i.destination, p.amount_msat, p.paid_at
    from test_ln_payments p join test_ln_wallet_invoices i using (payment_hash)
    where p.state = 'complete' order by p.paid_index desc limit $1`,
  params: [t.bigint],
  row: {
    paymentHash: t.text,
    preimage: t.bytea,
    destination: t.text,
    amountMsat: t.bigint,
    paidAt: nullable(t.epochSeconds),
  },
})
