import { nullable, sql, t } from '../../db/sql.ts'
import { isInUseAt } from '../payouts/service.ts'

/** The address last saved, which may not be usable yet. */
export const findLatestAddress = sql({
  name: 'accounts.find-latest-address',
  text: `select address from player_addresses
    where player_id = $1 and superseded_at is null order by id desc limit 1`,
  params: [t.bigint],
  row: { address: t.text },
})

/** The address payouts go to. */
export const findUsableAddress = sql({
  name: 'accounts.find-usable-address',
  text: `select id, address from player_addresses
    where player_id = $1 and superseded_at is null and ${isInUseAt('$2')} order by id desc limit 1`,
  params: [t.bigint, t.epochSeconds],
  row: { id: t.bigint, address: t.text },
})

/** An address that was still waiting when another is saved never becomes usable. */
export const supersedeWaitingAddresses = sql({
  name: 'accounts.supersede-waiting-addresses',
  text: `update player_addresses set superseded_at = $2
    where player_id = $1 and superseded_at is null and not (${isInUseAt('$2')})`,
  params: [t.bigint, t.epochSeconds],
})

const SAVED = 'id, player_id, address, created_at, usable_from'
const savedRow = {
  id: t.bigint,
  playerId: t.bigint,
  address: t.text,
  createdAt: t.epochSeconds,
  usableFrom: t.epochSeconds,
}

/** Addresses without a notice yet, because the limit allowed the player no mail before. */
export const listUntoldAddresses = sql({
  name: 'accounts.list-untold-addresses',
  text: `select ${SAVED} from player_addresses a where player_id = $1 and seal is null and superseded_at is null
      and not exists (select from mail_outbox m where m.address_id = a.id) order by id`,
  params: [t.bigint],
  row: savedRow,
})

export const insertAddress = sql({
  name: 'accounts.insert-address',
  text: `insert into player_addresses (player_id, created_at, usable_from, address) values ($1, $2, $3, $4)
    returning ${SAVED}`,
  params: [t.bigint, t.epochSeconds, t.epochSeconds, t.text],
  row: savedRow,
})

export const listAddresses = sql({
  name: 'accounts.list-addresses',
  text: `select address, created_at, coalesce(paid_from, usable_from) as usable_from, superseded_at from player_addresses
    where player_id = $1 order by id`,
  params: [t.bigint],
  row: {
    address: t.text,
    createdAt: t.epochSeconds,
    usableFrom: t.epochSeconds,
    supersededAt: nullable(t.epochSeconds),
  },
})

/**
 * Those after $2 (0 for all) of an account that is closed or was never verified: others keep the addresses they were
 * notified of.
 */
export const removeAddresses = sql({
  name: 'accounts.remove-addresses',
  text: 'select forget_addresses($1, $2) as forgotten',
  params: [t.bigint, t.bigint],
  row: { forgotten: t.int },
})
