import { nullable, sql, t } from '../../db/sql.ts'
import { isInUseAt } from '../payouts/service.ts'

const destinationKind = t.oneOf(['ADDRESS', 'OFFER'])
const payFirst = t.oneOf(['LIGHTNING', 'ONCHAIN'])

const SAVED = 'id, player_id, kind, value, min_msat, max_msat, created_at, usable_from'
const savedRow = {
  id: t.bigint,
  playerId: t.bigint,
  kind: destinationKind,
  value: t.text,
  minMsat: t.bigint,
  maxMsat: t.bigint,
  createdAt: t.epochSeconds,
  usableFrom: t.epochSeconds,
}

/** The destination last saved, which may not be usable yet. */
export const findLatestDestination = sql({
  name: 'accounts.find-latest-destination',
  text: `select kind, value, coalesce(paid_from, usable_from) as usable_from from player_destinations
    where player_id = $1 and superseded_at is null order by id desc limit 1`,
  params: [t.bigint],
  row: { kind: destinationKind, value: t.text, usableFrom: t.epochSeconds },
})

/** The destination that payouts over Lightning go to. */
export const findUsableDestination = sql({
  name: 'accounts.find-usable-destination',
  text: `select id, kind, value from player_destinations
    where player_id = $1 and superseded_at is null and ${isInUseAt('$2')} order by id desc limit 1`,
  params: [t.bigint, t.epochSeconds],
  row: { id: t.bigint, kind: destinationKind, value: t.text },
})

/** Whether a player had a destination that was ever used, or has one: another one is then no first one. */
export const hadDestination = sql({
  name: 'accounts.had-destination',
  text: `select exists (select from player_destinations
    where player_id = $1 and (seal is not null or superseded_at is null)) as had_one`,
  params: [t.bigint],
  row: { hadOne: t.bool },
})

export const insertDestination = sql({
  name: 'accounts.insert-destination',
  text: `insert into player_destinations (player_id, created_at, usable_from, min_msat, max_msat, kind, value)
    values ($playerId, $createdAt, $usableFrom, $minMsat, $maxMsat, $kind, $value) returning ${SAVED}`,
  params: {
    playerId: t.bigint,
    createdAt: t.epochSeconds,
    usableFrom: t.epochSeconds,
    minMsat: t.bigint,
    maxMsat: t.bigint,
    kind: destinationKind,
    value: t.text,
  },
  row: savedRow,
})

/** A destination that was still waiting when another is saved never becomes usable. */
export const supersedeWaitingDestinations = sql({
  name: 'accounts.supersede-waiting-destinations',
  text: `update player_destinations set superseded_at = $2
    where player_id = $1 and superseded_at is null and not (${isInUseAt('$2')})`,
  params: [t.bigint, t.epochSeconds],
})

/** A removed destination takes those before it with it: none of them is used again. */
export const supersedeDestinations = sql({
  name: 'accounts.supersede-destinations',
  text: 'update player_destinations set superseded_at = $2 where player_id = $1 and superseded_at is null',
  params: [t.bigint, t.epochSeconds],
})

/** Destinations without a notice yet, because the limit allowed the player no mail before. */
export const listUntoldDestinations = sql({
  name: 'accounts.list-untold-destinations',
  text: `select ${SAVED} from player_destinations d where player_id = $1 and seal is null and superseded_at is null
      and not exists (select from mail_outbox m where m.destination_id = d.id) order by id`,
  params: [t.bigint],
  row: savedRow,
})

/** What the player chose last, which may not count yet. */
export const findLatestPayFirst = sql({
  name: 'accounts.find-latest-pay-first',
  text: `select pay_first, usable_from from player_pay_first
    where player_id = $1 and superseded_at is null order by id desc limit 1`,
  params: [t.bigint],
  row: { payFirst, usableFrom: t.epochSeconds },
})

export const insertPayFirst = sql({
  name: 'accounts.insert-pay-first',
  text: 'insert into player_pay_first (player_id, created_at, usable_from, pay_first) values ($1, $2, $3, $4)',
  params: [t.bigint, t.epochSeconds, t.epochSeconds, payFirst],
})

/** A choice that was still waiting when another is made never counts. */
export const supersedeWaitingPayFirst = sql({
  name: 'accounts.supersede-waiting-pay-first',
  text: `update player_pay_first set superseded_at = $2
    where player_id = $1 and superseded_at is null and usable_from > $2`,
  params: [t.bigint, t.epochSeconds],
})

/** Whether a change of how a player is paid waits at $2, so that a link to stop it has something to stop. */
export const hasWaitingChange = sql({
  name: 'accounts.has-waiting-change',
  text: `select exists (select from player_addresses
        where player_id = $1 and superseded_at is null and not (${isInUseAt('$2')}))
      or exists (select from player_destinations
        where player_id = $1 and superseded_at is null and not (${isInUseAt('$2')}))
      or exists (select from player_pay_first
        where player_id = $1 and superseded_at is null and usable_from > $2) as has_one`,
  params: [t.bigint, t.epochSeconds],
  row: { hasOne: t.bool },
})

/** Every destination a player has saved, for the player. */
export const exportDestinations = sql({
  name: 'accounts.export-destinations',
  text: `select kind, value, min_msat::text, max_msat::text, created_at, coalesce(paid_from, usable_from) as usable_from, superseded_at
    from player_destinations where player_id = $1 order by id`,
  params: [t.bigint],
  row: {
    kind: destinationKind,
    value: t.text,
    minMsat: t.text,
    maxMsat: t.text,
    createdAt: t.epochSeconds,
    usableFrom: t.epochSeconds,
    supersededAt: nullable(t.epochSeconds),
  },
})

/** Every choice a player has made of what is paid first, for the player. */
export const exportPayFirst = sql({
  name: 'accounts.export-pay-first',
  text: `select pay_first, created_at, usable_from, superseded_at from player_pay_first where player_id = $1 order by id`,
  params: [t.bigint],
  row: {
    payFirst,
    createdAt: t.epochSeconds,
    usableFrom: t.epochSeconds,
    supersededAt: nullable(t.epochSeconds),
  },
})

/** Those after $2 (0 for all) of an account that is closed or was never verified. */
export const removeDestinations = sql({
  name: 'accounts.remove-destinations',
  text: 'select forget_destinations($1, $2) as forgotten',
  params: [t.bigint, t.bigint],
  row: { forgotten: t.int },
})

/** The choices that count after $2 (all: -1) of such an account. */
export const removePayFirst = sql({
  name: 'accounts.remove-pay-first',
  text: 'delete from player_pay_first where player_id = $1 and usable_from > $2',
  params: [t.bigint, t.epochSeconds],
})
