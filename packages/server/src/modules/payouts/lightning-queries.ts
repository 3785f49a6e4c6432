import { array, nullable, sql, t } from '../../db/sql.ts'
import { payFirstAt, usableDestinationAt } from './destination-queries.ts'
import { notSetAside } from './queries.ts'

/** The states of a payout over Lightning (docs/decisions/0075). */
export const lightningState = t.oneOf([
  'WAITING_APPROVAL',
  'QUEUED',
  'RESOLVED',
  'SENDING',
  'RETRY_AT',
  'WAITING_FUNDS',
  'HALTED',
  'PAID',
  'RETURNED',
])

/**
 * Players p who are owed sums b and are paid over Lightning first, each with a verified email address and a usable
 * destination d. Read are those who have one, not all who wait.
 */
const payableOverLightning = (at: string): string =>
  `from owed_sums b join players p on p.id = b.player_id and p.email_verified_at is not null
    cross join lateral (${usableDestinationAt(at)}) d
    where b.player_id in (select player_id from player_destinations where superseded_at is null and seal is not null)
      and b.prizes + b.returns > 0 and ${notSetAside(at)} and ${payFirstAt(at)} = 'LIGHTNING'`

/**
 * What waits for players who are paid over Lightning first: all prizes, and all refunds and excess, of each with a
 * verified email address and a usable destination, longest waiting first. A destination to which a payout was given up
 * lately is left out. At most some, after the one whose oldest sum is named.
 */
export const findOwedOverLightning = sql({
  name: 'payouts.find-owed-over-lightning',
  text: `with page as materialized (
      select b.player_id, least(b.first_prize_id, b.first_return_id) as first_id, d.id as destination_id, d.value, d.min_msat, d.max_msat
      ${payableOverLightning('$at')} and least(b.first_prize_id, b.first_return_id) > $afterId and not exists (
        select from ln_payouts l where l.destination_id = d.id and l.state = 'RETURNED' and l.next_at > $returnedSince)
      order by first_id limit $most
    )
    select page.*, w.prize_ids, w.prize_sats, w.return_ids, w.return_sats from page cross join lateral (
      select coalesce(array_agg(id order by id) filter (where kind = 'prize'), '{}') as prize_ids,
        coalesce(sum(sats) filter (where kind = 'prize'), 0)::bigint as prize_sats,
        coalesce(array_agg(id order by id) filter (where kind <> 'prize'), '{}') as return_ids,
        coalesce(sum(sats) filter (where kind <> 'prize'), 0)::bigint as return_sats
      from payables where player_id = page.player_id and payout_id is null
    ) w
    order by page.first_id`,
  params: { at: t.epochSeconds, returnedSince: t.epochSeconds, afterId: t.bigint, most: t.bigint },
  row: {
    playerId: t.bigint,
    firstId: t.bigint,
    destinationId: t.bigint,
    value: t.text,
    minMsat: t.bigint,
    maxMsat: t.bigint,
    prizeIds: array(t.bigint),
    prizeSats: t.bigint,
    returnIds: array(t.bigint),
    returnSats: t.bigint,
  },
})

/** Whether anything is owed to players who are paid over Lightning first. */
export const hasWaiting = sql({
  name: 'payouts.has-waiting-for-lightning',
  text: `select exists (select ${payableOverLightning('$1')}) as is_waiting`,
  params: [t.epochSeconds],
  row: { isWaiting: t.bool },
})

/** A payout over Lightning, and where it begins: with a reason it waits for a person first. */
export const insertLightningPayout = sql({
  name: 'payouts.insert-lightning',
  text: `with made as (
      insert into payouts (kind, player_id, sats, fee_share_sats, created_at, address)
      values ('lightning', $playerId, $sats, $feeShareSats, $at, $address) returning id
    )
    insert into ln_payouts (payout_id, destination_id, first_at, next_at, reason, state)
    select id, $destinationId, $at, $at, $reason::text, case when $reason::text is null then 'QUEUED' else 'WAITING_APPROVAL' end
    from made returning payout_id as id`,
  params: {
    playerId: t.bigint,
    sats: t.bigint,
    feeShareSats: t.bigint,
    at: t.epochSeconds,
    address: t.text,
    destinationId: t.bigint,
    reason: nullable(t.text),
  },
  row: { id: t.bigint },
})

/** What was returned over Lightning since $1 without approval, in sats: refunds and excess. */
export const sumReturnedOverLightning = sql({
  name: 'payouts.sum-returned-over-lightning',
  text: `select coalesce(sum(b.sats), 0)::bigint as sats from payables b join payouts o on o.id = b.payout_id
    join ln_payouts l on l.payout_id = o.id
    where o.created_at > $1 and b.kind <> 'prize' and l.state <> 'WAITING_APPROVAL'
      and not exists (select from operator_actions a where a.action = 'payouts-approve' and a.subject = 'ln:' || o.id)`,
  params: [t.epochSeconds],
  row: { sats: t.bigint },
})

