/** The errors of a call, and their shape. */
import { LIMIT_REASONS } from '@fairball/domain/errors'
import type { ErrorCode } from '@fairball/domain/errors'
import * as z from 'zod/mini'
import type { Call } from './call.ts'

/** The body of every error. `fields` comes with INVALID_PAYLOAD, `reason` if a limit refused an order. */
export const errorSchema = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    reason: z.optional(z.enum(LIMIT_REASONS)),
    fields: z.optional(z.record(z.string(), z.string())),
  }),
})

/** The error codes of a call: its own, and those that follow from its input and access. */
export function errorsOf(call: Call): ErrorCode[] {
  const takesInput = [call.params, call.query, call.headers, call.body].some((part) => part !== undefined)
  return [
    ...new Set<ErrorCode>([
      ...(takesInput ? (['INVALID_PAYLOAD'] as const) : []),
      ...call.errors,
      'INTERNAL_SERVER_ERROR',
    ]),
  ]
}
