import { array, nullable, sql, t } from '../../db/sql.ts'

/** Held until the end of the transaction: statements are appended one after the other, by whichever process. */
export const lockHead = sql({
  name: 'fairness.lock-head',
  text: `select 1::int as locked from (select pg_advisory_xact_lock(7203, 1)) x`,
  row: { locked: t.int },
})

export const findHead = sql({
  name: 'fairness.find-head',
  text: `select seq, at, hash from statements order by seq desc limit 1`,
  row: { seq: t.epochSeconds, at: t.epochSeconds, hash: t.text },
})

export const insertStatement = sql({
  name: 'fairness.insert-statement',
  text: `insert into statements (seq, at, hash, type, text, note) values ($1, $2, $3, $4, $5, $6)`,
  params: [t.epochSeconds, t.epochSeconds, t.text, t.text, t.text, t.text],
})

export const findNote = sql({
  name: 'fairness.find-note',
  text: `select note from statements where hash = $1`,
  params: [t.text],
  row: { note: t.text },
})

export const listNotes = sql({
  name: 'fairness.list-notes',
  text: `select seq, note from statements where seq >= $1 order by seq limit $2`,
  params: [t.epochSeconds, t.bigint],
  row: { seq: t.epochSeconds, note: t.text },
})

export const findStatement = sql({
  name: 'fairness.find-statement',
  text: `select text from statements where hash = $1`,
  params: [t.text],
  row: { text: t.text },
})

export const insertRules = sql({
  name: 'fairness.insert-rules',
  text: `insert into rules_texts (hash, text) values ($1, $2) on conflict (hash) do nothing`,
  params: [t.text, t.text],
})

export const findRules = sql({
  name: 'fairness.find-rules',
  text: `select text from rules_texts where hash = $1`,
  params: [t.text],
  row: { text: t.text },
})

export const insertChain = sql({
  name: 'fairness.insert-chain',
  text: `insert into beacon_chains (hash, name, public_key, period_seconds, genesis_at, group_hash, beacon_id, scheme)
    values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (hash) do nothing`,
  params: [t.text, t.text, t.text, t.int, t.epochSeconds, t.text, t.text, t.text],
})

export const findState = sql({
  name: 'fairness.find-state',
  text: `select value from system_state where key = $1`,
  params: [t.text],
  row: { value: t.text },
})

export const insertState = sql({
  name: 'fairness.insert-state',
  text: `insert into system_state (key, value) values ($1, $2) on conflict (key) do nothing`,
  params: [t.text, t.text],
})

/** A play with what its receipt says, and its lines in order. */
export const findPlay = sql({
  name: 'fairness.find-play',
  text: `select p.id, p.order_id, p.draw_id, p.secret, p.free_count, p.receipt_at, o.username, d.open_hash, d.close_hash,
      (select array_agg(m.mask order by l.part, m.place) from order_lines l
        cross join unnest(l.masks) with ordinality as m (mask, place) where l.order_id = p.order_id) as masks
    from plays p join orders o on o.id = p.order_id join draws d on d.id = p.draw_id
    where p.id = $1 and p.player_id = $2`,
  params: [t.uuid, t.bigint],
  row: {
    id: t.uuid,
    order_id: t.uuid,
    draw_id: t.bigint,
    secret: t.bytea,
    free_count: t.int,
    receipt_at: t.epochSeconds,
    username: t.text,
    open_hash: t.text,
    close_hash: nullable(t.text),
    masks: array(t.bigint),
  },
})

export const findNotesOfDraw = sql({
  name: 'fairness.find-notes-of-draw',
  text: `select s.note from draws d join statements s on s.hash in (d.open_hash, d.close_hash, d.result_hash, d.void_hash)
      or s.hash = any(d.postpone_hashes)
    where d.game_key = $1 and d.number = $2 order by s.seq`,
  params: [t.text, t.int],
  row: { note: t.text },
})

/** A round's signature is public from the moment it is due: anybody can ask the beacon for it. */
export const findShownRound = sql({
  name: 'fairness.find-shown-round',
  text: `select r.round, r.signature from draws d
    join beacon_rounds r on r.chain_hash = d.chain_hash and r.round = d.round
    where d.game_key = $1 and d.number = $2 and d.settled_at <= $3`,
  params: [t.text, t.int, t.epochSeconds],
  row: { round: t.bigint, signature: t.text },
})

export const streamEntries = sql({
  name: 'fairness.stream-entries',
  text: `select entry_id, kind, mask, owner_tag from entries where draw_id = $1 order by entry_id`,
  params: [t.bigint],
  row: { entry_id: t.bytea, kind: t.smallint, mask: t.bigint, owner_tag: t.bytea },
})

export const streamPlays = sql({
  name: 'fairness.stream-plays',
  text: `select p.id, p.secret, p.free_count, o.username, l.part, l.masks
    from plays p join orders o on o.id = p.order_id join order_lines l on l.order_id = o.id
    where p.draw_id = $1 order by p.id, l.part`,
  params: [t.bigint],
  row: {
    id: t.uuid,
    secret: t.bytea,
    free_count: t.int,
    username: t.text,
    part: t.smallint,
    masks: array(t.bigint),
  },
})

export const insertEntriesBeingMade = sql({
  name: 'fairness.insert-entries-being-made',
  text: `insert into entries_being_made (draw_id, mask, play_id, line_no, kind, entry_id, owner_tag)
    select $1, * from unnest($2::bigint[], $3::uuid[], $4::int[], $5::smallint[], $6::bytea[], $7::bytea[])`,
  params: [t.bigint, array(t.bigint), array(t.uuid), array(t.int), array(t.smallint), array(t.bytea), array(t.bytea)],
})

export const sealEntries = sql({
  name: 'fairness.seal-entries',
  text: `select seal_entries($1) as made`,
  params: [t.bigint],
  row: { made: t.bigint },
})
