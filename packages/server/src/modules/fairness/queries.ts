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

/** The time of the newest statement, and what the database's clock says. */
export const findHeadTime = sql({
  name: 'fairness.find-head-time',
  text: `select (select at from statements order by seq desc limit 1) as at,
    (extract(epoch from clock_timestamp()) * 1000)::bigint as told_ms`,
  row: { at: nullable(t.epochSeconds), told_ms: t.epochSeconds },
})

export const insertStatement = sql({
  name: 'fairness.insert-statement',
  text: `insert into statements (seq, at, hash, type, text, note, open_hash) values ($1, $2, $3, $4, $5, $6, $7)`,
  params: [t.epochSeconds, t.epochSeconds, t.text, t.text, t.text, t.text, nullable(t.text)],
})

/** The draw that a statement is about. */
export const findOpenHash = sql({
  name: 'fairness.find-open-hash',
  text: `select open_hash from statements where hash = $1`,
  params: [t.text],
  row: { open_hash: nullable(t.text) },
})

export const findStatementAt = sql({
  name: 'fairness.find-statement-at',
  text: `select hash, text from statements where seq = $1`,
  params: [t.epochSeconds],
  row: { hash: t.text, text: t.text },
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
  row: { id: t.bigint, seed_sealed: t.bytea },
})

export const renewSeeds = sql({
  name: 'fairness.renew-seeds',
  text: `update draws set seed_sealed = fresh.sealed from unnest($1::bigint[], $2::bytea[]) as fresh (id, sealed)
    where draws.id = fresh.id`,
  params: [array(t.bigint), array(t.bytea)],
})

/** Held while the head's file is looked at and written: processes that share a database take turns. */
export const lockHeadFile = sql({
  name: 'fairness.lock-head-file',
  text: `select 1::int as locked from (select pg_advisory_xact_lock(7203, 2)) x`,
  row: { locked: t.int },
})

