import { nullable, sql, t } from '../../db/sql.ts'

const MODES = ['ok', 'down', 'hold', 'fail'] as const
const MODE = `'demo.lightning-mode'`
const mode = `coalesce((select value from system_state where key = ${MODE}), 'ok')`

/** Makes an invoice, unless the node is down or has one with this hash or label. */
export const insertInvoice = sql({
  name: 'test-lightning.insert-invoice',
  text: `with made as (
      insert into test_ln_invoices (payment_hash, label, preimage, amount_msat, created_at, expires_at, bolt11)
      select $hash, $label, $preimage, $amountMsat, $now, $expiresAt, $bolt11 where ${mode} <> 'down'
      on conflict do nothing returning payment_hash
    )
    select ${mode} as mode, exists (select from made) as is_made`,
  params: {
    hash: t.text,
    label: t.text,
    preimage: t.bytea,
    amountMsat: t.bigint,
    now: t.epochSeconds,
    expiresAt: t.epochSeconds,
    bolt11: t.text,
  },
  row: { mode: t.oneOf(MODES), isMade: t.bool },
})

export const findInvoice = sql({
  name: 'test-lightning.find-invoice',
  text: `select label, preimage, amount_msat, expires_at, paid_at, received_msat, bolt11 from test_ln_invoices where payment_hash = $1`,
  params: [t.text],
  row: {
    label: t.text,
    preimage: t.bytea,
    amountMsat: t.bigint,
    expiresAt: t.epochSeconds,
    paidAt: nullable(t.epochSeconds),
    receivedMsat: nullable(t.bigint),
    bolt11: t.text,
  },
})

export const deleteUnpaid = sql({
  name: 'test-lightning.delete-unpaid',
  text: `delete from test_ln_invoices where payment_hash = $1 and paid_at is null`,
  params: [t.text],
})

/** Settlements are numbered one after the other, so that none appears behind a cursor. The number only has to be unique. */
export const lockSettling = sql({
  name: 'test-lightning.lock-settling',
  text: `select pg_advisory_xact_lock(7061811) is null as is_locked`,
  row: { isLocked: t.bool },
})

/** Touches no invoice that is paid, or expired at $3. */
export const payInvoice = sql({
  name: 'test-lightning.pay-invoice',
  text: `update test_ln_invoices set received_msat = $2, paid_at = $3,
      settle_index = 1 + coalesce((select max(settle_index) from test_ln_invoices), 0)
    where payment_hash = $1 and paid_at is null and expires_at > $3`,
  params: [t.text, t.bigint, t.epochSeconds],
})

export const listSettled = sql({
  name: 'test-lightning.list-settled',
  text: `select payment_hash, settle_index from test_ln_invoices where settle_index > $1 order by settle_index limit $2`,
  params: [t.bigint, t.bigint],
  row: { paymentHash: t.text, settleIndex: nullable(t.bigint) },
})

export const findMode = sql({
  name: 'test-lightning.find-mode',
  text: `select ${mode} as mode`,
  row: { mode: t.oneOf(MODES) },
})

export const storeMode = sql({
  name: 'test-lightning.store-mode',
  text: `insert into system_state (key, value) values (${MODE}, $1) on conflict (key) do update set value = excluded.value`,
  params: [t.oneOf(MODES)],
})
