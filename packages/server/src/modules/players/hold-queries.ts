import { array, nullable, sql, t } from '../../db/sql.ts'

const kind = t.oneOf(['buy', 'sign-in', 'payouts'])

export const insertHold = sql({
  name: 'players.insert-hold',
  text: `insert into player_holds (player_id, kind, from_at, until_at, reason, request_id, is_told)
    values ($playerId, $kind, $now, $until, $reason, $requestId, $isTold) returning id`,
  params: {
    playerId: t.bigint,
    kind,
    now: t.epochSeconds,
    until: nullable(t.epochSeconds),
    reason: t.text,
    requestId: t.uuid,
    isTold: t.bool,
  },
  row: { id: t.bigint },
})

/** Ends the holds of some kinds that are in force. */
export const liftHolds = sql({
  name: 'players.lift-holds',
  text: `update player_holds set lifted_at = $3, lifted_by = $4
    where player_id = $1 and kind = any($2) and lifted_at is null and (until_at is null or until_at > $3)`,
  params: [t.bigint, array(t.text), t.epochSeconds, t.uuid],
})

/** The holds that the player knows of, for the export. */
export const exportHolds = sql({
  name: 'players.export-holds',
  text: `select kind, from_at, until_at, lifted_at from player_holds where player_id = $1 and is_told order by id`,
  params: [t.bigint],
  row: { kind, fromAt: t.epochSeconds, untilAt: nullable(t.epochSeconds), liftedAt: nullable(t.epochSeconds) },
})
