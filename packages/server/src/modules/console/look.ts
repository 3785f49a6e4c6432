import type { Tx } from '../../db/pool.ts'
import type { JobPayload } from '../../jobs/job.ts'
import type { Jobs } from '../../jobs/queue.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { tellOfAlarm } from '../integrations/service.ts'
import { differencesIn, wordsOfDifferences } from '../reports/service.ts'
import type { CarryOutContext } from './context.ts'
import { storeFindings } from './health.ts'
import { forgetMonthApart, keepMonthApart } from './health-queries.ts'
import { keepStarted } from './started-settings.ts'

// A worker looks at everything each minute, and at one thing as soon as somebody has changed it or has seen it wrong.

/** The kind of the job that looks. In a lane of its own: each check may wait for a server that does not answer. */
export const HEALTH = 'health.look'
/** How often everything is looked at. */
export const HEALTH_SECONDS = 60
/** The check that may say something else once a request was done, by the first part of its kind. */
const CHECKED_AFTER: Readonly<Record<string, string>> = {
  staff: 'staff',
  mail: 'mail',
  sales: 'games',
  treasury: 'bankroll',
  settings: 'texts',
}
/** What a notification about a statement looks like, with its month. */
const APART = /^month:(\d{4}-(?:0[1-9]|1[0-2]))$/u

/** What says to the workers that the statement of a month does not add up, or does so again. */
export function monthToLookAt(month: string): string {
  return `month:${month}`
}

/** Has the check looked at again that a request of this kind may have changed. @param id the request's */
export async function lookAfter(jobs: Pick<Jobs, 'add'>, tx: Tx, kind: string, id: string): Promise<void> {
  const check = CHECKED_AFTER[kind.split('.')[0] ?? '']
  if (check !== undefined) await jobs.add(tx, HEALTH, { check }, { key: `${HEALTH}:${check}:${id}` })
}

/**
 * Has a month looked at whose statement did not add up for the console. A notification can name any month: those to
 * come are left out, and each is looked at once a minute at most.
 */
export async function lookAtMonth(
  { jobs, runtime }: { readonly jobs: Pick<Jobs, 'add'>; readonly runtime: Pick<Runtime, 'clock'> },
  tx: Tx,
  notified: string,
): Promise<void> {
  const [, month] = APART.exec(notified) ?? []
  const now = runtime.clock.now()
  if (month === undefined || month > new Date(now * 1000).toISOString().slice(0, 7) || month < '2009-01') return
  await jobs.add(tx, HEALTH, { month }, { key: `${HEALTH}:${month}:${now - (now % HEALTH_SECONDS)}` })
}

/** Whether a notification is about a month. */
export function isAboutMonth(notified: string): boolean {
  return APART.test(notified)
}

/** Looks at what a job names, or at everything, and keeps what was found for the console. */
export async function look(ctx: CarryOutContext, { check, month }: JobPayload): Promise<void> {
  if (typeof month === 'string') return await recheckMonth(ctx, month)
  const { db, runtime, examine } = ctx
  const findings = await examine(typeof check === 'string' ? check : null)
  await db.transaction(async (tx) => {
    if (check === undefined) await keepStarted(ctx, tx)
    const isWhole = check === undefined
    for (const { id, since } of await storeFindings(tx, findings, { now: runtime.clock.now(), isWhole }))
      await tellOfAlarm(ctx, tx, {
        alarm: 'CheckFails',
        subject: `check:${id}:${since}`,
        text: `The check ${id} fails.`,
      })
  })
}

/** Recalculates a month's statement: the console may raise no alarm, so what it saw is found again here. */
async function recheckMonth(ctx: CarryOutContext, month: string): Promise<void> {
  const differences = await differencesIn(ctx.db, month)
  const now = ctx.runtime.clock.now()
  await ctx.db.transaction(async (tx) => {
    if (differences.length === 0) return void (await tx.execute(forgetMonthApart, [month]))
    const words = wordsOfDifferences(month, differences)
    const { at } = await tx.one(keepMonthApart, [month, now, words])
    if (at !== now) return // it is known
    ctx.runtime.log.error({ month, differences }, 'the statement of a month does not add up')
    await tellOfAlarm(ctx, tx, { alarm: 'MonthApart', subject: `month:${month}:${at}`, text: words })
  })
}
