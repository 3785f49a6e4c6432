import { array, nullable, type RowOf, sql, t } from '../../db/sql.ts'
import { LINES_A_ROW } from '../orders/service.ts'

/** Divides the leaves of a draw. @returns nothing where it is divided already */
export const insertParts = sql({
  name: 'draws.insert-parts',
  text: `insert into draw_parts (draw_id, part, first_leaf, end_leaf)
    select $1, part, part * $3::bigint, least((part + 1) * $3::bigint, $2::bigint)
    from generate_series(0, ($2::bigint - 1) / $3::bigint) as part
    where not exists (select from draw_parts where draw_id = $1)`,
  params: [t.bigint, t.whole, t.whole],
})

/**
 * The lines of a part's plays, from the index of leaves. Each play looks its lines up: a join would read those of all
 * orders for each part.
 */
function linesOfPart(first: string, end: string): string {
  return `plays p cross join lateral (select l.part, l.masks from order_lines l where l.order_id = p.order_id offset 0) l
      cross join unnest(l.masks) with ordinality as m (mask, place)
    where p.draw_id = $drawId and p.leaf_index >= ${first} and p.leaf_index < ${end}`
}

/** What the plays in force of a part add up to, and its winners by the tiers' matches: once. */
export const countPart = sql({
  name: 'draws.count-part',
  text: `update draw_parts set (lines, free, carried, stake_sats) = (
      select coalesce(sum(line_count), 0), coalesce(sum(free_count), 0),
        coalesce(sum(line_count - free_count) filter (where rate_sats = 0), 0),
        coalesce(sum(((line_count - free_count) * $priceMinor::bigint * rate_sats + 99) / 100), 0)
      from plays where draw_id = $drawId and leaf_index >= first_leaf and leaf_index < end_leaf),
    winners = array(
      select coalesce(n.lines, 0) from unnest($matches::int[]) with ordinality as tier (matches, place) left join (
        select bit_count((m.mask & $drawnMask)::bit(64))::int as matches, count(*) as lines
        from ${linesOfPart('first_leaf', 'end_leaf')} group by 1
      ) n using (matches) order by tier.place)
    where draw_id = $drawId and part = $part and winners is null`,
  params: {
    drawId: t.bigint,
    part: t.int,
    priceMinor: t.bigint,
    drawnMask: t.bigint,
    matches: array(t.int),
  },
})

/** Marks a counted part as written: once. */
export const markPartWritten = sql({
  name: 'draws.mark-part-written',
  text: `update draw_parts set is_written = true where draw_id = $1 and part = $2 and winners is not null and not is_written
    returning first_leaf, end_leaf, winners`,
  params: [t.bigint, t.int],
  row: { firstLeaf: t.whole, endLeaf: t.whole, winners: array(t.whole) },
})

/** As `insertWins`, for the leaves of a part. In the order of the key, which spares the index. */
export const insertWinsOfPart = sql({
  name: 'draws.insert-wins-of-part',
  text: `insert into wins (draw_id, player_id, amount_sats, play_id, line_no, matches, win_type)
    select w.draw_id, w.player_id, nullif(tier.sats, 0), w.id, w.line_no, tier.matches, tier.win_type
    from (
      select p.draw_id, p.player_id, p.id, l.part * ${LINES_A_ROW} + m.place - 1 as line_no,
        bit_count((m.mask & $drawnMask)::bit(64))::int as matches
      from ${linesOfPart('$firstLeaf', '$endLeaf')}
    ) w join unnest($matches::int[], $winTypes::text[], $sats::bigint[]) as tier (matches, win_type, sats) using (matches)
    order by w.id, w.line_no`,
  params: {
    drawId: t.bigint,
    firstLeaf: t.whole,
    endLeaf: t.whole,
    drawnMask: t.bigint,
    matches: array(t.int),
    winTypes: array(t.text),
    sats: array(t.bigint),
  },
})

/** How many parts of a draw are left to do. */
export const countPartsLeft = sql({
  name: 'draws.count-parts-left',
  text: `select count(*) filter (where winners is null)::int as uncounted, count(*) filter (where not is_written)::int as unwritten
    from draw_parts where draw_id = $1`,
  params: [t.bigint],
  row: { uncounted: t.int, unwritten: t.int },
})

const partRow = {
  part: t.int,
  firstLeaf: t.whole,
  endLeaf: t.whole,
  lines: nullable(t.whole),
  free: nullable(t.whole),
  carried: nullable(t.whole),
  stakeSats: nullable(t.bigint),
  winners: nullable(array(t.whole)),
  isWritten: t.bool,
}

export const listParts = sql({
  name: 'draws.list-parts',
  text: `select part, first_leaf, end_leaf, lines, free, carried, stake_sats, winners, is_written from draw_parts
    where draw_id = $1 order by part`,
  params: [t.bigint],
  row: partRow,
})

/** A part of a draw that is being settled. */
export type PartRow = RowOf<typeof listParts>

/** The wins of a draw that are written, by tier. */
export const countWinsOfParts = sql({
  name: 'draws.count-wins-of-parts',
  text: `select matches, win_type, count(*) as winners, coalesce(min(amount_sats), 0)::bigint as least_sats,
      coalesce(max(amount_sats), 0)::bigint as most_sats
    from wins where draw_id = $1 group by matches, win_type`,
  params: [t.bigint],
  row: { matches: t.smallint, winType: t.text, winners: t.whole, leastSats: t.bigint, mostSats: t.bigint },
})

export const removeParts = sql({
  name: 'draws.remove-parts',
  text: `delete from draw_parts where draw_id = $1`,
  params: [t.bigint],
})
