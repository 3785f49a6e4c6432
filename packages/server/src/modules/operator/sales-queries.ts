import { nullable, sql, t } from '../../db/sql.ts'

/** A game by its key or an alias of it. */
export const findGame = sql({
  name: 'operator.find-game',
  text: `select key from games where key = coalesce((select a.game_key from game_aliases a where a.alias = $1), $1)`,
  params: [t.text],
  row: { key: t.text },
})

/** Begins a pause; no row if one for the same game, or for all, is running. */
export const beginPause = sql({
  name: 'operator.begin-pause',
  text: `insert into sales_pauses (game_key, from_at, public_note, reason, actor) values ($gameKey, $now, $note, $reason, $actor)
    on conflict do nothing`,
  params: { gameKey: nullable(t.text), now: t.epochSeconds, note: t.text, reason: t.text, actor: t.text },
})

/** Ends the running pause of one game, or the one of all games. */
export const endPause = sql({
  name: 'operator.end-pause',
  text: `update sales_pauses set until_at = greatest(from_at, $2) where game_key is not distinct from $1 and until_at is null`,
  params: [nullable(t.text), t.epochSeconds],
})

export const listPauses = sql({
  name: 'operator.list-pauses',
  text: `select coalesce(game_key, 'all') as name from sales_pauses where until_at is null order by id`,
  row: { name: t.text },
})
