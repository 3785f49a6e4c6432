/** Calls for the operator, for monitoring and for developers. */
import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import { ADDRESSES } from '../paths.ts'
import { OPERATION_ADDRESSES } from '../operation-paths.ts'
import { okSchema } from '../schemas/answers.ts'

/**
 * The operator's assets and debts by kind, in bitcoin as decimal texts with 8 places. `assets` is the balance of each
 * wallet at its last reading, `ledger` their sum in the books, `difference` the assets less the ledger, with its sign;
 * `read_at` is the time of the oldest of these readings, null if no wallet was ever read.
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

/**
 * What the operator's people did, in numbers. The heads are those of the day's first minute, each 64 hexadecimal
 * digits, null for none; the counts are of the last 30 days; `at` is the time of the counts.
 */
const operationsSchema = z.object({
  audit_head: z.nullable(z.string()),
  journal_head: z.nullable(z.string()),
  at: z.nullable(z.int()),
  people: z.int(),
  goodwill: z.int(),
  blocks: z.int(),
  sales_pauses: z.int(),
  accepted_violations: z.int(),
})

/**
 * What answers here. `version` is semantic (semver.org); `build` is the hash of the web's build (docs/supply-chain.md,
 * section 4), null where the pages are served from their sources; `commit` is that of the sources, null if nothing says
 * it; `schema` is the number of the newest migration that this program knows; `protocol` is the version of the draw
 * protocol.
 */
const versionSchema = z.object({
  name: z.literal('fairball'),
  version: z.string(),
  build: z.nullable(z.string()),
  commit: z.nullable(z.string()),
  schema: z.int(),
  protocol: z.int(),
})

export const operationsCalls = {
  getVersion: defineCall(OPERATION_ADDRESSES.getVersion, {
    tag: 'Operations',
    summary: 'Shows the version of the program, of its database and of the draw protocol.',
    answer: versionSchema,
    errors: [],
  }),
  getOperations: defineCall(OPERATION_ADDRESSES.getOperations, {
    tag: 'Operations',
    summary:
      'Shows how many people run the lottery, what they did by hand in 30 days, and the heads of audit log and journal.',
    answer: operationsSchema,
    errors: [],
  }),
  getSolvency: defineCall(ADDRESSES.getSolvency, {
    tag: 'Operations',
    summary:
      'Shows the operator’s wallet balances, its debts according to the ledger, and the difference between wallets and ledger.',
    answer: solvencySchema,
    errors: [],
  }),
  getHealth: defineCall(OPERATION_ADDRESSES.getHealth, {
    tag: 'Operations',
    summary: 'Answers while the process is running.',
    answer: okSchema,
    errors: [],
  }),
  getReadiness: defineCall(OPERATION_ADDRESSES.getReadiness, {
    tag: 'Operations',
    summary: 'Answers 200 if the server is ready, otherwise an error.',
    answer: okSchema,
    errors: [],
  }),
  getMetrics: defineCall(OPERATION_ADDRESSES.getMetrics, {
    tag: 'Operations',
    summary: 'Returns the metrics of the server in the text format of Prometheus.',
    answer: z.string(),
    errors: [],
  }),
  getOpenApi: defineCall(OPERATION_ADDRESSES.getOpenApi, {
    tag: 'Operations',
    summary: 'Returns this reference as an OpenAPI document.',
    answer: z.record(z.string(), z.unknown()),
    errors: [],
  }),
  getReferencePage: defineCall(OPERATION_ADDRESSES.getReferencePage, {
    tag: 'Operations',
    summary: 'Shows this reference as a web page.',
    answer: z.string(),
    errors: [],
  }),
  getReferenceStyle: defineCall(OPERATION_ADDRESSES.getReferenceStyle, {
    tag: 'Operations',
    summary: 'Returns the style sheet of the reference page.',
    answer: z.string(),
    errors: [],
  }),
}
