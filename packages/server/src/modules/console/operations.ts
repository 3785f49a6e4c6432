import type { AnswerOf } from '@fairball/contract/calls'
import type { Db, Queries, Tx } from '../../db/pool.ts'
import type { JobHandler } from '../../jobs/job.ts'
import type { Jobs } from '../../jobs/queue.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { journalHead } from '../reports/service.ts'
import { countDone, findAuditHead, findOperations, saveOperations } from './operations-queries.ts'
import { isEnrolled } from './rules.ts'
import { listPeople } from './staff-queries.ts'

// What anybody may know of the people who run the lottery. A worker publishes it, since the login of a web process reads
// neither the audit log nor the staff.

type Operations = AnswerOf<'getOperations'>

interface OperationsContext {
  readonly db: Db
  readonly runtime: Pick<Runtime, 'clock'>
  readonly jobs: Jobs
}

const PUBLISH = 'operations.publish'
const PUBLISH_SECONDS = 60
const DAY_SECONDS = 86_400
const COUNTED_SECONDS = 30 * DAY_SECONDS

const NOTHING_YET: Operations = {
  audit_head: null,
  journal_head: null,
  at: null,
  people: 0,
  goodwill: 0,
  blocks: 0,
  sales_pauses: 0,
  accepted_violations: 0,
}

/** Publishes the numbers each minute, and the heads with the first minute of a day. */
export function operationsJobs(ctx: OperationsContext): JobHandler[] {
  const everySeconds = PUBLISH_SECONDS
  return [{ kind: PUBLISH, mode: 'outside', everySeconds, run: () => ctx.db.transaction((tx) => publish(ctx, tx)) }]
}

/** Begins to publish. */
export async function beginOperations({ db, jobs }: OperationsContext): Promise<void> {
  await db.transaction((tx) => jobs.add(tx, PUBLISH, {}, { key: PUBLISH }))
}

async function publish({ runtime, jobs }: OperationsContext, tx: Tx): Promise<void> {
  const now = runtime.clock.now()
  const runAt = (Math.floor(now / PUBLISH_SECONDS) + 1) * PUBLISH_SECONDS
  await jobs.add(tx, PUBLISH, {}, { key: `${PUBLISH}:${runAt}`, runAt })
  const before = await publishedOperations(tx)
  const done = await tx.one(countDone, [now - COUNTED_SECONDS])
  const isSameDay = before.at !== null && Math.floor(before.at / DAY_SECONDS) === Math.floor(now / DAY_SECONDS)
  const heads = isSameDay ? { audit_head: before.audit_head, journal_head: before.journal_head } : await headsNow(tx)
  const operations: Operations = {
    ...heads,
    at: now,
    people: (await tx.run(listPeople, [])).filter(isEnrolled).length,
    goodwill: done.goodwill,
    blocks: done.blocks,
    sales_pauses: done.salesPauses,
    accepted_violations: done.acceptedViolations,
  }
  await tx.execute(saveOperations, [JSON.stringify(operations)])
}

async function headsNow(tx: Tx): Promise<Pick<Operations, 'audit_head' | 'journal_head'>> {
  const audit = await tx.maybeOne(findAuditHead, [])
  return {
    audit_head: audit === null ? null : Buffer.from(audit.hash).toString('hex'),
    journal_head: (await journalHead(tx))?.journal_hash ?? null,
  }
}

/** What was published last. */
export async function publishedOperations(from: Queries): Promise<Operations> {
  const stored = await from.maybeOne(findOperations, [])
  return stored === null ? NOTHING_YET : (JSON.parse(stored.value) as Operations) // only `publish` writes it
}
