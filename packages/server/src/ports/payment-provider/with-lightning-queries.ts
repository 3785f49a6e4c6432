import { array, nullable, sql, t } from '../../db/sql.ts'

/** The Lightning invoice of the order that has this address ($2) at a provider ($1). */
export const findByRef = sql({
  name: 'lightning.find-by-ref',
  text: `select l.payment_hash, l.paid_at, l.received_msat, l.node_id from invoices i join ln_invoices l on l.order_id = i.order_id
    where i.provider = $1 and i.ref = $2`,
  params: [t.text, t.text],
  row: {
    paymentHash: t.text,
    paidAt: nullable(t.epochSeconds),
    receivedMsat: nullable(t.bigint),
    nodeId: t.text,
  },
  serves: 'each',
})

/** Which of these hashes are of orders, and where those are paid on the chain. */
export const findRefs = sql({
  name: 'lightning.find-refs',
  text: `select l.payment_hash, i.ref from ln_invoices l join invoices i on i.order_id = l.order_id
    where i.provider = $1 and l.payment_hash = any($2)`,
  params: [t.text, array(t.text)],
  row: { paymentHash: t.text, ref: t.text },
})
