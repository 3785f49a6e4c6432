import { nullable, sql, t } from '../../db/sql.ts'

/** Sealed draws from the id $1 on, with what the log says of them and their plays. */
export const findSealed = sql({
  name: 'invariants.find-sealed',
  text: `select d.id, d.open_hash, r.text as rules_text, c.hash as close_hash, c.text as close_text, e.text as result_text,
      d.beacon_signature, p.plays, p.played
    from draws d join log_leaves c on c.hash = d.close_hash join texts r on r.hash = d.rules_hash
    left join log_leaves e on e.hash = d.result_hash
    cross join lateral (
      select count(*)::int as plays, coalesce(sum(line_count), 0)::bigint as played from plays where draw_id = d.id
    ) p
    where d.id >= $1 and d.status in ('closed', 'drawn', 'settled') order by d.id`,
  params: [t.bigint],
  row: {
    id: t.bigint,
    openHash: t.text,
    rulesText: t.text,
    closeHash: t.text,
    closeText: t.text,
    resultText: nullable(t.text),
    beaconSignature: nullable(t.text),
    plays: t.int,
    played: t.bigint,
  },
})

export const findRevocations = sql({
  name: 'invariants.find-revocations',
  text: `select index, leaf from play_leaves where draw_id = $1 and is_revocation order by index`,
  params: [t.bigint],
  row: { index: t.whole, leaf: t.bytea },
})

export const streamLeaves = sql({
  name: 'invariants.stream-leaves',
  text: `select leaf, is_revocation from play_leaves where draw_id = $1 order by index`,
  params: [t.bigint],
  row: { leaf: t.bytea, isRevocation: t.bool },
})

/** A draw's wins, by matches. */
export const countWins = sql({
  name: 'invariants.count-wins',
  text: `select matches, count(*)::int as winners, coalesce(min(amount_sats), 0)::bigint as least_sats,
      coalesce(max(amount_sats), 0)::bigint as most_sats
    from wins where draw_id = $1 group by matches`,
  params: [t.bigint],
  row: { matches: t.smallint, winners: t.int, leastSats: t.bigint, mostSats: t.bigint },
})
