import type { Db, Tx } from '../../db/pool.ts'
import type { JobHandler, JobPayload } from '../../jobs/job.ts'
import type { Jobs } from '../../jobs/queue.ts'
import { coalesced } from '../../kernel/coalesced.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { lookAtRequest } from './carry-out.ts'
import type { CarryOutContext } from './context.ts'
import { ENROL } from './enrolment.ts'
import { removeFiles } from './files.ts'
import { LIGHT_KINDS } from './kinds.ts'
import { CHECK_INVARIANTS } from './kinds/books.ts'
import { HEALTH, HEALTH_SECONDS, isAboutMonth, look, lookAtMonth } from './look.ts'
import { tellOwners } from './notices.ts'
import { countWaiting, listUndecided, listUndecidedAmong } from './request-queries.ts'
import { removeEndedChallenges } from './session-queries.ts'
import { REQUEST_SECONDS, REQUESTS_CHANNEL, SKEW_SECONDS } from './waiting-request.ts'

const CARRY_OUT = 'console.carry-out'
const SWEEP = 'console.sweep'
const SWEEP_SECONDS = 10
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** Requests that wait for a worker at most, and that it remembers having heard of: the others it finds by its sweep. */
const WAITING_MOST = 200
const WITHOUT_SIGNATURE = [...LIGHT_KINDS, ENROL]
/** How long an ended challenge is kept, in seconds. */
const KEPT_SECONDS = 24 * 3600

/** What a worker does for the console. */
export function consoleJobs(ctx: CarryOutContext): JobHandler[] {
  return [
    {
      kind: CARRY_OUT,
      mode: 'outside',
      run: (payload, job) => lookAtRequest(ctx, String(payload['requestId']), job),
    },
    { kind: SWEEP, mode: 'outside', everySeconds: SWEEP_SECONDS, run: () => sweep(ctx) },
    { kind: HEALTH, mode: 'outside', everySeconds: HEALTH_SECONDS, run: (payload) => lookAt(ctx, payload) },
    { kind: CHECK_INVARIANTS, mode: 'outside', run: async () => void (await ctx.checkInvariants()) },
  ]
}

/** Begins to look for requests, and listens for new ones. @returns what ends the listening */
export async function beginCarryingOut(ctx: {
  readonly db: Db
  readonly jobs: Jobs
  readonly runtime: Pick<Runtime, 'clock' | 'log'>
}): Promise<() => Promise<void>> {
  const { db, jobs, runtime } = ctx
  await db.transaction(async (tx) => {
    for (const kind of [SWEEP, HEALTH]) await jobs.add(tx, kind, {}, { key: kind })
  })
  const heard = new Set<string>()
  const lookForHeard = coalesced(
    () => {
      const ids = [...heard]
      heard.clear()
      return db.transaction(async (tx) => {
        for (const one of ids.filter(isAboutMonth)) await lookAtMonth(ctx, tx, one)
        const requests = ids.filter((one) => UUID.test(one))
        const now = runtime.clock.now()
        const rows = await tx.run(listUndecidedAmong, { now, unsigned: WITHOUT_SIGNATURE, ids: requests })
        await addCarryOuts(jobs, tx, rows)
      })
    },
    (error) => runtime.log.warn({ err: error }, 'a request of the console waits for the next sweep'),
  )
  return await db.listen(REQUESTS_CHANNEL, (id) => {
    if (!(UUID.test(id) || isAboutMonth(id)) || heard.size >= WAITING_MOST) return // anybody in the database may notify, as often as they like
    heard.add(id)
    lookForHeard()
  })
}

/** Has requests looked at, as many as may wait beside those that do. */
async function addCarryOuts(jobs: Jobs, tx: Tx, requests: readonly { readonly id: string }[]): Promise<void> {
  if (requests.length === 0) return
  const { rows: waiting } = await tx.one(countWaiting, [CARRY_OUT, WAITING_MOST])
  for (const { id } of requests.slice(0, WAITING_MOST - waiting))
    await jobs.add(tx, CARRY_OUT, { requestId: id }, { key: `${CARRY_OUT}:${id}` })
}

/** Finds what a lost notification left behind, removes what has ended, and tells the owners what is new. */
async function sweep(ctx: CarryOutContext): Promise<void> {
  const { db, jobs, runtime } = ctx
  const now = runtime.clock.now()
  await addNext(ctx, SWEEP, SWEEP_SECONDS)
  await db.transaction(async (tx) => {
    await tx.execute(removeEndedChallenges, [now - KEPT_SECONDS])
    await removeFiles(tx, now)
    const span = { since: now - REQUEST_SECONDS, until: now + SKEW_SECONDS }
    const wanted = { now, unsigned: WITHOUT_SIGNATURE, ...span, limit: WAITING_MOST }
    await addCarryOuts(jobs, tx, await tx.run(listUndecided, wanted))
    await tellOwners(ctx, tx)
  })
}

/** One job per interval, however many processes ask; after a jump the clock continues from now. */
async function addNext({ db, jobs, runtime }: CarryOutContext, kind: string, everySeconds: number): Promise<void> {
  const runAt = (Math.floor(runtime.clock.now() / everySeconds) + 1) * everySeconds
  await db.transaction((tx) => jobs.add(tx, kind, {}, { key: `${kind}:${runAt}`, runAt }))
}

/** Only what looks at everything is followed by the next. */
async function lookAt(ctx: CarryOutContext, payload: JobPayload): Promise<void> {
  if (Object.keys(payload).length === 0) await addNext(ctx, HEALTH, HEALTH_SECONDS)
  await look(ctx, payload)
}
