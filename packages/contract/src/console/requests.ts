/** Requests of the console, their signatures, and the audit of what was done. */
import * as z from 'zod/mini'
import { pagedQuery } from '../schemas/paging.ts'
import { defineConsoleCall } from './call.ts'
import { ROLES } from './roles.ts'
import { assertionSchema } from './staff.ts'

/** The states of a request. */
const REQUEST_STATES = [
  'draft',
  'proposed',
  'approved',
  'done',
  'refused',
  'failed',
  'rejected',
  'cancelled',
  'expired',
] as const
/** A state of a request. */
export type RequestState = (typeof REQUEST_STATES)[number]

/** Shortest and longest reason. */
const REASON_MIN = 10
const REASON_MAX = 500

/** Why somebody asks: one line. */
export const reasonText = reasonOf(REASON_MIN)
/** Why a command is run at the server, where nobody has to sign it: one line that says something. */
export const commandReason = reasonOf(1)

function reasonOf(least: number) {
  return z.string().check(
    z.refine(
      (text) => text.trim().length >= least && text.length <= REASON_MAX,
      `Must have ${least} to ${REASON_MAX} characters.`,
    ),
    z.refine((text) => !/[\p{Cc}\u2028\u2029]/u.test(text) && text.isWellFormed(), 'Must be one line.'),
  )
}

const json = z.record(z.string(), z.unknown())
/** What JSON can say: `1e400` is read as no number of it. */
const sentJson = json.check(z.refine(isFinite, 'Must hold no number that is too large.'))

function isFinite(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  return value === null || typeof value !== 'object' || Object.values(value).every(isFinite)
}

const personSchema = z.object({ id: z.string(), name: z.string() })
const needsSchema = z.object({ signatures: z.int(), roles: z.array(z.enum(ROLES)) })
/** What became of a request: the desk's words, or a refusal with its code. */
const resultSchema = z.nullable(json)
const outcomeSchema = z.object({ state: z.enum(REQUEST_STATES), result: resultSchema })
const requestId = z.object({ id: z.uuid() })

/** A request as its readers see it. */
const requestSchema = z.object({
  id: z.string(),
  kind: z.string(),
  args: json,
  reason: z.string(),
  state: z.enum(REQUEST_STATES),
  /** what the screen showed when it was made */
  facts: json,
  /** whether the facts are others now; null once it is closed */
  is_changed: z.nullable(z.boolean()),
  proposed_by: z.nullable(personSchema),
  created_at: z.int(),
  expires_at: z.int(),
  needs: needsSchema,
  signatures: z.array(z.object({ part: z.enum(['propose', 'approve']), staff: personSchema, signed_at: z.int() })),
  result: resultSchema,
})

export const requestCalls = {
  makeRequest: defineConsoleCall({
    method: 'POST',
    path: '/requests',
    access: 'staff',
    body: z.strictObject({ kind: z.string().check(z.maxLength(100)), args: sentJson, reason: reasonText }),
    // A light kind is done at once: it has no text, options, facts or needs.
    answer: z.object({
      id: z.string(),
      state: z.enum(REQUEST_STATES),
      facts: z.optional(json),
      text: z.optional(z.string()),
      options: z.optional(json),
      needs: z.optional(needsSchema),
      result: z.optional(resultSchema),
    }),
    status: 201,
  }),
  signRequest: defineConsoleCall({
    method: 'POST',
    path: '/requests/{id}/sign',
    access: 'staff',
    params: requestId,
    body: z.strictObject({ response: assertionSchema }),
    answer: outcomeSchema,
  }),
  approvalOptions: defineConsoleCall({
    method: 'POST',
    path: '/requests/{id}/options',
    access: 'staff',
    params: requestId,
    answer: z.object({ facts: json, is_changed: z.boolean(), text: z.string(), options: json }),
  }),
  approveRequest: defineConsoleCall({
    method: 'POST',
    path: '/requests/{id}/approve',
    access: 'staff',
    params: requestId,
    body: z.strictObject({ response: assertionSchema }),
    answer: outcomeSchema,
  }),
  rejectRequest: defineConsoleCall({
    method: 'POST',
    path: '/requests/{id}/reject',
    access: 'staff',
    params: requestId,
    body: z.strictObject({ reason: reasonText }),
    answer: outcomeSchema,
  }),
  cancelRequest: defineConsoleCall({
    method: 'POST',
    path: '/requests/{id}/cancel',
    access: 'staff',
    params: requestId,
    answer: outcomeSchema,
  }),
  listRequests: defineConsoleCall({
    method: 'GET',
    path: '/requests',
    access: 'staff',
    query: z.extend(pagedQuery, { state: z.optional(z.enum(REQUEST_STATES)) }),
    answer: z.object({ results: z.array(requestSchema), total_pages: z.int() }),
  }),
  getRequest: defineConsoleCall({
    method: 'GET',
    path: '/requests/{id}',
    access: 'staff',
    params: requestId,
    answer: requestSchema,
  }),
  listAudit: defineConsoleCall({
    method: 'GET',
    path: '/audit',
    access: 'staff',
    query: pagedQuery,
    answer: z.object({
      results: z.array(
        z.object({
          id: z.string(),
          at: z.int(),
          kind: z.string(),
          staff: z.nullable(personSchema),
          approver: z.nullable(personSchema),
          request: z.nullable(z.string()),
          reason: z.nullable(z.string()),
          args: z.nullable(json),
          detail: z.nullable(json),
          prev_hash: z.string(),
          hash: z.string(),
        }),
      ),
      total_pages: z.int(),
    }),
  }),
  verifyAudit: defineConsoleCall({
    method: 'GET',
    path: '/audit/verify',
    access: 'staff',
    answer: z.object({ ok: z.boolean(), rows: z.int(), first_bad: z.nullable(z.string()), head: z.string() }),
  }),
} as const