/** A play with what its receipt says, and its lines in order. */
export const findPlay = sql({
  name: 'fairness.find-play',
  text: `select p.id, p.order_id, p.draw_id, p.secret, p.free_count, p.receipt_at, o.username, d.open_hash, d.close_hash,
      d.entries,
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
    entries: nullable(t.int),
    masks: array(t.bigint),
  },
})

/** A draw as its record needs it, by game and number. */
export const findRecordedDraw = sql({
  name: 'fairness.find-recorded-draw',
  text: `select id, status, open_hash, close_hash, root, entries from draws where game_key = $1 and number = $2`,
  params: [t.text, t.int],
  row: {
    id: t.bigint,
    status: t.text,
    open_hash: t.text,
    close_hash: nullable(t.text),
    root: nullable(t.text),
    entries: nullable(t.int),
  },
})

export const findNotesOfDraw = sql({
  name: 'fairness.find-notes-of-draw',
  text: `select note from statements where open_hash = $1 order by seq`,
  params: [t.text],
  row: { note: t.text },
})

/** The round a settled draw was drawn from. The record of a void one stays without: nothing was drawn from it. */
export const findShownRound = sql({
  name: 'fairness.find-shown-round',
  text: `select r.round, r.signature from draws d
    join beacon_rounds r on r.chain_hash = d.chain_hash and r.round = d.round
    where d.game_key = $1 and d.number = $2 and d.status = 'settled' and d.settled_at <= $3`,
  params: [t.text, t.int, t.epochSeconds],
  row: { round: t.bigint, signature: t.text },
})

export const streamEntries = sql({
  name: 'fairness.stream-entries',
  text: `select entry_id, kind, mask, owner_tag from entries where draw_id = $1 order by entry_id`,
  params: [t.bigint],
  row: { entry_id: t.bytea, kind: t.smallint, mask: t.bigint, owner_tag: t.bytea },
})

/** Entries as they are published, 57 bytes each (fairness.md section 7): up to $3 that follow the id $2, in one value. */
export const readOctets = sql({
  name: 'fairness.read-octets',
  text: `select string_agg(e.octets, ''::bytea order by e.entry_id) as octets from (
      select entry_id, entry_id || set_byte('\\x00'::bytea, 0, kind) || int8send(mask) || owner_tag as octets
      from entries where draw_id = $1 and entry_id > $2 order by entry_id limit $3) e`,
  params: [t.bigint, t.bytea, t.bigint],
  row: { octets: nullable(t.bytea) },
})

/** The entries of one block: those from the id $2 on, up to $3 of them. */
export const findEntriesFrom = sql({
  name: 'fairness.find-entries-from',
  text: `select entry_id, kind, mask, owner_tag from entries where draw_id = $1 and entry_id >= $2
    order by entry_id limit $3`,
  params: [t.bigint, t.bytea, t.bigint],
  row: { entry_id: t.bytea, kind: t.smallint, mask: t.bigint, owner_tag: t.bytea },
})

export const insertBlocks = sql({
  name: 'fairness.insert-blocks',
  text: `insert into entry_blocks (draw_id, block, first_id, root)
    select $1, * from unnest($2::int[], $3::bytea[], $4::bytea[]) on conflict do nothing`,
  params: [t.bigint, array(t.int), array(t.bytea), array(t.bytea)],
})

export const findBlocks = sql({
  name: 'fairness.find-blocks',
  text: `select first_id, root from entry_blocks where draw_id = $1 order by block`,
  params: [t.bigint],
  row: { first_id: t.bytea, root: t.bytea },
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

/** A close statement with the open statement of its draw, which names the witnesses. */
export const findWitnessedClose = sql({
  name: 'fairness.find-witnessed-close',
  text: `select o.hash as open_hash, o.text as open_text from statements c join statements o on o.hash = c.open_hash
    where c.hash = $1 and c.type = 'close'`,
  params: [t.text],
  row: { open_hash: t.text, open_text: t.text },
})

export const lockDrawOf = sql({
  name: 'fairness.lock-draw-of',
  text: `select status from draws where open_hash = $1 for share`,
  params: [t.text],
  row: { status: t.text },
})

export const keepWitnessLine = sql({
  name: 'fairness.keep-witness-line',
  text: `insert into witness_lines (close_hash, name, at, line) values ($1, $2, $3, $4)
    on conflict (close_hash, name) do update set at = excluded.at, line = excluded.line
    where excluded.at < witness_lines.at`,
  params: [t.text, t.text, t.epochSeconds, t.text],
})

export const findWitnessLines = sql({
  name: 'fairness.find-witness-lines',
  text: `select name, at, line from witness_lines where close_hash = $1 order by name`,
  params: [t.text],
  row: { name: t.text, at: t.epochSeconds, line: t.text },
})

export const countWitnesses = sql({
  name: 'fairness.count-witnesses',
  text: `select count(*)::int as witnesses from witness_lines where close_hash = $1 and at < $2`,
  params: [t.text, t.epochSeconds],
  row: { witnesses: t.int },
})

/** Sessions of programs that serve this database; the operator's own commands have another name. */
export const countServing = sql({
  name: 'fairness.count-serving',
  text: `select count(*)::int as sessions from pg_stat_activity
    where datname = current_database() and application_name = $1`,
  params: [t.text],
  row: { sessions: t.int },
})

export const listSeedHashes = sql({
  name: 'fairness.list-seed-hashes',
  text: `select seed_hash from draws order by id`,
  row: { seed_hash: t.text },
})

/** A draw whose open statement came back by an import: its seed is lost, and its number used up. */
export const insertLostDraw = sql({
  name: 'fairness.insert-lost-draw',
  text: `insert into draws (game_key, number, weekday, scheduled_at, start_at, closes_at, end_at, pick, pool, rules_hash,
      seed_sealed, seed_hash, chain_hash, round, open_hash, guaranteed_minor, cover_minor, status, settled_at, void_hash)
    values ($1, $2, $3, $4, $4, $5, $6, $7, $8, $9, '', $10, $11, $12, $13, $14, $15, 'void', $16, $17)`,
  params: [
    t.text,
    t.int,
    t.smallint,
    t.epochSeconds,
    t.epochSeconds,
    t.epochSeconds,
    t.smallint,
    t.smallint,
    t.text,
    t.text,
    t.text,
    t.bigint,
    t.text,
    t.bigint,
    t.bigint,
    t.epochSeconds,
    t.text,
  ],
})
