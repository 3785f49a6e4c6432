import { nullable, sql, t } from '../../db/sql.ts'
import { isUnbooked, movementKind, movementState } from '../treasury/service.ts'

export const listUnbooked = sql({
  name: 'treasury.list-unbooked',
  text: `select txid, found_at, paid_sats, fee_sats from treasury_movements m
    where ${isUnbooked} order by found_at, txid`,
  row: { txid: t.text, foundAt: t.epochSeconds, paidSats: t.bigint, feeSats: t.bigint },
})

export const lockMovement = sql({
  name: 'treasury.lock-movement',
  text: `select kind, state, paid_sats, fee_sats from treasury_movements where txid = $1 for update`,
  params: [t.text],
  row: { kind: movementKind, state: movementState, paidSats: t.bigint, feeSats: t.bigint },
})

export const lockDeposit = sql({
  name: 'treasury.lock-deposit',
  text: `select sats, confirmed_at, final_at, times_confirmed, taken_confirmation, taken_for, provider from unknown_deposits
    where outpoint = $1 for update`,
  params: [t.text],
  row: {
    sats: t.bigint,
    provider: t.text,
    confirmedAt: nullable(t.epochSeconds),
    finalAt: nullable(t.epochSeconds),
    timesConfirmed: t.int,
    takenConfirmation: t.int,
    takenFor: nullable(t.text),
  },
})

export const takeDeposit = sql({
  name: 'treasury.take-deposit',
  text: `update unknown_deposits set taken_at = $2, taken_for = $3, taken_confirmation = times_confirmed
    where outpoint = $1`,
  params: [t.text, t.epochSeconds, t.text],
})

/** Unknown money that the operator has not classified, oldest first. */
export const listDeposits = sql({
  name: 'treasury.list-deposits',
  text: `select outpoint, sats, seen_at, provider, confirmed_at is not null as is_confirmed from unknown_deposits
    where taken_confirmation < times_confirmed or confirmed_at is null order by seen_at, outpoint`,
  row: { outpoint: t.text, sats: t.bigint, seenAt: t.epochSeconds, provider: t.text, isConfirmed: t.bool },
})