const lightningRow = {
  id: t.bigint,
  playerId: t.bigint,
  address: t.text,
  sats: t.bigint,
  feeShareSats: t.bigint,
  createdAt: t.epochSeconds,
  state: lightningState,
  haltedFrom: nullable(lightningState),
  destinationId: t.bigint,
  firstAt: t.epochSeconds,
  nextAt: t.epochSeconds,
  attempts: t.int,
}
const LIGHTNING_COLUMNS = `o.id, o.player_id, o.address, o.sats, o.fee_share_sats, o.created_at, l.state, l.halted_from,
  l.destination_id, l.first_at, l.next_at, l.attempts`

export const findLightningPayout = sql({
  name: 'payouts.find-lightning',
  text: `select ${LIGHTNING_COLUMNS} from ln_payouts l join payouts o on o.id = l.payout_id where l.payout_id = $1`,
  params: [t.bigint],
  row: lightningRow,
})

/** The payout, locked until the transaction ends: taken before it or its attempts are changed. */
export const lockLightningPayout = sql({
  name: 'payouts.lock-lightning',
  text: `select ${LIGHTNING_COLUMNS} from ln_payouts l join payouts o on o.id = l.payout_id where l.payout_id = $1
    for update of l`,
  params: [t.bigint],
  row: lightningRow,
})

/** How much of a payout is prizes, in sats: the rest is refunds and excess. */
export const sumPrizesOf = sql({
  name: 'payouts.sum-prizes-of',
  text: `select coalesce(sum(sats) filter (where kind = 'prize'), 0)::bigint as sats from payables where payout_id = $1`,
  params: [t.bigint],
  row: { sats: t.bigint },
})

const attemptRow = {
  attempt: t.int,
  amountMsat: t.bigint,
  maxFeeMsat: t.bigint,
  expiresAt: t.epochSeconds,
  sentAt: nullable(t.epochSeconds),
  deadSince: nullable(t.epochSeconds),
  calls: t.int,
  answers: t.int,
  isRefused: t.bool,
  paymentHash: t.text,
  invoice: t.text,
  callError: nullable(t.text),
  seal: nullable(t.bytea),
}

/** The attempt of a payout that has no outcome; at most one. */
export const findOpenAttempt = sql({
  name: 'payouts.find-open-attempt',
  text: `select attempt, amount_msat, max_fee_msat, expires_at, sent_at, dead_since, calls, answers, is_refused,
      payment_hash, invoice, call_error, seal
    from ln_attempts where payout_id = $1 and outcome is null`,
  params: [t.bigint],
  row: attemptRow,
})

/** @throws PostgreSQL's unique violation if the invoice was used before, or another attempt may still pay */
export const insertAttempt = sql({
  name: 'payouts.insert-attempt',
  text: `insert into ln_attempts (payout_id, attempt, payment_hash, invoice, amount_msat, max_fee_msat, resolved_at, expires_at, seal)
    values ($payoutId, $attempt, $paymentHash, $invoice, $amountMsat, $maxFeeMsat, $now, $expiresAt, $seal)`,
  params: {
    payoutId: t.bigint,
    attempt: t.int,
    paymentHash: t.text,
    invoice: t.text,
    amountMsat: t.bigint,
    maxFeeMsat: t.bigint,
    now: t.epochSeconds,
    expiresAt: t.epochSeconds,
    seal: t.bytea,
  },
})

/** Whether an invoice of this hash was tried before, or is one of our own. */
export const isHashKnown = sql({
  name: 'payouts.is-hash-known',
  text: `select exists (select from ln_attempts where payment_hash = $1)
    or exists (select from ln_invoices where payment_hash = $1) as is_known`,
  params: [t.text],
  row: { isKnown: t.bool },
})

/** Moves a payout from some states to another one; touches no row if another worker was first. */
export const moveLightning = sql({
  name: 'payouts.move-lightning',
  text: `update ln_payouts set state = $to, next_at = $nextAt, reason = $reason, halted_from = null
    where payout_id = $id and state = any($from)`,
  params: {
    id: t.bigint,
    from: array(lightningState),
    to: lightningState,
    nextAt: t.epochSeconds,
    reason: nullable(t.text),
  },
})

/** An approved payout begins now. */
export const startLightning = sql({
  name: 'payouts.start-lightning',
  text: `update ln_payouts set state = 'QUEUED', first_at = $2, next_at = $2, reason = null
    where payout_id = $1 and state = 'WAITING_APPROVAL'`,
  params: [t.bigint, t.epochSeconds],
})

export const countAttempt = sql({
  name: 'payouts.count-attempt',
  text: `update ln_payouts set attempts = attempts + 1 where payout_id = $1`,
  params: [t.bigint],
})

/** Notes that the node is about to be asked, before it is. */
export const noteCall = sql({
  name: 'payouts.note-call',
  text: `update ln_attempts set calls = calls + 1, sent_at = $3, is_refused = false, call_error = null, dead_since = null
    where payout_id = $1 and attempt = $2 and outcome is null`,
  params: [t.bigint, t.int, t.epochSeconds],
})

