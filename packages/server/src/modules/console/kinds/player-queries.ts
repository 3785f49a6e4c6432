import { nullable, sql, t } from '../../../db/sql.ts'

/** An order as goodwill for it is about it. */
export const findOrderFacts = sql({
  name: 'console.find-order-facts',
  text: `select player_id, username, game_key, status, due_sats, goodwill_sats from console_order_money where id = $1`,
  params: [t.uuid],
  row: {
    playerId: t.bigint,
    username: t.text,
    gameKey: t.text,
    status: t.text,
    dueSats: t.bigint,
    goodwillSats: t.bigint,
  },
})

/** A player as a request about them shows it. */
export const findPlayerFacts = sql({
  name: 'console.find-player-facts',
  text: `select username, is_closed, excluded_until from console_player_facts where id = $1`,
  params: [t.bigint],
  row: { username: t.text, isClosed: t.bool, excludedUntil: nullable(t.epochSeconds) },
})

/** What a player is kept from at a time. */
export const listHoldsInForce = sql({
  name: 'console.list-holds-in-force',
  text: `select kind, until_at from console_player_holds
    where player_id = $1 and lifted_at is null and (until_at is null or until_at > $2) order by id`,
  params: [t.bigint, t.epochSeconds],
  row: { kind: t.text, untilAt: nullable(t.epochSeconds) },
})
