/** The months of the books (console.md, sections 7 and 16). Other reports are files, read by their addresses alone. */
import * as z from 'zod/mini'
import { defineConsoleCall } from './call.ts'

const fiat = z.nullable(z.string())
const balance = z.object({ account: z.string(), sats: z.int(), fiat })
const month = z.object({ month: z.string().check(z.regex(/^\d{4}-\d{2}$/)) })

export const reportCalls = {
  getMonth: defineConsoleCall({
    method: 'GET',
    path: '/reports/months/{month}',
    access: 'staff',
    params: month,
    query: z.object({ currency: z.optional(z.string()) }),
    answer: z.object({
      month: z.string(),
      currency: z.string(),
      opening: z.array(balance),
      lines: z.array(z.object({ key: z.string(), sats: z.int(), fiat, events: z.array(z.string()) })),
      closing: z.array(balance),
      locked: z.boolean(),
    }),
  }),
  verifyMonth: defineConsoleCall({
    method: 'GET',
    path: '/reports/months/{month}/verify',
    access: 'staff',
    params: month,
    answer: z.object({
      month: z.string(),
      ok: z.boolean(),
      locked_at: z.int(),
      journal_hash: z.string(),
      computed_hash: z.string(),
    }),
  }),
} as const