/** Notes the node's answer: $3 is its refusal, null if it refused nothing. */
export const noteAnswer = sql({
  name: 'payouts.note-answer',
  text: `update ln_attempts set answers = answers + 1, is_refused = $3::text is not null, call_error = $3
    where payout_id = $1 and attempt = $2 and outcome is null and answers < calls`,
  params: [t.bigint, t.int, nullable(t.text)],
})

export const noteDeadSince = sql({
  name: 'payouts.note-dead-since',
  text: `update ln_attempts set dead_since = $3
    where payout_id = $1 and attempt = $2 and outcome is null and dead_since is distinct from $3`,
  params: [t.bigint, t.int, nullable(t.epochSeconds)],
})

/** Ends an attempt; touches no row if it has ended. */
export const endAttempt = sql({
  name: 'payouts.end-attempt',
  text: `update ln_attempts set outcome = $outcome, ended_at = $now, preimage = $preimage, sent_msat = $sentMsat
    where payout_id = $payoutId and attempt = $attempt and outcome is null`,
  params: {
    payoutId: t.bigint,
    attempt: t.int,
    outcome: t.oneOf(['complete', 'failed', 'none', 'never-left']),
    now: t.epochSeconds,
    preimage: nullable(t.text),
    sentMsat: nullable(t.bigint),
  },
})

export const markLightningSent = sql({
  name: 'payouts.mark-lightning-sent',
  text: `update payouts set sent_at = $2 where id = $1 and sent_at is null and cancelled_at is null`,
  params: [t.bigint, t.epochSeconds],
})

/** Gives a payout up; what it would have paid is owed again. */
export const cancelLightning = sql({
  name: 'payouts.cancel-lightning',
  text: `with released as (update payables set payout_id = null where payout_id = $1)
    update payouts set cancelled_at = $2 where id = $1 and sent_at is null and cancelled_at is null`,
  params: [t.bigint, t.epochSeconds],
})

export const haltLightning = sql({
  name: 'payouts.halt-lightning',
  text: `update ln_payouts set state = 'HALTED', halted_from = state, reason = $2
    where payout_id = $1 and state not in ('HALTED', 'PAID', 'RETURNED')`,
  params: [t.bigint, t.text],
})

/** The payouts over Lightning that are not done, oldest first. */
export const listOpenLightning = sql({
  name: 'payouts.list-open-lightning',
  text: `select ${LIGHTNING_COLUMNS}, l.reason, a.payment_hash, a.sent_at
    from ln_payouts l join payouts o on o.id = l.payout_id
    left join ln_attempts a on a.payout_id = l.payout_id and a.outcome is null
    where l.state not in ('PAID', 'RETURNED') order by o.id`,
  row: {
    ...lightningRow,
    reason: nullable(t.text),
    paymentHash: nullable(t.text),
    sentAt: nullable(t.epochSeconds),
  },
})

/**
 * Those of $1 that are of no attempt that may pay or was paid, and that the operator has not accepted: a payment of one
 * that had ended was made beside another.
 */
export const findUnknownSends = sql({
  name: 'payouts.find-unknown-sends',
  text: `select one.hash from unnest($1::text[]) as one (hash)
    where not exists (select from ln_attempts a where a.payment_hash = one.hash and coalesce(a.outcome, 'complete') = 'complete')
      and not exists (select from payout_foreign_txs f where f.txid = 'ln:' || one.hash and f.accepted_at is not null)`,
  params: [array(t.text)],
  row: { hash: t.text },
})

/** Notes payments that are not ours, `ln:<hash>`, with the destination each went to: '' where the node does not say. */
export const insertForeignSends = sql({
  name: 'payouts.insert-foreign-sends',
  text: `insert into payout_foreign_txs (txid, payee_hash, found_at)
    select one.name, sha256(convert_to(nullif(one.payee, ''), 'UTF8')), $3 from unnest($1::text[], $2::text[]) as one (name, payee)
    on conflict (txid) do nothing`,
  params: [array(t.text), array(t.text), t.epochSeconds],
})

/** Whether a player is paid nothing for now. */
export const isPlayerSetAside = sql({
  name: 'payouts.is-player-set-aside',
  text: `select exists (select from payout_players_set_aside where player_id = $1) as is_set_aside`,
  params: [t.bigint],
  row: { isSetAside: t.bool },
})

const CURSOR = `'payouts.lightning-cursor'`

/** How far the payments of the node are known; one line: node and cursor. */
export const findSendsCursor = sql({
  name: 'payouts.find-lightning-cursor',
  text: `select split_part(value, ' ', 1) as node_id, split_part(value, ' ', 2) as cursor from system_state where key = ${CURSOR}`,
  row: { nodeId: t.text, cursor: t.text },
})

export const saveSendsCursor = sql({
  name: 'payouts.save-lightning-cursor',
  text: `insert into system_state (key, value) values (${CURSOR}, $1::text || ' ' || $2::text)
    on conflict (key) do update set value = excluded.value`,
  params: [t.text, t.text],
})
