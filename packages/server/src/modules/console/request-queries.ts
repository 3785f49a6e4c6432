import type { Json } from '@fairball/contract/console/canonical-json'
import { array, nullable, type RowOf, sql, t } from '../../db/sql.ts'

/** An object as JSON has it. */
export type JsonObject = Readonly<Record<string, Json>>

/** The stored states; `expired` follows from `expires_at`. */
const state = t.oneOf(['draft', 'proposed', 'approved', 'done', 'refused', 'failed', 'rejected', 'cancelled'])

const requestRow = {
  id: t.uuid,
  kind: t.text,
  args: t.json<JsonObject>(),
  reason: t.text,
  facts: t.json<JsonObject>(),
  proposedBy: nullable(t.bigint),
  createdAt: t.epochSeconds,
  expiresAt: t.epochSeconds,
  state,
  result: nullable(t.json<JsonObject>()),
} as const
const REQUEST_COLUMNS = 'id, kind, args, reason, facts, proposed_by, created_at, expires_at, state, result'

/** What the console adds; a worker alone changes it afterwards. */
export const insertRequest = sql({
  name: 'console.insert-request',
  text: `insert into operator_requests (id, kind, args, reason, facts, proposed_by, created_at, expires_at)
    values ($id, $kind, $args, $reason, $facts, $proposedBy, $now, $expiresAt)`,
  params: {
    id: t.uuid,
    kind: t.text,
    args: t.json<JsonObject>(),
    reason: t.text,
    facts: t.json<JsonObject>(),
    proposedBy: nullable(t.bigint),
    now: t.epochSeconds,
    expiresAt: t.epochSeconds,
  },
})

export const findRequest = sql({
  name: 'console.find-request',
  text: `select ${REQUEST_COLUMNS} from operator_requests where id = $1`,
  params: [t.uuid],
  row: requestRow,
})

/** Some requests by their ids. */
export const listRequestsOf = sql({
  name: 'console.list-requests-of',
  text: `select ${REQUEST_COLUMNS} from operator_requests where id = any($1)`,
  params: [array(t.uuid)],
  row: requestRow,
})

/** A request as it is stored. */
export type StoredRequest = RowOf<typeof findRequest>

/** Keeps a request for the worker's transaction. */
export const lockRequest = sql({
  name: 'console.lock-request',
  text: `select ${REQUEST_COLUMNS} from operator_requests where id = $1 for update`,
  params: [t.uuid],
  row: requestRow,
})

export const moveRequest = sql({
  name: 'console.move-request',
  text: `update operator_requests set state = $state, result = $result, expires_at = $expiresAt, ended_at = $endedAt
    where id = $id`,
  params: {
    id: t.uuid,
    state,
    result: nullable(t.json<JsonObject>()),
    expiresAt: t.epochSeconds,
    endedAt: nullable(t.epochSeconds),
  },
})

/** Takes a token out of the arguments once it was used. */
export const replaceArgs = sql({
  name: 'console.replace-args',
  text: `update operator_requests set args = $2 where id = $1`,
  params: [t.uuid, t.json<JsonObject>()],
})

/** The state and result of a request, for the call that waits for them. */
export const findOutcome = sql({
  name: 'console.find-outcome',
  text: `select state, result from operator_requests where id = $1`,
  params: [t.uuid],
  row: { state, result: nullable(t.json<JsonObject>()) },
})

const UNDECIDED = `r.state in ('draft', 'proposed', 'approved') and r.expires_at > $now
      and (r.state = 'approved' or r.kind = any($unsigned)
        or exists (select from operator_signatures s where s.request_id = r.id
          and s.part = case r.state when 'draft' then 'propose' else 'approve' end))`

/**
 * Requests that a worker has to look at: with a signature that nothing followed from, or without the need of one. The
 * newest, of those made since a time: a table full of old ones keeps nobody waiting.
 */
