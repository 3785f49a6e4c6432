import { array, sql, t } from '../../db/sql.ts'

/** Tiles by level and index, as wide as they are. */
export const findTiles = sql({
  name: 'fairness.find-tiles',
  text: `select level, index, hashes from tree_tiles
    join unnest($2::smallint[], $3::bigint[]) as wanted (level, index) using (level, index) where tree = $1`,
  params: [t.text, array(t.smallint), array(t.whole)],
  row: { level: t.smallint, index: t.whole, hashes: t.bytea },
})

/** The first bytes of a tile, if it has at least as many. */
export const findTileStart = sql({
  name: 'fairness.find-tile-start',
  text: `select substring(hashes from 1 for $4) as hashes from tree_tiles
    where tree = $1 and level = $2 and index = $3 and length(hashes) >= $4`,
  params: [t.text, t.smallint, t.whole, t.int],
  row: { hashes: t.bytea },
})

/** Writes tiles, each new or extended: a hash that was served never moves. */
export const putTiles = sql({
  name: 'fairness.put-tiles',
  text: `insert into tree_tiles (tree, level, index, hashes)
    select $1, * from unnest($2::smallint[], $3::bigint[], $4::bytea[])
    on conflict (tree, level, index) do update set hashes = excluded.hashes
    where length(excluded.hashes) > length(tree_tiles.hashes)
      and substring(excluded.hashes from 1 for length(tree_tiles.hashes)) = tree_tiles.hashes`,
  params: [t.text, array(t.smallint), array(t.whole), array(t.bytea)],
})
