import { array, nullable, sql, t } from '../db/sql.ts'

export const addJob = sql({
  name: 'jobs.add',
  // A key that is already waiting keeps the earlier of the two times: adding twice is one job.
  text: `insert into jobs (kind, key, payload, run_at)
    select distinct on (m.key) m.kind, m.key, m.payload, m.run_at from $each m order by m.key, m.run_at
    on conflict (key) do update set run_at = least(jobs.run_at, excluded.run_at)`,
  params: { kind: t.text, key: t.text, payload: t.json(), runAt: t.epochSeconds },
  serves: 'each',
})

/**
 * Adds jobs of one kind. One whose key waits until the same time or less is left alone, and nobody is waited for: a
 * worker that is at that job may be waiting for the caller.
 */
export const addJobsUnlessWaiting = sql({
  name: 'jobs.add-unless-waiting',
  text: `insert into jobs (kind, key, payload, run_at)
    select distinct on (w.key) m.kind, w.key, w.payload::jsonb, w.run_at
    from $each m cross join unnest(m.keys, m.payloads, m.times) as w (key, payload, run_at)
    where not exists (select from jobs j where j.key = w.key and j.run_at <= w.run_at) order by w.key, w.run_at
    on conflict (key) do update set run_at = least(jobs.run_at, excluded.run_at)`,
  params: { kind: t.text, keys: array(t.text), payloads: array(t.text), times: array(t.epochSeconds) },
  serves: 'each',
})

const jobRow = {
  id: t.bigint,
  kind: t.text,
  key: t.text,
  payload: t.json(),
  runAt: t.epochSeconds,
  attempts: t.int,
}

/** The kinds with a due job, the longest waiting first. */
export const dueKinds = sql({
  name: 'jobs.due-kinds',
  text: `select wanted.kind from unnest($1::text[]) as wanted (kind) cross join lateral (
      select run_at, id from jobs where jobs.kind = wanted.kind and run_at <= $2 order by run_at, id limit 1
    ) as oldest order by oldest.run_at, oldest.id`,
  params: [array(t.text), t.epochSeconds],
  row: { kind: t.text },
})

export const lockDueJob = sql({
  name: 'jobs.lock-due',
  text: `select id, kind, key, payload, run_at, attempts from jobs
    where kind = $1 and run_at <= $2 order by run_at, id for update skip locked limit 1`,
  params: [t.text, t.epochSeconds],
  row: jobRow,
})

/** Leases one due job of a kind until $3, and returns it as it was before. */
export const leaseJob = sql({
  name: 'jobs.lease',
  text: leaseUpTo(1),
  params: [t.text, t.epochSeconds, t.epochSeconds],
  row: jobRow,
})

/**
 * Outside jobs of one kind that a lane takes together: one claim for all of them, and their commits share a disk write.
 */
const JOBS_AT_ONCE = 4
/** The same for jobs that mostly wait for others, in each of their lanes: the slowest keeps the others of its lane. */
const MANY_JOBS_AT_ONCE = 7

/** Leases this many due jobs of a kind, or as many as there are. */
export const leaseJobs = sql({
  name: 'jobs.lease-some',
  text: leaseUpTo(JOBS_AT_ONCE),
  params: [t.text, t.epochSeconds, t.epochSeconds],
  row: jobRow,
})

/**
 * The same for jobs that share their transactions: the lanes fill a portion together. What they call may have to be waited
 * for, a dozen of them at a time, and all of it has to end within a lease and within the limit of a stop, or be given back.
 */
const JOBS_OF_A_PORTION = 16

export const leasePortion = sql({
  name: 'jobs.lease-portion',
  text: leaseUpTo(JOBS_OF_A_PORTION),
  params: [t.text, t.epochSeconds, t.epochSeconds],
  row: jobRow,
})

/** The same for jobs that mostly wait. */
export const leaseManyJobs = sql({
  name: 'jobs.lease-many',
  text: leaseUpTo(MANY_JOBS_AT_ONCE),
  params: [t.text, t.epochSeconds, t.epochSeconds],
  row: jobRow,
})

/** The number is part of the statement: with a parameter instead, PostgreSQL plans it again each time. */
function leaseUpTo(most: number): string {
  return `with due as (
      select id, kind, key, payload, run_at, attempts from jobs
      where kind = $1 and run_at <= $2 order by run_at, id limit ${most} for update skip locked
    )
    update jobs set run_at = $3, leased_until = $3, attempts = jobs.attempts + 1 from due where jobs.id = due.id
    returning due.id, due.kind, due.key, due.payload, due.run_at, due.attempts`
}

export const removeJob = sql({
  name: 'jobs.remove',
  text: `delete from jobs where id = $1`,
  params: [t.bigint],
})

export const removeLeasedJob = sql({
  name: 'jobs.remove-leased',
  text: `delete from jobs using $each m where jobs.id = m.id and jobs.attempts = m.attempts returning m.place`,
  params: { id: t.bigint, attempts: t.int },
  serves: 'each',
})

export const putOffJob = sql({
  name: 'jobs.put-off',
  text: `update jobs set attempts = $2 + 1, run_at = $3, leased_until = null, last_error = $4 where id = $1 and attempts <= $2 + 1`,
  params: [t.bigint, t.int, t.epochSeconds, t.text],
})

/** Ends the lease of a job that was not begun: it is as it was when it was taken. */
export const giveBackJob = sql({
  name: 'jobs.give-back',
  text: `update jobs set attempts = $2, run_at = $3, leased_until = null where id = $1 and attempts = $2 + 1`,
  params: [t.bigint, t.int, t.epochSeconds],
})

/** Makes the failed jobs of some kinds due now, except those that a worker has taken. */
export const wakeJobs = sql({
  name: 'jobs.wake',
  text: `update jobs set run_at = $2 where id in (
      select id from jobs where kind = any($1) and last_error is not null and run_at > $2
        and coalesce(leased_until, 0) <= $2 for update skip locked
    )`,
  params: [array(t.text), t.epochSeconds],
})

export const nextJobAt = sql({
  name: 'jobs.next-at',
  text: `select min(oldest.run_at) as run_at from unnest($1::text[]) as wanted (kind) cross join lateral (
      select run_at from jobs where jobs.kind = wanted.kind order by run_at limit 1
    ) as oldest`,
  params: [array(t.text)],
  row: { runAt: nullable(t.epochSeconds) },
})
