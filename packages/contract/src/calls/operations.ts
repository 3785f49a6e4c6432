/** What the operator, a monitor and a developer ask. */
import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import { ADDRESSES } from '../paths.ts'
import { okSchema } from '../schemas/answers.ts'

/**
 * What the operator holds and owes, in bitcoin as decimal texts with 8 places, by kind. `assets` is what each wallet held
 * when it was read, `ledger` what the books say of them all, `difference` the first less the second, with its sign;
 * `read_at` is when the oldest of these readings was made, null when no wallet was ever read.
 */
const solvencySchema = z.object({
  assets: z.record(z.string(), z.string()),
  ledger: z.string(),
  difference: z.string(),
  read_at: z.nullable(z.int()),
  liabilities: z.record(z.string(), z.string()),
  free_tickets: z.int(),
  solvent: z.boolean(),
})
export type Solvency = z.output<typeof solvencySchema>

export const operationsCalls = {
  getSolvency: defineCall(ADDRESSES.getSolvency, {
    tag: 'Operations',
    summary:
      'Shows what the operator holds, as its wallets say, what it owes, as sums over the ledger, and the difference of wallets and ledger.',
    answer: solvencySchema,
    errors: [],
  }),
  getHealth: defineCall(ADDRESSES.getHealth, {
    tag: 'Operations',
    summary: 'Answers as long as the process lives.',
    answer: okSchema,
    errors: [],
  }),
  getReadiness: defineCall(ADDRESSES.getReadiness, {
    tag: 'Operations',
    summary: 'Answers 200 when the server can do its work, otherwise an error.',
    answer: okSchema,
    errors: [],
  }),
  getMetrics: defineCall(ADDRESSES.getMetrics, {
    tag: 'Operations',
    summary: 'Gives the measurements of the server in the text format of Prometheus.',
    answer: z.string(),
    errors: [],
  }),
  getOpenApi: defineCall(ADDRESSES.getOpenApi, {
    tag: 'Operations',
    summary: 'Gives this reference as an OpenAPI document.',
    answer: z.record(z.string(), z.unknown()),
    errors: [],
  }),
  getReferencePage: defineCall(ADDRESSES.getReferencePage, {
    tag: 'Operations',
    summary: 'Shows this reference as a page to read.',
    answer: z.string(),
    errors: [],
  }),
  getReferenceStyle: defineCall(ADDRESSES.getReferenceStyle, {
    tag: 'Operations',
    summary: 'Gives the style sheet of the reference page.',
    answer: z.string(),
    errors: [],
  }),
}
