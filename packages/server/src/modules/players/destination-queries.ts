import { nullable, sql, t } from '../../db/sql.ts'
import { isInUseAt } from '../payouts/service.ts'

const destinationKind = t.oneOf(['ADDRESS', 'OFFER'])
const payFirst = t.oneOf(['LIGHTNING', 'ONCHAIN'])

/** The destination that payouts over Lightning go to. */
export const findUsableDestination = sql({
  name: 'accounts.find-usable-destination',
  text: `select id, kind, value from player_destinations
    where player_id = $1 and superseded_at is null and ${isInUseAt('$2')} order by id desc limit 1`,
  params: [t.bigint, t.epochSeconds],
  row: { id: t.bigint, kind: destinationKind, value: t.text },
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
