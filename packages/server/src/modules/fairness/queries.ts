import { array, nullable, sql, t } from '../../db/sql.ts'

/** Locked until the transaction ends: processes append statements one after the other. */
export const lockHead = sql({
  name: 'fairness.lock-head',
  text: `select 1::int as locked from (select pg_advisory_xact_lock(7203, 1)) x`,
  row: { locked: t.int },
})

export const insertChain = sql({
  name: 'fairness.insert-chain',
  text: `insert into beacon_chains (hash, name, public_key, period_seconds, genesis_at, group_hash, beacon_id, scheme)
    values ($hash, $name, $publicKey, $period, $genesis, $groupHash, $beaconId, $scheme) on conflict (hash) do nothing`,
  params: {
    hash: t.text,
    name: t.text,
    publicKey: t.text,
    period: t.int,
    genesis: t.epochSeconds,
    groupHash: t.text,
    beaconId: t.text,
    scheme: t.text,
  },
})

export const findState = sql({
  name: 'fairness.find-state',
  text: `select value from system_state where key = $1`,
  params: [t.text],
  row: { value: t.text },
  serves: 'same',
})

export const insertState = sql({
  name: 'fairness.insert-state',
  text: `insert into system_state (key, value) values ($1, $2) on conflict (key) do nothing`,
  params: [t.text, t.text],
})

export const putState = sql({
  name: 'fairness.put-state',
  text: `insert into system_state (key, value) values ($1, $2) on conflict (key) do update set value = excluded.value`,
  params: [t.text, t.text],
})

export const updateState = sql({
  name: 'fairness.update-state',
  text: `update system_state set value = $2 where key = $1`,
  params: [t.text, t.text],
})

/** The seeds that a close may still need: one that missed its witnesses is closed twice. */
export const listSealedSeeds = sql({
  name: 'fairness.list-sealed-seeds',
  text: `select id, seed_sealed from draws where status in ('open', 'closed') order by id`,
  row: { id: t.bigint, seedSealed: t.bytea },
})

export const renewSeeds = sql({
  name: 'fairness.renew-seeds',
  text: `update draws set seed_sealed = fresh.sealed from unnest($1::bigint[], $2::bytea[]) as fresh (id, sealed)
    where draws.id = fresh.id`,
  params: [array(t.bigint), array(t.bytea)],
})

/** Held while the head's file is read and written: processes that share a database take turns. */
export const lockHeadFile = sql({
  name: 'fairness.lock-head-file',
  text: `select 1::int as locked from (select pg_advisory_xact_lock(7203, 2)) x`,
  row: { locked: t.int },
})

/** The time of the newest statement (null before the first), and the database's clock. */
export const findHeadTime = sql({
  name: 'fairness.find-head-time',
  text: `select (select at from log_leaves order by index desc limit 1) as at,
    (extract(epoch from clock_timestamp()) * 1000)::bigint as told_ms`,
  row: { at: nullable(t.epochSeconds), toldMs: t.whole },
})

export const findHead = sql({
  name: 'fairness.find-head',
  text: `select index, at, hash from log_leaves order by index desc limit 1`,
  row: { index: t.whole, at: t.epochSeconds, hash: t.text },
})

export const insertStatement = sql({
  name: 'fairness.insert-statement',
  text: `insert into log_leaves (index, at, hash, type, text, open_hash)
    values ($index, $at, $hash, $type, $text, $openHash)`,
  params: {
    index: t.whole,
    at: t.epochSeconds,
    hash: t.text,
    type: t.text,
    text: t.text,
    openHash: nullable(t.text),
  },
})

/** The draw that a statement is about. */
export const findOpenHash = sql({
  name: 'fairness.find-open-hash',
  text: `select open_hash from log_leaves where hash = $1`,
  params: [t.text],
  row: { openHash: nullable(t.text) },
})

export const findStatement = sql({
  name: 'fairness.find-statement',
  text: `select index, at, text from log_leaves where hash = $1`,
  params: [t.text],
  row: { index: t.whole, at: t.epochSeconds, text: t.text },
})

/** Statements from one index up to another, which is excluded, in order. */
export const listStatements = sql({
  name: 'fairness.list-statements',
  text: `select index, at, type, hash, text from log_leaves where index >= $1 and index < $2 order by index`,
  params: [t.whole, t.whole],
  row: { index: t.whole, at: t.epochSeconds, type: t.text, hash: t.text, text: t.text },
})

export const insertCheckpoint = sql({
  name: 'fairness.insert-checkpoint',
  text: `insert into checkpoints (size, at, note) values ($1, $2, $3)`,
  params: [t.whole, t.epochSeconds, t.text],
})

export const insertText = sql({
  name: 'fairness.insert-text',
  text: `insert into texts (hash, text) values ($1, $2) on conflict (hash) do nothing`,
  params: [t.text, t.text],
})

export const findText = sql({
  name: 'fairness.find-text',
  text: `select text from texts where hash = $1`,
  params: [t.text],
  row: { text: t.text },
})

/** Statements about a draw, without its batches, in order. */
export const listOfDraw = sql({
  name: 'fairness.list-of-draw',
  text: `select index, at, type, hash, text from log_leaves where open_hash = $1 and type <> 'sold' order by index`,
  params: [t.text],
  row: { index: t.whole, at: t.epochSeconds, type: t.text, hash: t.text, text: t.text },
})

/** Up to $2 statements from an index downwards, newest first. */
export const listNewest = sql({
  name: 'fairness.list-newest',
  text: `select index, at, type, hash, text from log_leaves where index <= $1 order by index desc limit $2`,
  params: [t.whole, t.bigint],
  row: { index: t.whole, at: t.epochSeconds, type: t.text, hash: t.text, text: t.text },
})

/** What a bundle of a draw may contain besides the statements about it: keys, chains, its game, and payments. */
export const listAroundDraw = sql({
  name: 'fairness.list-around-draw',
  text: `select index, hash, text from log_leaves where type in ('log', 'key', 'chain')
      or (type = 'game' and text like '%' || chr(10) || 'game ' || $2 || chr(10) || '%')
      or index = (select max(index) from paid_draws where open_hash = $1) order by index`,
  params: [t.text, t.text],
  row: { index: t.whole, hash: t.text, text: t.text },
})

export const listByHash = sql({
  name: 'fairness.list-by-hash',
  text: `select index, hash, text from log_leaves where hash = any($1)`,
  params: [array(t.text)],
  row: { index: t.whole, hash: t.text, text: t.text },
})

export const findDrawIdentity = sql({
  name: 'fairness.find-draw-identity',
  text: `select game_key, open_hash from draws
    where game_key = coalesce((select a.game_key from game_aliases a where a.alias = $1), $1) and number = $2`,
  params: [t.text, t.int],
  row: { gameKey: t.text, openHash: t.text },
})