export const listUndecided = sql({
  name: 'console.list-undecided',
  text: `select r.id from operator_requests r
    where ${UNDECIDED} and r.created_at > $since and r.created_at <= $until order by r.created_at desc limit $limit`,
  params: {
    now: t.epochSeconds,
    unsigned: array(t.text),
    since: t.epochSeconds,
    until: t.epochSeconds,
    limit: t.whole,
  },
  row: { id: t.uuid },
})

/** Those among some. */
export const listUndecidedAmong = sql({
  name: 'console.list-undecided-among',
  text: `select r.id from operator_requests r where ${UNDECIDED} and r.id = any($ids)`,
  params: { now: t.epochSeconds, unsigned: array(t.text), ids: array(t.uuid) },
  row: { id: t.uuid },
})

/** How many jobs of a kind wait, counted no further than $2. */
export const countWaiting = sql({
  name: 'console.count-waiting',
  text: `select count(*) as rows from (select from jobs where kind = $1 limit $2) as waiting`,
  params: [t.text, t.whole],
  row: { rows: t.whole },
})

const VISIBLE_STATE = `case when r.state in ('draft', 'proposed', 'approved') and r.expires_at <= $now then 'expired' else r.state end`

/** A page of requests, newest first: those that were signed, and drafts of the reader alone. */
export const listRequests = sql({
  name: 'console.list-requests',
  text: `select r.id, r.kind, r.args, r.reason, r.facts, r.proposed_by, r.created_at, r.expires_at, r.state, r.result
    from operator_requests r where r.kind <> all($hidden)
      and ($state::text is null or ${VISIBLE_STATE} = $state)
      and (r.state <> 'draft' or r.proposed_by = $reader)
    order by r.created_at desc, r.id limit $limit offset $offset`,
  params: {
    now: t.epochSeconds,
    hidden: array(t.text),
    state: nullable(t.text),
    reader: t.bigint,
    limit: t.whole,
    offset: t.whole,
  },
  row: requestRow,
})

/** How many there are of those. */
export const countRequests = sql({
  name: 'console.count-requests',
  text: `select count(*) as rows from operator_requests r where r.kind <> all($2)
      and ($3::text is null or case when r.state in ('draft', 'proposed', 'approved') and r.expires_at <= $1
        then 'expired' else r.state end = $3)
      and (r.state <> 'draft' or r.proposed_by = $4)`,
  params: [t.epochSeconds, array(t.text), nullable(t.text), t.bigint],
  row: { rows: t.whole },
})

const signatureRow = {
  id: t.bigint,
  requestId: t.uuid,
  part: t.oneOf(['propose', 'approve']),
  staffId: t.bigint,
  name: t.text,
  keyId: t.bigint,
  text: t.text,
  challenge: t.bytea,
  authenticatorData: t.bytea,
  clientDataJson: t.bytea,
  signature: t.bytea,
  signedAt: t.epochSeconds,
} as const

/** The signatures of some requests, in the order in which they were given. */
export const listSignatures = sql({
  name: 'console.list-signatures',
  text: `select g.id, g.request_id, g.part, g.staff_id, s.name, g.key_id, g.text, g.challenge, g.authenticator_data,
      g.client_data_json, g.signature, g.signed_at
    from operator_signatures g join staff s on s.id = g.staff_id where g.request_id = any($1) order by g.id`,
  params: [array(t.uuid)],
  row: signatureRow,
})

/** A stored signature. */
export type StoredSignature = RowOf<typeof listSignatures>

export const insertSignature = sql({
  name: 'console.insert-signature',
  text: `insert into operator_signatures (request_id, part, staff_id, key_id, text, challenge, authenticator_data,
      client_data_json, signature, signed_at)
    values ($requestId, $part, $staffId, $keyId, $text, $challenge, $authenticatorData, $clientDataJson, $signature, $now)`,
  params: {
    requestId: t.uuid,
    part: t.oneOf(['propose', 'approve']),
    staffId: t.bigint,
    keyId: t.bigint,
    text: t.text,
    challenge: t.bytea,
    authenticatorData: t.bytea,
    clientDataJson: t.bytea,
    signature: t.bytea,
    now: t.epochSeconds,
  },
})
