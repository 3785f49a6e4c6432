import { array, nullable, sql, t } from '../../db/sql.ts'
import { isInUseAt } from './address-queries.ts'
import { usableAddressAt } from './queries.ts'

/** The kinds of destinations over Lightning: a Lightning address (LUD-16), a BOLT 12 offer. */
const destinationKind = t.oneOf(['ADDRESS', 'OFFER'])

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
const row = {
  ...savedRow,
  supersededAt: nullable(t.epochSeconds),
  seal: nullable(t.bytea),
  paidFrom: nullable(t.epochSeconds),
}
const SAVED = 'id, player_id, kind, value, min_msat, max_msat, created_at, usable_from'
const COLUMNS = `${SAVED}, superseded_at, seal, paid_from`

/**
 * Where player `p` is paid over Lightning at a moment: the newest sealed destination that may be used then (see the
 * comments on player_destinations).
 */
export const usableDestinationAt = (at: string, columns = 'id, kind, value, min_msat, max_msat'): string =>
  `select ${columns} from player_destinations
        where player_id = p.id and superseded_at is null and seal is not null and ${isInUseAt(at)} order by id desc limit 1`

/**
 * Which way player `p` is paid first at a moment: the newest choice in force, and without one Lightning if there is no
 * bitcoin address to use.
 */
export const payFirstAt = (at: string): string =>
  `coalesce((select pay_first from player_pay_first
        where player_id = p.id and superseded_at is null and usable_from <= ${at} order by id desc limit 1),
      case when exists (${usableDestinationAt(at, '1')}) and not exists (${usableAddressAt(at, '1')})
        then 'LIGHTNING' else 'ONCHAIN' end)`

/** Every destination of these players, as saved. */
export const listDestinations = sql({
  name: 'payouts.list-destinations',
  text: `select ${COLUMNS} from player_destinations where player_id = any($1) order by player_id, id`,
  params: [array(t.bigint)],
  row,
})

/** Sealing a player's destination waits for others that do so: the seals are a chain. */
export const lockDestinations = sql({
  name: 'payouts.lock-destinations',
  text: `select ${COLUMNS} from player_destinations
    where player_id = (select player_id from player_destinations where id = $1) order by id for update`,
  params: [t.bigint],
  row,
})

/** A digest of all destinations per thousand players: what has not changed since its last check is not read again. */
export const digestDestinations = sql({
  name: 'payouts.digest-destinations',
  text: `select player_id / 1000 as thousand, encode(sha256(convert_to(string_agg(concat_ws(',', id, player_id, kind, value,
      min_msat, max_msat, created_at, usable_from, encode(seal, 'hex'), paid_from), ';' order by player_id, id), 'UTF8')), 'hex') as digest
    from player_destinations group by 1 order by 1`,
  row: { thousand: t.bigint, digest: t.text },
})

/** Every destination of these groups of a thousand players. */
export const streamDestinations = sql({
  name: 'payouts.stream-destinations',
  text: `select ${COLUMNS} from player_destinations where player_id / 1000 = any($1) order by player_id, id`,
  params: [array(t.bigint)],
  row,
})

export const sealDestinations = sql({
  name: 'payouts.seal-destinations',
  text: `update player_destinations d set seal = s.seal, paid_from = s.paid_from
    from unnest($1::bigint[], $2::bytea[], $3::bigint[]) as s (id, seal, paid_from) where d.id = s.id and d.seal is null`,
  params: [array(t.bigint), array(t.bytea), array(t.epochSeconds)],
})

/** The notices about these destinations, and whether the mail server has answered for each. */
export const listDestinationNotices = sql({
  name: 'payouts.list-destination-notices',
  text: `select destination_id as of, to_address, address_proof as proof, sent_at is not null or refused_at is not null as is_over
    from mail_outbox where destination_id = any($1) order by id`,
  params: [array(t.bigint)],
  row: { of: t.bigint, toAddress: t.text, proof: t.bytea, isOver: t.bool },
})

export const replaceDestinationSeals = sql({
  name: 'payouts.replace-destination-seals',
  text: `update player_destinations d set seal = s.seal from unnest($1::bigint[], $2::bytea[]) as s (id, seal) where d.id = s.id`,
  params: [array(t.bigint), array(t.bytea)],
})

/** The notices about destinations that have no seal yet. */
export const listWaitingDestinationNotices = sql({
  name: 'payouts.list-waiting-destination-notices',
  text: `select m.id as mail_id, m.to_address, m.address_proof as proof, d.id, d.player_id, d.kind, d.value, d.min_msat, d.max_msat,
      d.created_at, d.usable_from
    from mail_outbox m join player_destinations d on d.id = m.destination_id where d.seal is null order by m.id`,
  row: { mailId: t.bigint, toAddress: t.text, proof: t.bytea, ...savedRow },
})

export const replaceDestinationProof = sql({
  name: 'payouts.replace-destination-proof',
  text: 'update mail_outbox set address_proof = $2 where id = $1',
  params: [t.bigint, t.bytea],
})

/** The attempts without an outcome. */
export const listOpenAttempts = sql({
  name: 'payouts.list-open-attempts',
  text: `select payout_id, attempt, payment_hash, invoice, amount_msat, max_fee_msat, seal from ln_attempts where outcome is null`,
  row: {
    payoutId: t.bigint,
    attempt: t.int,
    paymentHash: t.text,
    invoice: t.text,
    amountMsat: t.bigint,
    maxFeeMsat: t.bigint,
    seal: nullable(t.bytea),
  },
})

export const replaceAttemptSeal = sql({
  name: 'payouts.replace-attempt-seal',
  text: 'update ln_attempts set seal = $3 where payout_id = $1 and attempt = $2 and outcome is null',
  params: [t.bigint, t.int, t.bytea],
})
