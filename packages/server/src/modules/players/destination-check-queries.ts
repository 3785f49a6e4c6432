import { nullable, sql, t } from '../../db/sql.ts'

const destinationKind = t.oneOf(['ADDRESS', 'OFFER'])

export const insertCheck = sql({
  name: 'accounts.insert-destination-check',
  text: 'insert into destination_checks (created_at, kind, value) values ($1, $2, $3) returning id',
  params: [t.epochSeconds, destinationKind, t.text],
  row: { id: t.bigint },
})

/** A destination that was not looked at yet. */
export const findCheck = sql({
  name: 'accounts.find-destination-check',
  text: 'select kind, value from destination_checks where id = $1 and answered_at is null',
  params: [t.bigint],
  row: { kind: destinationKind, value: t.text },
})

/** Usable with these limits, or not for this reason. */
export const answerCheck = sql({
  name: 'accounts.answer-destination-check',
  text: `update destination_checks set answered_at = $now, min_msat = $minMsat, max_msat = $maxMsat, reason = $reason
    where id = $id and answered_at is null`,
  params: {
    id: t.bigint,
    now: t.epochSeconds,
    minMsat: nullable(t.bigint),
    maxMsat: nullable(t.bigint),
    reason: nullable(t.text),
  },
})

export const findAnswer = sql({
  name: 'accounts.find-destination-answer',
  text: 'select min_msat, max_msat, reason from destination_checks where id = $1 and answered_at is not null',
  params: [t.bigint],
  row: { minMsat: nullable(t.bigint), maxMsat: nullable(t.bigint), reason: nullable(t.text) },
})

export const removeCheck = sql({
  name: 'accounts.remove-destination-check',
  text: 'delete from destination_checks where id = $1',
  params: [t.bigint],
})

/** Those that nobody read the answer of. */
export const removeOldChecks = sql({
  name: 'accounts.remove-old-destination-checks',
  text: 'delete from destination_checks where created_at < $1',
  params: [t.epochSeconds],
})
