import { array, nullable, sql, t } from '../../db/sql.ts'

const row = {
  id: t.bigint,
  playerId: t.bigint,
  address: t.text,
  createdAt: t.epochSeconds,
  usableFrom: t.epochSeconds,
  supersededAt: nullable(t.epochSeconds),
  seal: nullable(t.bytea),
  paidFrom: nullable(t.epochSeconds),
}
const COLUMNS = 'id, player_id, address, created_at, usable_from, superseded_at, seal, paid_from'

/**
 * Whether an address that is not superseded is the player's at the moment in the parameter. A changed address is not
 * the player's before its seal, which starts its waiting time. The seal of a first address, which payouts also require,
 * does not matter here.
 */
export const isInUseAt = (parameter: string): string =>
  `coalesce(paid_from, usable_from) <= ${parameter} and (seal is not null or usable_from = created_at)`

/** Every address of these players, as saved. */
export const listAddresses = sql({
  name: 'payouts.list-addresses',
  text: `select ${COLUMNS} from player_addresses where player_id = any($1) order by player_id, id`,
  params: [array(t.bigint)],
  row,
})

/** Sealing a player's address waits for others that do so: the seals are a chain. */
export const lockAddresses = sql({
  name: 'payouts.lock-addresses',
  text: `select ${COLUMNS} from player_addresses
    where player_id = (select player_id from player_addresses where id = $1) order by id for update`,
  params: [t.bigint],
  row,
})

/** Whether sealed addresses of a player were erased: the next address is then not a first one. */
export const hasForgotten = sql({
  name: 'payouts.has-forgotten-addresses',
  text: `select exists (select from forgotten_addresses where player_id = $1) as has_forgotten`,
  params: [t.bigint],
  row: { hasForgotten: t.bool },
})

/** A digest of all addresses per thousand players: what has not changed since its last check is not read again. */
export const digestAddresses = sql({
  name: 'payouts.digest-addresses',
  text: `select player_id / 1000 as thousand, encode(sha256(convert_to(string_agg(concat_ws(',', id, player_id, address, created_at,
      usable_from, encode(seal, 'hex'), paid_from), ';' order by player_id, id), 'UTF8')), 'hex') as digest
    from player_addresses group by 1 order by 1`,
  row: { thousand: t.bigint, digest: t.text },
})

/** Every address of these groups of a thousand players. */
export const streamAddresses = sql({
  name: 'payouts.stream-addresses',
  text: `select ${COLUMNS} from player_addresses where player_id / 1000 = any($1) order by player_id, id`,
  params: [array(t.bigint)],
  row,
})

/** Every address of the players that have one without a seal. */
export const streamUnsealed = sql({
  name: 'payouts.stream-unsealed',
  text: `select ${COLUMNS} from player_addresses
    where player_id in (select player_id from player_addresses where seal is null and superseded_at is null) order by player_id, id`,
  row,
})

export const sealAddresses = sql({
  name: 'payouts.seal-addresses',
  text: `update player_addresses a set seal = s.seal, paid_from = s.paid_from
    from unnest($1::bigint[], $2::bytea[], $3::bigint[]) as s (id, seal, paid_from) where a.id = s.id and a.seal is null`,
  params: [array(t.bigint), array(t.bytea), array(t.epochSeconds)],
})

/** The notices about these addresses, and whether the mail server has answered for each. */
export const listNotices = sql({
  name: 'payouts.list-notices',
  text: `select address_id as of, to_address, address_proof as proof, sent_at is not null or refused_at is not null as is_over
    from mail_outbox where address_id = any($1) order by id`,
  params: [array(t.bigint)],
  row: { of: t.bigint, toAddress: t.text, proof: t.bytea, isOver: t.bool },
})

/** What a batch pays, and to which addresses. */
export const listBatchPayees = sql({
  name: 'payouts.list-batch-payees',
  text: `select id, player_id, partner_id, address, created_at from payouts where batch_id = $1 and cancelled_at is null order by id`,
  params: [t.bigint],
  row: {
    id: t.bigint,
    playerId: nullable(t.bigint),
    partnerId: nullable(t.text),
    address: t.text,
    createdAt: t.epochSeconds,
  },
})

/** Notes that the addresses from before there were seals are sealed. Touches no row if that is already noted. */
export const noteSealed = sql({
  name: 'payouts.note-sealed',
  text: `insert into system_state (key, value) values ('payouts.addresses-sealed', $1) on conflict (key) do nothing`,
  params: [t.text],
})

export const hasSeals = sql({
  name: 'payouts.has-seals',
  text: `select exists (select from player_addresses where seal is not null) as has_seals`,
  row: { hasSeals: t.bool },
})

/** Batches whose seals were made with a deleted key have their addresses checked instead. */
export const dropOutputsSeals = sql({
  name: 'payouts.drop-outputs-seals',
  text: 'update payout_txs set outputs_seal = null where outputs_seal is not null',
})

export const replaceSeals = sql({
  name: 'payouts.replace-seals',
  text: `update player_addresses a set seal = s.seal from unnest($1::bigint[], $2::bytea[]) as s (id, seal) where a.id = s.id`,
  params: [array(t.bigint), array(t.bytea)],
})

/** The notices about addresses that have no seal yet. */
export const listWaitingNotices = sql({
  name: 'payouts.list-waiting-notices',
  text: `select m.id as mail_id, m.to_address, m.address_proof as proof, a.id, a.player_id, a.address, a.created_at, a.usable_from
    from mail_outbox m join player_addresses a on a.id = m.address_id where a.seal is null order by m.id`,
  row: {
    mailId: t.bigint,
    toAddress: t.text,
    proof: t.bytea,
    id: t.bigint,
    playerId: t.bigint,
    address: t.text,
    createdAt: t.epochSeconds,
    usableFrom: t.epochSeconds,
  },
})

export const replaceProof = sql({
  name: 'payouts.replace-proof',
  text: 'update mail_outbox set address_proof = $2 where id = $1',
  params: [t.bigint, t.bytea],
})
