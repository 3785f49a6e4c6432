import { nullable, sql, t } from '../../db/sql.ts'

/** The leaves of a draw's plays, from an index on, once its sales are closed. */
export const listPlayLeaves = sql({
  name: 'fairness.list-play-leaves',
  text: `select l.leaf from play_leaves l join draws d on d.id = l.draw_id
    where d.open_hash = $1 and l.index >= $2 and l.index < $2 + $3::int
      and exists (select from log_leaves c where c.open_hash = $1 and c.type = 'close') order by l.index`,
  params: [t.text, t.whole, t.int],
  row: { leaf: t.bytea },
})

/** What is served of a draw beside its tree: the list of revocations from its close on, the rest from its result on. */
export const findDrawFiles = sql({
  name: 'fairness.find-draw-files',
  text: `select d.revoked, d.sections, r.round, r.signature,
      exists (select from log_leaves c where c.open_hash = $1 and c.type = 'close') as is_closed,
      exists (select from log_leaves c where c.open_hash = $1 and c.type = 'result') as has_result
    from draws d left join beacon_rounds r on r.chain_hash = d.chain_hash and r.round = d.round where d.open_hash = $1`,
  params: [t.text],
  row: {
    revoked: nullable(t.bytea),
    sections: nullable(t.bytea),
    round: nullable(t.whole),
    signature: nullable(t.text),
    isClosed: t.bool,
    hasResult: t.bool,
  },
})

/** The last statement dated before a moment; null for none. */
export const findLastBefore = sql({
  name: 'fairness.find-last-before',
  text: `select max(index) as index from log_leaves where at < $1`,
  params: [t.epochSeconds],
  row: { index: nullable(t.whole) },
})

/** Whether a draw has its result or is void. */
export const findIsOver = sql({
  name: 'fairness.find-is-over',
  text: `select exists (select from log_leaves where open_hash = $1 and type in ('result', 'void')) as is_over`,
  params: [t.text],
  row: { isOver: t.bool },
})

export const findChain = sql({
  name: 'fairness.find-chain',
  text: `select period_seconds as period, genesis_at as genesis from beacon_chains where hash = $1`,
  params: [t.text],
  row: { period: t.int, genesis: t.epochSeconds },
})
