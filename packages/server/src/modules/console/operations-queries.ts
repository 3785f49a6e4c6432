import { sql, t } from '../../db/sql.ts'

/** What was published last, as JSON. */
export const findOperations = sql({
  name: 'console.find-operations',
  text: `select value from system_state where key = 'operations'`,
  row: { value: t.text },
})

export const saveOperations = sql({
  name: 'console.save-operations',
  text: `insert into system_state (key, value) values ('operations', $1)
    on conflict (key) do update set value = excluded.value`,
  params: [t.text],
})

/** The hash of the audit log's newest row. */
export const findAuditHead = sql({
  name: 'console.find-audit-head',
  text: `select hash from operator_actions where hash is not null order by id desc limit 1`,
  row: { hash: t.bytea },
})

/** What people did since a time. */
export const countDone = sql({
  name: 'console.count-done',
  text: `select
    (select count(*) from operator_actions where at >= $1 and kind = 'orders.goodwill') as goodwill,
    (select count(*) from operator_actions where at >= $1 and kind = 'players.block') as blocks,
    (select count(*) from sales_pauses where from_at >= $1) as sales_pauses,
    (select count(*) from invariant_violations where accepted_at >= $1) as accepted_violations`,
  params: [t.epochSeconds],
  row: {
    goodwill: t.whole,
    blocks: t.whole,
    salesPauses: t.whole,
    acceptedViolations: t.whole,
  },
})
