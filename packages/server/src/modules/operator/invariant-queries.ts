import { sql, t } from '../../db/sql.ts'

export const listStanding = sql({
  name: 'monitoring.list-standing',
  text: `select number, invariant, problem, found_at, accepted_at is not null as is_accepted
    from invariant_violations where gone_at is null order by number limit $1`,
  params: [t.bigint],
  row: { number: t.bigint, invariant: t.text, problem: t.text, foundAt: t.epochSeconds, isAccepted: t.bool },
})

/** Touches no row if there is no present finding. */
export const acceptViolation = sql({
  name: 'monitoring.accept-violation',
  text: `update invariant_violations set accepted_at = $2 where number = $1 and gone_at is null and accepted_at is null
    returning invariant, problem`,
  params: [t.bigint, t.epochSeconds],
  row: { invariant: t.text, problem: t.text },
})
