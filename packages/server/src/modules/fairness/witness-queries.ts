import { array, nullable, sql, t } from '../../db/sql.ts'

/** The texts of the policies that unfinished draws name. Each opening is searched once. */
export const listOpenPolicies = sql({
  name: 'fairness.list-open-policies',
  text: `with named as materialized (
      select distinct substring(o.text from '\\npolicy ([0-9a-f]{64})\\n') as hash from log_leaves o
      where o.type = 'open' and not exists (
        select from log_leaves f where f.open_hash = o.hash and f.type in ('result', 'void')))
    select p.text from named join texts p using (hash)`,
  row: { text: t.text },
})

/** The newest size that a witness cosigned; null for none. */
export const findCosignedSize = sql({
  name: 'fairness.find-cosigned-size',
  text: `select max(size) as size from cosignatures where witness = $1`,
  params: [t.text],
  row: { size: nullable(t.whole) },
})

/** Sizes above one size that statements of some types made since a moment. */
export const listSizesOf = sql({
  name: 'fairness.list-sizes-of',
  text: `select index + 1 as size from log_leaves where type = any($1) and at >= $2 and index >= $3 order by index`,
  params: [array(t.text), t.epochSeconds, t.epochSeconds],
  row: { size: t.whole },
})

export const findCheckpoint = sql({
  name: 'fairness.find-checkpoint',
  text: `select at, note from checkpoints where size = $1`,
  params: [t.whole],
  row: { at: t.epochSeconds, note: t.text },
})

export const insertCosignature = sql({
  name: 'fairness.insert-cosignature',
  text: `insert into cosignatures (size, witness, at, line) values ($1, $2, $3, $4) on conflict do nothing`,
  params: [t.whole, t.text, t.epochSeconds, t.text],
})

/** A checkpoint and the cosignature lines over it. */
export const findCosigned = sql({
  name: 'fairness.find-cosigned',
  text: `select c.note, array(select s.line from cosignatures s where s.size = c.size order by s.witness) as lines
    from checkpoints c where c.size = $1`,
  params: [t.whole],
  row: { note: t.text, lines: array(t.text) },
})

/** The newest checkpoint and the cosignature lines over it. */
export const findNewestCosigned = sql({
  name: 'fairness.find-newest-cosigned',
  text: `select c.note, array(select s.line from cosignatures s where s.size = c.size order by s.witness) as lines
    from checkpoints c order by c.size desc limit 1`,
  row: { note: t.text, lines: array(t.text) },
})

/** Sizes above one size that witnesses cosigned in a span of time, both ends included, the smallest first. */
export const listCosignedSizes = sql({
  name: 'fairness.list-cosigned-sizes',
  text: `select distinct size from cosignatures where size > $1 and at >= $2 and at <= $3 order by size`,
  params: [t.epochSeconds, t.epochSeconds, t.epochSeconds],
  row: { size: t.whole },
})

/** The log's size at the newest statement of some types. */
export const findNewestAsked = sql({
  name: 'fairness.find-newest-asked',
  text: `select coalesce(max(newest.index) + 1, 0)::bigint as size from unnest($1::text[]) as asked (type)
    cross join lateral (select index from log_leaves where type = asked.type order by index desc limit 1) as newest`,
  params: [array(t.text)],
  row: { size: t.whole },
})
